// Ray casters of others as rivals: their answers beside ours.
#include "bench/duel/rival.hpp"
#include "bench/harness/answers.hpp"
#include "host/gen/rays.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

namespace sightline {
namespace {

/// Answers of one way, both queries, held to ours.
void compare(bench::RivalScene& scene, std::size_t way, const Caster& caster,
             const RaysView& rays) {
  bench::Answers ours, theirs;
  for (bench::Answers* a : {&ours, &theirs}) {
    a->t.resize(rays.size());
    a->id.resize(rays.size());
    a->flags.resize(rays.size());
  }
  caster.closest_hit(rays, ours.hits(rays.size()));
  theirs.poison();
  scene.closest_hit(way, rays, theirs.t.data(), theirs.id.data());
  const bench::Difference closest = difference(ours, theirs, rays.size());
  EXPECT_LE(closest.hits + closest.ids, rays.size() / 1000);
  bench::Answers blocked, theirs_blocked;
  blocked.bits.resize((rays.size() + 63) / 64);
  theirs_blocked.bits.resize(blocked.bits.size());
  caster.any_hit(rays, blocked.bits);
  theirs_blocked.poison();
  scene.any_hit(way, rays, theirs_blocked.bits.data());
  EXPECT_LE(difference(blocked, theirs_blocked, rays.size()).hits, rays.size() / 1000);
  EXPECT_EQ(theirs_blocked.bits.back() >> rays.size() % 64, 0u) << "padding";
}

struct Named {
  const char *name, *library;  ///< as --against and as people call it
  std::size_t with_boxes;      ///< variants that differ where nothing is round
};

class RayRival : public ::testing::TestWithParam<Named> {
 protected:
  void SetUp() override {
    for (auto& rival : bench::make_rivals()) {
      if (rival->name() == GetParam().name) rival_ = std::move(rival);
    }
    if (rival_ == nullptr) GTEST_SKIP() << GetParam().library << " is not here";
    if (!rival_->problem().empty()) GTEST_SKIP() << rival_->problem();
  }

  std::unique_ptr<bench::Rival> rival_;
};

TEST_P(RayRival, EveryVariantAndWayAgreesWithOurs) {
  EXPECT_EQ(rival_->description().find(GetParam().library), 0u);
  for (const gen::SceneKind kind : {gen::SceneKind::city, gen::SceneKind::cloud}) {
    const Scene scene = gen::make_scene(kind, 2000, 3);
    const Caster caster(scene, CpuOptions{});
    for (std::size_t v = 0; v < rival_->variants().size(); ++v) {
      const auto built = rival_->build(v, scene.view(), 2);
      ASSERT_NE(built, nullptr);
      EXPECT_GT(built->memory_bytes(), 2000u * 40);
      for (const gen::RayKind rays :
           {gen::RayKind::coherent, gen::RayKind::incoherent, gen::RayKind::los}) {
        const gen::RaySet set = gen::make_rays(rays, scene, kind, 5003, 4);
        for (std::size_t way = 0; way < built->ways().size(); ++way) {
          SCOPED_TRACE(std::string(gen::name_of(kind)) + ", " + rival_->variants()[v] + ", " +
                       built->ways()[way] + ", " + std::string(gen::name_of(rays)));
          compare(*built, way, caster, set.view());
        }
      }
    }
  }
}

TEST_P(RayRival, LooksBetweenTheEndsOfRays) {
  Scene scene;
  for (const float x : {5.0f, 20.0f, 35.0f}) {
    scene.add_aabb({{x, -1, -1}, {x + 2, 1, 1}});
    scene.add_capsule({{x + 5, 0, -3}, {x + 5, 0, 3}, 1});
  }
  RaysView rays;
  rays.origin = Vec3{0, 0.1f, 0.2f};
  rays.direction = Vec3{2, 0, 0};  // t is in units of it
  rays.t_min = 7;
  const auto built = rival_->build(0, scene.view(), 1);
  for (std::size_t way = 0; way < built->ways().size(); ++way) {
    for (const float t_max : {infinity, 10.5f, 9.5f}) {
      rays.t_max = t_max;
      float t = 0;
      std::uint32_t id = 0;
      std::uint64_t blocked = 2;
      built->closest_hit(way, rays, &t, &id);
      built->any_hit(way, rays, &blocked);
      EXPECT_EQ(t, t_max > 10 ? 10 : infinity) << built->ways()[way];
      EXPECT_EQ(id, t_max > 10 ? 1 : none) << built->ways()[way];
      EXPECT_EQ(blocked, t_max > 10 ? 1u : 0u) << built->ways()[way];
    }
  }
}

TEST_P(RayRival, HoldsNoPlanesAndNothingRoundOfItsOwnWithoutAny) {
  Scene planes;
  planes.add_plane({{0, 0, 1}, 0});
  try {
    rival_->build(0, planes.view(), 1);
    FAIL() << "planes were taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("planes"), std::string::npos);
  }
  Scene boxes;
  boxes.add_aabb({{0, 0, 0}, {1, 1, 1}});
  std::size_t built = 0;
  for (std::size_t v = 0; v < rival_->variants().size(); ++v) {
    built += rival_->build(v, boxes.view(), 1) != nullptr;
  }
  EXPECT_EQ(built, GetParam().with_boxes);
}

INSTANTIATE_TEST_SUITE_P(All, RayRival,
                         ::testing::Values(Named{"embree", "Embree 3", 4},
                                           Named{"embree4", "Embree 4", 4},
                                           Named{"tinybvh", "tinybvh", 4}),
                         [](const auto& named) { return std::string(named.param.name); });

}  // namespace
}  // namespace sightline
