// Which points lie in a field of view.
#include "tests/oracle/dice.hpp"
#include "tests/oracle/field_truth.hpp"
#include "tests/support/random_fields.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <sightline/geometry/flat/circle_sector.hpp>
#include <sightline/geometry/queries/field_of_view.hpp>

#include <array>

namespace sightline::testing {
namespace {

bool sees_at(const Field& f, FieldShape shape, const Vec3& from, const Vec3& to) {
  return in_field(field_test(f, shape), from, to);
}

Vec3 rolled(const Vec3& v, int way) {
  const std::array<float, 3> x = {v.x, v.y, v.z};
  const auto at = [&](int k) { return x[static_cast<std::size_t>((k + way) % 3)]; };
  return {at(0), way % 2 ? -at(1) : at(1), at(2)};
}

/// A field and an offset of integers; half of the offsets lie on the field's very edge.
struct LatticeField {
  Field field;
  Vec3 offset;

  explicit LatticeField(Random& r) {
    constexpr int side[][3] = {{3, 4, 5}, {4, -3, 5}, {0, 1, 1}, {-8, 6, 10}, {-5, -12, 13}};
    const auto whole = [](int i) { return static_cast<float>(i); };
    const int c = r.between(-12, 12), s = r.between(c == 0, 12);
    const auto& [a, b, length] = side[r.below(5)];
    field.cosine = whole(c), field.sine = whole(s);
    field.range = r.one_in(3) ? whole(r.between(0, 60'000)) : infinity;
    if (r.one_in(2)) {
      // Along an axis c, beside it s, in units of the side's length.
      const int k = r.between(1, 100), way = r.below(3);
      field.direction = rolled({whole(r.between(1, 12)), 0, 0}, way);
      offset = rolled({whole(c * k * length), whole(s * k * a), whole(s * k * b)}, way);
      if (r.one_in(4)) (&offset.x)[r.below(3)] += whole(r.between(-1, 1));
    } else {
      field.direction = r.lattice(-12, 12);
      offset = r.lattice(-40'000, 40'000);
      if (r.one_in(4)) offset = times(field.direction, whole(r.between(-3000, 3000)));
      if (r.one_in(8)) offset = r.lattice(-2, 2);
    }
  }
};

TEST(FieldOfView, IsExactOnLattices) {
  std::uint64_t in = 0, edges = 0;
  const std::uint64_t cases = scaled(3'000'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const LatticeField l(r);
    const FieldShape shape = every_field_shape[r.below(3)];
    if (!is_sound(l.field, shape)) continue;
    const Vec3 low = r.lattice(-20'000, -20'000 + 19'000);
    const bool far = max_abs(l.offset) > 20'000;
    const Vec3 from = far ? times(l.offset, -0.5f) : low;
    const Vec3 to = plus(from, l.offset);
    const bool truth = oracle::sees_on_lattice(l.field, shape, minus(to, from));
    ASSERT_EQ(sees_at(l.field, shape, from, to), truth) << "seed " << seed;
    in += truth;
    Field narrower = l.field;
    narrower.range = infinity;
    narrower.cosine += 0.001f * (l.field.sine + 1), narrower.sine -= 0.001f;
    edges += truth && !sees_at(narrower, shape, from, to);
  }
  EXPECT_GT(in, cases / 5);
  EXPECT_LT(in, cases * 4 / 5);
  EXPECT_GT(edges, cases / 20);
}

// Sectors whose directions go from lattice point to lattice point, as agents look at each other.
TEST(FieldOfView, SectorsAreExactForDirectionsOfAnyLength) {
  std::uint64_t in = 0, edges = 0;
  const std::uint64_t cases = scaled(1'000'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    Field f;
    f.direction = r.lattice(-40'000, 40'000);
    const int c = r.between(-12, 12), s = r.between(c == 0, 12);
    f.cosine = static_cast<float>(c), f.sine = static_cast<float>(s);
    // The direction turned by the half angle, a few steps long; exact below 2^24.
    const int side = r.one_in(2) ? 1 : -1, k = r.between(1, 15);
    const auto x = static_cast<int>(f.direction.x), y = static_cast<int>(f.direction.y);
    Vec3 to = {static_cast<float>((c * x - side * s * y) * k),
               static_cast<float>((side * s * x + c * y) * k), r.uniform(-9, 9)};
    if (r.one_in(2)) to.x += static_cast<float>(r.between(-1, 1));
    if (!is_sound(f, FieldShape::sector)) continue;
    const Vec3 flat = {to.x, to.y, 0};
    const bool truth = oracle::sees_on_lattice(f, FieldShape::sector, flat);
    ASSERT_EQ(sees_at(f, FieldShape::sector, {0, 0, 5}, to), truth) << "seed " << seed;
    const Sector sector = {{0, 0}, {f.direction.x, f.direction.y}, f.cosine, f.sine, 1e9f};
    ASSERT_EQ(overlaps(Circle{{to.x, to.y}, 0}, sector), truth) << "seed " << seed;
    in += truth;
    f.cosine += 0.001f * (f.sine + 1), f.sine -= 0.001f;
    edges += truth && !sees_at(f, FieldShape::sector, {0, 0, 5}, to);
  }
  EXPECT_GT(in, cases / 2);
  EXPECT_GT(edges, cases / 5);
}

TEST(FieldOfView, IsRightToWithin1e15Radians) {
  std::uint64_t near = 0;
  const std::uint64_t cases = scaled(1'000'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    oracle::Dice dice(seed);
    const auto component = [&](int e) { return dice.wild(e - 12, e); };
    const int size = dice.between(-40, 38), place = dice.between(-40, 38);
    const Vec3 from = {component(place), component(place), component(place)};
    Vec3 to = {component(size), component(size), component(size)};
    if (dice.chance(0.5)) to = plus(from, to);
    Field f;
    const int length = dice.between(-100, 100), angle = dice.between(-100, 100);
    f.direction = {component(length), component(length), component(length)};
    const FieldShape shape = every_field_shape[dice.below(3)];
    const oracle::Real half = std::atan2(1.0L, 0.0L) * 2 * dice.uniform();
    f.cosine = static_cast<float>(std::ldexp(std::cos(half), angle));
    f.sine = static_cast<float>(std::ldexp(std::sin(half), angle));
    if (dice.chance(0.5)) {  // as near to the edge as floats can be
      const oracle::Real outside = -oracle::radians_inside(f, shape, from, to);
      if (std::isinf(outside)) continue;  // `to` is where the viewpoint is
      f.cosine = static_cast<float>(std::ldexp(std::cos(half + outside), angle));
      f.sine = static_cast<float>(std::ldexp(std::sin(half + outside), angle));
    }
    const oracle::Real inside = oracle::radians_inside(f, shape, from, to);
    near += std::abs(inside) < 1e-7L;
    if (std::abs(inside) < 1e-15L) continue;
    ASSERT_EQ(sees_at(f, shape, from, to), inside > 0) << "seed " << seed << ": " << inside;
  }
  EXPECT_GT(near, cases / 4);
}

TEST(FieldOfView, LengthsDoNotMatterAtAll) {
  for (std::uint64_t seed = 1; seed <= scaled(300'000); ++seed) {
    Random r(seed);
    const FieldShape shape = every_field_shape[r.below(3)];
    const Vec3 from = r.vec(-8, 8), to = r.vec(-8, 8);
    Field f{r.vec(-1, 1), r.uniform(-1, 1), r.uniform(0, 1), r.one_in(2) ? infinity : 9.0f};
    const bool seen = sees_at(f, shape, from, to);
    const float a = r.power_of_two(-110, 127), b = r.power_of_two(-110, 127);
    Field other = {times(f.direction, a), f.cosine * b, f.sine * b, f.range};
    ASSERT_EQ(sees_at(other, shape, from, to), seen) << "seed " << seed;
    const float c = r.power_of_two(-100, 30);
    other.range *= c;
    ASSERT_EQ(sees_at(other, shape, times(from, c), times(to, c)), seen) << "seed " << seed;
  }
  // The smallest and the largest numbers that there are.
  const float tiny = 0x1p-149f, huge = domain_limit;
  for (const float d : {tiny, largest_float}) {
    for (const float angle : {tiny, largest_float}) {
      for (const float v : {tiny, huge}) {
        const Field f{{d, 0, 0}, angle, angle, infinity};
        EXPECT_TRUE(sees_at(f, FieldShape::cone, {0, 0, 0}, {v, v, 0}));
        EXPECT_TRUE(sees_at(f, FieldShape::cone, {0, 0, 0}, {v, 0, -v}));
        EXPECT_FALSE(sees_at(f, FieldShape::cone, {0, 0, 0}, {v, v, v}));
        EXPECT_FALSE(sees_at(f, FieldShape::cone, {0, 0, 0}, {-v, v, 0}));
        const Field wide{{d, 0, 0}, -angle, angle, infinity};
        EXPECT_TRUE(sees_at(wide, FieldShape::cone, {0, 0, 0}, {-v, v, 0}));
        EXPECT_FALSE(sees_at(wide, FieldShape::cone, {0, 0, 0}, {-v, 0, 0}));
      }
    }
  }
}

TEST(FieldOfView, MirrorsQuarterTurnsAndUpAxesChangeNothing) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Vec3 from = r.vec(-8, 8), to = r.vec(-8, 8), d = r.vec(-1, 1);
    const Field f{d, r.uniform(-1, 1), r.uniform(0, 1), r.one_in(2) ? infinity : 9.0f};
    const auto with = [&](const Vec3& direction) {
      Field g = f;
      g.direction = direction;
      return g;
    };
    const auto swapped = [](const Vec3& v) { return Vec3{v.x, v.z, v.y}; };
    const auto left = [](const Vec3& v) { return Vec3{-v.y, v.x, -v.z}; };
    for (const FieldShape shape : {FieldShape::cone, FieldShape::sector}) {
      const bool seen = sees_at(f, shape, from, to);
      ASSERT_EQ(sees_at(with(left(d)), shape, left(from), left(to)), seen) << "seed " << seed;
      ASSERT_EQ(sees_at(with(-d), shape, to, from), seen) << "seed " << seed;
    }
    const bool seen = sees_at(f, FieldShape::sector, from, to);
    ASSERT_EQ(sees_at(with(swapped(d)), FieldShape::sector_y_up, swapped(from), swapped(to)), seen);
    Vec3 up = d, high = to;
    up.z = r.one_in(2) ? infinity : std::nanf(""), high.z += r.uniform(-900, 900);
    ASSERT_EQ(sees_at(with(up), FieldShape::sector, from, high), seen) << "seed " << seed;
    Vec3 level = to, ahead = d;
    level.z = from.z, ahead.z = 0;
    ASSERT_EQ(sees_at(with(ahead), FieldShape::cone, from, level), seen) << "seed " << seed;
  }
}

TEST(FieldOfView, GrowsWithItsAngleAndItsRange) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const FieldShape shape = every_field_shape[r.below(3)];
    const Vec3 from = r.vec(-8, 8), to = r.vec(-8, 8), d = r.vec(-1, 1);
    const double a = r.uniform(0, 3.1f), b = a + r.uniform(0.001f, 0.5f);
    const auto of = [&](double half, float range) {
      return Field{d, static_cast<float>(std::cos(half)), static_cast<float>(std::sin(half)),
                   range};
    };
    if (!sees_at(of(a, 9), shape, from, to)) continue;
    ASSERT_TRUE(b > 3.14159 || sees_at(of(b, 9), shape, from, to)) << "seed " << seed;
    ASSERT_TRUE(sees_at(of(a, 9.5f), shape, from, to)) << "seed " << seed;
    ASSERT_TRUE(sees_at({d, -1, 0, 9}, shape, from, to)) << "seed " << seed;
  }
}

TEST(FieldOfView, EdgesEndsAndTheViewpointItselfCount) {
  const Vec3 eye{1, 2, 3};
  const auto sees = [&](const Field& f, const Vec3& offset, FieldShape shape = FieldShape::cone) {
    return sees_at(f, shape, eye, plus(eye, offset));
  };
  const Field right_angle{{0, 0, 2}, 0, 3, 5}, ray{{0, 0, 2}, 3, 0, 5}, all{{0, 0, 2}, -3, 0, 5};
  EXPECT_TRUE(sees(right_angle, {5, 0, 0}));
  EXPECT_FALSE(sees(right_angle, {5.0000005f, 0, 0}));
  EXPECT_TRUE(sees(right_angle, {3, 4, 0}));
  EXPECT_FALSE(sees(right_angle, {3, 3, -1e-6f}));
  EXPECT_TRUE(sees(ray, {0, 0, 5}));
  EXPECT_FALSE(sees(ray, {0, 0, -5}));
  EXPECT_FALSE(sees(ray, {1e-6f, 0, 5}));
  EXPECT_TRUE(sees(all, {0, 0, -5}));
  EXPECT_FALSE(sees(all, {0, 0, -6}));
  // Sines below 0 count as 0.
  EXPECT_TRUE(sees({{0, 0, 2}, -3, -0.5f, 5}, {0, 0, 5}));
  EXPECT_TRUE(sees({{0, 0, 2}, 3, -0.5f, 5}, {0, 0, 5}));
  EXPECT_FALSE(sees({{0, 0, 2}, 3, -0.5f, 5}, {0, 0, -5}));
  for (Field f : {right_angle, ray, all}) {
    f.range = 0;
    EXPECT_TRUE(sees(f, {0, 0, 0}));
    EXPECT_FALSE(sees(f, {0, 0, 0x1p-20f}));
  }
  const Field east{{2, 0, -7}, 3, 4, 5};
  EXPECT_TRUE(sees(east, {3, 4, 99}, FieldShape::sector));
  EXPECT_TRUE(sees(east, {3, -4, -99}, FieldShape::sector));
  EXPECT_FALSE(sees(east, {2.9999f, 4, 0}, FieldShape::sector));
  EXPECT_TRUE(sees(east, {0, 0, 99}, FieldShape::sector));
}

TEST(FieldOfView, BadOnesSeeNothing) {
  const float not_a_number = std::nanf("");
  const Field good{{1, 1, 1}, 1, 1, 5};
  EXPECT_TRUE(is_sound(good, FieldShape::cone));
  const auto with = [&](const auto& change) {
    Field f = good;
    change(f);
    return f;
  };
  std::vector<Field> bad;
  for (const float x : {not_a_number, infinity, -infinity}) {
    bad.push_back(with([&](Field& f) { f.direction.x = x; }));
    bad.push_back(with([&](Field& f) { f.cosine = x; }));
    bad.push_back(with([&](Field& f) { f.sine = x; }));
    if (x != infinity) bad.push_back(with([&](Field& f) { f.range = x; }));
  }
  bad.push_back(with([](Field& f) { f.range = -1e-30f; }));
  bad.push_back(with([](Field& f) { f.cosine = f.sine = 0; }));
  bad.push_back(with([](Field& f) { f.cosine = -0.0f, f.sine = -1; }));
  bad.push_back(with([](Field& f) { f.direction = {0, 0, -0.0f}; }));
  for (const Field& f : bad) {
    for (const FieldShape shape : every_field_shape) {
      EXPECT_FALSE(is_sound(f, shape));
      EXPECT_FALSE(sees_at(f, shape, {0, 0, 0}, {1, 1, 1}));
      EXPECT_FALSE(sees_at(f, shape, {0, 0, 0}, {0, 0, 0}));
    }
  }
  const Field up{{0, 0, 1}, 1, 1, 5}, high{{0, 1, 0}, 1, 1, 5};
  EXPECT_FALSE(is_sound(up, FieldShape::sector));
  EXPECT_TRUE(is_sound(up, FieldShape::sector_y_up));
  EXPECT_FALSE(is_sound(high, FieldShape::sector_y_up));
  EXPECT_TRUE(is_sound({{1, 0, 0}, -1, -0.1f, 0}, FieldShape::cone));
  // Bad points are in no field.
  const FieldTest all = field_test({}, FieldShape::cone);
  const SightPoint here{{0, 0, 0}}, lost{{not_a_number, 0, 0}}, beyond{{0, 2 * domain_limit, 0}};
  EXPECT_TRUE(in_field(all, here, here));
  for (const SightPoint& p : {lost, beyond}) {
    EXPECT_FALSE(in_field(all, here, p));
    EXPECT_FALSE(in_field(all, p, here));
  }
}

}  // namespace
}  // namespace sightline::testing
