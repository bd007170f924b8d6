// Closest hits and any hits of rays, in packets and batches.
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/lanes/packets.hpp"

#include <atomic>

namespace sightline::detail {
namespace {

/// The answer of a record with this t, without its normal, as by hit_of() of cast.hpp. Without
/// branches: which rays hit is unpredictable.
Hit hit_of(const RayRecord& r, float t) {
  const std::uint32_t is_hit = r.best != none;
  const std::uint32_t inside = (r.flags & record_flags::started_inside) != 0;
  const std::uint32_t bad = (r.flags & record_flags::bad) != 0;
  return {float_of(is_hit != 0 ? bits_of(t) : bits_of(infinity)),
          r.best,
          static_cast<std::uint8_t>(is_hit * hit_flags::hit |
                                    (is_hit & inside) * hit_flags::started_inside |
                                    bad * hit_flags::bad_ray),
          {0, 0, 0}};
}

/// The unscaled t of ray i, if it hit. Only where scaling may have rounded are the ends of the
/// caller's interval looked at: they lie far apart in memory, as rays are in the order of places.
float t_of(const RayRecord& r, const RaysView& rays, std::uint32_t i) {
  ScaledRay ray{};
  ray.exponent = record_flags::exponent_of(r.flags);
  const float t = times_power_of_two(r.reach, -ray.exponent);
  const bool is_exact = min(t, r.reach) >= 0x1p-100f && max(t, r.reach) <= 0x1p100f;
  if (is_exact || r.best == none) return t;
  return unscaled_t(ray, r.reach, rays.t_min[i], rays.t_max[i]);
}

/// Calls one(k, i, record) for each ray, of place i, and counts it. All by value: see TracedRays.
template <class One>
void for_each(TracedRays traced, std::uint64_t begin, CastReport& seen, One one) {
  std::uint64_t hits = 0;
  for (std::uint32_t k = 0; k < traced.count; ++k) {
    const RayRecord& r = traced.records[k];
    const std::uint32_t i = traced.place(k);
    one(k, i, r);
    hits += r.best != none;
    if ((r.flags & record_flags::bad) != 0) add_bad_ray(seen, begin + i);
  }
  seen.hits += hits;
}

/// Writes the answers, without normals, to their places.
void store_hits(const TracedRays& traced, std::uint64_t begin, CastReport& seen,
                const RaysView& rays, const HitsView& hits) {
  constexpr std::uint32_t ahead = 16;
  for_each(traced, begin, seen,
           [traced, hits, &rays](std::uint32_t k, std::uint32_t i, const RayRecord& r) {
             const std::uint32_t later = traced.place(std::min(k + ahead, traced.count - 1));
             if (hits.t != nullptr) __builtin_prefetch(hits.t + later, 1);
             if (hits.id != nullptr) __builtin_prefetch(hits.id + later, 1);
             if (hits.flags != nullptr) __builtin_prefetch(hits.flags + later, 1);
             const Hit hit = hit_of(r, t_of(r, rays, i));
             if (hits.t != nullptr) hits.t[i] = hit.t;
             if (hits.id != nullptr) hits.id[i] = hit.id;
             if (hits.flags != nullptr) hits.flags[i] = hit.flags;
           });
}

Vec3 normal_of(const ShapesView& shapes, const Ray& ray, const Hit& hit, Inside inside) {
  if (hit.id == none) return hit.normal;
  const Query q = make_query(ray, inside);
  const bool started_inside = (hit.flags & hit_flags::started_inside) != 0;
  return shapes.visit(hit.id,
                      [&](const auto& shape) { return normal_of_hit(q, shape, started_inside); });
}

/// Calls store(traced, begin, seen) for answered rays, whose places count from `begin`, a
/// multiple of 64. With `packets`, rays of packets are answered to answers(first) instead, and
/// done(first) follows.
template <class Store, class Answers, class Done>
CastReport for_each_ray(const CpuScene& scene, const RaysView& rays, RayQuery query, Inside inside,
                        const Store& store, bool packets, const Answers& answers,
                        const Done& done) {
  ReportSum<CastReport> sum;
  scene.threads.for_each_part(
      rays.count, scene.part_of(rays.count), [&] { return scene.batches(query, inside); },
      [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
        CastReport seen{end - begin};
        std::atomic<std::uint64_t> packet_hits{0};
        const RaysView here = rays.slice(begin, end - begin);
        std::vector<RayRun> others = {{0, static_cast<std::uint32_t>(here.count)}};
        if (packets) {
          others = trace_packets(
              scene.traced, scene.tracer, here, query, inside,
              [&](std::uint32_t first) { return answers(begin + first); },
              [&](std::uint32_t first, int hits) {
                packet_hits += static_cast<std::uint64_t>(hits);
                done(begin + first);
              });
        }
        batches.set_grid(grid_over(here, query == RayQuery::any));
        batches.trace_runs(here, others,
                           [&](const TracedRays& traced) { store(traced, begin, seen); });
        seen.hits += packet_hits;
        sum += seen;
      });
  return sum.total();
}

}  // namespace

CastReport answer(const CpuScene& scene, const ClosestHits& asked) {
  if (asked.rays.count <= CpuScene::few_rays) return find(scene.search(), asked);
  const RaysView& rays = asked.rays;
  const HitsView& hits = asked.hits;
  const Inside inside = asked.inside;
  const auto store = [&](const TracedRays& traced, std::uint64_t begin, CastReport& seen) {
    store_hits(traced, begin, seen, rays.slice(begin, rays.count - begin), hits.from(begin));
    if (hits.normal == nullptr) return;
    for (std::uint32_t k = 0; k < traced.count; ++k) {
      const std::uint64_t i = begin + traced.place(k);
      hits.normal[i] = normal_of(scene.shapes, rays[i], hit_of(traced.records[k], 0), inside);
    }
  };
  const auto answers = [&](std::uint64_t first) {
    return PacketAnswers{hits.from(first), nullptr};
  };
  const auto done = [&](std::uint64_t first) {
    if (hits.normal == nullptr) return;
    const std::uint64_t end = first + static_cast<std::uint64_t>(scene.tracer.packet_size);
    for (std::uint64_t i = first; i < end; ++i) {
      hits.normal[i] =
          normal_of(scene.shapes, rays[i], {0, hits.id[i], hits.flags[i], {0, 0, 0}}, inside);
    }
  };
  // A packet's normals are computed from its ids and flags.
  const bool packets = hits.normal == nullptr || (hits.id != nullptr && hits.flags != nullptr);
  return for_each_ray(scene, rays, RayQuery::closest, inside, store, packets, answers, done);
}

CastReport answer(const CpuScene& scene, const AnyHits& asked) {
  if (asked.rays.count <= CpuScene::few_segments) return find(scene.search(), asked);
  // Parts begin at multiples of 64, so that no two share a word.
  std::fill_n(asked.blocked, bit_words(asked.rays.count), 0);
  const auto store = [&](const TracedRays& traced, std::uint64_t begin, CastReport& seen) {
    for_each(
        traced, begin, seen,
        [words = asked.blocked + begin / 64](std::uint32_t, std::uint32_t i, const RayRecord& r) {
          words[i / 64] |= std::uint64_t{r.best != none} << i % 64;
        });
  };
  const auto answers = [&](std::uint64_t first) {
    return PacketAnswers{{}, asked.blocked + first / 64};
  };
  const auto nothing = [](std::uint64_t) {};
  return for_each_ray(scene, asked.rays, RayQuery::any, asked.inside, store, true, answers,
                      nothing);
}

}  // namespace sightline::detail
