// Finds the packets among consecutive rays: those that run close together.
#pragma once

#include "host/cpu/rays/ray_filters.hpp"
#include "host/cpu/rays/simd_kernels.hpp"

#include <functional>
#include <vector>

namespace sightline::detail {

/// Rays [first, first + count).
struct RayRun {
  std::uint32_t first, count;
};

/// Tries packets [k * size, k * size + size) of rays [0, count): first a few far apart, then the
/// others if at least half of the few succeed. take(first) returns whether the rays were a packet,
/// and has then answered them. Returns the other rays, in order.
std::vector<RayRun> take_packets(std::uint32_t count, std::uint32_t size,
                                 const std::function<bool(std::uint32_t first)>& take);

/// The same in pieces of so many rays, a multiple of the size, in parallel where threads are idle.
std::vector<RayRun> take_packets(std::uint32_t count, std::uint32_t size, std::uint32_t piece,
                                 const std::function<bool(std::uint32_t first)>& take);

/// Traces the packets among all rays of the source, which are fewer than 2^32. answers(first) says
/// where the answers of the packet_size rays from `first` on go, and done(first, hits) follows when
/// they are written; both may be called in parallel. Returns the other rays.
template <class Source, class Answers, class Done>
std::vector<RayRun> trace_packets(const TraceScene& scene, const SimdKernels& simd,
                                  const Source& source, RayQuery query, RayPolicy policy,
                                  const Answers& answers, const Done& done) {
  constexpr std::uint32_t piece = 1u << 15;
  const bool filtered = is_filtered(scene, source);
  const auto size = static_cast<std::uint32_t>(simd.packet_size);
  const auto take = [&](std::uint32_t first) {
    RayFilter filters[largest_packet];
    if (filtered) {
      for (std::uint32_t i = 0; i < size; ++i) filters[i] = filter_of(source, first + i);
    }
    const int hits = source_kernels<Source>(simd).trace_packet(
        scene, source, first, query, policy, filtered ? filters : nullptr, answers(first));
    if (hits == no_packet) return false;
    done(first, hits);
    return true;
  };
  return take_packets(static_cast<std::uint32_t>(source.count), size, piece, take);
}

}  // namespace sightline::detail
