// cast(ray, shape) beside the textbook's tests in plain floats, one pair at a time: t, the normal,
// and no promise of either. Pairs of which floats or doubles are sure; the rest takes exact_cast().
#include "tests/support/trouble.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

namespace sightline {
namespace {

using testing::minus;
using testing::plus;
using testing::Random;
using testing::times;

float dot3(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct PlainHit {
  float t = infinity;
  bool hit = false;
  Vec3 normal{0, 0, 0};
};

PlainHit plain(const Ray& r, float t, const Vec3& normal) {
  if (!(t >= r.t_min && t <= r.t_max)) return {};
  return {t, true, normal};
}

PlainHit plain_cast(const Ray& r, const Sphere& s) {
  const Vec3 w = minus(r.origin, s.center);
  const float a = dot3(r.direction, r.direction), b = dot3(w, r.direction);
  const float root = b * b - a * (dot3(w, w) - s.radius * s.radius);
  if (root < 0) return {};
  const float t = (-b - std::sqrt(root)) / a;
  return plain(r, t, times(plus(w, times(r.direction, t)), 1 / s.radius));
}

/// Slabs: along the axes, speeds and extents.
PlainHit slabs(const Ray& r, const std::array<float, 3>& to_low,
               const std::array<float, 3>& to_high, const std::array<float, 3>& speed,
               const Vec3 (&axis)[3]) {
  float in = r.t_min, out = r.t_max;
  std::size_t face = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const float per_speed = 1 / speed[i], a = to_low[i] * per_speed, b = to_high[i] * per_speed;
    const float near = std::min(a, b), far = std::max(a, b);
    if (near > in) in = near, face = i;
    out = std::min(out, far);
  }
  if (in > out) return {};
  return {in, true, times(axis[face], speed[face] < 0 ? 1.0f : -1.0f)};
}
PlainHit plain_cast(const Ray& r, const Aabb& s) {
  const Vec3 low = minus(s.min, r.origin), high = minus(s.max, r.origin), &d = r.direction;
  return slabs(r, {low.x, low.y, low.z}, {high.x, high.y, high.z}, {d.x, d.y, d.z},
               {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
}
PlainHit plain_cast(const Ray& r, const ObbFrame& s) {
  const Vec3 w = minus(s.center, r.origin), &h = s.half_extents, &d = r.direction;
  const float y[3] = {dot3(w, s.axis[0]), dot3(w, s.axis[1]), dot3(w, s.axis[2])};
  return slabs(r, {y[0] - h.x, y[1] - h.y, y[2] - h.z}, {y[0] + h.x, y[1] + h.y, y[2] + h.z},
               {dot3(d, s.axis[0]), dot3(d, s.axis[1]), dot3(d, s.axis[2])}, s.axis);
}

PlainHit plain_cast(const Ray& r, const Capsule& s) {
  const Vec3 e = minus(s.b, s.a), w = minus(r.origin, s.a), &d = r.direction;
  const float ee = dot3(e, e), ed = dot3(e, d), ew = dot3(e, w), dd = dot3(d, d);
  const float rr = s.radius * s.radius, a = ee * dd - ed * ed, b = ee * dot3(d, w) - ew * ed;
  float root = b * b - a * (ee * dot3(w, w) - ew * ew - rr * ee);
  if (root < 0) return {};
  float t = (-b - std::sqrt(root)) / a, along = ew + t * ed;
  if (along <= 0 || along >= ee) {
    const Vec3 from = along <= 0 ? w : minus(r.origin, s.b);
    const float half = dot3(from, d);
    root = half * half - dd * (dot3(from, from) - rr);
    if (root < 0) return {};
    t = (-half - std::sqrt(root)) / dd;
    along = along <= 0 ? 0 : ee;
  }
  const Vec3 out = minus(plus(w, times(d, t)), times(e, along / ee));
  return plain(r, t, times(out, 1 / s.radius));
}

PlainHit plain_cast(const Ray& r, const Plane& s) {
  const float speed = dot3(s.normal, r.direction);
  if (speed >= 0) return {};
  return plain(r, (s.offset - dot3(s.normal, r.origin)) / speed, s.normal);
}

/// Rays from 5 to 20 sizes away at shapes of about size 1, all of which hit, or miss.
template <class Shape>
std::vector<testing::Pair<Shape>> pairs_that(SureAnswer wanted) {
  std::vector<testing::Pair<Shape>> pairs;
  Random r(3);
  while (pairs.size() < 4096) {
    testing::Pair<Shape> p{testing::random_shape<Shape>(r, r.vec(-1, 1), 1), {}};
    p.ray.origin = times(unit(r.vec(-1, 1)), r.uniform(5, 20));
    p.ray.direction = minus(times(r.vec(-1, 1), 1.3f), p.ray.origin);
    if (r.one_in(2)) p.ray.direction = unit(p.ray.direction);
    Hit hit;
    if (sure_cast(p.ray, p.shape, hit) == wanted) pairs.push_back(p);
  }
  return pairs;
}

/// Items are pairs.
template <class Shape, class Test>
void one_pair(benchmark::State& state, SureAnswer wanted, const Test& test) {
  const auto pairs = pairs_that<Shape>(wanted);
  for (auto _ : state) {
    for (const auto& p : pairs) benchmark::DoNotOptimize(test(p.ray, p.shape));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs.size()));
}

template <class Shape>
void register_kind() {
  for (const SureAnswer wanted : {SureAnswer::hit, SureAnswer::miss}) {
    const std::string name = std::string("one_pair/") + ShapeTraits<Shape>::name +
                             (wanted == SureAnswer::hit ? "/hits/" : "/misses/");
    const auto row = [&](const char* how, auto test) {
      benchmark::RegisterBenchmark((name + how).c_str(), [=](benchmark::State& state) {
        one_pair<Shape>(state, wanted, test);
      });
    };
    row("plain_floats", [](const Ray& r, const Shape& s) { return plain_cast(r, s); });
    row("cast", [](const Ray& r, const Shape& s) { return cast(r, s); });
    row("exact", [](const Ray& r, const Shape& s) { return exact_cast(r, s, Inside::solid); });
  }
}

const bool pairs_registered = [] {
  ShapeKinds::for_each([]<class Shape>(ShapeTag<Shape>) { register_kind<Shape>(); });
  return true;
}();

}  // namespace
}  // namespace sightline
