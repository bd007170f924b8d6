// Motions that are exact in binary: mirror images, permuted axes, translations on a grid, scaling
// everything by a power of two. The answers move with the scene, to the bit.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

/// f on every point of the shape; `turn` on its directions, `size` on its lengths.
struct Motion {
  Vec3 sign{1, 1, 1};
  int shift = 0;  ///< axes x y z become those `shift` further
  Vec3 by{0, 0, 0};
  float factor = 1;

  Vec3 turned(const Vec3& v) const {
    const float c[3] = {v.x * sign.x, v.y * sign.y, v.z * sign.z};
    return {c[shift % 3], c[(1 + shift) % 3], c[(2 + shift) % 3]};
  }
  Vec3 point(const Vec3& p) const { return times(plus(turned(p), by), factor); }
};

Aabb moved(const Motion& m, const Aabb& s) {
  const Vec3 a = m.point(s.min), b = m.point(s.max);
  return {{sightline::min(a.x, b.x), sightline::min(a.y, b.y), sightline::min(a.z, b.z)},
          {sightline::max(a.x, b.x), sightline::max(a.y, b.y), sightline::max(a.z, b.z)}};
}
ObbFrame moved(const Motion& m, const ObbFrame& s) {
  return {m.point(s.center),
          times(s.half_extents, m.factor),
          {m.turned(s.axis[0]), m.turned(s.axis[1]), m.turned(s.axis[2])}};
}
Sphere moved(const Motion& m, const Sphere& s) { return {m.point(s.center), s.radius * m.factor}; }
Capsule moved(const Motion& m, const Capsule& s) {
  return {m.point(s.a), m.point(s.b), s.radius * m.factor};
}
Cylinder moved(const Motion& m, const Cylinder& s) {
  return {m.point(s.a), m.point(s.b), s.radius * m.factor};
}
Plane moved(const Motion& m, const Plane& s) {
  const Vec3 n = m.turned(s.normal);
  return {n, (s.offset + n.x * m.by.x + n.y * m.by.y + n.z * m.by.z) * m.factor};
}
Ray moved(const Motion& m, const Ray& r) {
  Ray q = r;
  q.origin = m.point(r.origin);
  q.direction = times(m.turned(r.direction), m.factor);
  return q;
}

/// Everything equal but the normal, which is turned (zeros of either sign are equal).
template <class Shape>
void expect_moved(const Motion& m, const Shape& shape, const Ray& ray, float normal_tolerance,
                  std::uint64_t seed) {
  for (const Inside policy : every_policy) {
    const Hit a = cast(ray, shape, policy), b = cast(moved(m, ray), moved(m, shape), policy);
    ASSERT_EQ(a.flags, b.flags) << "seed " << seed << " " << text(ray);
    ASSERT_EQ(bits_of(a.t), bits_of(b.t)) << "seed " << seed << " " << text(ray);
    ASSERT_LE(max_abs(minus(m.turned(a.normal), b.normal)), normal_tolerance)
        << "seed " << seed << " " << text(ray) << " " << text(a.normal) << " " << text(b.normal);
  }
}

/// A shape on small integers, its frame axis-parallel.
template <class Shape>
Shape lattice_shape(Random& r) {
  const Vec3 c = r.lattice(-50, 50);
  if constexpr (std::is_same_v<Shape, Aabb>) return {c, plus(c, r.lattice(0, 6))};
  if constexpr (std::is_same_v<Shape, ObbFrame>) {
    return frame(Obb{c, r.lattice(0, 6), r.one_in(2) ? Quat{0, 0, 1, 1} : Quat{1, 1, 1, 1}});
  }
  if constexpr (std::is_same_v<Shape, Sphere>) {
    return {c, static_cast<float>(r.between(0, 6))};
  }
  if constexpr (std::is_same_v<Shape, Capsule>) {
    return {c, plus(c, r.lattice(-6, 6)), static_cast<float>(r.between(0, 6))};
  }
  if constexpr (std::is_same_v<Shape, Cylinder>) {
    Vec3 e{0, 0, 0};
    while (max_abs(e) == 0) e = r.lattice(-6, 6);
    return {c, plus(c, e), static_cast<float>(r.between(0, 6))};
  }
  if constexpr (std::is_same_v<Shape, Plane>) return {{0, 1, 0}, c.y};
}
Ray lattice_ray(Random& r) {
  Ray ray;
  ray.origin = r.lattice(-50, 50);
  do {
    ray.direction = r.lattice(-12, 12);
  } while (max_abs(ray.direction) == 0);
  if (r.one_in(4)) ray.t_max = static_cast<float>(r.between(0, 10));
  return ray;
}

template <class Shape>
class Motions : public ::testing::Test {};
using Shapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Plane>;
TYPED_TEST_SUITE(Motions, Shapes);

TYPED_TEST(Motions, AMirrorImageHasTheMirroredAnswer) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Pair<TypeParam> p = random_pair<TypeParam>(r);
    const auto sign = [&r] { return r.one_in(2) ? -1.0f : 1.0f; };
    const Motion m{{sign(), sign(), sign()}};
    expect_moved(m, p.shape, p.ray, 0, seed);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(Motions, PermutedAxesOnALattice) {
  constexpr bool box = std::is_same_v<TypeParam, Aabb> || std::is_same_v<TypeParam, ObbFrame>;
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Motion m{{1, 1, 1}, r.between(1, 2)};
    // A box's normal on an edge is the lowest axis: not the same one after a permutation. A round
    // one's length is a sum, which rounds in the order of the axes.
    const float tolerance = box ? 2.0f : 4e-7f;
    expect_moved(m, lattice_shape<TypeParam>(r), lattice_ray(r), tolerance, seed);
    if (this->HasFatalFailure()) return;
  }
}

TEST(MotionsOfBoxes, PermutedAxesAnywhere) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Pair<Aabb> p = random_pair<Aabb>(r);
    expect_moved(Motion{{1, 1, 1}, r.between(1, 2)}, p.shape, p.ray, 2, seed);
    if (HasFatalFailure()) return;
  }
}

TYPED_TEST(Motions, TranslatedOnALattice) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    Motion m;
    m.by = r.lattice(-15'000, 15'000);
    expect_moved(m, lattice_shape<TypeParam>(r), lattice_ray(r), 0, seed);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(Motions, EverythingTimesAPowerOfTwo) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Pair<TypeParam> p = random_pair<TypeParam>(r);
    Motion m;
    m.factor = r.power_of_two(-20, 20);
    expect_moved(m, p.shape, p.ray, 0, seed);
    if (this->HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace sightline::testing
