#include "tests/host/program/program.hpp"
#include "tests/support/scale.hpp"

#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <sightline/caster.hpp>

#include <random>

namespace sightline::cli {
namespace {

using nlohmann::json;

class CastTest : public ProgramTest {};

TEST_F(CastTest, WritesWhatTheLibraryAnswers) {
  make_city(200, 1000);
  const auto report = json_of(
      {"cast", "city.st", "--rays", "rays.st", "--normals", "--inside", "surface", "-o", "h.st"});
  const Caster caster(io::read_scene(path("city.st")), ReferenceOptions{});
  const io::RaysSource rays(path("rays.st"));
  io::RayBuffer buffer;
  HitColumns truth(1000);
  const CastReport cast =
      caster.closest_hit(rays.read(0, 1000, buffer), truth.view(), {Inside::surface, false});
  EXPECT_EQ(column<float>("h.st", "t"), truth.t);
  EXPECT_EQ(column<std::uint32_t>("h.st", "id"), truth.id);
  EXPECT_EQ(column<std::uint8_t>("h.st", "flags"), truth.flags);
  EXPECT_EQ(
      std::memcmp(column<Vec3>("h.st", "normal").data(), truth.normal.data(), 1000 * sizeof(Vec3)),
      0);
  const io::ContainerReader result(path("h.st"));
  EXPECT_EQ(result.metadata("scene.hash"), io::scene_hash(caster.scene()));
  EXPECT_EQ(result.metadata("rays.hash"), rays.hash());
  EXPECT_EQ(result.metadata("query.inside"), "surface");

  EXPECT_EQ(report["counts"]["rays"], 1000);
  EXPECT_EQ(report["counts"]["hits"], cast.hits);
  EXPECT_EQ(report["scene"]["hash"], io::scene_hash(caster.scene()));
  EXPECT_EQ(report["answers"], answers_version);
  EXPECT_EQ(report["exit_code"], 0);
  EXPECT_GT(report["peak_memory_bytes"], 0);
  EXPECT_TRUE(report["seconds"].contains("cast"));
  EXPECT_TRUE(report["device"].contains("description"));
}

TEST_F(CastTest, LanesAreChosenAndChangeNothing) {
  make_city(200, 1000);
  const auto report_of = [&](const Arguments& options) {
    return json_of({"cast", "city.st", "--rays", "rays.st", "--device", "cpu", "-o", "h.st"},
                   options);
  };
  const auto hits = [&] { return column<float>("h.st", "t"); };
  const std::string widest = report_of({})["device"]["lanes"];
  const std::vector<float> expected = hits();
  EXPECT_EQ(report_of({"--lanes", "auto"})["device"]["lanes"], widest);
  EXPECT_EQ(report_of({"--lanes", "portable"})["device"]["lanes"], "portable");
  EXPECT_EQ(hits(), expected);
  EXPECT_EQ(report_of({"--lanes", widest})["device"]["lanes"], widest);
  const auto judged =
      json_of({"cast", "city.st", "--rays", "rays.st", "--device", "reference", "-o", "r.st"});
  EXPECT_FALSE(judged["device"].contains("lanes"));
}

TEST_F(CastTest, OptionsReachTheRays) {
  Scene scene;
  scene.add_sphere({{2, 0, 0}, 1}, {.mask = 1, .group = 7, .label = 0});
  scene.add_sphere({{5, 0, 0}, 1}, {.mask = 2, .group = 8, .label = 0});
  scene.add_sphere({{8, 0, 0}, 1}, {.mask = 4, .group = 9, .label = 0});
  io::write_scene(path("s.st"), scene);
  put_npy("o.npy", {0, 0, 0}, {1, 3});
  put_npy("d.npy", {1, 0, 0}, {1, 3});
  const auto hit = [&](const Arguments& options) {
    json_of({"cast", "s.st", "--origins", "o.npy", "--directions", "d.npy", "-q", "-o", "h.st"},
            options);
    return column<std::uint32_t>("h.st", "id")[0];
  };
  EXPECT_EQ(hit({}), 0u);
  EXPECT_EQ(hit({"--exclude", "0"}), 1u);
  EXPECT_EQ(hit({"--exclude", "sphere:0,sphere:1"}), 2u);
  EXPECT_EQ(hit({"--exclude", "0", "--exclude", "1"}), 2u);
  EXPECT_EQ(hit({"--exclude-group", "7,8"}), 2u);
  EXPECT_EQ(hit({"--mask", "6"}), 1u);
  EXPECT_EQ(hit({"--t-min", "3.5"}), 1u);
  EXPECT_EQ(hit({"--t-max", "0.5"}), none);
  EXPECT_EQ(hit({"--t-min", "2", "--inside", "ignore"}), 1u);
}

TEST_F(CastTest, ChunksAndDevicesGiveTheSameBytes) {
  make_city(800, 400000);
  // Not on a CUDA device: its context takes main memory, and not every time as much.
  const Arguments base = {"cast",      "city.st", "--rays",   "rays.st",
                          "--normals", "-q",      "--device", "cpu"};
  const auto whole = json_of(base, {"-o", "whole.st"});
  EXPECT_EQ(whole["chunk"]["rays"], 400000);
  // The least memory that leaves a few chunks: what a dry run needs, the reserve, and 2 MiB.
  const auto dry = json_of(base, {"-o", "none.st", "--dry-run"});
  const std::uint64_t limit =
      dry["peak_memory_bytes"].get<std::uint64_t>() + (sanitized ? 512 << 20 : 10 << 20);
  const auto parts =
      json_of(base, {"-o", "parts.st", "--max-memory", std::to_string(limit), "--threads", "3"});
  if (!sanitized) {
    EXPECT_LT(parts["chunk"]["rays"], 400000);
  }
  EXPECT_TRUE(get("whole.st") == get("parts.st"));

  json_of({"cast", "city.st", "--rays", "rays.st", "-q", "--query", "any", "-o", "a.st"});
  json_of({"cast", "city.st", "--rays", "rays.st", "-q", "--query", "any", "-o", "b.st",
           "--max-memory", std::to_string(limit + (16 << 20)), "--device", "cpu"});
  EXPECT_TRUE(get("a.st") == get("b.st"));
}

TEST_F(CastTest, ReferenceGivesTheSameBytes) {
  make_city(800, 3000);
  json_of({"cast", "city.st", "--rays", "rays.st", "-o", "cpu.st", "--device", "cpu"});
  const auto report =
      json_of({"cast", "city.st", "--rays", "rays.st", "-o", "judge.st", "--device", "reference"});
  EXPECT_EQ(report["device"]["backend"], "reference");
  EXPECT_TRUE(get("cpu.st") == get("judge.st"));
}

TEST_F(CastTest, ManyRaysStreamThroughLittleMemory) {
  const std::uint64_t count = scaled(10'000'000), seed = 3;
  make_city(400, 0);
  {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const auto uniform = [&](float most) {
      return most * static_cast<float>(random() >> 8) * 0x1p-24f;
    };
    io::RaysWriter writer(path("rays.st"), count);
    std::vector<Vec3> origin, direction;
    for (std::uint64_t first = 0; first < count; first += origin.size()) {
      origin.clear();
      direction.clear();
      for (std::uint64_t i = first; i < std::min(count, first + 100000); ++i) {
        origin.push_back({uniform(300), uniform(300), uniform(50)});
        direction.push_back({uniform(2) - 1, uniform(2) - 1, uniform(2) - 1});
      }
      RaysView view;
      view.origin = Vec3Column::rows(origin);
      view.direction = Vec3Column::rows(direction);
      writer.write(first, view);
    }
    writer.commit();
  }
  const auto report = json_of({"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "--max-memory",
                               "256M", "-q", "--device", "cpu"});
  EXPECT_EQ(report["counts"]["rays"], count);
  EXPECT_LE(report["peak_memory_bytes"], 256u << 20) << "seed " << seed;
}

// Brute force over many shapes works in small chunks: the bad ray is not in the first one.
TEST_F(CastTest, BadRaysAreToldAndStrictRefusesThem) {
  make_city(20000, 5000);
  std::string bytes = get("rays.st");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + offset_of("rays.st", "origin", 4900 * 12), &nan, sizeof nan);
  put("rays.st", bytes);
  const Arguments cast = {"cast", "city.st", "--rays",   "rays.st",
                          "-o",   "h.st",    "--device", "reference"};
  Arguments strict = cast + Arguments{"--strict", "--keep-every", "3600"};
  expect_failure(3, {"rays.st", "ray 4900", "NaN"}, strict);
  // What was kept before the refusal stays, and goes on without it.
  strict.back() = "0";
  EXPECT_EQ(run(strict).exit_code, 3);
  EXPECT_TRUE(exists("h.st.partial"));
  const Outcome done = run(cast + Arguments{"--json", "-"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_TRUE(done.said("warning: rays.st: 1 of 5,000 rays is bad")) << done.err;
  EXPECT_TRUE(done.said("ray 4900")) << done.err;
  const auto report = json::parse(done.out);
  EXPECT_LT(report["chunk"]["rays"], 4900);
  EXPECT_EQ(report["counts"]["bad_rays"], 1);
  EXPECT_EQ(report["counts"]["first_bad_ray"], 4900);
}

TEST_F(CastTest, EmptyFileOfRays) {
  make_city(40, 0);
  io::RaysWriter(path("rays.st"), 0).commit();
  json_of({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"});
  json_of({"cast", "city.st", "--rays", "rays.st", "-o", "b.st", "--query", "any"});
  json_of({"verify", "h.st", "--scene", "city.st", "--rays", "rays.st"});
  json_of({"verify", "b.st", "--scene", "city.st", "--rays", "rays.st", "--full"});
}

TEST_F(CastTest, DryRunWritesNothing) {
  make_city(40, 300);
  const std::vector<std::string> before = names();
  const auto report = json_of({"cast", "city.st", "--rays", "rays.st", "-o", "h.st", "--dry-run"});
  EXPECT_EQ(names(), before);
  EXPECT_EQ(report["counts"]["rays"], 300);
  EXPECT_EQ(report["bytes"]["rays"], 300 * 24);
  json_of({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"});
  EXPECT_EQ(report["bytes"]["result"], get("h.st").size());
}

}  // namespace
}  // namespace sightline::cli
