// The slab interval, which culls and gates: monotone in the box, exactly, and never too narrow.
#include <sightline/geometry/intersect/slab.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

/// A face moved outward by nothing, a few floats, a little, or to the end of the domain.
float moved_outward(Random& r, float face, bool up) {
  const int choice = r.below(5);
  if (choice == 0) return face;
  if (choice == 1) return up ? next_up(face) : next_down(face);
  if (choice == 2) return up ? next_up(next_up(face)) : next_down(next_down(face));
  if (choice == 3) return up ? face + r.uniform(0, 1) : face - r.uniform(0, 1);
  return up ? domain_limit : -domain_limit;
}
Aabb containing(Random& r, const Aabb& b) {
  return {{moved_outward(r, b.min.x, false), moved_outward(r, b.min.y, false),
           moved_outward(r, b.min.z, false)},
          {moved_outward(r, b.max.x, true), moved_outward(r, b.max.y, true),
           moved_outward(r, b.max.z, true)}};
}

/// An origin in a face plane of either box, or an ulp off it, or anywhere.
float troubled_origin(Random& r, float inner, float outer, float size) {
  const int choice = r.below(6);
  if (choice == 0) return inner;
  if (choice == 1) return outer;
  if (choice == 2) return next_up(inner);
  if (choice == 3) return sightline::max(next_down(outer), -domain_limit);
  if (choice == 4) return r.uniform(-1, 1) * domain_limit;
  return r.uniform(-2, 2) * size;
}
float troubled_direction(Random& r) {
  const int choice = r.below(6);
  if (choice == 0) return 0.0f;
  if (choice == 1) return r.uniform(-1, 1) * r.power_of_two(-126, 0);
  if (choice == 2) return r.one_in(2) ? 0x1p-126f : -0x1p-126f;
  if (choice == 3) return static_cast<float>(r.between(-3, 3));
  return r.uniform(-1, 1);
}

TEST(Slab, TheIntervalOfABoxContainsThoseOfTheBoxesInIt) {
  int not_empty = 0, with_nan = 0;
  for (std::uint64_t seed = 1; seed <= scaled(2'000'000); ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-20, 20);
    const Vec3 c = times(r.vec(-1, 1), size * r.power_of_two(-3, 10));
    const Vec3 h = r.one_in(4) ? Vec3{0, 0, 0} : times(r.vec(0, 1), size);
    const Aabb inner{minus(c, h), plus(c, h)};
    const Aabb outer = containing(r, inner);
    Ray ray;
    ray.origin = {troubled_origin(r, inner.min.x, outer.max.x, size),
                  troubled_origin(r, inner.max.y, outer.min.y, size),
                  troubled_origin(r, inner.min.z, outer.min.z, size)};
    ray.direction = {troubled_direction(r), troubled_direction(r), troubled_direction(r)};
    if (r.one_in(2)) ray.direction = minus(c, ray.origin);
    if (r.one_in(2)) ray.t_min = r.uniform(0, 4) * size;
    if (r.one_in(2)) ray.t_max = ray.t_min + r.uniform(0, 4) * size;
    const ScaledRay q = scale(ray);
    ASSERT_FALSE(q.bad);
    const SlabInterval in = slab(q.line, q.t_min, q.t_max, inner);
    const SlabInterval out = slab(q.line, q.t_min, q.t_max, outer);
    ASSERT_LE(out.t_near, in.t_near) << "seed " << seed << " " << text(ray);
    ASSERT_GE(out.t_far, in.t_far) << "seed " << seed << " " << text(ray);
    ASSERT_TRUE(is_empty(in) || !is_empty(out)) << "seed " << seed << " " << text(ray);
    not_empty += !is_empty(in);
    with_nan += (ray.direction.x == 0 && ray.origin.x == inner.min.x) ? 1 : 0;
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(not_empty, 1000);
    EXPECT_GT(with_nan, 100);
  }
}

TEST(Slab, AnOriginInAFacePlaneIsInside) {
  const Aabb box{{0, 0, 0}, {4, 4, 4}};
  for (const float face : {0.0f, 4.0f}) {
    for (const float forward : {1.0f, -1.0f}) {
      for (int axis = 0; axis < 3; ++axis) {
        Ray ray;  // along the next axis, in the face plane of this one
        float o[3] = {2, 2, 2}, d[3] = {0, 0, 0};
        o[axis] = face;
        o[(axis + 1) % 3] = forward > 0 ? -2.0f : 6.0f;
        d[(axis + 1) % 3] = forward;
        ray.origin = {o[0], o[1], o[2]};
        ray.direction = {d[0], d[1], d[2]};
        const ScaledRay q = scale(ray);
        const SlabInterval i = slab(q.line, q.t_min, q.t_max, box);
        EXPECT_FALSE(is_empty(i)) << text(ray);
        EXPECT_LE(i.t_near, 2);
        EXPECT_GT(i.t_near, 1.999f);
        EXPECT_EQ(i.t_far, 6);
        // One float outside, it is outside.
        o[axis] = face == 0 ? -0x1p-149f : next_up(4);
        ray.origin = {o[0], o[1], o[2]};
        const ScaledRay p = scale(ray);
        EXPECT_TRUE(is_empty(slab(p.line, p.t_min, p.t_max, box))) << text(ray);
      }
    }
  }
}

TEST(Slab, NearPlanesComeFourUlpNearer) {
  const ScaledRay q = scale(Ray{{0, 0, 0}, {1, 0, 0}});
  const SlabInterval i = slab(q.line, q.t_min, q.t_max, {{1, -1, -1}, {2, 1, 1}});
  EXPECT_EQ(i.t_near, 1 - 0x1p-21f);
  EXPECT_EQ(i.t_far, 2);
}

/// Boxes on integers, and rays on integers whose line surely meets them.
struct LatticeHit {
  Aabb box;
  Ray ray;
};
LatticeHit lattice_hit(Random& r) {
  LatticeHit h;
  const Vec3 lo = r.lattice(-200, 200);
  h.box = {lo, plus(lo, r.lattice(0, 6))};
  const auto on = [&r](float a, float b) { return static_cast<float>(r.between(int(a), int(b))); };
  const Vec3 p = {on(h.box.min.x, h.box.max.x), on(h.box.min.y, h.box.max.y),
                  on(h.box.min.z, h.box.max.z)};
  do {
    h.ray.direction = r.lattice(-12, 12);
    if (r.one_in(2)) h.ray.direction.x = 0;
    if (r.one_in(2)) h.ray.direction.z = 0;
  } while (max_abs(h.ray.direction) == 0);
  h.ray.origin = minus(p, times(h.ray.direction, static_cast<float>(r.between(0, 100))));
  return h;
}

TEST(Slab, NoLatticeHitIsLost) {
  for (std::uint64_t seed = 1; seed <= scaled(500'000); ++seed) {
    Random r(seed);
    const LatticeHit h = lattice_hit(r);
    const ScaledRay q = scale(h.ray);
    ASSERT_FALSE(is_empty(slab(q.line, q.t_min, q.t_max, h.box))) << "seed " << seed;
    ASSERT_TRUE(is_hit(cast(h.ray, h.box))) << "seed " << seed;
  }
}

TEST(Slab, NoLatticeHitThatTouchesAnEndOfTheIntervalIsLost) {
  for (std::uint64_t seed = 1; seed <= scaled(500'000); ++seed) {
    Random r(seed);
    const LatticeHit h = lattice_hit(r);
    const ScaledRay whole = scale(h.ray);
    const Interval i = interval(whole.line, h.box);
    ASSERT_TRUE(i.hit) << "seed " << seed;
    const float t_in = times_power_of_two(i.t_in, -whole.exponent);
    const float t_out = times_power_of_two(i.t_out, -whole.exponent);
    Ray ends_there = h.ray, starts_there = h.ray;
    if (t_in >= 0) {
      ends_there.t_max = t_in;
      ASSERT_EQ(cast(ends_there, h.box).t, t_in) << "seed " << seed << " " << text(ends_there);
    }
    starts_there.t_min = t_out;
    ASSERT_EQ(cast(starts_there, h.box).t, t_out) << "seed " << seed << " " << text(starts_there);
  }
}

}  // namespace
}  // namespace sightline::testing
