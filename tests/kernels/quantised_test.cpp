// Boxes in bytes: they enclose the boxes they stand for, and no ray misses through them what it
// would see.
#include "kernels/build/quantise.cuh"
#include "kernels/traverse/node_order.cuh"
#include "kernels/traverse/records.cuh"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace sightline::testing {
namespace {

using kernels::LargeFirst;
using kernels::NearFirst;
using kernels::Waiting;
using Exact = __float128;

/// A coordinate of one of the sizes at which rounding goes wrong in its own way.
float coordinate(Random& r, int family) {
  if (family == 0) return r.uniform(-10, 10);
  if (family == 1) return static_cast<float>(r.between(-20, 20));
  if (family == 2) return r.uniform(-0x1p40f, 0x1p40f);
  if (family == 3) return 0x1p30f + static_cast<float>(r.between(-3, 3)) * 0x1p7f;
  if (family == 4) {
    return float_of(static_cast<std::uint32_t>(r.below(2000))) *
           (r.one_in(2) ? 1.0f : -1.0f);  // subnormal
  }
  return r.uniform(-1, 1) * std::ldexp(1.0f, r.between(-140, 40));
}

constexpr int families = 6;

Aabb random_box(Random& r, int family) {
  Aabb b;
  for (float Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    const float p = coordinate(r, family), q = r.one_in(4) ? p : coordinate(r, family);
    b.min.*axis = std::min(p, q);
    b.max.*axis = r.one_in(8) ? next_up(std::min(p, q)) : std::max(p, q);
  }
  return b;
}

constexpr int width = QuantisedNode::width;

struct Case {
  QuantisedNode node;
  std::vector<Aabb> box;

  explicit Case(std::vector<Aabb> boxes) : node{}, box(std::move(boxes)) {
    kernels::quantise(box.data(), static_cast<int>(box.size()), node);
    node.set_children(0, static_cast<std::uint32_t>(box.size()));
  }
  static Case random(Random& r, int family) {
    std::vector<Aabb> boxes(static_cast<std::size_t>(r.between(1, width)));
    for (Aabb& b : boxes) b = random_box(r, family);
    return Case(std::move(boxes));
  }
  /// In the reals, which hold 24 bits times 9 and a sum of the sizes that occur.
  Exact plane(int axis, const std::uint32_t (&row)[3], int k) const {
    const Exact step = node.step(axis);
    const std::uint32_t q = row[axis] >> 8 * k & 0xFFu;
    return Exact{node.base[axis]} + step * (1 + Exact{static_cast<float>(q)} / 0x1p15);
  }
};

void expect_enclosed(const Case& c, const std::string& what) {
  float Vec3::*const axes[] = {&Vec3::x, &Vec3::y, &Vec3::z};
  for (int a = 0; a < 3; ++a) {
    for (std::size_t k = 0; k < c.box.size(); ++k) {
      const int slot = static_cast<int>(k);
      const Exact margin = Exact{kernels::plane_margin} * c.node.step(a);
      ASSERT_TRUE(c.plane(a, c.node.low, slot) + margin <= Exact{c.box[k].min.*axes[a]}) << what;
      ASSERT_TRUE(c.plane(a, c.node.high, slot) - margin >= Exact{c.box[k].max.*axes[a]}) << what;
    }
  }
}

/// A ray that looks for trouble around the boxes.
Ray random_ray(Random& r, const std::vector<Aabb>& boxes, int family) {
  const Aabb& b = boxes[r.bits() % boxes.size()];
  const auto near_plane = [&](float lo, float hi) {
    const int choice = r.between(0, 5);
    if (choice == 0) return lo;
    if (choice == 1) return hi;
    if (choice == 2) return next_down(lo);
    if (choice == 3) return next_up(hi);
    if (choice == 4) return lo + (hi - lo) * 0.5f;
    return coordinate(r, family);
  };
  const Vec3 from = {near_plane(b.min.x, b.max.x), near_plane(b.min.y, b.max.y),
                     near_plane(b.min.z, b.max.z)};
  const Vec3 to = {near_plane(b.min.x, b.max.x), near_plane(b.min.y, b.max.y),
                   near_plane(b.min.z, b.max.z)};
  const auto part = [&](float d) {
    const int choice = r.between(0, 9);
    if (choice == 0) return 0.0f;
    if (choice == 1) return -0.0f;
    if (choice == 2) return d * 0x1p-100f;
    if (choice == 3) return r.one_in(2) ? 0x1p-126f : -0x1p-126f;
    return d;
  };
  Ray ray;
  ray.origin = from;
  ray.direction = {part(to.x - from.x), part(to.y - from.y), part(to.z - from.z)};
  if (r.one_in(20)) ray.direction = {0, 0, 0};
  if (r.one_in(4)) ray.t_min = r.one_in(2) ? 1.0f : r.one_in(2) ? -0.0f : 0x1p120f;
  if (r.one_in(4)) ray.t_max = std::max(ray.t_min, r.one_in(2) ? 1.0f : 0x1p30f);
  return ray;
}

struct Judged {
  std::uint64_t seen = 0, reported = 0;
};

/// Whatever a ray's slab test sees of a child, its node test reports, and no further away.
void expect_seen(const Case& c, const Ray& ray, Random& r, Judged& judged,
                 const std::string& what) {
  const ScaledRay s = scale(ray);
  if (s.bad) return;
  const float limit = r.one_in(2) ? largest_float : r.one_in(8) ? -0.0f : r.uniform(0, 4);
  bool reported[width] = {};
  std::int32_t t_near[width] = {};
  const std::uint32_t slots = c.node.inner_slots() | c.node.leaf_slots();
  ASSERT_EQ(slots, (1u << c.box.size()) - 1) << what;
  const NodeRay node = node_ray(s.line.origin, s.line.inverse, s.t_min);
  const Vec3 inverse = per_direction(node.inverse, s.line.direction);
  ASSERT_EQ(std::memcmp(&inverse, &s.line.inverse, sizeof inverse), 0) << what;
  test_children(c.node, node, least_beyond(min(s.t_max, limit)),
                [&](auto k, std::int32_t entry, bool seen) {
                  reported[k] = seen && (slots >> k & 1u) != 0;
                  t_near[k] = entry;
                  EXPECT_TRUE(entry >= 0 && entry <= ordered_bits(infinity)) << what;
                });
  for (std::size_t k = 0; k < width; ++k) {
    judged.reported += reported[k];
    if (k >= c.box.size()) continue;
    const SlabInterval i = slab(s.line, s.t_min, s.t_max, c.box[k]);
    if (is_empty(i) || i.t_near > limit) continue;
    ++judged.seen;
    ASSERT_TRUE(reported[k]) << what << ", child " << k << ": " << text(ray);
    ASSERT_LE(t_near[k], least_beyond(i.t_near)) << what << ", child " << k << ": " << text(ray);
  }
}

class QuantisedNodes : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, QuantisedNodes, ::testing::Range(0, families));

TEST_P(QuantisedNodes, CullNothingThatTheSlabSees) {
  const int family = GetParam();
  Random r(static_cast<std::uint64_t>(400 + family));
  Judged judged;
  for (std::uint64_t n = 0; n < std::max<std::uint64_t>(2000, scaled(100000)); ++n) {
    const std::string what = "family " + std::to_string(family) + ", node " + std::to_string(n);
    const Case c = Case::random(r, family);
    expect_enclosed(c, what);
    for (int k = 0; k < 20; ++k) {
      expect_seen(c, random_ray(r, c.box, family), r, judged, what);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(judged.seen, 10000u);
  EXPECT_GE(judged.reported, judged.seen);
}

TEST(QuantisedNodes, AreTight) {
  Random r(7);
  for (int n = 0; n < 10000; ++n) {
    std::vector<Aabb> boxes(width);
    for (Aabb& b : boxes) {
      const Vec3 c = {r.uniform(0, 100), r.uniform(0, 100), r.uniform(0, 100)};
      b = {{c.x - 1, c.y - 1, c.z - 1}, {c.x + 1, c.y + 1, c.z + 1}};
    }
    const Case c(boxes);
    expect_enclosed(c, "tight");
    Aabb all = boxes[0];
    for (const Aabb& b : boxes) all = unite(all, b);
    const float byte = c.node.step(0) * 0x1p-15f;
    EXPECT_LE(byte, 2.05f / 255 * (all.max.x - all.min.x));
    for (std::size_t k = 0; k < width; ++k) {
      const auto slack =
          static_cast<float>(Exact{boxes[k].min.x} - c.plane(0, c.node.low, static_cast<int>(k)));
      EXPECT_LT(slack, 1.01f * byte);
    }
  }
}

// What is too far, or behind, is not reported: a test that reports all would pass the ones above.
TEST(QuantisedNodes, CullWhatLiesElsewhere) {
  Random r(8);
  std::uint64_t reported = 0, seen = 0;
  for (int n = 0; n < 20000; ++n) {
    std::vector<Aabb> boxes(width);
    for (Aabb& b : boxes) {
      const Vec3 c = {r.uniform(0, 100), r.uniform(0, 100), r.uniform(0, 100)};
      b = {{c.x - 5, c.y - 5, c.z - 5}, {c.x + 5, c.y + 5, c.z + 5}};
    }
    const Case c(boxes);
    Ray ray;
    ray.origin = {r.uniform(0, 100), r.uniform(0, 100), r.uniform(0, 100)};
    ray.direction = {r.uniform(-1, 1), r.one_in(4) ? 0 : r.uniform(-1, 1), r.uniform(-1, 1)};
    const ScaledRay s = scale(ray);
    test_children(c.node, node_ray(s.line.origin, s.line.inverse, s.t_min), least_beyond(infinity),
                  [&](auto, std::int32_t, bool is_seen) { reported += is_seen; });
    for (const Aabb& b : boxes) seen += !is_empty(slab(s.line, s.t_min, s.t_max, b));
  }
  EXPECT_LT(static_cast<double>(reported), 1.12 * static_cast<double>(seen));
}

/// All children of a node in the order in which they are visited: slots.
void expect_order(std::uint64_t seed) {
  Random r(seed);
  NearFirst order;
  float t[width];
  std::uint32_t seen = 0;
  std::vector<std::uint32_t> slots, visited;
  for_each_slot<width>([&](auto k) {
    t[k] = r.one_in(3) ? 2.0f : r.one_in(5) ? 0.0f : r.uniform(0, 100);
    order.add(k, ordered_bits(t[k]));
    if (r.one_in(3)) return;
    seen |= 1u << k;
    slots.push_back(static_cast<std::uint32_t>(k));
  });
  if (slots.empty()) return;
  constexpr std::uint32_t base = 0xFFFFFF00u;
  Waiting rest{};
  visited.push_back(order.take_first(base, seen, rest) - base);
  while (!NearFirst::is_empty(rest)) {
    ASSERT_LE(visited.size(), slots.size()) << seed;
    for (const std::uint32_t k : slots) {
      if (std::find(visited.begin(), visited.end(), k) != visited.end()) continue;
      ASSERT_LE(NearFirst::no_nearer_than(rest), ordered_bits(t[k])) << seed;
    }
    visited.push_back(NearFirst::take(rest) - base);
  }
  for (std::size_t k = 1; k < visited.size(); ++k) {
    // But for the bits of t that the slots' numbers take.
    ASSERT_LE(t[visited[k - 1]], t[visited[k]] * (1 + 0x1p-15f)) << seed;
  }
  std::sort(visited.begin(), visited.end());
  ASSERT_EQ(visited, slots) << seed;
}

TEST(NodeOrder, VisitsEveryChildOnceNearOnesFirst) {
  for (std::uint64_t seed = 1; seed <= 5000 && !HasFatalFailure(); ++seed) {
    expect_order(seed);
  }
}

TEST(NodeOrder, LargeOnesAreInTheOrderOfSlots) {
  Waiting waiting{7, 0b1010'0110};
  for (const std::uint32_t slot : {1u, 2u, 5u, 7u}) {
    ASSERT_FALSE(LargeFirst::is_empty(waiting));
    EXPECT_EQ(LargeFirst::take(waiting), 7 + slot);
  }
  EXPECT_TRUE(LargeFirst::is_empty(waiting));
}

/// What is kept of `second` while the child at `first` is visited.
float kept(float first, float second) {
  NearFirst order;
  for_each_slot<width>([&](auto k) { order.add(k, ordered_bits(k == 1 ? first : second)); });
  Waiting rest{};
  EXPECT_EQ(order.take_first(0, 0b0110, rest), 1u);
  return float_of(static_cast<std::uint32_t>(NearFirst::no_nearer_than(rest)));
}

TEST(NodeOrder, KnowsHowNearTheNextOneIs) {
  for (float t = 1; t < 100; t *= 1.37f) {
    EXPECT_GT(kept(0.5f, t), 0.999f * t) << t;
  }
}

TEST(Records, GiveTheShapesBack) {
  const Scene scene = make_scene(SceneFamily::random, 400, 3);
  const ShapesView shapes = scene.view();
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    shapes.visit_bounded(id, [&](const auto& shape) {
      using Shape = std::remove_cvref_t<decltype(shape)>;
      kernels::RecordUnit record[4] = {};
      kernels::put_record(shape, record);
      bool same = false;
      kernels::visit_record(record, shapes.kind_of(id), [&](const auto& read) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(read)>, Shape>) {
          same = std::memcmp(&read, &shape, sizeof shape) == 0;
        }
      });
      EXPECT_TRUE(same) << id;
    });
  }
}

}  // namespace
}  // namespace sightline::testing
