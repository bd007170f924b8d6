// The body of simd_kernels_*.cpp: the same code for every instruction set.
#include "host/cpu/rays/brute_force_lanes.hpp"
#include "host/cpu/rays/packet.hpp"
#include "host/cpu/rays/ray_setup.hpp"
#include "host/cpu/rays/simd_kernels.hpp"
#include "host/cpu/rays/stream.hpp"
#include "host/cpu/rays/viewpoint_fan.hpp"
#include "host/cpu/shapes/make_shape_kernels.hpp"

namespace sightline::detail::HWY_NAMESPACE {

inline std::size_t scratch_bytes(int depth, int rays) {
  return sizeof(std::uint32_t) * (Stream<RayQuery::any>::list_words(depth, rays) +
                                  Singles<RayQuery::any>::stack_words(depth));
}

template <RayQuery query>
std::uint64_t trace_as(const TraceScene& scene, const RayBatch& batch, RayPolicy policy,
                       void* scratch) {
  auto* const words = static_cast<std::uint32_t*>(scratch);
  Leaves<query> leaves(scene, batch, policy);
  Singles<query> singles(scene, batch, leaves, words);
  Stream<query> stream(scene, batch, leaves, singles,
                       words + Singles<query>::stack_words(scene.depth));
  stream.run();
  return stream.visits() + singles.visits();
}

/// Sets record_flags::back of the batch's hits.
inline void mark_backs(const ShapesView& shapes, const RayBatch& batch) {
  if (shapes.count(Kind::triangle) == 0) return;
  constexpr int n = native_lanes;
  for (int first = 0; first < batch.count; first += n) {
    std::uint32_t ray[n], best[n];
    for (int k = 0; k < n; ++k) {
      ray[k] = static_cast<std::uint32_t>(std::min(first + k, batch.count - 1));
      best[k] = batch.rays[ray[k]].best;
    }
    const auto line = gather_rays<n>(batch.rays, ray).line;
    for (std::uint32_t backs = bits_of_mask(find_backs<n>(shapes, line, best)); backs != 0;
         backs &= backs - 1) {
      batch.rays[ray[__builtin_ctz(backs)]].flags |= record_flags::back;
    }
  }
}

inline std::uint64_t trace(const TraceScene& scene, const RayBatch& batch, RayQuery query,
                           RayPolicy policy, void* scratch) {
  switch (query) {
    case RayQuery::closest: {
      const std::uint64_t visits = trace_as<RayQuery::closest>(scene, batch, policy, scratch);
      mark_backs(scene.shapes, batch);
      return visits;
    }
    case RayQuery::any:
      return trace_as<RayQuery::any>(scene, batch, policy, scratch);
    default:
      return trace_as<RayQuery::sight>(scene, batch, policy, scratch);
  }
}

inline int trace_packet_of_rays(const TraceScene& scene, const RaysView& rays, std::uint64_t first,
                                RayQuery query, RayPolicy policy, const RayFilter* filters,
                                const PacketAnswers& answers) {
  return query == RayQuery::closest
             ? trace_packet<RayQuery::closest>(scene, rays, first, policy, filters, answers)
             : trace_packet<RayQuery::any>(scene, rays, first, policy, filters, answers);
}
inline int trace_packet_of_sights(const TraceScene& scene, const Sights& sights,
                                  std::uint64_t first, RayQuery, RayPolicy policy,
                                  const RayFilter* filters, const PacketAnswers& answers) {
  return trace_packet<RayQuery::sight>(scene, sights, first, policy, filters, answers);
}

constexpr SimdKernels make_simd_kernels(const char* name) {
  return {name,
          make_shape_kernels(),
          packet_rays,
          {collect<RaysView>, place<RaysView>, trace_packet_of_rays},
          {collect<Sights>, place<Sights>, trace_packet_of_sights},
          trace_fan,
          gates,
          intervals,
          set_up,
          scratch_bytes,
          trace};
}

}  // namespace sightline::detail::HWY_NAMESPACE
