// The reference: brute force over every shape, one thread, no tree. The other backends are compared
// with it.
#include "host/backend/brute_force.hpp"

namespace sightline::detail {
namespace {

struct Reference {
  ShapesView shapes;

  template <class Q, class Leaf>
  bool along(const Q& q, const Leaf& leaf) const {
    return any_along(
        shapes, [&](std::uint32_t id) { return shapes.bounds[id]; }, q, leaf);
  }
  template <class Q, class Limit, class Leaf>
  void along(const Q& q, const Limit&, const Leaf& leaf) const {
    along(q, leaf);
  }
  std::uint64_t part_of(std::uint64_t n) const { return std::max<std::uint64_t>(n, 1); }
  template <class Use>
  void for_each_part(std::uint64_t n, const Use& use) const {
    if (n > 0) use(0, n);
  }
  template <class Use>
  void for_each_row(std::uint64_t n, const Use& use) const {
    for (std::uint64_t i = 0; i < n; ++i) use(i);
  }
  void update(const ShapesView& all) { shapes = all; }
  std::string description() const { return "reference: brute force, 1 thread"; }
  std::uint64_t memory_bytes() const { return 0; }
};

}  // namespace

std::unique_ptr<CastBackend> make_reference_backend(const ShapesView& shapes) {
  return std::make_unique<BruteForce<Reference>>(Reference{shapes});
}

}  // namespace sightline::detail
