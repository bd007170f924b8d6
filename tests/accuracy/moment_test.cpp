// The moment of a line keeps its proven bound, judged in binary128.
#include <sightline/geometry/intersect/moment.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline {
namespace {

using oracle::Quad;

TEST(MomentTest, ErrorIsRelativeToTheMoment) {
  constexpr double u = 0x1p-24;
  oracle::Dice dice(5);
  double worst_relative = 0;  // of the term in |T|, where the other is negligible
  for (std::uint64_t i = 0; i < scaled(1'000'000); ++i) {
    const Vec3 d{dice.wild(-8, 0), dice.wild(-8, 0), dice.wild(0, 0)};
    const Vec3 o{dice.wild(-5, 30), dice.wild(-5, 30), dice.wild(-5, 30)};
    // The point lies on the line but for rounding, or anywhere.
    const float t = dice.wild(-5, 30), stray = dice.chance(0.7) ? 0.0f : dice.wild(-20, 20);
    const Vec3 c{o.x + t * d.x + stray, o.y + t * d.y, o.z + t * d.z + stray};
    const Vec3 m = moment(two_diff(o, c), d);
    const oracle::Wide<Quad> w = oracle::Wide<Quad>(o) - oracle::Wide<Quad>(c), dd(d);
    const oracle::Wide<Quad> want = oracle::cross(w, dd);
    const auto check = [&](float got, Quad truth, Quad a, Quad b) {
      const double size = static_cast<double>(oracle::magnitude(truth));
      const double sum = static_cast<double>(oracle::magnitude(a) + oracle::magnitude(b));
      const double off = static_cast<double>(oracle::magnitude(Quad(got) - truth));
      ASSERT_LE(off, 2 * u * size + 8 * u * u * sum) << "case " << i;
      if (size > 1e-3 * sum) worst_relative = std::max(worst_relative, off / (u * size));
    };
    check(m.x, want.x, w.y * dd.z, w.z * dd.y);
    check(m.y, want.y, w.z * dd.x, w.x * dd.z);
    check(m.z, want.z, w.x * dd.y, w.y * dd.x);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(worst_relative, 0.9);
}

}  // namespace
}  // namespace sightline
