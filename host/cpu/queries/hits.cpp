#include "host/cpu/queries/hits.hpp"

#include "host/backend/hit_rows.hpp"
#include "host/cpu/walk/ray_walk.hpp"

#include <mutex>
#include <utility>

namespace sightline::detail {
namespace {

/// Rays of a part, a multiple of 64.
std::uint64_t part_of(const WalkScene& scene, const RaysView& rays) {
  return scene.threads.part_of(rays.count, 64, 512);
}

/// Calls use(crossing) for every shape that the ray hits, planes first, in no order.
template <class Use>
void for_each_hit(const WalkScene& scene, const Query& q, const Use& use) {
  if (q.ray.bad) return;
  const ShapesView& shapes = scene.shapes;
  const auto judge = [&](std::uint32_t id, float gate_near) {
    if (counts(q, shapes, id)) {
      shapes.visit(id, [&](const auto& s) { use_crossing(q, s, id, gate_near, use); });
    }
    return false;
  };
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) judge(id, q.ray.t_min);
  for_each_along(scene.bvh, q.ray.line, q.ray.t_min, q.ray.t_max, AsTheyAre{}, judge);
}

/// A report that many threads add to.
class SharedReport {
 public:
  void add(const HitRowsReport& part) {
    const std::lock_guard lock(mutex_);
    detail::add(total_, part);
  }
  const HitRowsReport& total() const { return total_; }

 private:
  std::mutex mutex_;
  HitRowsReport total_;
};

/// Makes rows of what the parts found, whose offsets count from the part's own first.
void join(const WalkScene& scene, std::uint64_t part, std::vector<HitRows>& parts, bool t_out,
          HitRows& rows) {
  const std::uint64_t n = rows.count.size();
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i % part == 0) before = rows.offsets[i];
    rows.offsets[i + 1] += before;
  }
  rows.t.resize(rows.offsets[n]);
  rows.id.resize(rows.offsets[n]);
  rows.t_out.resize(t_out ? rows.offsets[n] : 0);
  const auto nothing = [] { return 0; };
  scene.threads.for_each_part(n, part, nothing, [&](int, std::uint64_t begin, std::uint64_t) {
    const HitRows from = std::move(parts[begin / part]);
    const auto at = static_cast<std::ptrdiff_t>(rows.offsets[begin]);
    std::copy(from.t.begin(), from.t.end(), rows.t.begin() + at);
    std::copy(from.id.begin(), from.id.end(), rows.id.begin() + at);
    if (t_out) std::copy(from.t_out.begin(), from.t_out.end(), rows.t_out.begin() + at);
  });
}

}  // namespace

HitRowsReport cpu_count_hits(const WalkScene& scene, const RaysView& rays, std::uint32_t* counts,
                             Inside inside) {
  SharedReport report;
  scene.threads.for_each_part(
      rays.count, part_of(scene, rays), [] { return 0; },
      [&](int, std::uint64_t begin, std::uint64_t end) {
        HitRowsReport seen;
        for (std::uint64_t i = begin; i < end; ++i) {
          const Query q = make_query(rays[i], inside);
          counts[i] = 0;
          for_each_hit(scene, q, [&](const Crossing&) { ++counts[i]; });
          add_ray(seen, i, q.ray.bad, counts[i], 0);
        }
        report.add(seen);
      });
  return report.total();
}

// Every part keeps its own rows until all are counted.
HitRowsReport cpu_all_hits(const WalkScene& scene, const RaysView& rays, HitRows& rows,
                           const HitRowsOptions& options) {
  const std::uint64_t n = rays.count, part = part_of(scene, rays);
  set_rays(rows, n);
  std::vector<HitRows> parts(n / part + 1);
  SharedReport report;
  scene.threads.for_each_part(
      n, part, [&] { return HitRow(options.first); },
      [&](HitRow& row, std::uint64_t begin, std::uint64_t end) {
        HitRows& here = parts[begin / part];
        HitRowsReport seen;
        for (std::uint64_t i = begin; i < end; ++i) {
          const Ray ray = rays[i];
          const Query q = make_query(ray, options.inside);
          row.clear();
          for_each_hit(scene, q, [&](const Crossing& c) { row.offer(c); });
          rows.flags[i] = row.append(q, ray, options.t_out, here);
          rows.count[i] = row.count();
          rows.offsets[i + 1] = here.t.size();
          add_ray(seen, i, q.ray.bad, row.count(), options.first);
        }
        report.add(seen);
      });
  join(scene, part, parts, options.t_out, rows);
  return report.total();
}

}  // namespace sightline::detail
