// Sums of the reports of a call's parts.
#pragma once

#include <sightline/results.hpp>

#include <mutex>

namespace sightline::detail {

template <class Report>
void add_bad_ray(Report& report, std::uint64_t i) {
  if (report.bad_rays++ == 0 || i < report.first_bad_ray) report.first_bad_ray = i;
}

// Parts come in any order; their indices are those of the call.
template <class Report>
void add_rays(Report& total, const Report& part) {
  if (part.bad_rays > 0) add_bad_ray(total, part.first_bad_ray);
  total.bad_rays += part.bad_rays - (part.bad_rays > 0);
  total.rays += part.rays;
  total.hits += part.hits;
}
inline void add(CastReport& total, const CastReport& part) { add_rays(total, part); }
inline void add(HitRowsReport& total, const HitRowsReport& part) {
  add_rays(total, part);
  total.hitting += part.hitting;
  total.kept += part.kept;
  total.overflowing += part.overflowing;
}
inline void add(OverlapReport& total, const OverlapReport& part) {
  total.asked += part.asked;
  total.overlapping += part.overlapping;
  total.pairs += part.pairs;
}
inline void add(NearestReport& total, const NearestReport& part) {
  total.points += part.points;
  total.found += part.found;
  total.bad_points += part.bad_points;
}
inline void add(WindingReport& total, const WindingReport& part) {
  total.points += part.points;
  total.inside += part.inside;
  total.bad_points += part.bad_points;
}
inline void add(VisibilityReport& total, const VisibilityReport& part) {
  total.pairs += part.pairs;
  total.visible += part.visible;
  total.bad_viewpoints += part.bad_viewpoints;
  total.bad_targets += part.bad_targets;
  total.touching_viewpoints += part.touching_viewpoints;
  total.touching_targets += part.touching_targets;
  total.in_field += part.in_field;
}
inline void add(std::uint64_t& total, std::uint64_t part) { total += part; }

/// A report that many threads add to.
template <class Report>
class ReportSum {
 public:
  void operator+=(const Report& part) {
    const std::lock_guard lock(mutex_);
    add(total_, part);
  }
  const Report& total() const { return total_; }

 private:
  std::mutex mutex_;
  Report total_{};
};

}  // namespace sightline::detail
