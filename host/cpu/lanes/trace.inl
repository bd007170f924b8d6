// The body of trace_*.cpp: the same code for every instruction set.
#include "host/cpu/lanes/packet.hpp"
#include "host/cpu/lanes/set_up.hpp"
#include "host/cpu/lanes/stream.hpp"
#include "host/cpu/lanes/trace.hpp"

namespace sightline::detail::HWY_NAMESPACE {

inline std::size_t scratch_bytes(int depth, int rays) {
  return sizeof(std::uint32_t) *
         (Stream<Ask::any>::list_words(depth, rays) + Singles<Ask::any>::stack_words(depth));
}

template <Ask ask>
std::uint64_t trace_as(const TraceScene& scene, const RayBatch& batch, Inside inside,
                       void* scratch) {
  auto* const words = static_cast<std::uint32_t*>(scratch);
  Leaves<ask> leaves(scene, batch, inside);
  Singles<ask> singles(scene, batch, leaves, words);
  Stream<ask> stream(scene, batch, leaves, singles, words + Singles<ask>::stack_words(scene.depth));
  stream.run();
  return stream.visits() + singles.visits();
}

inline std::uint64_t trace(const TraceScene& scene, const RayBatch& batch, Ask ask, Inside inside,
                           void* scratch) {
  switch (ask) {
    case Ask::closest:
      return trace_as<Ask::closest>(scene, batch, inside, scratch);
    case Ask::any:
      return trace_as<Ask::any>(scene, batch, inside, scratch);
    default:
      return trace_as<Ask::sight>(scene, batch, inside, scratch);
  }
}

inline int trace_packet_of_rays(const TraceScene& scene, const RaysView& rays, std::uint64_t first,
                                Ask ask, Inside inside, const RayFilter* filters,
                                const PacketAnswers& answers) {
  return ask == Ask::closest
             ? trace_packet<Ask::closest>(scene, rays, first, inside, filters, answers)
             : trace_packet<Ask::any>(scene, rays, first, inside, filters, answers);
}
inline int trace_packet_of_sights(const TraceScene& scene, const Sights& sights,
                                  std::uint64_t first, Ask, Inside inside, const RayFilter* filters,
                                  const PacketAnswers& answers) {
  return trace_packet<Ask::sight>(scene, sights, first, inside, filters, answers);
}

constexpr Tracer make_tracer(const char* name) {
  return {name,
          packet_rays,
          {collect<RaysView>, trace_packet_of_rays},
          {collect<Sights>, trace_packet_of_sights},
          set_up,
          scratch_bytes,
          trace};
}

}  // namespace sightline::detail::HWY_NAMESPACE
