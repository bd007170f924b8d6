// Lanes against scalar code, on pairs of a ray and a shape that look for trouble.
#pragma once

#include "tests/include/base/lane_values.hpp"
#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {

/// Equal bits, any NaN being equal to any other.
inline bool same(float a, float b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

/// Fails where lane k is sure of something else than scalar code, or closest hit answers otherwise.
template <class Shape>
void expect_lane_is_as_certain(const PairValues& values, int k, const Shape& shape,
                               const ScaledRay& q, bool wanted) {
  const Interval full = interval(q.line, shape);
  for (const Inside policy : every_policy) {
    const int p = static_cast<int>(policy);
    const Found one = apply_policy(full, q.t_min, q.t_max, q.t_min, policy);
    if constexpr (std::is_same_v<Shape, Triangle>) {
      // The second stage is for all lanes or none, so that neighbours decide what is sure. What is
      // sure must be so.
      ASSERT_FALSE(values.certain_hit[p][k] && !one.hit);
      ASSERT_FALSE(values.certain_miss[p][k] && one.hit);
    } else {
      const Certain sure = certainly(q.line, shape, q.t_min, q.t_max, policy, true);
      ASSERT_EQ(values.certain_hit[p][k], sure.hit);
      ASSERT_EQ(values.certain_miss[p][k], sure.miss);
    }
    if (!wanted) continue;
    ASSERT_EQ(values.ahead[p].hit[k], one.hit);
    if (!one.hit) continue;
    ASSERT_EQ(values.ahead[p].started_inside[k], one.started_inside);
    ASSERT_TRUE(same(values.ahead[p].t[k], one.t));
  }
}

/// Fails where lane k has other values than scalar code has for this pair.
template <class Shape>
void expect_lane(const PairValues& values, int k, const Shape& shape, const ScaledRay& q,
                 const Aabb& box, bool exits) {
  const Interval scalar = interval(q.line, shape);
  ASSERT_EQ(values.may[k], may_hit(q.line, shape));
  ASSERT_EQ(values.contains[k], contains(shape, q.line.origin));
  const SlabInterval gate = slab(q.line, q.t_min, q.t_max, box);
  ASSERT_TRUE(same(values.gate_near[k], gate.t_near) && same(values.gate_far[k], gate.t_far));
  ASSERT_EQ(values.gate_empty[k], is_empty(gate));
  expect_lane_is_as_certain(values, k, shape, q, exits);
  if (::testing::Test::HasFatalFailure()) return;
  ASSERT_EQ(values.hit[k], scalar.hit);
  if (!scalar.hit) return;
  ASSERT_TRUE(same(values.t_in[k], scalar.t_in));
  ASSERT_TRUE(same(values.t_out[k], scalar.t_out));
  for (const Inside policy : every_policy) {
    const auto& answer = values.answer[static_cast<int>(policy)];
    const Found one = apply_policy(scalar, q.t_min, q.t_max, q.t_min, policy);
    ASSERT_EQ(answer.hit[k], one.hit);
    ASSERT_EQ(answer.started_inside[k], one.started_inside);
    ASSERT_TRUE(same(answer.t[k], one.t));
  }
  if (q.line.is_point) return;
  const Vec3 n = surface_normal(q.line, shape, exits);
  ASSERT_TRUE(same(values.normal[0][k], n.x) && same(values.normal[1][k], n.y) &&
              same(values.normal[2][k], n.z))
      << "scalar " << text(n);
}

/// Calls evaluate(shapes, rays, boxes, exits, values), which evaluates `lanes` pairs, and holds
/// each to scalar code.
template <class Shape, class Evaluate>
void expect_lanes_like_scalar(int lanes, std::uint64_t seed, const Evaluate& evaluate) {
  Random r(seed);
  Shape shapes[most_lanes] = {};
  ScaledRay rays[most_lanes] = {};
  Aabb boxes[most_lanes] = {};
  float exits[most_lanes] = {};
  for (int i = 0; i < lanes; ++i) {
    Pair<Shape> p = random_pair<Shape>(r);
    if (r.one_in(8)) p.ray.direction = {0, 0, 0};
    shapes[i] = p.shape;
    rays[i] = scale(p.ray);
    boxes[i] = random_shape<Aabb>(r, p.ray.origin, r.power_of_two(-8, 8));
    if constexpr (!std::is_same_v<Shape, Plane>) boxes[i] = bounds(p.shape);
    exits[i] = r.one_in(2) ? 1.0f : 0.0f;
  }
  PairValues values{};
  evaluate(shapes, rays, boxes, exits, values);
  for (int k = 0; k < lanes; ++k) {
    expect_lane(values, k, shapes[k], rays[k], boxes[k], exits[k] > 0);
    ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "seed " << seed << " lane " << k;
  }
}

}  // namespace sightline::testing
