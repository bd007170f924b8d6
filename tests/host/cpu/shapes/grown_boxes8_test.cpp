// Eight boxes grown at once, against each grown by itself.
#include "host/cpu/shapes/grown_boxes8.hpp"
#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

float any_float(Random& r) {
  const float some[] = {0.0f, -0.0f, 1, -1, 0x1p-149f, -0x1p-149f, 0x1p-126f, 0x1p40f, -0x1p40f};
  return r.one_in(3) ? some[r.below(9)] : r.uniform(-1, 1) * r.power_of_two(-130, 40);
}

template <class Mover>
void expect_same_planes(const detail::Boxes8& boxes, const Mover& mover) {
  const detail::Boxes8 all = detail::GrownBy<Mover>{mover}(boxes);
  for (int c = 0; c < detail::wide_width; ++c) {
    const Aabb one = grown(Aabb{{boxes.low[0][c], boxes.low[1][c], boxes.low[2][c]},
                                {boxes.high[0][c], boxes.high[1][c], boxes.high[2][c]}},
                           mover);
    const float expected[] = {one.min.x, one.min.y, one.min.z, one.max.x, one.max.y, one.max.z};
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(bits_of(all.low[k][c]), bits_of(expected[k])) << boxes.low[k][c];
      ASSERT_EQ(bits_of(all.high[k][c]), bits_of(expected[k + 3])) << boxes.high[k][c];
    }
  }
}

TEST(GrownBoxes, OfEightAreThoseOfEach) {
  Random r(5);
  for (int i = 0; i < 20000; ++i) {
    detail::Boxes8 boxes;
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < detail::wide_width; ++c) {
        const float a = any_float(r), b = any_float(r);
        boxes.low[k][c] = r.one_in(20) ? infinity : min(a, b);
        boxes.high[k][c] = boxes.low[k][c] == infinity ? -infinity : max(a, b);
      }
    }
    const float radius = r.one_in(4) ? 0 : abs(any_float(r));
    expect_same_planes(boxes, MovingSphere{radius});
    const Vec3 a = {any_float(r), any_float(r), any_float(r)};
    Vec3 b = {any_float(r), any_float(r), any_float(r)};
    if (r.one_in(3)) b.x = a.x, b.z = a.z;
    expect_same_planes(boxes, Capsule{a, b, radius});
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace sightline::testing
