#include "host/backend/sweeps.hpp"

namespace sightline::detail {

template <class Mover>
Found found(const SweepQuery<Mover>& q, const ShapesView& shapes, std::uint32_t id,
            float gate_near) {
  return shapes.visit(id, [&](const auto& s) { return cast_past_gate(q, s, gate_near); });
}
template <class Mover>
Hit hit_for(const SweepQuery<Mover>& q, const ShapesView& shapes, const Best& best, const Ray& ray,
            bool with_normal) {
  return hit_of(q, shapes, best, ray, with_normal);
}

using OfBall = SweepQuery<MovingSphere>;
using OfCapsule = SweepQuery<Capsule>;
template Found found(const OfBall&, const ShapesView&, std::uint32_t, float);
template Found found(const OfCapsule&, const ShapesView&, std::uint32_t, float);
template Hit hit_for(const OfBall&, const ShapesView&, const Best&, const Ray&, bool);
template Hit hit_for(const OfCapsule&, const ShapesView&, const Best&, const Ray&, bool);

}  // namespace sightline::detail
