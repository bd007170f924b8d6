// One ray's row of hits while it is found, and the reports of all rows.
#pragma once

#include "host/backend/report_sums.hpp"

#include <sightline/geometry/queries/all_hits.hpp>

#include <algorithm>
#include <vector>

namespace sightline::detail {

/// All crossings of a ray are offered; the first `most` are kept. Memory grows as they come.
class HitRow {
 public:
  explicit HitRow(std::uint32_t most) : most_(most) {}

  void clear() {
    kept_.clear();
    count_ = 0;
  }
  void offer(const Crossing& c) {
    ++count_;
    if (kept_.size() < most_) {
      kept_.push_back(c);
      if (kept_.size() == most_) std::make_heap(kept_.begin(), kept_.end(), before);
    } else if (comes_before(c, kept_.front())) {  // the last one
      std::pop_heap(kept_.begin(), kept_.end(), before);
      kept_.back() = c;
      std::push_heap(kept_.begin(), kept_.end(), before);
    }
  }

  std::uint32_t count() const { return count_; }  ///< of all that were offered

  /// Appends the sorted row to the rows' columns, and returns its flags.
  std::uint8_t append(const Query& q, const ShapesView& shapes, const Ray& ray, bool t_out,
                      HitRows& rows) {
    std::sort(kept_.begin(), kept_.end(), before);
    for (const Crossing& c : kept_) {
      const float t = t_of(q.ray, c, ray.t_min, ray.t_max);
      rows.t.push_back(t);
      rows.id.push_back(c.id);
      if (t_out) rows.t_out.push_back(t_out_of(q.ray, c.t_out, t, ray.t_max));
    }
    if (kept_.empty()) return row_flags(q.ray.bad, count_, false, most_);
    return row_flags(q.ray.bad, count_, kept_.front().started_inside, most_) |
           back_flag(q.ray.line, shapes, kept_.front().id);
  }

 private:
  static bool before(const Crossing& a, const Crossing& b) { return comes_before(a, b); }

  std::uint32_t most_;
  std::uint32_t count_ = 0;
  std::vector<Crossing> kept_;
};

/// Sizes the columns for n rays, and empties the rows.
inline void set_rays(HitRows& rows, std::uint64_t n) {
  rows.offsets.assign(n + 1, 0);
  rows.count.resize(n);
  rows.flags.resize(n);
  rows.t.clear();
  rows.id.clear();
  rows.t_out.clear();
}

/// Adds ray i with `count` hits, of which at most `most` are kept; most = 0: they are only counted.
inline void add_ray(HitRowsReport& report, std::uint64_t i, bool bad, std::uint32_t count,
                    std::uint32_t most) {
  ++report.rays;
  report.hitting += count > 0;
  report.hits += count;
  report.kept += std::min(count, most);
  report.overflowing += most > 0 && count > most;
  if (bad) add_bad_ray(report, i);
}

}  // namespace sightline::detail
