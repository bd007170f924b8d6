// Closest hits and any hits of rays, in packets and batches.
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/rays/packets.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

namespace sightline::detail {
namespace {

/// Calls one(i, answer) for each ray i and counts it. All by value: see RayAnswers.
template <class One>
void for_each(RayAnswers traced, std::uint64_t begin, CastReport& seen, One one) {
  std::uint64_t hits = 0, i = begin + traced.first;
  for (std::uint32_t k = 0; k < traced.count; ++k, ++i) {
    const RayAnswer& r = traced[k];
    one(i, r);
    hits += r.id != none;
    if (is_bad(r)) add_bad_ray(seen, i);
  }
  seen.hits += hits;
}

Vec3 normal_of(const ShapesView& shapes, const Ray& ray, std::uint32_t id, std::uint32_t flags,
               Inside inside) {
  if (id == none) return {0, 0, 0};
  const Query q = make_query(ray, inside);
  const bool started_inside = (flags & hit_flags::started_inside) != 0;
  return shapes.visit(id,
                      [&](const auto& shape) { return normal_of_hit(q, shape, started_inside); });
}

/// Calls store(answers, begin, seen) for answered rays, whose indices count from `begin`, a
/// multiple of 64. With `packets`, rays of packets are answered to answers(first) instead, and
/// done(first) follows.
template <class Store, class Answers, class Done>
CastReport for_each_ray(const CpuScene& scene, const RaysView& rays, RayQuery query,
                        RayPolicy policy, const Store& store, bool packets, const Answers& answers,
                        const Done& done) {
  ReportSum<CastReport> sum;
  scene.threads.for_each_part(
      rays.count, scene.part_of(rays.count), [&] { return scene.batches(query, policy); },
      [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
        CastReport seen{end - begin};
        std::atomic<std::uint64_t> packet_hits{0};
        const RaysView here = rays.slice(begin, end - begin);
        std::vector<RayRun> others = {{0, static_cast<std::uint32_t>(here.count)}};
        if (packets) {
          others = trace_packets(
              scene.traced, scene.simd, here, query, policy,
              [&](std::uint32_t first) { return answers(begin + first); },
              [&](std::uint32_t first, int hits) {
                packet_hits += static_cast<std::uint64_t>(hits);
                done(begin + first);
              });
        }
        batches.set_grid(grid_over(here, query == RayQuery::any));
        batches.trace_runs(here, others, [&](RayAnswers traced) { store(traced, begin, seen); });
        seen.hits += packet_hits;
        sum += seen;
      });
  return sum.total();
}

}  // namespace

CastReport answer_query(const CpuScene& scene, const ClosestHits& asked) {
  if (asked.rays.count <= CpuScene::few_rays) return answer_by_search(scene.search(), asked);
  const RaysView& rays = asked.rays;
  const HitsView& hits = asked.hits;
  const RayPolicy policy = asked.policy;
  const auto store = [&](RayAnswers traced, std::uint64_t begin, CastReport& seen) {
    for_each(traced, begin, seen, [hits](std::uint64_t i, const RayAnswer& r) {
      if (hits.t != nullptr) hits.t[i] = r.t;
      if (hits.id != nullptr) hits.id[i] = r.id;
      if (hits.flags != nullptr) hits.flags[i] = static_cast<std::uint8_t>(r.flags);
    });
    if (hits.normal == nullptr) return;
    for (std::uint32_t k = 0; k < traced.count; ++k) {
      const std::uint64_t i = begin + traced.first + k;
      hits.normal[i] = normal_of(scene.shapes, rays[i], traced[k].id, traced[k].flags, policy);
    }
  };
  const auto answers = [&](std::uint64_t first) {
    return PacketAnswers{hits.from(first), nullptr};
  };
  const auto done = [&](std::uint64_t first) {
    if (hits.normal == nullptr) return;
    const std::uint64_t end = first + static_cast<std::uint64_t>(scene.simd.packet_size);
    for (std::uint64_t i = first; i < end; ++i) {
      hits.normal[i] = normal_of(scene.shapes, rays[i], hits.id[i], hits.flags[i], policy);
    }
  };
  // A packet's normals are computed from its ids and flags.
  const bool packets = hits.normal == nullptr || (hits.id != nullptr && hits.flags != nullptr);
  return for_each_ray(scene, rays, RayQuery::closest, policy, store, packets, answers, done);
}

CastReport answer_query(const CpuScene& scene, const AnyHits& asked) {
  if (asked.rays.count <= CpuScene::few_segments) return answer_by_search(scene.search(), asked);
  // Parts begin at multiples of 64, so that no two share a word.
  std::fill_n(asked.blocked, bit_words(asked.rays.count), 0);
  const auto store = [&](RayAnswers traced, std::uint64_t begin, CastReport& seen) {
    // A word at a time: to set its bits in memory, each would wait for the one before.
    const std::uint64_t first = begin + traced.first, end = first + traced.count;
    for (std::uint64_t i = first; i < end;) {
      const std::uint64_t stop = std::min(end, (i / 64 + 1) * 64);
      std::uint64_t word = 0;
      std::uint32_t flags = 0;
      for (std::uint64_t j = i; j < stop; ++j) {
        const RayAnswer& r = traced[static_cast<std::uint32_t>(j - first)];
        word |= std::uint64_t{r.id != none} << j % 64;
        flags |= r.flags;
      }
      asked.blocked[i / 64] |= word;
      seen.hits += static_cast<std::uint64_t>(std::popcount(word));
      for (std::uint64_t j = i; j < stop && (flags & hit_flags::bad_ray) != 0; ++j) {
        if (is_bad(traced[static_cast<std::uint32_t>(j - first)])) add_bad_ray(seen, j);
      }
      i = stop;
    }
  };
  const auto answers = [&](std::uint64_t first) {
    return PacketAnswers{{}, asked.blocked + first / 64};
  };
  const auto nothing = [](std::uint64_t) {};
  return for_each_ray(scene, asked.rays, RayQuery::any, asked.policy, store, true, answers,
                      nothing);
}

}  // namespace sightline::detail
