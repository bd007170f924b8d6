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
std::uint64_t trace_as(const TraceScene& scene, const RayBatch& batch, Inside inside,
                       void* scratch) {
  auto* const words = static_cast<std::uint32_t*>(scratch);
  Leaves<query> leaves(scene, batch, inside);
  Singles<query> singles(scene, batch, leaves, words);
  Stream<query> stream(scene, batch, leaves, singles,
                       words + Singles<query>::stack_words(scene.depth));
  stream.run();
  return stream.visits() + singles.visits();
}

inline std::uint64_t trace(const TraceScene& scene, const RayBatch& batch, RayQuery query,
                           Inside inside, void* scratch) {
  switch (query) {
    case RayQuery::closest:
      return trace_as<RayQuery::closest>(scene, batch, inside, scratch);
    case RayQuery::any:
      return trace_as<RayQuery::any>(scene, batch, inside, scratch);
    default:
      return trace_as<RayQuery::sight>(scene, batch, inside, scratch);
  }
}

inline int trace_packet_of_rays(const TraceScene& scene, const RaysView& rays, std::uint64_t first,
                                RayQuery query, Inside inside, const RayFilter* filters,
                                const PacketAnswers& answers) {
  return query == RayQuery::closest
             ? trace_packet<RayQuery::closest>(scene, rays, first, inside, filters, answers)
             : trace_packet<RayQuery::any>(scene, rays, first, inside, filters, answers);
}
inline int trace_packet_of_sights(const TraceScene& scene, const Sights& sights,
                                  std::uint64_t first, RayQuery, Inside inside,
                                  const RayFilter* filters, const PacketAnswers& answers) {
  return trace_packet<RayQuery::sight>(scene, sights, first, inside, filters, answers);
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
