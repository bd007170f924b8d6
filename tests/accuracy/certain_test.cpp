// What floats are sure of (`surely`, `interval_ahead`) is what stage 2 answers, bit for bit, under
// every policy; and they are sure of nearly every ordinary ray.
#include <sightline/geometry/intersect/certain_boxes.hpp>
#include <sightline/geometry/intersect/certain_cylinder.hpp>
#include <sightline/geometry/intersect/certain_rounds.hpp>
#include <sightline/geometry/intersect/slab.hpp>

#include "tests/accuracy/twists.hpp"
#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sightline::accuracy {
namespace {

using testing::every_policy;
using testing::Random;

/// The answer of stage 2; `both_ends` as for a line of sight.
Found answer(const Interval& i, float t_min, float t_max, Inside inside, bool both_ends) {
  Found f = apply_policy(i, t_min, t_max, t_min, inside);
  if (both_ends && inside == Inside::ignore) f.hit = f.hit && i.t_out <= t_max;
  return f;
}

/// How often floats were sure, of the answers under `solid`.
struct Shares {
  std::uint64_t hits = 0, certain_hits = 0, misses = 0, certain_misses = 0, one_crossing = 0;

  void print() const {
    const auto share = [](std::uint64_t part, std::uint64_t all) {
      return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
    };
    std::printf("  hits %llu, sure %.4f, by one crossing %.4f; misses %llu, sure %.4f\n",
                static_cast<unsigned long long>(hits), share(certain_hits, hits),
                share(one_crossing, hits), static_cast<unsigned long long>(misses),
                share(certain_misses, misses));
  }
};

/// Holds what floats are sure of to stage 2 and to the gate; empty where they agree.
template <class Shape>
std::string contradiction(const Line& line, const Shape& shape, float t_min, float t_max,
                          Shares& shares) {
  const Interval full = staged_interval(line, shape);  // as the reference answers
  const bool gate_is_open = !is_empty(slab(line, t_min, t_max, bounds(shape)));
  for (const Inside inside : every_policy) {
    for (const bool both_ends : {false, true}) {
      const bool hit = answer(full, t_min, t_max, inside, both_ends).hit;
      const Certain sure = certainly(line, shape, t_min, t_max, inside, both_ends);
      if (sure.hit && !hit) return "a sure hit misses";
      if (sure.hit && !gate_is_open) return "the gate of a sure hit is empty";
      if (sure.miss && hit) return "a sure miss hits";
      if (inside != Inside::solid || both_ends) continue;
      shares.hits += hit, shares.certain_hits += sure.hit;
      shares.misses += !hit, shares.certain_misses += sure.miss;
    }
    const Interval ahead = interval_ahead(line, shape, t_min, t_max, inside, true);
    const Found got = answer(ahead, t_min, t_max, inside, false);
    const Found want = answer(full, t_min, t_max, inside, false);
    if (got.hit != want.hit) return "closest hit decides otherwise";
    if (!want.hit) continue;
    if (bits_of(got.t) != bits_of(want.t)) return "another t";
    if (bits_of(ahead.t_in) != bits_of(full.t_in)) return "another entry";
    if (got.started_inside != want.started_inside) return "started inside";
    if (inside == Inside::solid) shares.one_crossing += ahead.t_out == infinity;
  }
  return "";
}

/// A bound of a ray's interval that looks for trouble at the ends of a shape's.
float some_bound(Dice& dice, const Interval& i, float otherwise) {
  const float end = dice.chance(0.5) ? i.t_in : i.t_out;
  float t = otherwise;
  switch (dice.below(6)) {
    case 0:
      break;
    case 1:
      t = end;
      break;
    case 2:
      t = std::nextafter(end, dice.chance(0.5) ? infinity : -infinity);
      break;
    case 3:
      t = end + end * dice.wild(-24, -8);
      break;
    case 4:
      t = i.t_in + (i.t_out - i.t_in) * static_cast<float>(dice.uniform(-0.5, 1.5));
      break;
    default:
      t = end + (i.t_out - i.t_in) * dice.wild(-24, -1);
  }
  return t >= 0 ? t : otherwise;
}

template <class Shape>
std::string contradiction(Dice& dice, const Ray& ray, const Shape& shape, Shares& shares) {
  const ScaledRay q = scale(ray);
  if (q.bad) return "";
  const Interval i = interval(q.line, shape);
  float t_min = q.t_min, t_max = q.t_max;
  if (i.hit && dice.chance(0.8)) {
    const float a = some_bound(dice, i, 0), b = some_bound(dice, i, infinity);
    t_min = std::min(a, b), t_max = std::max(a, b);
  }
  return contradiction(q.line, shape, t_min, t_max, shares);
}

/// Calls check(ray, shape) with every kind of trouble.
template <class Shape, class Draw>
void expect_no_contradiction(std::uint64_t seed, std::uint64_t count, const Draw& draw_one) {
  Shares shares;
  Dice dice(seed);
  for (std::uint64_t i = 0; i < scaled(count); ++i) {
    const testing::Pair<Shape> p = draw_one(dice, seed * 1'000'000'007 + i);
    ASSERT_EQ(contradiction(dice, p.ray, p.shape, shares), "")
        << "seed " << seed << " case " << i << " " << testing::text(p.ray);
  }
  shares.print();
}

template <class Shape>
class CertainTest : public ::testing::Test {};
using Shapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder>;
TYPED_TEST_SUITE(CertainTest, Shapes);

TYPED_TEST(CertainTest, NearSilhouettes) {
  expect_no_contradiction<TypeParam>(81, 400'000, [](Dice& dice, std::uint64_t) {
    Sample<TypeParam> s = draw<TypeParam>(dice, some_cell(dice));
    if (dice.chance(0.4)) twist(dice, s);
    return testing::Pair<TypeParam>{s.shape, s.ray};
  });
}

TYPED_TEST(CertainTest, FlatThinAxisParallelAndFromInside) {
  expect_no_contradiction<TypeParam>(82, 400'000, [](Dice&, std::uint64_t seed) {
    Random r(seed);
    auto p = testing::random_pair<TypeParam>(r);
    if (r.one_in(16)) p.ray.direction = {0, 0, 0};
    return p;
  });
}

/// Shapes of integers and rays between integers: corners, edges, tangents and ties.
Aabb lattice_shape(Random& r, const Vec3& c, const Aabb*) {
  return {c, testing::plus(c, r.lattice(0, 4))};
}
ObbFrame lattice_shape(Random& r, const Vec3& c, const ObbFrame*) {
  const Quat turns[] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 1}, {1, 1, 1, 1}};
  return frame(Obb{c, r.lattice(0, 4), turns[r.below(4)]});
}
Sphere lattice_shape(Random& r, const Vec3& c, const Sphere*) {
  return {c, static_cast<float>(r.between(0, 5))};
}
Capsule lattice_shape(Random& r, const Vec3& c, const Capsule*) {
  return {c, testing::plus(c, r.lattice(-3, 3)), static_cast<float>(r.between(0, 5))};
}
Cylinder lattice_shape(Random& r, const Vec3& c, const Cylinder*) {
  Vec3 e{0, 0, 0};
  while (max_abs(e) == 0) e = r.lattice(-3, 3);
  return {c, testing::plus(c, e), static_cast<float>(r.between(0, 5))};
}
TYPED_TEST(CertainTest, OnLattices) {
  expect_no_contradiction<TypeParam>(83, 400'000, [](Dice&, std::uint64_t seed) {
    Random r(seed);
    const Vec3 from = r.lattice(-8, 8);
    testing::Pair<TypeParam> p{lattice_shape(r, r.lattice(-4, 4), static_cast<TypeParam*>(nullptr)),
                               {}};
    p.ray.origin = from;
    p.ray.direction = testing::minus(r.lattice(-4, 4), from);
    p.ray.t_max = r.one_in(2) ? infinity : static_cast<float>(r.between(0, 2));
    p.ray.t_min = r.one_in(2) ? 0.0f : std::min(p.ray.t_max, 1.0f);
    return p;
  });
}

/// Numbers of all sizes, denormal ones included, where products leave the float range.
float anything(Dice& dice, int low) {
  if (dice.chance(0.1)) return 0;
  return dice.wild(low, std::min(39, low + 80));
}
Vec3 any_vector(Dice& dice, int low) {
  return {anything(dice, low), anything(dice, low), anything(dice, low)};
}
Aabb any_shape(Dice& dice, int low, const Aabb*) {
  const Vec3 a = any_vector(dice, low), b = any_vector(dice, low);
  return {{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
          {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}};
}
ObbFrame any_shape(Dice& dice, int low, const ObbFrame*) {
  const Vec3 h = any_vector(dice, low);
  return frame(Obb{any_vector(dice, low),
                   {std::fabs(h.x), std::fabs(h.y), std::fabs(h.z)},
                   dice.chance(0.3) ? Quat{0, 0, 1, 1} : random_rotation(dice)});
}
Sphere any_shape(Dice& dice, int low, const Sphere*) {
  return {any_vector(dice, low), std::fabs(anything(dice, low))};
}
Capsule any_shape(Dice& dice, int low, const Capsule*) {
  return {any_vector(dice, low), any_vector(dice, low), std::fabs(anything(dice, low))};
}
Cylinder any_shape(Dice& dice, int low, const Cylinder*) {
  return {any_vector(dice, low), any_vector(dice, low), std::fabs(anything(dice, low))};
}
TYPED_TEST(CertainTest, OfAllSizes) {
  expect_no_contradiction<TypeParam>(84, 400'000, [](Dice& dice, std::uint64_t) {
    const int low = dice.between(-149, 0);
    testing::Pair<TypeParam> p{any_shape(dice, low, static_cast<TypeParam*>(nullptr)), {}};
    p.ray.origin = any_vector(dice, low);
    p.ray.direction = any_vector(dice, dice.between(-149, 0));
    if (dice.chance(0.5)) {
      const Vec3 target = any_vector(dice, low);
      p.ray.direction = testing::minus(target, p.ray.origin);
    }
    if (dice.chance(0.3)) p.ray.t_min = std::fabs(anything(dice, -149));
    if (dice.chance(0.3)) p.ray.t_max = p.ray.t_min + std::fabs(anything(dice, -40));
    return p;
  });
}

/// A point on an edge of the box (or at a corner), in its own coordinates.
Vec3 edge_point(Dice& dice, const Vec3& h) {
  Vec3 v{h.x, h.y, h.z};
  const auto free = dice.below(4);  // 3: a corner
  for (std::uint64_t k = 0; k < 3; ++k) {
    (&v.x)[k] *= static_cast<float>(k == free          ? dice.uniform(-1, 1)
                                    : dice.chance(0.5) ? 1.0
                                                       : -1.0);
  }
  return v;
}
Vec3 near_edge(Dice& dice, const Aabb& s) {
  const Vec3 h{(s.max.x - s.min.x) / 2, (s.max.y - s.min.y) / 2, (s.max.z - s.min.z) / 2};
  return testing::plus(testing::plus(s.min, h), edge_point(dice, h));
}
Vec3 near_edge(Dice& dice, const ObbFrame& s) {
  const Vec3 v = edge_point(dice, s.half_extents);
  const Vec3 xy = testing::plus(testing::times(s.axis[0], v.x), testing::times(s.axis[1], v.y));
  return testing::plus(s.center, testing::plus(xy, testing::times(s.axis[2], v.z)));
}
template <class Shape>
testing::Pair<Shape> at_an_edge(Dice& dice, std::uint64_t seed) {
  Random r(seed);
  auto p = testing::random_pair<Shape>(r);
  const Vec3 target = near_edge(dice, p.shape);
  Vec3 d = testing::minus(target, p.ray.origin);
  for (std::uint64_t k = 0; k < 3; ++k) {
    (&d.x)[k] = nudged(dice, (&d.x)[k], std::pow(10.0, dice.uniform(-9, -4)));
  }
  p.ray.direction = d;
  return p;
}
// Stage 1 sees this line miss, stage 2 does not: its squares underflow.
TEST(CertainRoundsTest, StageOneSpeaksFirstOfTinyCapsules) {
  const Capsule capsule = {
      {-0x1p-65f, -0x1.4p-65f, -0x1p-64f}, {0x1.4p-65f, -0x1p-64f, 0x1p-64f}, 0};
  Ray ray;
  ray.origin = {-0x1p-66f, -0x1.6p-64f, -0x1.2p-64f};
  ray.direction = {-0x1.18f8fep+0f, 0x1.0f6396p+2f, 0x1.5ae05cp+0f};
  const ScaledRay q = scale(ray);
  ASSERT_FALSE(may_hit(q.line, capsule));
  ASSERT_TRUE(interval(q.line, capsule).hit);
  Shares shares;
  EXPECT_EQ(contradiction(q.line, capsule, q.t_min, q.t_max, shares), "");
}

TEST(CertainRoundsTest, CapsulesWhoseSquaresUnderflow) {
  expect_no_contradiction<Capsule>(85, 400'000, [](Dice&, std::uint64_t seed) {
    Random r(seed);
    const float size = r.power_of_two(-72, -60);
    const auto point = [&] { return testing::times(r.lattice(-8, 8), size / 4); };
    testing::Pair<Capsule> p{{point(), point(), r.one_in(2) ? 0 : size / 8}, {}};
    p.ray.origin = point();
    p.ray.direction = r.vec(-5, 5);
    return p;
  });
}

TEST(CertainBoxesTest, AabbsEnteredAtAnEdge) {
  expect_no_contradiction<Aabb>(85, 1'000'000, at_an_edge<Aabb>);
}
TEST(CertainBoxesTest, ObbsEnteredAtAnEdge) {
  expect_no_contradiction<ObbFrame>(86, 1'000'000, at_an_edge<ObbFrame>);
}

/// Walls: boxes with little or no extent along an axis or two, of all sizes, and rays to a place on
/// them or by an edge, from afar or from within the doubt, some nearly along them.
testing::Pair<ObbFrame> at_a_wall(Dice& dice, std::uint64_t) {
  const float size = dice.wild(dice.chance(0.3) ? -149 : -20, 20);
  const auto some = [&] { return static_cast<float>(dice.uniform(-1, 1)) * std::fabs(size); };
  float h[3];
  for (float& along : h) along = std::fabs(some());
  const auto thin = dice.below(3);
  h[thin] = dice.chance(0.6) ? 0 : h[thin] * std::fabs(dice.wild(-30, -14));
  if (dice.chance(0.1)) h[(thin + 1) % 3] = 0;
  const Quat turn = dice.chance(0.3) ? Quat{0, 0, 0, 1} : random_rotation(dice);
  testing::Pair<ObbFrame> p{frame(Obb{{some(), some(), some()}, {h[0], h[1], h[2]}, turn}), {}};
  const Vec3 target = near_edge(dice, p.shape);
  const float inwards = dice.chance(0.3) ? 1 : static_cast<float>(dice.uniform(-1, 1));
  const Vec3 to = testing::plus(p.shape.center,
                                testing::times(testing::minus(target, p.shape.center), inwards));
  const float away = dice.chance(0.7) ? std::fabs(dice.wild(-3, 8)) : std::fabs(dice.wild(-40, 0));
  Vec3 d = testing::times({some(), some(), some()}, away);
  if (dice.chance(0.2)) {  // nearly along the wall
    d = testing::minus(to, near_edge(dice, p.shape));
    d = testing::plus(d, testing::times({some(), some(), some()}, std::fabs(dice.wild(-40, -10))));
  }
  p.ray.origin = testing::minus(to, d);
  p.ray.direction = testing::minus(to, p.ray.origin);
  if (dice.chance(0.2)) p.ray.direction = testing::times(p.ray.direction, dice.wild(-20, 20));
  return p;
}
TEST(CertainBoxesTest, Walls) { expect_no_contradiction<ObbFrame>(87, 1'000'000, at_a_wall); }

/// Shapes about 1 in size up to 100 away, passed within a size or two.
template <class Shape>
void expect_shares(double least) {
  Shares shares;
  for (std::uint64_t i = 0; i < scaled(400'000); ++i) {
    Random r(i);
    Dice dice(i);
    const Cell cell{std::pow(10.0, dice.uniform(0, 2)), std::pow(10.0, dice.uniform(0, 1)), 1, 1};
    const Sample<Shape> s = draw<Shape>(dice, cell);
    const ScaledRay q = scale(s.ray);
    const float reach = static_cast<float>(cell.distance);
    const float t_max = dice.chance(0.5) ? infinity : reach * r.uniform(0.5f, 2);
    ASSERT_EQ(contradiction(q.line, s.shape, 0, t_max, shares), "") << "case " << i;
  }
  shares.print();
  const double hits = static_cast<double>(shares.hits), misses = static_cast<double>(shares.misses);
  EXPECT_GE(static_cast<double>(shares.certain_hits), least * hits);
  EXPECT_GE(static_cast<double>(shares.one_crossing), least * hits);
  if constexpr (!std::is_same_v<Shape, Aabb>) {
    EXPECT_GE(static_cast<double>(shares.certain_misses), least * misses);
  }
}
TYPED_TEST(CertainTest, DecidesOrdinaryRays) { expect_shares<TypeParam>(0.99); }

TEST(CertainBoxesTest, DecidesRaysAtWalls) {
  Shares shares;
  Dice dice(88);
  for (std::uint64_t i = 0; i < scaled(200'000); ++i) {
    Sample<ObbFrame> s = draw<ObbFrame>(dice, {10, 1, 1, 1});
    s.shape.half_extents.x = 0;
    const ScaledRay q = scale(s.ray);
    ASSERT_EQ(contradiction(q.line, s.shape, 0, infinity, shares), "") << "case " << i;
  }
  shares.print();
  EXPECT_GE(static_cast<double>(shares.certain_hits), 0.99 * static_cast<double>(shares.hits));
  EXPECT_GE(static_cast<double>(shares.one_crossing), 0.99 * static_cast<double>(shares.hits));
}

}  // namespace
}  // namespace sightline::accuracy
