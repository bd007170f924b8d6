// The first judge: on an integer lattice the truth is known without rounding. Sizes are at most 6.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/oracle/lattice_judge.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::oracle {
namespace {

template <class Shape, class Truth>
void check(const Shape& shape, const Truth& truth, const Aimed& a, std::uint64_t& hits) {
  if (too_close_to_a_bound(truth, a.ray)) return;
  for (const Inside inside : {Inside::solid, Inside::surface, Inside::ignore}) {
    const Hit got = cast(a.ray, shape, inside);
    hits += got.flags & hit_flags::hit;
    const std::string why = wrong(truth, a, inside, got);
    if (why.empty()) continue;
    const Ray& r = a.ray;
    ADD_FAILURE() << why << ": o " << r.origin.x << ' ' << r.origin.y << ' ' << r.origin.z << " d "
                  << r.direction.x << ' ' << r.direction.y << ' ' << r.direction.z << " t "
                  << r.t_min << ".." << r.t_max << " policy " << static_cast<int>(inside)
                  << " aimed " << a.k << " got t " << got.t << " flags " << int{got.flags};
  }
}

/// Runs `one(dice, hits)` for many seeds; both answers must be common.
template <class One>
void repeat(std::uint64_t seed, One&& one) {
  const std::uint64_t shapes = scaled(100'000);
  Dice dice(seed);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < shapes; ++i) {
    one(dice, hits);
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ", shape " << i;
  }
  EXPECT_GT(hits, shapes * 6);
  EXPECT_LT(hits, shapes * 54);
}
constexpr int rays_per_shape = 20;

IntSlabs slabs_of(const Aabb& s) {
  const IntVec lo = whole(s.min), hi = whole(s.max);
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}};
}

TEST(LatticeTest, Aabb) {
  repeat(101, [](Dice& dice, std::uint64_t& hits) {
    const Vec3 lo = some_place(dice);
    const Vec3 size = vec(dice.between(0, 6), dice.between(0, 6), dice.between(0, 6));
    const Aabb s{lo, plus(lo, size)};
    for (int i = 0; i < rays_per_shape; ++i) {
      const auto part = [&](float n) {
        const int m = static_cast<int>(n);
        const int choice[4] = {0, m, dice.between(0, m), dice.between(-1, m + 1)};
        return choice[dice.below(4)];
      };
      const Vec3 target = plus(lo, vec(part(size.x), part(size.y), part(size.z)));
      check(s, slabs_of(s), aim(dice, target, {0, 0, 0}), hits);
    }
  });
}

/// The 24 turns of a cube as unit quaternions: all signs of (1,0,0,0), (r,r,0,0), (h,h,h,h).
Quat quarter_turn(Dice& dice) {
  const int kind = dice.between(0, 2);
  const float size = kind == 0 ? 1.0f : kind == 1 ? 0.70710678f : 0.5f;
  const int first = dice.between(0, 3), second = (first + dice.between(1, 3)) % 4;
  float q[4];
  for (int i = 0; i < 4; ++i) {
    const bool used = kind == 2 || i == first || (kind == 1 && i == second);
    q[i] = used ? (dice.chance(0.5) ? size : -size) : 0.0f;
  }
  return {q[0], q[1], q[2], q[3]};
}

TEST(LatticeTest, ObbInQuarterTurns) {
  repeat(102, [](Dice& dice, std::uint64_t& hits) {
    Obb s;
    s.center = some_place(dice);
    s.half_extents = vec(dice.between(0, 3), dice.between(0, 3), dice.between(0, 3));
    s.rotation = quarter_turn(dice);
    // Integer rotation of the unit vectors by 2 * quaternion products, all integers for quarter
    // turns after division by q.q.
    const Quat q = s.rotation;
    const auto part = [&](float v) {
      return static_cast<int>(std::lround(v / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w)));
    };
    const IntVec u{part(q.w * q.w + q.x * q.x - q.y * q.y - q.z * q.z),
                   part(2 * (q.x * q.y + q.w * q.z)), part(2 * (q.x * q.z - q.w * q.y))};
    const IntVec v{part(2 * (q.x * q.y - q.w * q.z)),
                   part(q.w * q.w - q.x * q.x + q.y * q.y - q.z * q.z),
                   part(2 * (q.y * q.z + q.w * q.x))};
    const IntVec w = cross(u, v);
    ASSERT_EQ(static_cast<int>(dot(u, u) * dot(v, v) * dot(w, w)), 1);
    IntSlabs truth{{u, v, w}, {}, {}};
    const float half[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
    for (int i = 0; i < 3; ++i) {
      const Int middle = dot(truth.axis[i], whole(s.center));
      truth.lo[i] = middle - whole(half[i]);
      truth.hi[i] = middle + whole(half[i]);
    }
    for (int i = 0; i < rays_per_shape; ++i) {
      const Vec3 off = vec(dice.between(-4, 4), dice.between(-4, 4), dice.between(-4, 4));
      check(s, truth, aim(dice, plus(s.center, off), {0, 0, 0}), hits);
    }
  });
}

TEST(LatticeTest, ObbInAnyTurnWithDyadicAxes) {
  repeat(103, [](Dice& dice, std::uint64_t& hits) {
    Obb given;
    given.center = some_place(dice);
    // At most one is 0: whether a line meets a mere line is not decided in 48 bits.
    given.half_extents = vec(dice.between(1, 6), dice.between(1, 6), dice.between(0, 6));
    const auto part = [&] { return static_cast<float>(dice.uniform(-1, 1)); };
    Quat q{part(), part(), part(), part()};
    const float n = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) + 1e-9f;
    given.rotation = {q.x / n, q.y / n, q.z / n, q.w / n};
    ObbFrame s = frame(given);
    IntSlabs truth;
    const float half[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
    for (int i = 0; i < 3; ++i) {
      const auto dyadic = [](float v) { return std::nearbyint(v * 0x1p24f) * 0x1p-24f; };
      s.axis[i] = {dyadic(s.axis[i].x), dyadic(s.axis[i].y), dyadic(s.axis[i].z)};
      truth.axis[i] = {whole(s.axis[i].x * 0x1p24f), whole(s.axis[i].y * 0x1p24f),
                       whole(s.axis[i].z * 0x1p24f)};
      const Int middle = dot(truth.axis[i], whole(s.center));
      truth.lo[i] = middle - whole(half[i] * 0x1p24f);
      truth.hi[i] = middle + whole(half[i] * 0x1p24f);
    }
    for (int i = 0; i < rays_per_shape; ++i) {
      const Vec3 off = vec(dice.between(-6, 6), dice.between(-6, 6), dice.between(-6, 6));
      check(s, truth, aim(dice, plus(s.center, off), {0, 0, 0}), hits);
    }
  });
}

/// Lattice vectors of length exactly `radius`, 0..6.
Vec3 spoke(Dice& dice, int radius) {
  int v[3] = {radius, 0, 0};
  const bool askew = dice.chance(0.6);
  if (askew && radius == 3) v[0] = 1, v[1] = 2, v[2] = 2;
  if (askew && radius == 5) v[0] = 3, v[1] = 4;
  if (askew && radius == 6) v[0] = 2, v[1] = 4, v[2] = 4;
  for (int i = 2; i > 0; --i) std::swap(v[i], v[dice.below(static_cast<std::uint64_t>(i) + 1)]);
  for (int& c : v) c = dice.chance(0.5) ? -c : c;
  return vec(v[0], v[1], v[2]);
}

TEST(LatticeTest, Sphere) {
  repeat(104, [](Dice& dice, std::uint64_t& hits) {
    const int radius = dice.between(0, 6);
    const Sphere s{some_place(dice), static_cast<float>(radius)};
    const IntBall truth{whole(s.center), radius};
    for (int i = 0; i < rays_per_shape; ++i) {
      Vec3 off = spoke(dice, radius);
      const Vec3 tangent = dice.chance(0.4) ? across(dice, off) : Vec3{0, 0, 0};
      if (dice.chance(0.3)) off = plus(off, vec(dice.between(-1, 1), dice.between(-1, 1), 0));
      check(s, truth, aim(dice, plus(s.center, off), tangent), hits);
    }
  });
}

TEST(LatticeTest, Capsule) {
  repeat(105, [](Dice& dice, std::uint64_t& hits) {
    const int radius = dice.between(0, 6);
    const Vec3 a = some_place(dice);
    const auto part = [&] { return dice.chance(0.4) ? 0 : dice.between(-6, 6); };
    const Vec3 e = vec(part(), part(), part());
    const Capsule s{a, plus(a, e), static_cast<float>(radius)};
    const IntCapsule truth{whole(s.a), whole(s.b), radius};
    for (int i = 0; i < rays_per_shape; ++i) {
      // Beside an end or a lattice point of the segment, one radius away.
      Vec3 core = dice.chance(0.5) ? s.a : s.b;
      const IntVec ie = whole(e);
      if (ie.y == 0 && ie.z == 0 && ie.x != 0 && dice.chance(0.5)) {
        core = plus(s.a, vec(dice.between(0, static_cast<int>(std::fabs(e.x))), 0, 0),
                    e.x < 0 ? -1.0f : 1.0f);
      }
      Vec3 off = spoke(dice, radius);
      Vec3 along{0, 0, 0};
      const double way = dice.uniform();
      if (way < 0.3) along = across(dice, off);
      if (way > 0.9) along = e;
      if (dice.chance(0.3)) off = plus(off, vec(dice.between(-1, 1), 0, dice.between(-1, 1)));
      check(s, truth, aim(dice, plus(core, off), along), hits);
    }
  });
}

TEST(LatticeTest, Cylinder) {
  repeat(108, [](Dice& dice, std::uint64_t& hits) {
    const int radius = dice.between(0, 6);
    const Vec3 a = some_place(dice), off = spoke(dice, radius);
    const auto part = [&] { return dice.chance(0.5) ? 0 : dice.between(-6, 6); };
    Vec3 e = dice.chance(0.4) ? across(dice, off) : vec(part(), part(), part());
    if (max_abs(e) == 0 || max_abs(e) > 6) e = vec(0, 0, dice.chance(0.5) ? 3 : -1);
    const Cylinder s{a, plus(a, e), static_cast<float>(radius)};
    const IntCylinder truth{whole(s.a), whole(s.b), radius};
    for (int i = 0; i < rays_per_shape; ++i) {
      // On the rim or the side where the spoke is at right angles to the axis, or on an end.
      const Vec3 core = dice.chance(0.5) ? s.a : s.b;
      Vec3 out = dice.chance(0.7) ? off : spoke(dice, dice.between(0, radius));
      Vec3 along{0, 0, 0};
      const double way = dice.uniform();
      if (way < 0.2) along = across(dice, out);
      if (way > 0.8) along = e;
      if (way > 0.9) along = across(dice, e);
      if (dice.chance(0.3)) out = plus(out, vec(dice.between(-1, 1), 0, dice.between(-1, 1)));
      check(s, truth, aim(dice, plus(core, out), along), hits);
    }
  });
}

TEST(LatticeTest, Plane) {
  repeat(106, [](Dice& dice, std::uint64_t& hits) {
    Plane s;
    const Vec3 place = some_place(dice);
    if (dice.chance(0.5)) {  // through lattice points
      s.normal = spoke(dice, 1);
      s.offset = s.normal.x * place.x + s.normal.y * place.y + s.normal.z * place.z;
    } else {
      const int choice = dice.between(0, 1);
      s.normal = choice ? Vec3{0.6f, -0.8f, 0} : Vec3{0.36f, 0.48f, -0.8f};
      s.offset = static_cast<float>(dice.between(-limit, limit));
    }
    const IntVec normal{whole(s.normal.x * 0x1p26f), whole(s.normal.y * 0x1p26f),
                        whole(s.normal.z * 0x1p26f)};
    const IntHalfSpace truth{normal, whole(s.offset) << 26};
    for (int i = 0; i < rays_per_shape; ++i) {
      const Vec3 off = vec(dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1));
      check(s, truth, aim(dice, plus(place, off), {0, 0, 0}), hits);
    }
  });
}

TEST(LatticeTest, ZeroDirectionIsContainment) {
  Dice dice(107);
  for (std::uint64_t i = 0; i < scaled(200'000); ++i) {
    const Vec3 place = some_place(dice);
    const auto near_place = [&] {
      return plus(place, vec(dice.between(-6, 6), dice.between(-6, 6), dice.between(-6, 6)));
    };
    Ray ray;
    ray.origin = near_place();
    ray.t_min = static_cast<float>(dice.between(0, 2));
    const int r = dice.between(0, 6);
    const Capsule capsule{place, near_place(), static_cast<float>(r)};
    const Sphere sphere{place, static_cast<float>(r)};
    const IntVec w = whole(ray.origin) - whole(place), e = whole(capsule.b) - whole(place);
    const Int ee = dot(e, e), we = dot(w, e), rr = r * r;
    const IntVec wb = whole(ray.origin) - whole(capsule.b);
    const Cylinder cylinder{place, capsule.b, capsule.radius};
    const bool in_cylinder = we >= 0 && we <= ee && dot(w, w) * ee - we * we <= rr * ee;
    const bool in_ball = dot(w, w) <= rr;
    const bool in_capsule = we <= 0    ? in_ball
                            : we >= ee ? dot(wb, wb) <= rr
                                       : dot(w, w) * ee - we * we <= rr * ee;
    EXPECT_EQ(cast(ray, sphere).t == ray.t_min, in_ball);
    EXPECT_EQ(cast(ray, capsule).t == ray.t_min, in_capsule);
    if (ee > 0) {
      EXPECT_EQ(cast(ray, cylinder).t == ray.t_min, in_cylinder);
    }
    EXPECT_EQ(cast(ray, capsule, Inside::surface).id, none);
    EXPECT_EQ(cast(ray, sphere, Inside::ignore).id, none);
    if (::testing::Test::HasFailure()) FAIL() << "case " << i;
  }
}

}  // namespace
}  // namespace sightline::oracle
