// The reference of 2D: brute force over every shape, one thread, no tree.
#include "host/backend/every_shape.hpp"
#include "host/backend/flat_loops.hpp"

namespace sightline::detail {
namespace {

struct EveryFlatShape {
  FlatShapesView shapes;

  explicit EveryFlatShape(const FlatShapesView& all) : shapes(all) {}
  template <class Leaf>
  void candidates(const CircleQuery&, const Leaf& leaf) const {
    any_of_all(shapes, leaf);
  }
  void find(SegmentSearch& s) const {
    any_of_all(shapes, [&](std::uint32_t id) {
      offer_shape(s, shapes, id);
      return false;
    });
  }
  template <class Use>
  void for_each_part(std::uint64_t n, const Use& use) const {
    if (n > 0) use(0, n);
  }
  std::string description() const { return "reference: brute force, 1 thread"; }
  std::uint64_t memory_bytes() const { return 0; }
};

}  // namespace

std::unique_ptr<FlatBackend> make_reference_flat_backend(const FlatShapesView& shapes) {
  return std::make_unique<FlatLoops<EveryFlatShape>>(shapes);
}

}  // namespace sightline::detail
