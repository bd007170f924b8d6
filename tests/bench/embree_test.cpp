// What rivals are given: Embree its callbacks, on every width, and all their rays in order.
#include "bench/rivals/embree_callbacks.hpp"
#include "bench/rivals/ray_order.hpp"
#include "host/gen/rays.hpp"

#include <sightline/geometry/queries/cast.hpp>

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace sightline {
namespace {

using namespace rivals::embree4;  // their callbacks are those of Embree 3

/// Lanes of a packet of n rays as Embree lays them out: 12 rows of the ray, 8 of the hit.
struct Packet {
  explicit Packet(unsigned n) : lanes(n), values(20 * n) {}
  float& at(unsigned row, unsigned i) { return values[row * lanes + i]; }
  unsigned id(unsigned row, unsigned i) const {
    unsigned bits;
    std::memcpy(&bits, &values[row * lanes + i], sizeof bits);
    return bits;
  }
  unsigned lanes;
  std::vector<float> values;
};

constexpr unsigned far_row = 8, prim_row = 17, geom_row = 18;
constexpr float far_end = 50;
constexpr unsigned poison = 0xA5A5A5A5u;

Packet packet_of(const std::vector<Ray>& rays) {
  Packet p(static_cast<unsigned>(rays.size()));
  std::memset(p.values.data(), 0xA5, p.values.size() * sizeof(float));
  for (unsigned i = 0; i < p.lanes; ++i) {
    const Vec3 o = rays[i].origin, d = rays[i].direction;
    const float values[] = {o.x, o.y, o.z, 0, d.x, d.y, d.z, 0, rays[i].t_max};
    for (unsigned row = 0; row < 9; ++row) p.at(row, i) = values[row];
  }
  return p;
}

class Callback : public ::testing::TestWithParam<std::tuple<bool, unsigned>> {
 protected:
  void SetUp() override {
    if (!std::get<0>(GetParam())) return;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl")) {
      GTEST_SKIP() << "this processor has no AVX-512";
    }
  }
  AllCallbacks callbacks() const {
    return std::get<0>(GetParam()) ? callbacks_for_avx512() : callbacks_for_avx2();
  }

  float uniform(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random_);
  }
  Vec3 point(float reach) {
    return {uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)};
  }

  /// By the kind's own callback, and by the one for all kinds.
  template <class Shape, class Record>
  void compare(const Shape& shape, const Record& record, Kind kind, const Callbacks& callback) {
    compare_by(shape, record, kind, callback);
    compare_by(shape, record, kind, callbacks().any);
  }

  /// Random rays from outside at one shape: each valid lane answers as ours does, but for lines
  /// that graze; the others keep their bytes.
  template <class Shape, class Record>
  void compare_by(const Shape& shape, const Record& record, Kind kind, const Callbacks& callback) {
    const unsigned n = std::get<1>(GetParam());
    for (unsigned k = 0; k < 6400 / n; ++k) {
      std::vector<Ray> rays(n);
      std::vector<int> valid(n);
      for (unsigned i = 0; i < n; ++i) {
        rays[i].origin = point(20);
        while (contains(shape, rays[i].origin)) rays[i].origin = point(20);
        const Vec3 to = point(3);
        const float s = uniform(0.2f, 3);
        rays[i].direction = {s * (to.x - rays[i].origin.x), s * (to.y - rays[i].origin.y),
                             s * (to.z - rays[i].origin.z)};
        rays[i].t_max = k % 2 == 0 ? far_end : uniform(0, 2);
        valid[i] = n == 1 || random_() % 4 != 0 ? -1 : 0;
      }
      Packet closest = packet_of(rays), any = packet_of(rays);
      RTCIntersectFunctionNArguments intersect{};
      intersect.valid = valid.data();
      intersect.geometryUserPtr = const_cast<Record*>(&record);
      intersect.N = n;
      intersect.geomID = static_cast<unsigned>(kind);
      intersect.rayhit = reinterpret_cast<RTCRayHitN*>(closest.values.data());
      callback.intersect(&intersect);
      RTCOccludedFunctionNArguments occluded{};
      occluded.valid = valid.data();
      occluded.geometryUserPtr = const_cast<Record*>(&record);
      occluded.N = n;
      occluded.geomID = intersect.geomID;
      occluded.ray = reinterpret_cast<RTCRayN*>(any.values.data());
      callback.occluded(&occluded);
      for (unsigned i = 0; i < n; ++i) {
        const Hit ours = cast(rays[i], shape);
        const bool hit = closest.id(geom_row, i) != poison;
        EXPECT_EQ(hit, any.at(far_row, i) < 0) << "closest and any";
        ++compared_;
        if (valid[i] == 0 || (ours.id == none && !hit)) {
          EXPECT_FALSE(hit);
          EXPECT_EQ(closest.at(far_row, i), rays[i].t_max);
          EXPECT_EQ(any.at(far_row, i), rays[i].t_max);
        } else if ((ours.id != none) != hit) {
          ++parted_;
        } else {
          ++hits_;
          EXPECT_EQ(closest.id(geom_row, i), intersect.geomID);
          EXPECT_EQ(closest.id(prim_row, i), 0u);
          if (std::abs(closest.at(far_row, i) - ours.t) > 1e-3f * ours.t) ++parted_;
        }
      }
    }
    EXPECT_GT(hits_, compared_ / 20);
    EXPECT_LE(parted_, compared_ / 1000);
  }

  std::mt19937 random_{20};
  int compared_ = 0, hits_ = 0, parted_ = 0;
};

TEST_P(Callback, Aabb) {
  compare(Aabb{{-1, -2, -0.5f}, {1, 1, 2}}, rivals::AabbRecord{{-1, -2, -0.5f, 0}, {1, 1, 2, 0}},
          Kind::aabb, callbacks().of_kind[0]);
}

TEST_P(Callback, Obb) {
  Obb s;
  s.center = {0.5f, 0, -0.25f};
  s.half_extents = {1, 2, 0.5f};
  s.rotation = {0.5f, 0.1f, -0.3f, 0.806225775f};
  const ObbFrame f = frame(s);
  const Vec3 *a = f.axis, h = f.half_extents;
  compare(f,
          rivals::ObbRecord{{{a[0].x, a[1].x, a[2].x, h.x},
                             {a[0].y, a[1].y, a[2].y, h.y},
                             {a[0].z, a[1].z, a[2].z, h.z}},
                            {f.center.x, f.center.y, f.center.z, 0}},
          Kind::obb, callbacks().of_kind[1]);
}

TEST_P(Callback, Sphere) {
  compare(Sphere{{0.5f, 1, -1}, 1.5f}, rivals::SphereRecord{{0.5f, 1, -1}, 2.25f}, Kind::sphere,
          callbacks().of_kind[2]);
}

TEST_P(Callback, Capsule) {
  compare(Capsule{{-1, 0, 1}, {2, 1, -1}, 0.5f},
          rivals::CapsuleRecord{{-1, 0, 1}, 0.25f, {3, 1, -2}, 14}, Kind::capsule,
          callbacks().of_kind[3]);
}

TEST_P(Callback, CapsuleThatIsABall) {
  compare(Capsule{{1, 0, 1}, {1, 0, 1}, 1}, rivals::CapsuleRecord{{1, 0, 1}, 1, {0, 0, 0}, 0},
          Kind::capsule, callbacks().of_kind[3]);
}

INSTANTIATE_TEST_SUITE_P(Widths, Callback,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(1u, 4u, 8u, 16u)),
                         [](const auto& widths) {
                           return std::string(std::get<0>(widths.param) ? "Avx512" : "Avx2") +
                                  "By" + std::to_string(std::get<1>(widths.param));
                         });

gen::RaySet some_rays(gen::RayKind kind, std::uint64_t n) {
  return gen::make_rays(kind, gen::make_scene(gen::SceneKind::cloud, 100, 1), gen::SceneKind::cloud,
                        n, 5);
}

TEST(RayOrder, IsAPermutationByOctantForAnyThreads) {
  for (const gen::RayKind kind : {gen::RayKind::incoherent, gen::RayKind::los}) {
    const gen::RaySet set = some_rays(kind, 100'000);
    std::vector<std::vector<std::uint32_t>> orders;
    for (const int threads : {1, 2}) {
      rivals::RayOrder order;
      tbb::task_arena(threads).execute([&] {
        const std::uint32_t* sorted = order.sort(set.view());
        orders.emplace_back(sorted, sorted + set.size());
      });
    }
    EXPECT_EQ(orders[0], orders[1]);
    const auto octant = [&](std::uint32_t i) {
      const Vec3 d = set.direction[i];
      return (d.x < 0) + 2 * (d.y < 0) + 4 * (d.z < 0);
    };
    EXPECT_TRUE(std::is_sorted(orders[0].begin(), orders[0].end(),
                               [&](auto a, auto b) { return octant(a) < octant(b); }));
    std::sort(orders[0].begin(), orders[0].end());
    for (std::uint32_t i = 0; i < orders[0].size(); ++i) ASSERT_EQ(orders[0][i], i);
  }
}

TEST(RayOrder, BringsNeighboursTogether) {
  const gen::RaySet set = some_rays(gen::RayKind::incoherent, 100'000);
  rivals::RayOrder order;
  const std::uint32_t* sorted = order.sort(set.view());
  const auto apart = [&](std::uint32_t a, std::uint32_t b) {
    const Vec3 p = set.origin[a], q = set.origin[b];
    return std::abs(p.x - q.x) + std::abs(p.y - q.y) + std::abs(p.z - q.z);
  };
  double before = 0, after = 0;
  for (std::uint32_t i = 1; i < set.size(); ++i) {
    before += apart(i - 1, i);
    after += apart(sorted[i - 1], sorted[i]);
  }
  EXPECT_LT(after, before / 10);
}

TEST(RayOrder, OfNoRaysAndOfEqualRays) {
  rivals::RayOrder order;
  order.sort(RaysView{});
  RaysView same;
  same.count = 1000;
  same.origin = Vec3{1, 2, 3};
  same.direction = Vec3{1, 0, 0};
  const std::uint32_t* sorted = order.sort(same);
  for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(sorted[i], i) << "the sort is stable";
}

}  // namespace
}  // namespace sightline
