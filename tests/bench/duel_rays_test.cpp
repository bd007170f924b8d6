// duel_rays as a user calls it: its rows, its modes and what it refuses.
#include "tests/host/program/program.hpp"

#include "bench/duel/rival.hpp"
#include "host/files/formats/rays_file.hpp"

namespace sightline::bench {
using namespace cli;
namespace {

using nlohmann::json;

class DuelRaysTest : public ProgramTest {
 protected:
  static Arguments small(Arguments more) {
    return Arguments{"--shapes", "400", "--count", "4096", "--pairs", "3", "--threads", "1"} + more;
  }
  /// Why --against NAME cannot be asked here.
  static std::string problem_of(const std::string& name) {
    for (const auto& rival : make_rivals()) {
      if (rival->name() == name) return rival->problem();
    }
    return (name == "embree" ? "Embree 3" : name) + " is not here";
  }
};

class EachRivalTest : public DuelRaysTest,
                      public ::testing::WithParamInterface<std::pair<std::string, std::string>> {};

TEST_P(EachRivalTest, RowsNameTheRivalAndItsBestMode) {
  const auto& [name, library] = GetParam();
  if (!problem_of(name).empty()) GTEST_SKIP() << problem_of(name);
  const json rows = json_of(small({"--scene", "city", "--against", name}))["rows"];
  ASSERT_EQ(rows.size(), 5u);
  const char* rays[] = {"coherent", "incoherent", "los", "matrix", "matrix"};
  const char* queries[] = {"closest", "closest", "any", "any", "visibility"};
  for (std::size_t k = 0; k < 5; ++k) {
    const json& row = rows[k];
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["rays"], rays[k]);
    EXPECT_EQ(row["query"], queries[k]);
    EXPECT_EQ(row["count"], 4096);
    EXPECT_EQ(row["judged"], row["query"] == "visibility" ? 0 : 4096);
    EXPECT_GT(row["hit_share"], 0);
    EXPECT_EQ(row["rival"].get<std::string>().find(library), 0u);
    EXPECT_FALSE(row["rival_mode"].get<std::string>().empty());
    for (const char* key :
         {"rival_mrays_per_s", "ratio", "rival_build_s", "rival_bytes_per_shape"}) {
      EXPECT_GT(row[key], 0) << key;
    }
    EXPECT_EQ(row["ratios"].size(), 3u);
    EXPECT_GE(row["modes"].size(), 1u);
    EXPECT_GT(row["rival_compared"], 4096);
    EXPECT_LT(row["rival_hits_differ"], 1e-3);
    EXPECT_LT(row["rival_ids_differ"], 1e-3);
  }
}

TEST_P(EachRivalTest, RunsOneModeAlone) {
  const auto& [name, library] = GetParam();
  if (!problem_of(name).empty()) GTEST_SKIP() << problem_of(name);
  const auto rows_of = [&, &name = name](const Arguments& more) {
    return json_of(small({"--scene", "city", "--rays", "los", "--against", name}) + more)["rows"];
  };
  const std::string mode = rows_of({})[0]["modes"].back()["mode"];
  const json row = rows_of({"--mode", mode})[0];
  EXPECT_EQ(row["rival_mode"], mode);
  EXPECT_EQ(row["modes"].size(), 1u);
  expect_failure(2, {"--mode: " + name + " has no \"stream\""},
                 small({"--scene", "city", "--against", name, "--mode", "stream"}));
}

INSTANTIATE_TEST_SUITE_P(All, EachRivalTest,
                         ::testing::Values(std::pair("embree", "Embree 3"),
                                           std::pair("tinybvh", "tinybvh")),
                         [](const auto& names) { return names.param.first; });

TEST_F(DuelRaysTest, EachOfSeveralRivalsHasARow) {
  for (const char* name : {"embree", "embree4"}) {
    if (!problem_of(name).empty()) GTEST_SKIP() << problem_of(name);
  }
  const json rows = json_of(
      small({"--scene", "city", "--rays", "los,matrix", "--against", "embree,embree4"}))["rows"];
  ASSERT_EQ(rows.size(), 6u);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    SCOPED_TRACE(rows[k].dump());
    EXPECT_EQ(rows[k]["rival"].get<std::string>().substr(0, 8),
              k % 2 == 0 ? "Embree 3" : "Embree 4");
    EXPECT_GT(rows[k]["ratio"], 0);
    EXPECT_LT(rows[k]["rival_hits_differ"], 1e-3);
    EXPECT_EQ(rows[k]["answers_hash"], rows[k - k % 2]["answers_hash"]);
  }
}

TEST_F(DuelRaysTest, SaysHowToGetARivalThatIsNotHere) {
  const std::string problem = problem_of("embree4");
  if (problem.empty()) GTEST_SKIP() << "Embree 4 is here";
  expect_failure(2, {"--against embree4", "scripts/rivals.sh"},
                 small({"--scene", "city", "--against", "embree4"}));
}

TEST_F(DuelRaysTest, TheTableHasItsColumns) {
  if (!problem_of("embree").empty()) GTEST_SKIP() << problem_of("embree");
  const Outcome done =
      run(small({"--scene", "cloud", "--rays", "los", "--against", "embree", "--clock", "wall"}));
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(done.said("Embree 3"));
  for (const char* word : {"rival", "ratio", "its best mode"}) {
    EXPECT_NE(done.out.find(word), std::string::npos) << word;
  }
}

TEST_F(DuelRaysTest, RefusesOthersAndPlanes) {
  if (!problem_of("embree").empty()) GTEST_SKIP() << problem_of("embree");
  put("plane.json", R"({"plane": [{"normal": [0, 0, 1], "offset": 0}],
                        "sphere": [{"center": [0, 0, 0], "radius": 1}]})");
  expect_failure(2, {"--against bullet", "embree"},
                 small({"--scene", "city", "--against", "bullet"}));
  expect_failure(2, {"planes", "Embree"}, small({"--scene", "plane.json", "--against", "embree"}));
  RaysView rays{Vec3{0, 0, 0}, Vec3{1, 0, 0}};
  rays.mask = 3;
  io::RayColumns columns;
  columns.mask = true;
  io::RaysWriter writer(path("masked.st"), 1, columns);
  writer.write(0, rays);
  writer.commit();
  expect_failure(2, {"masked.st", "masks"},
                 small({"--scene", "city", "--rays", "masked.st", "--against", "embree"}));
}

}  // namespace
}  // namespace sightline::bench
