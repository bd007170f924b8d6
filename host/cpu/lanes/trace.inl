// The body of trace_*.cpp: the same code for every instruction set.
#include "host/cpu/lanes/trace.hpp"
#include "host/cpu/lanes/traversal.hpp"

#include <new>

namespace sightline::detail::HWY_NAMESPACE {

inline std::size_t scratch_bytes(int depth) {
  return 2 * sizeof(std::uint32_t) * slot_count * Traversal<Ask::any>::stack_room(depth);
}

template <Ask ask>
void trace_as(const TraceScene& scene, const RayBatch& batch, Inside inside, void* scratch) {
  Traversal<ask> traversal(scene, batch, inside, static_cast<std::uint32_t*>(scratch));
  traversal.run();
}

inline void trace(const TraceScene& scene, const RayBatch& batch, Ask ask, Inside inside,
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

}  // namespace sightline::detail::HWY_NAMESPACE
