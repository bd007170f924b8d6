// Entries in doubles: they lie much nearer to stage 2's two-floats than they claim, round to its
// floats where they say so, and nearly always say so.
#include <sightline/geometry/intersect/certain_boxes.hpp>
#include <sightline/geometry/intersect/certain_cylinder.hpp>
#include <sightline/geometry/intersect/certain_rounds.hpp>

#include "tests/accuracy/twists.hpp"
#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace sightline::accuracy {
namespace {

using testing::Random;

/// Differences of entries, in claimed errors, and how often floats were known.
struct Seen {
  double worst = 0;
  std::uint64_t tame = 0, sure = 0, all = 0;

  /// Empty, or what is wrong with an entry.
  std::string add(const Two<float>& stage2, const WideEntryT<float>& entry) {
    ++all;
    if (!entry.is_tame) return "";
    ++tame;
    const double exact = static_cast<double>(stage2.hi) + static_cast<double>(stage2.lo);
    const double apart = std::fabs(exact - entry.t) / static_cast<double>(entry.error);
    worst = std::max(worst, apart);
    const CertainEntryT<float> known = rounded(entry);
    sure += known.sure;
    if (known.sure && bits_of(known.t) != bits_of(rounded(stage2))) return "another float";
    // The proofs leave a factor of ten; what is seen should leave more.
    return apart <= 0.1 ? "" : "errs by " + std::to_string(apart) + " of what it claims";
  }
  void expect_and_print(double least_tame, double least_certain) const {
    const double n = static_cast<double>(all);
    std::printf("  %llu entries, tame %.4f, sure %.4f, worst %.2g of the error claimed\n",
                static_cast<unsigned long long>(all), static_cast<double>(tame) / n,
                static_cast<double>(sure) / n, worst);
    EXPECT_GE(static_cast<double>(tame), least_tame * n);
    EXPECT_GE(static_cast<double>(sure), least_certain * n);
  }
};

Two<float> stage2_entry(const Line& line, const Sphere& s) {
  const TwoVec3<float> w = two_diff(line.origin, s.center);
  const Two<float> discriminant =
      ball_discriminant(line, cross(w, line.direction), two_prod(s.radius, s.radius));
  return ball_crossing(line, w, discriminant, -1.0f);
}
Two<float> stage2_entry(const Line& line, const Capsule& s) {
  return capsule_crossing(line, capsule_line(line, s), -1.0f);
}

std::string check(Seen& seen, const Line& line, const Sphere& s) {
  return seen.add(stage2_entry(line, s), ball_entry(line, widened(line), s));
}
/// The side or the ball at an end, whichever is surely entered.
std::string check(Seen& seen, const Line& line, const Capsule& s) {
  const WideLineT<float> wide = widened(line);
  const SideEntryT<float> c = side_entry(line, wide, s);
  WideEntryT<float> entry = c.entry;
  if (!(c.above_a > c.doubt && c.above_b < -c.doubt)) {
    const bool at_a = c.above_a<-c.doubt, at_b = c.above_b> c.doubt;
    entry = ball_entry(line, wide, {at_a ? s.a : s.b, s.radius});
    entry.is_tame = entry.is_tame && c.entry.is_tame && (at_a || at_b);
  }
  return seen.add(stage2_entry(line, s), entry);
}
/// The end or the side, whichever is surely entered.
std::string check(Seen& seen, const Line& line, const Cylinder& s) {
  const WideLineT<float> wide = widened(line);
  const CylinderLine<float> stage2 = cylinder_line(line, s);
  const EndEntryT<float> end = end_entry(line, wide, s);
  if (end.within) {
    const TwoVec3<float>& w = stage2.along.hi > 0 ? stage2.side.wa : stage2.side.wb;
    return seen.add(-(dot(w, stage2.side.axis.e) / stage2.along), end.entry);
  }
  const SideEntryT<float> c = side_entry(line, wide, capsule_around(s));
  WideEntryT<float> entry = c.entry;
  entry.is_tame = entry.is_tame && c.above_a > c.doubt && c.above_b < -c.doubt;
  return seen.add(side_from_foot(stage2.side, -1.0f) + stage2.side.t0, entry);
}
/// The face that the line crosses fastest.
std::string check(Seen& seen, const Line& line, const ObbFrame& s) {
  const float h[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
  int axis = 0;
  Two<float> speed = two_dot(line.direction, s.axis[0]);
  for (int k = 1; k < 3; ++k) {
    const Two<float> other = two_dot(line.direction, s.axis[k]);
    if (abs(other.hi) > abs(speed.hi)) speed = other, axis = k;
  }
  const TwoVec3<float> w = two_diff(line.origin, s.center);
  const Two<float> along = dot(w, s.axis[axis]);
  const bool backward = speed.hi < 0;
  const Two<float> near = -((backward ? -along : along) + h[axis]);
  const float size = sum_abs(high(w)) + sum_abs(s.half_extents);
  return seen.add(near / (backward ? -speed : speed),
                  face_entry(line, s.center, s.axis[axis], h[axis], size));
}

template <class Shape>
class CertainEntryTest : public ::testing::Test {};
using EnteredShapes = ::testing::Types<ObbFrame, Sphere, Capsule, Cylinder>;
TYPED_TEST_SUITE(CertainEntryTest, EnteredShapes);

template <class Shape, class Draw>
void expect_entries(std::uint64_t seed, std::uint64_t count, double least_tame,
                    double least_certain, const Draw& draw_one) {
  Seen seen;
  Dice dice(seed);
  for (std::uint64_t i = 0; i < scaled(count); ++i) {
    const testing::Pair<Shape> p = draw_one(dice, seed * 1'000'000'007 + i);
    const ScaledRay q = scale(p.ray);
    if (q.bad || q.line.is_point || !staged_interval(q.line, p.shape).hit) continue;
    ASSERT_EQ(check(seen, q.line, p.shape), "")
        << "seed " << seed << " case " << i << " " << testing::text(p.ray);
  }
  seen.expect_and_print(least_tame, least_certain);
}

template <class Shape>
testing::Pair<Shape> of(const Sample<Shape>& s) {
  return {s.shape, s.ray};
}

// Far and near, large and small, thin and round, grazed and met in the middle.
TYPED_TEST(CertainEntryTest, OverTheWholeDomain) {
  expect_entries<TypeParam>(91, 1'000'000, 0.02, 0, [](Dice& dice, std::uint64_t) {
    Sample<TypeParam> s = draw<TypeParam>(dice, some_cell(dice));
    if (dice.chance(0.4)) twist(dice, s);
    return of(s);
  });
}

// Where the limits of what is proven lie: distances of 2^20 radii, slants of 2^10 and less.
TYPED_TEST(CertainEntryTest, AtTheLimitsOfWhatIsTame) {
  expect_entries<TypeParam>(92, 1'000'000, 0.05, 0, [](Dice& dice, std::uint64_t) {
    Cell cell;
    cell.distance = std::exp2(dice.uniform(0, 20));
    cell.aspect = std::exp2(dice.uniform(0, 10));
    cell.spread = std::exp2(dice.uniform(-22, -10));
    cell.scale = std::exp2(std::floor(dice.uniform(-32, 18)));
    return of(draw<TypeParam>(dice, cell));
  });
}

TYPED_TEST(CertainEntryTest, FlatThinAxisParallelAndFromInside) {
  expect_entries<TypeParam>(93, 1'000'000, 0.5, 0.4, [](Dice&, std::uint64_t seed) {
    Random r(seed);
    return testing::random_pair<TypeParam>(r);
  });
}

/// Shapes about 1 in size up to 100 away.
TYPED_TEST(CertainEntryTest, IsCertainOfOrdinaryRays) {
  expect_entries<TypeParam>(94, 1'000'000, 0.99, 0.98, [](Dice& dice, std::uint64_t) {
    const Cell cell{std::pow(10.0, dice.uniform(0, 2)), std::pow(10.0, dice.uniform(0, 1)), 1, 1};
    return of(draw<TypeParam>(dice, cell));
  });
}

// Lines at small angles to the axis, down to where they count as along it.
TEST(CertainEntryOfCapsules, NearlyAlongTheAxis) {
  expect_entries<Capsule>(95, 1'000'000, 0.02, 0, [](Dice& dice, std::uint64_t) {
    const auto some = [&](double size) {
      return Vec3{static_cast<float>(size * dice.uniform(-1, 1)),
                  static_cast<float>(size * dice.uniform(-1, 1)),
                  static_cast<float>(size * dice.uniform(-1, 1))};
    };
    const Vec3 a = some(4), e = some(8);
    const Capsule c{a, testing::plus(a, e), static_cast<float>(std::exp2(dice.uniform(-10, 1)))};
    const Vec3 on_axis =
        testing::plus(a, testing::times(e, static_cast<float>(dice.uniform(0, 1))));
    const Vec3 d = testing::plus(e, some(8 * std::exp2(dice.uniform(-9, 0))));
    const Vec3 through = testing::plus(on_axis, some(static_cast<double>(c.radius)));
    Ray ray;
    ray.origin = testing::minus(through, testing::times(d, static_cast<float>(dice.uniform(0, 9))));
    ray.direction = d;
    return testing::Pair<Capsule>{c, ray};
  });
}

}  // namespace
}  // namespace sightline::accuracy
