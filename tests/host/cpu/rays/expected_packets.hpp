// What packets of rays are to answer: what brute force does, and of no other ray anything.
#pragma once

#include "host/cpu/rays/packets.hpp"
#include "tests/host/cpu/rays/expected_record.hpp"
#include "tests/host/tree/built_scene.hpp"
#include "tests/support/random_scene.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {

inline bool bit(const std::uint64_t* words, std::uint32_t i) {
  return (words[i / 64] >> i % 64 & 1) != 0;
}

/// Room for what packets answer; what nobody writes stays poison.
struct PacketRoom {
  std::vector<float> t;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> flags;
  std::vector<std::uint64_t> bits;

  explicit PacketRoom(std::size_t n)
      : t(n, -7.0f), id(n, 77), flags(n, 0x77), bits(n / 64 + 1, 0xA5A5A5A5A5A5A5A5u) {}
  detail::PacketAnswers from(std::uint32_t first) {
    return {{t.data() + first, id.data() + first, flags.data() + first, nullptr},
            bits.data() + first / 64};
  }
};

/// Empty, or how the packet's answer to its ray i differs from brute force.
inline std::string difference(const PacketRoom& a, std::uint32_t i, const Ray& ray,
                              const ShapesView& shapes, detail::RayQuery query, Inside inside) {
  const Query q = make_query(ray, inside);
  const Best best = best_of(shapes, q);
  if (query != detail::RayQuery::closest)
    return bit(a.bits.data(), i) == (best.id != none) ? "" : "hit or not";
  const Hit hit = hit_of(q, shapes, best, ray, false);
  if (a.id[i] != hit.id) return "id " + std::to_string(a.id[i]);
  if (bits_of(a.t[i]) != bits_of(hit.t)) return "t " + std::to_string(a.t[i]);
  if (a.flags[i] != hit.flags) return "flags " + std::to_string(a.flags[i]);
  return "";
}

/// Traces the rays, expects of every ray of a packet what brute force answers, and of no other ray
/// anything; returns the share of rays that were in packets.
inline double expect_answers(const Built& built, const std::vector<Ray>& rays,
                             detail::RayQuery query, Inside inside, const detail::SimdKernels& simd,
                             const std::string& what) {
  const auto scene = built.trace_scene(infinity);
  const auto size = static_cast<std::uint32_t>(simd.packet_size);
  std::vector<int> seen(rays.size());
  std::uint64_t in_packets = 0;
  PacketRoom answers(rays.size());
  const auto others = detail::trace_packets(
      scene, simd, rows_of(rays), query, inside,
      [&](std::uint32_t first) { return answers.from(first); },
      [&](std::uint32_t first, int hits) {
        int expected_hits = 0;
        for (std::uint32_t i = first; i < first + size; ++i) {
          const Ray& ray = rays.at(i);
          ++seen[i];
          ++in_packets;
          expected_hits += query == detail::RayQuery::closest ? answers.flags[i] & 1
                                                              : bit(answers.bits.data(), i);
          EXPECT_EQ(difference(answers, i, ray, built.scene.view(), query, inside), "")
              << simd.name << ", " << what << ", ray " << i << ": " << text(ray);
        }
        EXPECT_EQ(hits, expected_hits) << simd.name << ", " << what;
      });
  for (const detail::RayRun& run : others) {
    for (std::uint32_t i = 0; i < run.count; ++i) ++seen.at(run.first + i);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], 1) << what << ", ray " << i;
  return rays.empty() ? 0 : static_cast<double>(in_packets) / static_cast<double>(rays.size());
}

}  // namespace sightline::testing
