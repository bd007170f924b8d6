// The errors of a triangle's stages stay within what is proven of them, and are a fair part of it.
#include <sightline/geometry/intersect/certain_triangle.hpp>

#include "tests/oracle/triangle_truth.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/triangle_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sightline::accuracy {
namespace {

using oracle::Whole;
using oracle::WholePair;
using testing::TriangleCase;
using testing::TriangleCases;

/// |value - exact| / doubt, `exact` being times 2^shift.
double share(float value, float doubt, const Whole& exact, int shift) {
  const int unit = std::max(shift, 149);
  const Whole off = oracle::whole(value, unit) - exact.shifted(unit - shift);
  if (off.sign() == 0) return 0;
  const long double size = std::ldexp(static_cast<long double>(doubt), unit);
  return static_cast<double>(off.magnitude().approximately() / size);
}

/// The largest shares of a kind's cases.
struct Shares {
  double quick = 0, careful = 0, float_t = 0, double_t = 0;
};

double share_of(const Edges& e, const WholePair& exact) {
  return std::max({share(e.ab, e.doubt_ab, exact.edge(0), exact.edge_shift()),
                   share(e.bc, e.doubt_bc, exact.edge(1), exact.edge_shift()),
                   share(e.ca, e.doubt_ca, exact.edge(2), exact.edge_shift())});
}

void measure(const Line& line, const Triangle& t, Shares& worst) {
  const WholePair exact(line.origin, line.direction, t);
  const TriangleSidesT<float> sides = sides_of(t);
  const Edges quick = quick_edges(line, sides, difference(line.origin, t.a));
  const Edges careful = careful_edges(line, sides, two_diff(line.origin, t.a));
  worst.quick = std::max(worst.quick, share_of(quick, exact));
  worst.careful = std::max(worst.careful, share_of(careful, exact));

  const oracle::TriangleTruth truth = oracle::truth(line.origin, line.direction, t);
  if (!truth.hit || truth.in_plane) return;
  const long double t_exact =
      truth.t_in.n.approximately() / truth.t_in.d.approximately();  // to 2^-62
  const SureMeetingT<float> sure = sure_meeting(line, t, true);
  if (sure.meets && std::fabs(sure.early) < 1e30f && std::fabs(sure.late) < 1e30f) {
    const long double middle = (static_cast<long double>(sure.early) + sure.late) / 2;
    const long double half = (static_cast<long double>(sure.late) - sure.early) / 2;
    worst.float_t =
        std::max(worst.float_t, static_cast<double>(std::fabs(middle - t_exact) / half));
  }
  const WideEntryT<float> wide = plane_crossing(line, t);
  if (wide.is_tame && wide.error < 1e30f) {
    const long double off = std::fabs(static_cast<long double>(wide.t) - t_exact);
    worst.double_t =
        std::max(worst.double_t, static_cast<double>(off / static_cast<long double>(wide.error)));
  }
}

/// To sizes at which products of three lengths underflow in floats.
void shrink(TriangleCase& c) {
  for (Vec3* v : {&c.ray.origin, &c.triangle.a, &c.triangle.b, &c.triangle.c}) {
    *v = {v->x * 0x1p-36f, v->y * 0x1p-36f, v->z * 0x1p-36f};
  }
}

/// To an origin next to a, far within the triangle's size, aimed at the middle.
void approach(TriangleCase& c) {
  const Triangle& t = c.triangle;
  const Vec3 w = difference(c.ray.origin, t.a), e = difference(t.b, t.a);
  const float far = max_abs(w) > 0 ? max_abs(w) : 1;
  const Vec3 o = moved(t.a, max_abs(e) / far * 0x1p-7f, w);
  const auto middle = [](float x, float y, float z) { return x / 3 + y / 3 + z / 3; };
  c.ray.origin = o;
  c.ray.direction = {middle(t.a.x, t.b.x, t.c.x) - o.x, middle(t.a.y, t.b.y, t.c.y) - o.y,
                     middle(t.a.z, t.b.z, t.c.z) - o.z};
}

TEST(TriangleDoubtsTest, ErrorsStayWithinThem) {
  Shares all;
  for (int kind = 0; kind < testing::triangle_case_kinds; ++kind) {
    TriangleCases draw(kind, 3);
    Shares worst;
    for (std::uint64_t i = 0; i < scaled(50'000); ++i) {
      TriangleCase c = draw.next();
      if (i % 4 == 0) shrink(c);
      if (i % 4 == 1) approach(c);
      const ScaledRay q = scale(c.ray);
      if (q.bad) continue;
      measure(q.line, c.triangle, worst);
      ASSERT_LE(worst.quick, 1) << testing::triangle_case_names[kind] << " case " << i;
      ASSERT_LE(worst.careful, 1) << testing::triangle_case_names[kind] << " case " << i;
      ASSERT_LE(worst.float_t, 1) << testing::triangle_case_names[kind] << " case " << i;
      ASSERT_LE(worst.double_t, 1) << testing::triangle_case_names[kind] << " case " << i;
    }
    std::printf("  %-16s error over doubt: A %.3f, B %.3f, float t %.3f, t in doubles %.3f\n",
                testing::triangle_case_names[kind], worst.quick, worst.careful, worst.float_t,
                worst.double_t);
    all.quick = std::max(all.quick, worst.quick),
    all.careful = std::max(all.careful, worst.careful);
    all.float_t = std::max(all.float_t, worst.float_t);
    all.double_t = std::max(all.double_t, worst.double_t);
  }
  // None is so wide that it could hide an error of the code.
  EXPECT_GT(all.quick, 0.02);
  EXPECT_GT(all.careful, 0.2);
  EXPECT_GT(all.float_t, 0.02);
  EXPECT_GT(all.double_t, 0.02);
}

/// How seldom a stage is needed where triangles are aimed at from `far` sizes away.
TEST(TriangleDoubtsTest, FloatsDecideNearlyAllOrdinaryRays) {
  oracle::Dice dice(5);
  for (const double far : {2.0, 20.0, 200.0}) {
    std::uint64_t after_a = 0, after_b = 0, open_t = 0, hits = 0;
    const std::uint64_t count = scaled(100'000);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto within = [&](double s) {
        const double x = dice.uniform(-s, s), y = dice.uniform(-s, s);
        return Vec3{static_cast<float>(x), static_cast<float>(y),
                    static_cast<float>(dice.uniform(-s, s))};
      };
      const Triangle t{within(1), within(1), within(1)};
      Ray ray;
      ray.origin = within(far);
      const Vec3 at = within(1);
      ray.direction = {at.x - ray.origin.x, at.y - ray.origin.y, at.z - ray.origin.z};
      const Line line = scale(ray).line;
      const TriangleSidesT<float> sides = sides_of(t);
      const Edges a = quick_edges(line, sides, difference(line.origin, t.a));
      const Certain sure = signs_agree_within(a, a.doubt_ab);
      const Certain careful = signs_agree(careful_edges(line, sides, two_diff(line.origin, t.a)));
      after_a += !sure.hit && !sure.miss, after_b += !careful.hit && !careful.miss;
      hits += careful.hit, open_t += careful.hit && !rounded(plane_crossing(line, t)).sure;
    }
    const double all = static_cast<double>(count);
    EXPECT_LE(static_cast<double>(after_a), 1 + all * 2e-4 * far) << far;
    EXPECT_LE(after_b, 1 + count / 10'000) << far;
    EXPECT_LE(open_t, 1 + hits / 1'000) << far;
    EXPECT_GT(hits, count / 100);
  }
}

}  // namespace
}  // namespace sightline::accuracy
