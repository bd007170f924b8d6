// Boxes turned by 45 degrees against boxes, exactly: with axes such as (1, 1, 0), which no Obb has
// but the predicate takes, corners are half integers. So edges touch edges, corners and faces.
#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/lattice_truth.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::Dice;
using oracle::Int;
using oracle::IntVec;

/// |axis . (x - center)| <= half of integers; everything else is in units of 1/2000.
struct DiagonalBox {
  IntVec axis[3], center;
  Int half[3];
};
constexpr Int fine = 2000;

ObbFrame stored(const DiagonalBox& b) {
  const auto v = [](IntVec p) {
    return Vec3{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
  };
  return {v(b.center),
          v({b.half[0], b.half[1], b.half[2]}),
          {v(b.axis[0]), v(b.axis[1]), v(b.axis[2])}};
}

/// The slabs with all half extents grown by `more` / fine.
oracle::IntSlabs slabs(const DiagonalBox& b, Int more) {
  oracle::IntSlabs s;
  for (int i = 0; i < 3; ++i) {
    const Int middle = dot(b.axis[i], b.center) * fine;
    s.axis[i] = b.axis[i];
    s.lo[i] = middle - b.half[i] * fine - more;
    s.hi[i] = middle + b.half[i] * fine + more;
  }
  return s;
}

/// Corner k, whose axes are at right angles; `more` must be even.
IntVec corner(const DiagonalBox& b, int k, Int more) {
  IntVec p = b.center * fine;
  for (int i = 0; i < 3; ++i) {
    const Int length = dot(b.axis[i], b.axis[i]);  // 1 or 2
    const Int h = (b.half[i] * fine + more) / length;
    p = p + b.axis[i] * ((k >> i & 1) != 0 ? h : -h);
  }
  return p;
}

bool segment_meets(const oracle::IntSlabs& box, IntVec from, IntVec to) {
  if (dot(to - from, to - from) == 0) {
    for (int i = 0; i < 3; ++i) {
      const Int d = dot(box.axis[i], from);
      if (d < box.lo[i] || d > box.hi[i]) return false;
    }
    return true;
  }
  const oracle::IntLine line{from, to - from};
  if (!box.meets(line)) return false;
  return box.ends(line, {0, 1}).out >= 0 && box.ends(line, {1, 1}).in <= 0;
}

/// Convex bodies meet exactly when an edge of one meets the other, or one lies in the other, and
/// then its edges do.
bool edges_meet(const DiagonalBox& a, const DiagonalBox& b, Int more) {
  const oracle::IntSlabs box = slabs(b, more);
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 3; ++i) {
      if ((k >> i & 1) == 0 &&
          segment_meets(box, corner(a, k, more), corner(a, k | 1 << i, more))) {
        return true;
      }
    }
  }
  return false;
}
bool truly_meet(const DiagonalBox& a, const DiagonalBox& b, Int more) {
  return edges_meet(a, b, more) || edges_meet(b, a, more);
}

DiagonalBox some_box(Dice& dice, IntVec at) {
  DiagonalBox b;
  b.center = at;
  const IntVec unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::uint64_t turn = dice.below(4), j = (turn + 1) % 3, k = (turn + 2) % 3;
  for (int i = 0; i < 3; ++i) b.axis[i] = unit[i];
  if (turn < 3) b.axis[j] = unit[j] + unit[k], b.axis[k] = unit[j] - unit[k];
  for (Int& h : b.half) h = dice.between(0, 6);
  return b;
}

TEST(DiagonalBoxes, ExactWhereEdgesTouch) {
  Dice dice(4001);
  const std::uint64_t n = scaled(200'000);
  std::uint64_t apart = 0, touch = 0, overlapping = 0;
  const int places[3] = {0, 1000, 19980};
  for (std::uint64_t i = 0; i < n; ++i) {
    const int m = places[dice.below(3)];
    const IntVec at{dice.between(-m, m), dice.between(-m, m), dice.between(-m, m)};
    const IntVec off{dice.between(-9, 9), dice.between(-9, 9), dice.between(-9, 9)};
    const DiagonalBox a = some_box(dice, at), b = some_box(dice, at + off);
    const bool truth = truly_meet(a, b, 0);
    const bool got = overlaps(stored(a), stored(b)), turned = overlaps(stored(b), stored(a));
    ASSERT_TRUE(got == truth && turned == truth) << i << ": " << got << turned << truth;
    if (!truth) {
      ++apart;
    } else if (a.half[0] * a.half[1] * a.half[2] * b.half[0] * b.half[1] * b.half[2] != 0) {
      ++(truly_meet(a, b, -2) ? overlapping : touch);
    }
  }
  std::cout << "apart " << apart << ", in touch " << touch << ", overlapping " << overlapping
            << " (both solid)\n";
  EXPECT_GT(apart, n / 5);
  EXPECT_GT(touch, n / 100);
  EXPECT_GT(overlapping, n / 20);
}

}  // namespace
}  // namespace sightline::testing
