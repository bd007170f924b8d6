// The verb sweep and thick rays, from files to files, and their verification.
#include "tests/host/program/program.hpp"

#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "tests/support/adversarial_pairs.hpp"

#include <sightline/caster.hpp>

namespace sightline::cli {
namespace {

using nlohmann::json;
using testing::Random;

class SweepTest : public ProgramTest {
 protected:
  static constexpr std::uint64_t n_rays = 700, n_moving = 130;

  void SetUp() override {
    make_city(150, n_rays);
    Random r(1);
    for (std::uint64_t i = 0; i < n_rays; ++i) {
      radii_.push_back(r.one_in(4) ? 0.0f : r.uniform(0, 2));
    }
    radii_[40] = -1;
    put_npy("radii.npy", radii_, {n_rays});
    const Scene city = io::read_scene(path("city.st"));
    const Aabb all = city.bounds();
    Scene moving;
    for (std::uint64_t i = 0; i < n_moving; ++i) {
      const Vec3 a = {r.uniform(all.min.x, all.max.x), r.uniform(all.min.y, all.max.y),
                      r.uniform(0, 3)};
      if (i % 3 == 0) {
        moving.add_sphere({a, r.uniform(0, 1)});
      } else {
        moving.add_capsule({a, testing::plus(a, {0, 0, 1.5f}), 0.25f});
      }
      directions_.push_back(r.vec(-3, 3));
    }
    directions_[7].y = infinity;
    io::write_scene(path("moving.st"), moving);
    put_npy("directions.npy", directions_, {n_moving, 3});
  }

  json cast(const std::string& to, const Arguments& options) {
    return json_of({"cast", "city.st", "--rays", "rays.st", "-o", to}, options);
  }
  json sweep(const std::string& to, const Arguments& options = {}) {
    return json_of(
        {"sweep", "city.st", "--capsules", "moving.st", "--directions", "directions.npy", "-o", to},
        options);
  }
  static Arguments verify(const std::string& result) {
    return {"verify",     result,      "--scene",      "city.st",       "--full",
            "--capsules", "moving.st", "--directions", "directions.npy"};
  }
  Caster judge() const { return Caster(io::read_scene(path("city.st")), ReferenceOptions{}); }

  std::vector<float> radii_;
  std::vector<Vec3> directions_;
};

TEST_F(SweepTest, WritesWhatTheLibraryAnswers) {
  const json report = sweep("s.st", {"--normals", "--inside", "surface", "--t-max", "8"});
  HitColumns truth(n_moving);
  const CastReport swept = judge().sweep(io::read_scene(path("moving.st")), directions_,
                                         truth.view(), {Inside::surface, false, 8});
  EXPECT_EQ(column<float>("s.st", "t"), truth.t);
  EXPECT_EQ(column<std::uint32_t>("s.st", "id"), truth.id);
  EXPECT_EQ(column<std::uint8_t>("s.st", "flags"), truth.flags);
  EXPECT_EQ(std::memcmp(column<Vec3>("s.st", "normal").data(), truth.normal.data(),
                        n_moving * sizeof(Vec3)),
            0);
  EXPECT_GT(swept.hits, 20u);
  EXPECT_EQ(report["counts"]["hits"], swept.hits);
  EXPECT_EQ(report["counts"]["moving"], n_moving);
  EXPECT_EQ(report["counts"]["bad_directions"], 1);
  const json info = json_of({"info", "s.st"});
  EXPECT_EQ(info["counts"]["hits"], swept.hits);
  EXPECT_EQ(info["counts"]["bad_directions"], 1);
}

TEST_F(SweepTest, TheSameBytesInParts) {
  sweep("a.st", {"--device", "reference"});
  sweep("b.st", {"--device", "cpu", "--threads", "2", "--max-memory", "100M"});
  EXPECT_EQ(get("a.st"), get("b.st"));
}

TEST_F(SweepTest, VerifyFindsWhatWasChanged) {
  sweep("s.st", {"--normals"});
  const auto report = json_of(verify("s.st"));
  EXPECT_EQ(report["verify"]["checked"], n_moving);
  EXPECT_EQ(report["verify"]["different"], 0);
  const std::uint64_t width[] = {4, 4, 1, 12};
  const char* names[] = {"t", "id", "flags", "normal"};
  for (std::uint64_t k = 0; k < 4; ++k) {
    const std::uint64_t at = offset_of("s.st", names[k], width[k] * (30 + k));
    flip("s.st", at);
    expect_difference(verify("s.st"), 30 + k);
    flip("s.st", at);
  }
}

TEST_F(SweepTest, ThickRaysAreWhatTheLibraryAnswers) {
  const io::RaysSource rays(path("rays.st"));
  io::RayBuffer buffer;
  const RaysView view = rays.read(0, n_rays, buffer);
  const Caster reference = judge();
  for (const bool each : {false, true}) {
    const std::string radius = each ? "radii.npy" : "0.75";
    const json closest = cast("h.st", {"--radius", radius, "--normals"});
    const json any = cast("any.st", {"--radius", radius, "--query", "any"});
    const sightline::Column<float> radii = each ? sightline::Column<float>(radii_) : 0.75f;
    HitColumns truth(n_rays);
    RaysView thick = view;
    thick.radius = radii;
    const CastReport report = reference.closest_hit(thick, truth.view());
    EXPECT_EQ(column<float>("h.st", "t"), truth.t);
    EXPECT_EQ(column<std::uint32_t>("h.st", "id"), truth.id);
    EXPECT_EQ(column<std::uint8_t>("h.st", "flags"), truth.flags);
    EXPECT_EQ(closest["counts"]["hits"], report.hits);
    EXPECT_EQ(closest["counts"]["bad_rays"], each ? 1 : 0);
    EXPECT_EQ(any["counts"]["hits"], report.hits);
    const auto words = column<std::uint64_t>("any.st", "blocked");
    for (std::uint64_t i = 0; i < n_rays; ++i) {
      ASSERT_EQ(words[i / 64] >> i % 64 & 1, truth.id[i] != none ? 1u : 0u) << i;
    }
    for (const std::string name : {"h.st", "any.st"}) {
      Arguments check = {"verify", name, "--scene", "city.st", "--rays", "rays.st", "--full"};
      if (each) check.insert(check.end(), {"--radius", "radii.npy"});
      EXPECT_EQ(json_of(check)["verify"]["different"], 0) << name;
      if (!each) continue;
      check.resize(7);
      expect_failure(3, {name, "hash"}, check);
    }
  }
}

// Whether their radii come from the file of rays or from another, or are all 0.
TEST_F(SweepTest, TheSameRaysGiveTheSameFile) {
  const io::RaysSource rays(path("rays.st"));
  io::RayBuffer buffer;
  RaysView view = rays.read(0, n_rays, buffer);
  view.radius = radii_;
  io::RayColumns columns = rays.columns();
  columns.radius = true;
  io::RaysWriter writer(path("thick.st"), n_rays, columns);
  writer.write(0, view);
  writer.commit();
  cast("a.st", {"--radius", "radii.npy"});
  json_of({"cast", "city.st", "--rays", "thick.st", "-o", "b.st"});
  EXPECT_EQ(get("a.st"), get("b.st"));
  EXPECT_EQ(json_of({"verify", "b.st", "--scene", "city.st", "--rays",
                     "thick.st"})["verify"]["different"],
            0);
  const json info = json_of({"info", "thick.st"});
  EXPECT_NE(std::string(info["rays"]["columns"]).find("radius"), std::string::npos);
  cast("c.st", {"--radius", "0"});
  cast("d.st", {});
  EXPECT_EQ(get("c.st"), get("d.st"));
  expect_failure(2, {"--radius", "column 'radius'"},
                 {"cast", "city.st", "--rays", "thick.st", "--radius", "1", "-o", "o.st"});
  for (const std::string query : {"count", "all"}) {
    expect_failure(2, {"thick.st", "closest and any hits alone"},
                   {"cast", "city.st", "--rays", "thick.st", "--query", query, "-o", "o.st"});
    expect_failure(
        2, {"--query " + query, "--radius"},
        {"cast", "city.st", "--rays", "rays.st", "--radius", "1", "--query", query, "-o", "o.st"});
  }
  expect_failure(2, {"thick.st", "radii are not for bench"}, {"bench", "city.st", "thick.st"});
}

TEST_F(SweepTest, ThickRaysThatWereChangedAreFound) {
  cast("h.st", {"--radius", "0.75"});
  const Arguments check = {"verify", "h.st", "--scene", "city.st", "--rays", "rays.st", "--full"};
  flip("h.st", offset_of("h.st", "t", 4 * 33));
  expect_difference(check, 33);
}

TEST_F(SweepTest, BadInputIsTold) {
  const auto cast_with = [](const std::string& radius) -> Arguments {
    return {"cast", "city.st", "--rays", "rays.st", "--radius", radius, "-o", "o.st"};
  };
  expect_failure(2, {"--radius", "2^40"}, cast_with("-1"));
  expect_failure(2, {"--radius", "2^40"}, cast_with("nan"));
  expect_failure(2, {"--radius", "2^40"}, cast_with("1e30"));
  expect_failure(6, {"nothing.npy"}, cast_with("nothing.npy"));
  put_npy("few.npy", std::vector<float>(5, 1), {5});
  expect_failure(3, {"few.npy", "5 radii", "700 rays"}, cast_with("few.npy"));
  expect_failure(3, {"directions.npy", "F32"}, cast_with("directions.npy"));
  Arguments strict = cast_with("radii.npy");
  strict.push_back("--strict");
  expect_failure(3, {"ray 40", "radius"}, strict);

  const auto sweep_with = [](const std::string& shapes,
                             const std::string& directions) -> Arguments {
    return {"sweep", "city.st", "--capsules", shapes, "--directions", directions, "-o", "o.st"};
  };
  expect_failure(3, {"city.st", "only spheres and capsules"}, sweep_with("city.st", "radii.npy"));
  expect_failure(3, {"radii.npy", "F32"}, sweep_with("moving.st", "radii.npy"));
  put_npy("two.npy", std::vector<Vec3>(2), {2, 3});
  expect_failure(3, {"two.npy", "2 directions", "130 shapes"}, sweep_with("moving.st", "two.npy"));
  expect_failure(6, {"nothing.npy"}, sweep_with("moving.st", "nothing.npy"));
  strict = sweep_with("moving.st", "directions.npy");
  strict.push_back("--strict");
  expect_failure(3, {"directions.npy", "direction 7"}, strict);
  expect_failure(2, {"--directions"},
                 {"sweep", "city.st", "--capsules", "moving.st", "-o", "o.st"});
  expect_failure(2, {"named twice"},
                 {"sweep", "city.st", "--capsules", "moving.st", "--directions", "directions.npy",
                  "-o", "moving.st"});

  sweep("s.st");
  expect_failure(2, {"s.st", "--capsules"}, {"verify", "s.st", "--scene", "city.st"});
  expect_failure(2, {"s.st", "--capsules"},
                 {"verify", "s.st", "--scene", "city.st", "--rays", "rays.st"});
  Arguments check = verify("s.st");
  check[6] = "city.st";
  expect_failure(3, {"city.st", "has hash"}, check);
  put_npy("other.npy", std::vector<Vec3>(n_moving), {n_moving, 3});
  check = verify("s.st");
  check[8] = "other.npy";
  expect_failure(3, {"s.st", "directions", "hash"}, check);
  cast("h.st", {});
  check = verify("h.st");
  expect_failure(2, {"h.st", "name its rays with --rays"}, check);
}

TEST_F(SweepTest, DryRunWritesNothing) {
  const auto before = names();
  EXPECT_EQ(sweep("o.st", {"--dry-run"})["counts"]["moving"], n_moving);
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace sightline::cli
