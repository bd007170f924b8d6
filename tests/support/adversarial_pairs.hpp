// Seeded shapes and rays that look for trouble, one pair at a time, for the tests of the
// arithmetic: header only, so that such a test needs nothing but the public headers.
#pragma once

#include <sightline/geometry/queries/cast.hpp>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

namespace sightline::testing {

/// SplitMix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  int between(int lo, int hi) { return lo + below(hi - lo + 1); }
  bool one_in(int n) { return below(n) == 0; }
  /// Calls one of these, each as likely as the others.
  template <class... Acts>
  void do_one_of(const Acts&... acts) {
    int left = below(sizeof...(acts));
    (..., (left-- == 0 ? static_cast<void>(acts()) : static_cast<void>(0)));
  }
  float uniform(float lo, float hi) {
    return lo + (hi - lo) * (static_cast<float>(bits() >> 40) * 0x1p-24f);
  }
  float power_of_two(int lo, int hi) { return std::ldexp(1.0f, between(lo, hi)); }
  Vec3 vec(float lo, float hi) {
    const float x = uniform(lo, hi), y = uniform(lo, hi);
    return {x, y, uniform(lo, hi)};
  }
  Vec3 lattice(int lo, int hi) {
    const int x = between(lo, hi), y = between(lo, hi), z = between(lo, hi);
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
  }

 private:
  std::uint64_t state_;
};

inline Vec3 plus(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 minus(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 times(const Vec3& a, float s) { return {a.x * s, a.y * s, a.z * s}; }

/// A shape of each kind about `center`, of roughly `size`; now and then degenerate (flat, long,
/// a point, radius 0).
template <class Shape>
Shape random_shape(Random& r, const Vec3& center, float size);

template <>
inline Aabb random_shape<Aabb>(Random& r, const Vec3& center, float size) {
  Vec3 h = times(r.vec(0.2f, 1.0f), size);
  if (r.one_in(8)) h.x = 0;
  if (r.one_in(8)) h.z = h.z * 0x1p-10f;
  return {minus(center, h), plus(center, h)};
}
template <>
inline ObbFrame random_shape<ObbFrame>(Random& r, const Vec3& center, float size) {
  Vec3 h = times(r.vec(0.2f, 1.0f), size);
  if (r.one_in(8)) h.y = 0;
  if (r.one_in(8)) h.x = h.x * 0x1p-10f;
  Quat q;
  do {
    q = {r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
  } while (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w < 0.1f);
  if (r.one_in(8)) q = {0, 0, 1, 1};  // a quarter turn
  return frame(Obb{center, h, q});
}
template <>
inline Sphere random_shape<Sphere>(Random& r, const Vec3& center, float size) {
  return {center, r.one_in(16) ? 0.0f : size * r.uniform(0.2f, 1.0f)};
}
template <>
inline Capsule random_shape<Capsule>(Random& r, const Vec3& center, float size) {
  const Vec3 half = r.one_in(16) ? Vec3{0, 0, 0} : times(r.vec(-1, 1), size);
  const float radius = r.one_in(16) ? 0.0f : size * r.uniform(0.05f, 0.5f);
  return {minus(center, half), plus(center, half), radius};
}
template <>
inline Cylinder random_shape<Cylinder>(Random& r, const Vec3& center, float size) {
  Vec3 half = times(r.vec(-1, 1), size);
  if (r.one_in(4)) half.x = half.y = 0;                         // upright
  if (r.one_in(8)) half = times(half, r.power_of_two(-10, 0));  // a disc
  Cylinder s = {minus(center, half), plus(center, half),
                r.one_in(16) ? 0.0f : size * r.uniform(0.05f, 1.0f)};
  if (s.a.x == s.b.x && s.a.y == s.b.y && s.a.z == s.b.z) s.b.z = next_up(s.b.z);
  return s;
}
template <>
inline Triangle random_shape<Triangle>(Random& r, const Vec3& center, float size) {
  const auto corner = [&] { return plus(center, times(r.vec(-1, 1), size)); };
  Triangle s = {corner(), corner(), corner()};
  if (r.one_in(8)) s.c = plus(s.b, times(r.vec(-1, 1), size * 0x1p-10f));  // a needle
  if (r.one_in(8)) s.a.z = s.b.z = s.c.z = center.z;
  if (r.one_in(16)) s.c = s.b;
  return s;
}
template <>
inline Plane random_shape<Plane>(Random& r, const Vec3& center, float) {
  const Vec3 n = unit(r.one_in(4) ? Vec3{0, 0, 1} : plus(r.vec(-1, 1), Vec3{0, 0, 0x1p-10f}));
  return {n, n.x * center.x + n.y * center.y + n.z * center.z};
}

/// A shape and a ray meant for it.
template <class Shape>
struct Pair {
  Shape shape;
  Ray ray;
};

/// The ray starts 0 to 1000 sizes away (or inside), passes within about a size of the centre, often
/// axis-parallel; lengths of directions from 2^-20 to 2^20, intervals that cut the shape.
template <class Shape>
Pair<Shape> random_pair(Random& r) {
  const float size = r.power_of_two(-8, 8);
  const Vec3 center = times(r.vec(-1, 1), size * r.power_of_two(-2, 10));
  Pair<Shape> p{random_shape<Shape>(r, center, size), {}};
  const Vec3 target = plus(center, times(r.vec(-1, 1), size));
  const float away = r.one_in(4) ? 0.5f : r.power_of_two(0, 10);
  p.ray.origin = plus(center, times(r.vec(-1, 1), size * away));
  Vec3 d = minus(target, p.ray.origin);
  if (r.one_in(4)) {
    // Along an axis, through the target.
    const int axis = r.below(3);
    if (axis != 0) d.x = 0, p.ray.origin.x = target.x;
    if (axis != 1) d.y = 0, p.ray.origin.y = target.y;
    if (axis != 2) d.z = 0, p.ray.origin.z = target.z;
  }
  const float length = r.power_of_two(-20, 20);
  p.ray.direction = times(d, length);
  if (r.one_in(2)) {
    const float a = r.uniform(0, 2) / length, b = r.uniform(0, 2) / length;
    p.ray.t_min = r.one_in(2) ? 0.0f : sightline::min(a, b);
    p.ray.t_max = sightline::max(a, b);
  }
  return p;
}

inline std::string text(const Vec3& v) {
  std::ostringstream s;
  s << std::hexfloat << "{" << v.x << ", " << v.y << ", " << v.z << "}";
  return s.str();
}
inline std::string text(const Ray& r) {
  std::ostringstream s;
  s << std::hexfloat << "origin " << text(r.origin) << " direction " << text(r.direction)
    << " t_min " << r.t_min << " t_max " << r.t_max;
  return s.str();
}

inline constexpr Inside every_policy[] = {Inside::solid, Inside::surface, Inside::ignore};
inline constexpr Side every_side[] = {Side::both, Side::front, Side::back};

inline bool is_hit(const Hit& h) { return (h.flags & hit_flags::hit) != 0; }
inline bool started_inside(const Hit& h) { return (h.flags & hit_flags::started_inside) != 0; }

/// Equal to the bit, normals included.
inline bool same_bits(const Hit& a, const Hit& b) {
  return bits_of(a.t) == bits_of(b.t) && a.id == b.id && a.flags == b.flags &&
         bits_of(a.normal.x) == bits_of(b.normal.x) && bits_of(a.normal.y) == bits_of(b.normal.y) &&
         bits_of(a.normal.z) == bits_of(b.normal.z);
}

}  // namespace sightline::testing
