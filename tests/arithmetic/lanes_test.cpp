// The arithmetic over packs of 4 and 8 lanes: it compiles, and each lane has the bits of scalar
// code whatever its neighbours are.
#include "tests/support/pack.hpp"

#include <sightline/line_of_sight.hpp>

#include "tests/support/scale.hpp"
#include "tests/support/trouble.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

template <int N>
Vec3T<Pack<N>> gather(const Vec3 (&v)[N]) {
  Vec3T<Pack<N>> r;
  for (int i = 0; i < N; ++i) {
    r.x.lane[i] = v[i].x;
    r.y.lane[i] = v[i].y;
    r.z.lane[i] = v[i].z;
  }
  return r;
}
/// The lanes of one member of N structs.
template <int N, class Struct, class Member>
Vec3T<Pack<N>> gather(const Struct (&s)[N], Member member) {
  Vec3 v[N];
  for (int i = 0; i < N; ++i) v[i] = member(s[i]);
  return gather<N>(v);
}
template <int N, class Struct, class Member>
Pack<N> gather_float(const Struct (&s)[N], Member member) {
  Pack<N> r;
  for (int i = 0; i < N; ++i) r.lane[i] = member(s[i]);
  return r;
}

template <int N>
AabbT<Pack<N>> packed(const Aabb (&s)[N]) {
  return {gather<N>(s, [](const Aabb& a) { return a.min; }),
          gather<N>(s, [](const Aabb& a) { return a.max; })};
}
template <int N>
ObbFrameT<Pack<N>> packed(const ObbFrame (&s)[N]) {
  return {gather<N>(s, [](const ObbFrame& o) { return o.center; }),
          gather<N>(s, [](const ObbFrame& o) { return o.half_extents; }),
          {gather<N>(s, [](const ObbFrame& o) { return o.axis[0]; }),
           gather<N>(s, [](const ObbFrame& o) { return o.axis[1]; }),
           gather<N>(s, [](const ObbFrame& o) { return o.axis[2]; })}};
}
template <int N>
SphereT<Pack<N>> packed(const Sphere (&s)[N]) {
  return {gather<N>(s, [](const Sphere& a) { return a.center; }),
          gather_float<N>(s, [](const Sphere& a) { return a.radius; })};
}
template <int N>
CapsuleT<Pack<N>> packed(const Capsule (&s)[N]) {
  return {gather<N>(s, [](const Capsule& c) { return c.a; }),
          gather<N>(s, [](const Capsule& c) { return c.b; }),
          gather_float<N>(s, [](const Capsule& c) { return c.radius; })};
}
template <int N>
PlaneT<Pack<N>> packed(const Plane (&s)[N]) {
  return {gather<N>(s, [](const Plane& p) { return p.normal; }),
          gather_float<N>(s, [](const Plane& p) { return p.offset; })};
}
template <int N>
LineT<Pack<N>> packed(const ScaledRay (&s)[N]) {
  LineT<Pack<N>> r;
  r.origin = gather<N>(s, [](const ScaledRay& q) { return q.line.origin; });
  r.direction = gather<N>(s, [](const ScaledRay& q) { return q.line.direction; });
  r.inverse = gather<N>(s, [](const ScaledRay& q) { return q.line.inverse; });
  r.dd.hi = gather_float<N>(s, [](const ScaledRay& q) { return q.line.dd.hi; });
  r.dd.lo = gather_float<N>(s, [](const ScaledRay& q) { return q.line.dd.lo; });
  for (int i = 0; i < N; ++i) r.is_point.lane[i] = s[i].line.is_point;
  return r;
}

/// Equal bits, any NaN being equal to any other.
bool same(float a, float b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

template <class Shape, int N>
void expect_lanes_like_scalar(std::uint64_t seed) {
  Random r(seed);
  Shape shapes[N];
  ScaledRay rays[N];
  for (int i = 0; i < N; ++i) {
    Pair<Shape> p = random_pair<Shape>(r);
    if (r.one_in(8)) p.ray.direction = {0, 0, 0};
    shapes[i] = p.shape;
    rays[i] = scale(p.ray);
  }
  const auto line = packed<N>(rays);
  const auto shape = packed<N>(shapes);
  const auto t_min = gather_float<N>(rays, [](const ScaledRay& q) { return q.t_min; });
  const auto t_max = gather_float<N>(rays, [](const ScaledRay& q) { return q.t_max; });

  const auto may = may_hit(line, shape);
  const auto i = interval(line, shape);
  const auto inside = contains(shape, line.origin);
  for (int k = 0; k < N; ++k) {
    const ScaledRay& q = rays[k];
    const Interval scalar = interval(q.line, shapes[k]);
    ASSERT_EQ(may[k], may_hit(q.line, shapes[k])) << "seed " << seed << " lane " << k;
    ASSERT_EQ(inside[k], contains(shapes[k], q.line.origin)) << "seed " << seed << " lane " << k;
    ASSERT_EQ(i.hit[k], scalar.hit) << "seed " << seed << " lane " << k;
    if (!scalar.hit) continue;
    ASSERT_TRUE(same(i.t_in[k], scalar.t_in)) << "seed " << seed << " lane " << k;
    ASSERT_TRUE(same(i.t_out[k], scalar.t_out)) << "seed " << seed << " lane " << k;
    for (const Inside policy : every_policy) {
      const auto found = apply_policy(i, t_min, t_max, t_min, policy);
      const Found one = apply_policy(scalar, q.t_min, q.t_max, q.t_min, policy);
      ASSERT_EQ(found.hit[k], one.hit) << "seed " << seed << " lane " << k;
      ASSERT_EQ(found.started_inside[k], one.started_inside) << "seed " << seed << " lane " << k;
      ASSERT_TRUE(same(found.t[k], one.t)) << "seed " << seed << " lane " << k;
    }
    if (q.line.is_point) continue;
    PackMask<N> exits;
    for (int j = 0; j < N; ++j) exits.lane[j] = ((seed >> j) & 1) != 0;
    const auto n = surface_normal(line, shape, exits);
    const Vec3 one = surface_normal(q.line, shapes[k], exits[k]);
    ASSERT_TRUE(same(n.x[k], one.x) && same(n.y[k], one.y) && same(n.z[k], one.z))
        << "seed " << seed << " lane " << k << " scalar " << text(one);
  }
  if constexpr (!std::is_same_v<Shape, Plane>) {
    Aabb boxes[N];
    for (int k = 0; k < N; ++k) boxes[k] = bounds(shapes[k]);
    const auto gate = slab(line, t_min, t_max, packed<N>(boxes));
    for (int k = 0; k < N; ++k) {
      const SlabInterval one = slab(rays[k].line, rays[k].t_min, rays[k].t_max, boxes[k]);
      ASSERT_TRUE(same(gate.t_near[k], one.t_near) && same(gate.t_far[k], one.t_far))
          << "seed " << seed << " lane " << k;
      ASSERT_EQ(is_empty(gate)[k], is_empty(one)) << "seed " << seed << " lane " << k;
    }
  }
}

template <class Shape>
class Lanes : public ::testing::Test {};
using Shapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Plane>;
TYPED_TEST_SUITE(Lanes, Shapes);

TYPED_TEST(Lanes, FourGiveTheBitsOfScalarCode) {
  for (std::uint64_t seed = 1; seed <= scaled(20000); ++seed) {
    expect_lanes_like_scalar<TypeParam, 4>(seed);
    if (this->HasFatalFailure()) return;
  }
}
TYPED_TEST(Lanes, EightGiveTheBitsOfScalarCode) {
  for (std::uint64_t seed = 1; seed <= scaled(10000); ++seed) {
    expect_lanes_like_scalar<TypeParam, 8>(seed);
    if (this->HasFatalFailure()) return;
  }
}

TEST(TwoFloatLanes, FourGiveTheBitsOfScalarCode) {
  using F = Pack<4>;
  for (std::uint64_t seed = 1; seed <= scaled(50000); ++seed) {
    Random r(seed);
    Two<float> a[4], b[4];
    Two<F> pa, pb;
    for (int i = 0; i < 4; ++i) {
      a[i] = two_sum(r.uniform(-1, 1), r.uniform(-1, 1) * r.power_of_two(-40, 0));
      b[i] = two_sum(r.uniform(1, 2), r.uniform(-1, 1) * r.power_of_two(-40, -20));
      pa.hi.lane[i] = a[i].hi, pa.lo.lane[i] = a[i].lo;
      pb.hi.lane[i] = b[i].hi, pb.lo.lane[i] = b[i].lo;
    }
    const auto equal = [&](const Two<F>& p, auto scalar) {
      for (int i = 0; i < 4; ++i) {
        const Two<float> s = scalar(a[i], b[i]);
        if (!same(p.hi[i], s.hi) || !same(p.lo[i], s.lo)) return false;
      }
      return true;
    };
    ASSERT_TRUE(equal(pa + pb, [](auto x, auto y) { return x + y; })) << "seed " << seed;
    ASSERT_TRUE(equal(pa - pb, [](auto x, auto y) { return x - y; })) << "seed " << seed;
    ASSERT_TRUE(equal(pa * pb, [](auto x, auto y) { return x * y; })) << "seed " << seed;
    ASSERT_TRUE(equal(pa / pb, [](auto x, auto y) { return x / y; })) << "seed " << seed;
    ASSERT_TRUE(equal(pa + pb.hi, [](auto x, auto y) { return x + y.hi; })) << "seed " << seed;
    ASSERT_TRUE(equal(pa * pb.hi, [](auto x, auto y) { return x * y.hi; })) << "seed " << seed;
    ASSERT_TRUE(equal(sqrt_or_zero(pa), [](auto x, auto) { return sqrt_or_zero(x); }))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline::testing
