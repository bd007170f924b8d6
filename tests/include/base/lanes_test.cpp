// The arithmetic over packs of 4 and 8 lanes: it compiles, and each lane has the bits of scalar
// code whatever its neighbours are.
#include "tests/include/base/lanes_like_scalar.hpp"
#include "tests/support/pack_rays.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::testing {
namespace {

template <int N>
struct PackAccess {
  static constexpr int lanes = N;
  using Floats = Pack<N>;
  static Floats load(const float* from) {
    Floats r;
    std::copy(from, from + N, r.lane);
    return r;
  }
  static void store(const Floats& f, float* out) { std::copy(f.lane, f.lane + N, out); }
  static void store(const PackMask<N>& m, bool* out) { std::copy(m.lane, m.lane + N, out); }
};

template <class Shape, int N>
void expect_packs_like_scalar(std::uint64_t seed) {
  expect_lanes_like_scalar<Shape>(N, seed, evaluate<PackAccess<N>, Shape>);
}

template <class Shape>
class Lanes : public ::testing::Test {};
using LaneShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Triangle, Plane>;
TYPED_TEST_SUITE(Lanes, LaneShapes);

TYPED_TEST(Lanes, FourGiveTheBitsOfScalarCode) {
  for (std::uint64_t seed = 1; seed <= scaled(20000); ++seed) {
    expect_packs_like_scalar<TypeParam, 4>(seed);
    if (this->HasFatalFailure()) return;
  }
}
TYPED_TEST(Lanes, EightGiveTheBitsOfScalarCode) {
  for (std::uint64_t seed = 1; seed <= scaled(10000); ++seed) {
    expect_packs_like_scalar<TypeParam, 8>(seed);
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
