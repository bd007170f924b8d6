// The first judge: on an integer lattice the truth is known without rounding.
//
// |coordinate| <= 20000, |direction| <= 12, sizes <= 6; most rays are aimed at lattice points on
// surfaces, edges, corners and silhouettes, many along a tangent, and intervals begin and end
// exactly there.
#include <sightline/cast.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/lattice_truth.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace sightline::oracle {
namespace {

constexpr int limit = 20000;

Int whole(float v) { return static_cast<Int>(v); }
IntVec whole(const Vec3& v) { return {whole(v.x), whole(v.y), whole(v.z)}; }
Vec3 vec(int x, int y, int z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}
Vec3 plus(const Vec3& a, const Vec3& b, float s = 1) {
  return {a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

/// A finite float t >= 0 as a rational.
Rational rational(float t) {
  Int den = 1;
  while (t != std::floor(t)) {
    t *= 2;
    den *= 2;
  }
  return {static_cast<Int>(t), den};
}

/// A ray, and the t at which it reaches the lattice point that it was aimed at.
struct Aimed {
  Ray ray;
  float k;
};

Vec3 some_place(Dice& dice) {
  const int sizes[4] = {10, 300, 5000, limit - 40};
  const int n = sizes[dice.below(4)];
  return vec(dice.between(-n, n), dice.between(-n, n), dice.between(-n, n));
}

Vec3 some_direction(Dice& dice) {
  Vec3 d{0, 0, 0};
  while (max_abs(d) == 0) {
    const auto part = [&] { return dice.chance(0.3) ? 0 : dice.between(-12, 12); };
    d = vec(part(), part(), part());
  }
  return d;
}

/// A direction at right angles to v, |v| <= 6: a tangent where v is an outward normal.
Vec3 across(Dice& dice, const Vec3& v) {
  const IntVec n = whole(v);
  const IntVec c = cross(n, IntVec{dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)});
  return {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
}

/// A ray through `target`, along `direction` if that is not 0.
Aimed aim(Dice& dice, const Vec3& target, Vec3 direction) {
  if (max_abs(direction) == 0 || max_abs(direction) > 12) direction = some_direction(dice);
  const int most =
      (limit - static_cast<int>(max_abs(target))) / static_cast<int>(max_abs(direction));
  const int steps[3] = {1, 40, most};
  int k = dice.between(0, std::max(1, std::min(most, steps[dice.below(3)])));
  if (dice.chance(0.05)) k = -k;
  Aimed a;
  a.k = static_cast<float>(k);
  a.ray.origin = plus(target, direction, -a.k);
  a.ray.direction = direction;
  if (k < 0) return a;
  switch (dice.below(7)) {
    case 0:
      a.ray.t_max = a.k;
      break;
    case 1:
      a.ray.t_min = a.k;
      break;
    case 2:
      a.ray.t_min = a.ray.t_max = a.k;
      break;
    case 3:
      a.ray.t_max = std::max(0.0f, a.k - 0.25f);
      break;
    case 4:
      a.ray.t_min = a.k + 0.25f;
      break;
    default:
      break;
  }
  return a;
}

struct Expected {
  bool hit = false, started_inside = false, t_is_in = false, t_is_out = false;
};

template <class Truth>
Expected expect(const Truth& truth, const Ray& ray, Inside inside) {
  const IntLine line{whole(ray.origin), whole(ray.direction)};
  if (!truth.meets(line)) return {};
  const Ends at_min = truth.ends(line, rational(ray.t_min));
  const bool open = ray.t_max == infinity;
  const Ends at_max = open ? Ends{-1, -1} : truth.ends(line, rational(ray.t_max));
  Expected e;
  e.hit = at_min.out >= 0 && at_max.in <= 0;
  e.started_inside = at_min.in < 0;
  e.t_is_in = !e.started_inside;
  if (e.started_inside && inside == Inside::ignore) e.hit = false;
  if (e.started_inside && inside == Inside::surface) {
    e.hit = e.hit && at_max.out <= 0;
    if constexpr (requires { truth.is_left(line); }) e.hit = e.hit && truth.is_left(line);
    e.t_is_out = true;
  }
  if (!e.hit) return {};
  return e;
}

/// Whether an end lies so near a bound of the interval that it rounds to it: the contract compares
/// rounded ends, and either answer is then right.
template <class Truth>
bool too_close_to_a_bound(const Truth& truth, const Ray& ray) {
  const IntLine line{whole(ray.origin), whole(ray.direction)};
  const auto close = [&](float t) {
    if (t == 0 || t == infinity) return false;
    const Ends at = truth.ends(line, rational(t));
    const Ends below = truth.ends(line, rational(next_down(t)));
    const Ends above = truth.ends(line, rational(next_up(t)));
    const auto parted = [](int a, int b, int c) { return b != 0 && (a * b < 0 || b * c < 0); };
    return parted(below.in, at.in, above.in) || parted(below.out, at.out, above.out);
  };
  return truth.meets(line) && (close(ray.t_min) || close(ray.t_max));
}

/// Empty when the answer is right: t exactly where it is known to be the aimed one or t_min, and
/// within one float of the truth elsewhere.
template <class Truth>
std::string wrong(const Truth& truth, const Aimed& a, Inside inside, const Hit& got) {
  const Expected e = expect(truth, a.ray, inside);
  const bool hit = (got.flags & hit_flags::hit) != 0;
  if (hit != e.hit) return e.hit ? "misses" : "hits";
  if (!hit) return got.t == infinity && got.id == none ? "" : "a miss with an answer";
  if (((got.flags & hit_flags::started_inside) != 0) != e.started_inside) return "started_inside";
  if (!e.t_is_in && !e.t_is_out) return got.t == a.ray.t_min ? "" : "t is not t_min";

  const IntLine line{whole(a.ray.origin), whole(a.ray.direction)};
  const auto end = [&](const Ends& ends) { return e.t_is_in ? ends.in : ends.out; };
  if (a.k >= 0 && end(truth.ends(line, rational(a.k))) == 0) {
    return got.t == a.k ? "" : "t is not the aimed one";
  }
  if (end(truth.ends(line, {0, 1})) == 0) return got.t == 0 ? "" : "t is not 0";
  if (!(got.t < infinity)) return "t is infinite";
  const bool tiny = got.t < 0x1p-7f;  // its own spacing would overflow the integers
  const Int steps = static_cast<Int>(tiny ? got.t * 0x1p30f : 0.0f), den = Int{1} << 30;
  const Rational lower = tiny ? Rational{steps - 1, den} : rational(next_down(got.t));
  const Rational upper = tiny ? Rational{steps + 2, den} : rational(next_up(got.t));
  const bool above = end(truth.ends(line, lower)) >= 0;
  const bool below = end(truth.ends(line, upper)) <= 0;
  return above && below ? "" : "t is further than one float away";
}

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
    const bool in_ball = dot(w, w) <= rr;
    const bool in_capsule = we <= 0    ? in_ball
                            : we >= ee ? dot(wb, wb) <= rr
                                       : dot(w, w) * ee - we * we <= rr * ee;
    EXPECT_EQ(cast(ray, sphere).t == ray.t_min, in_ball);
    EXPECT_EQ(cast(ray, capsule).t == ray.t_min, in_capsule);
    EXPECT_EQ(cast(ray, capsule, Inside::surface).id, none);
    EXPECT_EQ(cast(ray, sphere, Inside::ignore).id, none);
    if (::testing::Test::HasFailure()) FAIL() << "case " << i;
  }
}

}  // namespace
}  // namespace sightline::oracle
