// sightline bench as a user calls it: the table, the rows of the report, refusals.
#include "tests/host/program/program.hpp"

#include <sstream>

namespace sightline::cli {
namespace {

using nlohmann::json;

class BenchTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    make_city(300, 4100);
  }
  static Arguments of_city(const Arguments& more) {
    return Arguments{"bench", "city.st", "rays.st", "--runs", "1"} + more;
  }
};

TEST_F(BenchTest, HasARowForEachBackendThreadsAndLanes) {
  const json report = json_of(of_city({"--threads", "1,2", "--lanes", "avx2,portable"}));
  const json& rows = report["rows"];
  ASSERT_GE(rows.size(), 5u);
  const auto last = rows.size() - 1;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(rows[k]["backend"], "cpu");
    EXPECT_EQ(rows[k]["threads"], k / 2 + 1);
    EXPECT_EQ(rows[k]["lanes"], k % 2 == 0 ? "avx2" : "portable");
  }
  EXPECT_EQ(rows[last]["backend"], "reference");
  for (const json& row : rows) {
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["count"], 4100);
    EXPECT_EQ(row["query"], "closest");
    EXPECT_EQ(row["clock"], row["backend"] == "cuda" ? "wall" : "cpu");
    EXPECT_EQ(row["answers_hash"], rows[0]["answers_hash"]);
    for (const char* key : {"mrays_per_s", "wall_mrays_per_s", "bytes_per_s", "bytes_per_shape"}) {
      EXPECT_GT(row[key], 0) << key;
    }
  }
  EXPECT_EQ(report["rays"]["file"], "rays.st");
  EXPECT_EQ(report["rays"]["count"], 4100);
  EXPECT_EQ(report["counts"]["rows"], rows.size());
  EXPECT_EQ(report["counts"]["differing"], 0);
}

TEST_F(BenchTest, AnswersAreThoseOfCast) {
  const json closest = json_of(of_city({"--device", "cpu"}))["rows"];
  const json any =
      json_of(of_city({"--device", "cpu", "--query", "any", "--clock", "wall"}))["rows"];
  EXPECT_EQ(closest[0]["hit_share"], any[0]["hit_share"]);
  EXPECT_EQ(any[0]["query"], "any");
  EXPECT_EQ(any[0]["clock"], "wall");
  const json cast = json_of({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"});
  EXPECT_DOUBLE_EQ(closest[0]["hit_share"].get<double>(),
                   cast["counts"]["hits"].get<double>() / 4100);
}

// Of a large scene the reference has time for the first rays alone.
TEST_F(BenchTest, TheReferenceIsAskedASample) {
  make_city(100'000, 4100);
  for (const char* query : {"closest", "any"}) {
    const json report = json_of(of_city({"--threads", "1", "--query", query}));
    const json& reference = report["rows"].back();
    EXPECT_EQ(reference["backend"], "reference");
    EXPECT_EQ(reference["count"], 704);  // 2^26 tests, up to a whole word
    EXPECT_EQ(report["counts"]["differing"], 0);
  }
  const json alone = json_of(of_city({"--device", "reference"}))["rows"];
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0]["count"], 704);
}

TEST_F(BenchTest, PrintsATableOfTheRows) {
  const Outcome done = run(of_city({"--threads", "1", "--device", "cpu"}));
  ASSERT_EQ(done.exit_code, 0) << done.err;
  std::istringstream lines(done.out);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 2u) << done.out;
  for (const char* word : {"backend", "lanes", "threads", "Mrays/s", "B/shape"}) {
    EXPECT_NE(all[0].find(word), std::string::npos) << word;
  }
  EXPECT_EQ(all[1].find("cpu"), 0u);
  EXPECT_TRUE(run(of_city({"--device", "cpu", "--quiet"})).out.empty());
}

TEST_F(BenchTest, NoRaysAndNoShapesHaveRows) {
  put("empty.json", R"({"sphere": []})");
  put("none.csv", "origin_x,origin_y,origin_z,direction_x,direction_y,direction_z\n");
  const Outcome done = run({"bench", "empty.json", "none.csv", "--runs", "2"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(done.said("none.csv: has no rays"));
}

TEST_F(BenchTest, RefusesWhatMakesNoSense) {
  expect_failure(6, {"gone.st"}, {"bench", "gone.st", "rays.st"});
  expect_failure(6, {"gone.rays"}, {"bench", "city.st", "gone.rays"});
  expect_failure(2, {"RAYS"}, {"bench", "city.st"});
  expect_failure(2, {"--runs"}, of_city({"--runs", "0"}));
  expect_failure(2, {"--threads"}, of_city({"--threads", "0"}));
  expect_failure(2, {"--clock"}, of_city({"--clock", "sun"}));
  expect_failure(2, {"--lanes"}, of_city({"--lanes", "avx2,sse9"}));
  expect_failure(2, {"--device"}, of_city({"--device", "abacus"}));
  expect_failure(2, {"--lanes is for the cpu, not for reference"},
                 of_city({"--device", "reference", "--lanes", "auto,avx2"}));
  expect_failure(2, {"city.st", "named twice"}, of_city({"--json", "city.st"}));
}

}  // namespace
}  // namespace sightline::cli
