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

/// What follows from a ray's hit when its t, id and other flags are known: the normal and
/// hit_flags::back, as far as they are asked for.
class HitDetails {
 public:
  HitDetails(const ShapesView& shapes, const ClosestHits& asked)
      : shapes_(shapes),
        asked_(asked),
        has_backs_(asked.hits.flags != nullptr && shapes.count(Kind::triangle) > 0) {}

  bool are_wanted() const { return has_backs_ || asked_.hits.normal != nullptr; }
  /// Of ray i, with the id and the other flags of its hit.
  void write(std::uint64_t i, std::uint32_t id, std::uint32_t flags) const {
    const HitsView& hits = asked_.hits;
    if (id == none) {
      if (hits.normal != nullptr) hits.normal[i] = {0, 0, 0};
      return;
    }
    if (hits.normal == nullptr && shapes_.kind_of(id) != Kind::triangle) return;
    const Query q = make_query(asked_.rays[i], asked_.inside);
    if (has_backs_) hits.flags[i] |= back_flag(q.ray.line, shapes_, id);
    if (hits.normal == nullptr) return;
    const bool started_inside = (flags & hit_flags::started_inside) != 0;
    hits.normal[i] = shapes_.visit(
        id, [&](const auto& shape) { return normal_of_hit(q, shape, started_inside); });
  }

 private:
  const ShapesView& shapes_;
  const ClosestHits& asked_;
  bool has_backs_;
};

/// Calls store(answers, begin, seen) for answered rays, whose indices count from `begin`, a
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
              scene.traced, scene.simd, here, query, inside,
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
  const HitDetails details(scene.shapes, asked);
  const auto store = [&](RayAnswers traced, std::uint64_t begin, CastReport& seen) {
    for_each(traced, begin, seen, [hits](std::uint64_t i, const RayAnswer& r) {
      if (hits.t != nullptr) hits.t[i] = r.t;
      if (hits.id != nullptr) hits.id[i] = r.id;
      if (hits.flags != nullptr) hits.flags[i] = static_cast<std::uint8_t>(r.flags);
    });
    for (std::uint32_t k = 0; details.are_wanted() && k < traced.count; ++k) {
      details.write(begin + traced.first + k, traced[k].id, traced[k].flags);
    }
  };
  const auto answers = [&](std::uint64_t first) {
    return PacketAnswers{hits.from(first), nullptr};
  };
  const auto done = [&](std::uint64_t first) {
    if (!details.are_wanted()) return;
    const std::uint64_t end = first + static_cast<std::uint64_t>(scene.simd.packet_size);
    for (std::uint64_t i = first; i < end; ++i) details.write(i, hits.id[i], hits.flags[i]);
  };
  // Of a packet they follow from its ids and flags.
  const bool packets = !details.are_wanted() || (hits.id != nullptr && hits.flags != nullptr);
  return for_each_ray(scene, rays, RayQuery::closest, asked.inside, store, packets, answers, done);
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
  return for_each_ray(scene, asked.rays, RayQuery::any, asked.inside, store, true, answers,
                      nothing);
}

}  // namespace sightline::detail
