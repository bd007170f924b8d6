// cast of counts and of all hits, from files to files, and their verification.
#include "tests/host/program/program.hpp"
#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <sightline/caster.hpp>

#include <cstring>
#include <limits>

namespace sightline::cli {
namespace {

using nlohmann::json;
using testing::minus;
using testing::plus;
using testing::Random;
using testing::times;

class CastRowsTest : public ProgramTest {
 protected:
  static constexpr std::uint64_t n = 600;

  /// Spheres and boxes in each other, and rays through them.
  void SetUp() override {
    Random r(1);
    Scene scene;
    for (int k = 0; k < 100; ++k) {
      scene.add_sphere({times(r.vec(-1, 1), 10), r.uniform(0.5f, 3)});
      const Vec3 at = times(r.vec(-1, 1), 10);
      scene.add_aabb({at, plus(at, r.vec(0, 4))});
    }
    io::write_scene(path("crowd.st"), scene);
    std::vector<Vec3> origin(n), direction(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      origin[i] = times(r.vec(-1, 1), 20);
      direction[i] = minus(times(r.vec(-1, 1), 10), origin[i]);
    }
    write_rays("rays.st", origin, direction);
  }
  void write_rays(const char* name, const std::vector<Vec3>& origin,
                  const std::vector<Vec3>& direction) {
    io::RaysWriter writer(path(name), origin.size());
    RaysView view;
    view.origin = origin;
    view.direction = direction;
    writer.write(0, view);
    writer.commit();
  }

  json cast(const std::string& query, const std::string& to, const Arguments& options = {}) {
    return json_of({"cast", "crowd.st", "--rays", "rays.st", "--query", query, "-o", to}, options);
  }
  HitRows truth(const HitRowsOptions& options) const {
    const Caster caster(io::read_scene(path("crowd.st")), ReferenceOptions{});
    const io::RaysSource rays(path("rays.st"));
    io::RayBuffer buffer;
    return caster.all_hits(rays.read(0, n, buffer), options);
  }
  HitRows rows_in(const std::string& name) const {
    HitRows rows;
    rows.offsets = column<std::uint64_t>(name, "offsets");
    rows.count = column<std::uint32_t>(name, "count");
    rows.flags = column<std::uint8_t>(name, "flags");
    rows.id = column<std::uint32_t>(name, "id");
    rows.t = column<float>(name, "t");
    if (io::ContainerReader(path(name)).find("t_out") != nullptr) {
      rows.t_out = column<float>(name, "t_out");
    }
    return rows;
  }
  static Arguments verify(const std::string& result) {
    return {"verify", result, "--scene", "crowd.st", "--rays", "rays.st", "--full"};
  }
  /// So many boxes in each other around the origin, and rays out of them that hit all.
  void make_onion(std::uint32_t boxes, std::uint64_t rays) {
    Scene scene;
    for (std::uint32_t k = 1; k <= boxes; ++k) {
      const auto h = static_cast<float>(k);
      scene.add_aabb({{-h, -h, -h}, {h, h, h}});
    }
    io::write_scene(path("onion.st"), scene);
    write_rays("out.st", std::vector<Vec3>(rays, {0, 0, 0}),
               std::vector<Vec3>(rays, {1, 0.5f, 0.25f}));
  }
};

TEST_F(CastRowsTest, WritesWhatTheLibraryAnswers) {
  const HitRows all = truth({Inside::surface, false, none, true});
  ASSERT_GT(all.id.size(), n);
  const auto report = cast("all", "all.st", {"--t-out", "--inside", "surface"});
  const HitRows file = rows_in("all.st");
  EXPECT_EQ(file.offsets, all.offsets);
  EXPECT_EQ(file.id, all.id);
  EXPECT_EQ(file.t, all.t);
  EXPECT_EQ(file.t_out, all.t_out);
  EXPECT_EQ(file.count, all.count);
  EXPECT_EQ(file.flags, all.flags);
  EXPECT_EQ(report["counts"]["hits"], all.id.size());
  EXPECT_EQ(report["counts"]["kept"], all.id.size());
  EXPECT_EQ(report["counts"]["overflowing"], 0);
  EXPECT_EQ(report["query"]["kind"], "all");

  const HitRows two = truth({Inside::solid, false, 2, false});
  const auto some = cast("all", "two.st", {"--first", "2", "--threads", "3"});
  const HitRows kept = rows_in("two.st");
  EXPECT_EQ(kept.offsets, two.offsets);
  EXPECT_EQ(kept.id, two.id);
  EXPECT_EQ(kept.t, two.t);
  EXPECT_TRUE(kept.t_out.empty());
  EXPECT_EQ(kept.flags, two.flags);
  EXPECT_GT(some["counts"]["overflowing"], 0);
  EXPECT_EQ(some["counts"]["kept"], two.id.size());

  const auto counted = cast("count", "count.st");
  const auto counts = column<std::uint32_t>("count.st", "count");
  EXPECT_EQ(counts, two.count);
  EXPECT_EQ(counted["counts"]["hits"], some["counts"]["hits"]);
}

TEST_F(CastRowsTest, InfoAndVerifyReadThem) {
  for (const std::string query : {"all", "count"}) {
    const auto report = cast(query, query + ".st");
    const auto info = json_of({"info", query + ".st"});
    for (const char* key : {"hits", "hitting"}) {
      EXPECT_EQ(info["counts"][key], report["counts"][key]) << query;
    }
    Arguments sampled = verify(query + ".st");
    EXPECT_EQ(json_of(sampled)["verify"]["checked"], n) << query;
    sampled.back() = "--sample";
    sampled.push_back("17");
    EXPECT_EQ(json_of(sampled)["verify"]["checked"], 17) << query;
  }
  cast("all", "some.st", {"--first", "1", "--t-out"});
  EXPECT_GT(json_of({"info", "some.st"})["counts"]["overflowing"], 0);
  json_of(verify("some.st"));
}

TEST_F(CastRowsTest, VerifyFindsWhatWasChanged) {
  cast("all", "all.st", {"--t-out"});
  cast("count", "count.st");
  const std::string good = get("all.st");
  const HitRows rows = rows_in("all.st");
  std::uint64_t ray = 0;  // with hits, and one with hits after it
  while (rows.count[ray] == 0 || rows.count[ray + 1] == 0) ++ray;
  const std::uint64_t at = rows.offsets[ray];
  const auto changed = [&](const char* tensor, std::uint64_t byte) {
    put("all.st", good);
    flip("all.st", offset_of("all.st", tensor, byte));
  };
  for (const char* tensor : {"id", "t", "t_out"}) {
    changed(tensor, 4 * at);
    expect_difference(verify("all.st"), ray);
  }
  changed("count", 4 * ray);
  expect_difference(verify("all.st"), ray);
  changed("flags", ray);
  expect_difference(verify("all.st"), ray);
  for (const std::uint64_t byte : {0u, 2u, 7u}) {  // by one, by far, and beyond the file
    changed("offsets", 8 * (ray + 1) + byte);
    expect_difference(verify("all.st"), ray, 2);
  }
  changed("offsets", 8 * n);
  EXPECT_EQ(run(verify("all.st")).exit_code, 1);
  flip("count.st", offset_of("count.st", "count", 4 * 33));
  expect_difference(verify("count.st"), 33);
}

TEST_F(CastRowsTest, ChunksChangeNothing) {
  make_onion(200, scaled(3000));
  const auto onion = [&](const char* to, const Arguments& options) {
    return json_of({"cast", "onion.st", "--rays", "out.st", "--query", "all", "--t-out", "-o", to,
                    "--device", "cpu"},
                   options);
  };
  const auto whole = onion("whole.st", {});
  EXPECT_EQ(whole["counts"]["hits"], 200 * scaled(3000));
  const std::uint64_t limit = (sanitized ? 768u : 32u) << 20;
  const auto parts = onion("parts.st", {"--max-memory", std::to_string(limit), "--threads", "2"});
  EXPECT_TRUE(get("whole.st") == get("parts.st"));
  if (!sanitized) {
    EXPECT_LE(parts["peak_memory_bytes"], limit);
  }
  const auto five = onion("five.st", {"--first", "5"});
  EXPECT_EQ(five["counts"]["kept"], 5 * scaled(3000));
  EXPECT_EQ(five["counts"]["hits"], 200 * scaled(3000));
}

// A row that does not fit is told, and nothing stays. By brute force: the making of a tree would
// have taken more than such a row.
TEST_F(CastRowsTest, ARowTooLongIsTold) {
  if (sanitized) GTEST_SKIP() << "what a sanitizer holds is not the program's";
  Scene scene;
  for (int k = 0; k < 300'000; ++k) scene.add_plane({{1, 0, 0}, static_cast<float>(k)});
  io::write_scene(path("planes.st"), scene);
  write_rays("three.st", std::vector<Vec3>(3, {0, 0, 0}), std::vector<Vec3>(3, {1, 0, 0}));
  const Arguments all = {"cast", "planes.st", "--rays",    "three.st", "--query",   "all", "-o",
                         "h.st", "--device",  "reference", "-q",       "--threads", "1"};
  const auto report = json_of(all, {"--dry-run"});
  const std::uint64_t limit = report["peak_memory_bytes"].get<std::uint64_t>() + (10 << 20);
  const Arguments limited = all + Arguments{"--max-memory", std::to_string(limit)};
  expect_failure(5, {"three.st", "ray 0 has a row of 300000 hits", "--first"}, limited);
  json_of(limited, {"--first", "3"});
}

TEST_F(CastRowsTest, BadInputIsTold) {
  const Arguments all = {"cast", "crowd.st", "--rays", "rays.st", "-o", "h.st"};
  expect_failure(2, {"--query closest", "--first"}, all + Arguments{"--first", "3"});
  expect_failure(2, {"--query any", "--t-out"}, all + Arguments{"--query", "any", "--t-out"});
  expect_failure(2, {"--query count", "--first"},
                 all + Arguments{"--query", "count", "--first", "3"});
  expect_failure(2, {"--query all", "--normals"}, all + Arguments{"--query", "all", "--normals"});
  expect_failure(2, {"--first"}, all + Arguments{"--query", "all", "--first", "0"});
  expect_failure(2, {"--first"}, all + Arguments{"--query", "all", "--first", "4294967295"});

  std::string bytes = get("rays.st");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + offset_of("rays.st", "origin", 321 * 12), &nan, sizeof nan);
  put("rays.st", bytes);
  for (const char* query : {"all", "count"}) {
    expect_failure(3, {"rays.st", "ray 321", "NaN"},
                   all + Arguments{"--query", query, "--strict", "--restart"});
    const Outcome done = run(all + Arguments{"--query", query, "--restart"});
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_TRUE(done.said("1 of 600 rays is bad")) << done.err;
  }
}

TEST_F(CastRowsTest, DryRunWritesNothingAndNoRaysAreLegal) {
  const auto before = names();
  const auto report = cast("all", "o.st", {"--dry-run"});
  EXPECT_EQ(report["counts"]["rays"], n);
  EXPECT_EQ(names(), before);
  make_onion(3, 1);
  io::RaysWriter(path("none.st"), 0).commit();
  for (const std::string query : {"all", "count"}) {
    json_of({"cast", "onion.st", "--rays", "none.st", "--query", query, "-o", query + "0.st"});
    json_of({"verify", query + "0.st", "--scene", "onion.st", "--rays", "none.st"});
  }
}

}  // namespace
}  // namespace sightline::cli
