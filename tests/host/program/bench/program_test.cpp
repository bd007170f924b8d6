// sightline bench as a user calls it: the table, the rows of the report, refusals.
#include "tests/host/program/program.hpp"

#include <sstream>

namespace sightline::cli {
namespace {

using nlohmann::json;

class BenchTest : public ProgramTest {
 protected:
  static Arguments small(Arguments more) {
    return Arguments{"bench",   "--shapes", "200",      "--count", "4096",
                     "--pairs", "1",        "--device", "cpu"} +
           more;
  }
};

TEST_F(BenchTest, RowsHaveTheirColumns) {
  const json report =
      json_of(small({"--scene", "city", "--threads", "1,2", "--lanes", "portable"}));
  const json& rows = report["rows"];
  ASSERT_EQ(rows.size(), 2u * 5u);
  for (const json& row : rows) {
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["scene"], "city");
    EXPECT_EQ(row["shapes"], 200);
    EXPECT_EQ(row["backend"], "cpu");
    EXPECT_EQ(row["lanes"], "portable");
    EXPECT_EQ(row["count"], 4096);
    EXPECT_EQ(row["clock"], "cpu");
    for (const char* key :
         {"mrays_per_s", "wall_mrays_per_s", "bytes_per_s", "build_s", "bytes_per_shape"}) {
      EXPECT_GT(row[key], 0) << key;
    }
    EXPECT_EQ(row["answers_hash"].get<std::string>().size(), 32u);
    EXPECT_FALSE(row["device"].get<std::string>().empty());
    EXPECT_FALSE(row.contains("rival"));
    // The first place's are held to brute force, the others' to the first's.
    EXPECT_EQ(row["judged"], row["threads"] == 1 && row["query"] != "visibility" ? 4096 : 0);
  }
  EXPECT_EQ(report["counts"]["rows"], 10);
  EXPECT_EQ(report["counts"]["differing"], 0);
  const auto is = [&](std::size_t k, const char* kind, const char* query, int threads) {
    EXPECT_EQ(rows[k]["rays"], kind) << k;
    EXPECT_EQ(rows[k]["query"], query) << k;
    EXPECT_EQ(rows[k]["threads"], threads) << k;
  };
  is(0, "coherent", "closest", 1);
  is(1, "incoherent", "closest", 1);
  is(2, "los", "any", 1);
  is(3, "matrix", "any", 1);
  is(4, "matrix", "visibility", 1);
  is(5, "coherent", "closest", 2);
  // Answers know nothing of threads.
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_EQ(rows[k]["answers_hash"], rows[k + 5]["answers_hash"]);
}

TEST_F(BenchTest, HasRowsForEachOfTheLanes) {
  const json report = json_of(
      small({"--scene", "city", "--rays", "los", "--threads", "1", "--lanes", "avx2,portable"}));
  const json& rows = report["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["lanes"], "avx2");
  EXPECT_EQ(rows[1]["lanes"], "portable");
  EXPECT_EQ(rows[0]["answers_hash"], rows[1]["answers_hash"]);
  EXPECT_EQ(run(small({"--lanes", "avx2,sse9"})).exit_code, 2);
  const Outcome refused = run({"bench", "--device", "reference", "--lanes", "auto,avx2"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--lanes is for the cpu, not for reference"), std::string::npos);
}

TEST_F(BenchTest, PrintsATableOfTheRows) {
  const Outcome done = run(small({"--scene", "cloud", "--rays", "los,matrix", "--threads", "1"}));
  ASSERT_EQ(done.exit_code, 0) << done.err;
  std::istringstream lines(done.out);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 4u) << done.out;
  for (const char* word :
       {"scene", "shapes", "rays", "query", "lanes", "threads", "Mrays/s", "B/shape"}) {
    EXPECT_NE(all[0].find(word), std::string::npos) << word;
  }
  EXPECT_NE(all[1].find("los"), std::string::npos);
  EXPECT_NE(all[3].find("visibility"), std::string::npos);
  EXPECT_TRUE(run(small({"--scene", "cloud", "--rays", "los", "--quiet"})).out.empty());
}

TEST_F(BenchTest, SameSeedSameAnswersAsCast) {
  make_city(300, 4096);
  const auto bench = [&](const char* query) {
    return json_of(small(
        {"--scene", "city.st", "--rays", "rays.st", "--query", query, "--threads", "1"}))["rows"];
  };
  const json closest = bench("closest"), any = bench("any");
  ASSERT_EQ(closest.size(), 1u);
  EXPECT_EQ(closest[0]["scene"], "city.st");
  EXPECT_EQ(closest[0]["rays"], "rays.st");
  EXPECT_EQ(closest[0]["query"], "closest");
  EXPECT_EQ(any[0]["query"], "any");
  EXPECT_EQ(closest[0]["hit_share"], any[0]["hit_share"]);
  const json cast = json_of({"cast", "city.st", "--rays", "rays.st", "-o", "h.st"});
  EXPECT_DOUBLE_EQ(closest[0]["hit_share"].get<double>(),
                   cast["counts"]["hits"].get<double>() / 4096);
}

TEST_F(BenchTest, MakesRaysByTheBoundsOfAnyScene) {
  put("s.json", R"({"sphere": [{"center": [1000, 0, 0], "radius": 300}]})");
  const json rows = json_of(small({"--scene", "s.json", "--threads", "1"}))["rows"];
  ASSERT_EQ(rows.size(), 5u);
  for (const json& row : rows) {
    EXPECT_GT(row["hit_share"], 0.01) << row.dump();
    EXPECT_LT(row["hit_share"], row["rays"] == "coherent" ? 1.01 : 0.99) << row.dump();
  }
}

TEST_F(BenchTest, TheReferenceIsABackendToo) {
  const json rows =
      json_of({"bench", "--shapes", "50", "--count", "4096", "--scene", "lattice", "--rays",
               "incoherent", "--pairs", "1", "--device", "reference"})["rows"];
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["backend"], "reference");
}

TEST_F(BenchTest, RefusesWhatMakesNoSense) {
  put("plane.json", R"({"plane": [{"normal": [0, 0, 1], "offset": 0}]})");
  expect_failure(6, {"gone.st"}, small({"--scene", "gone.st"}));
  expect_failure(6, {"gone.rays"}, small({"--scene", "city", "--rays", "gone.rays"}));
  expect_failure(2, {"plane.json", "--rays"}, small({"--scene", "plane.json"}));
  expect_failure(2, {"--shapes"}, {"bench", "--shapes", "0"});
  expect_failure(2, {"--count"}, small({"--count", "10"}));
  expect_failure(2, {"--pairs"}, small({"--pairs", "0"}));
  expect_failure(2, {"--threads"}, small({"--threads", "0"}));
  expect_failure(2, {"--clock"}, small({"--clock", "sun"}));
  expect_failure(2, {"--device"}, small({"--device", "abacus"}));
  expect_failure(2, {"plane.json", "named twice"},
                 small({"--scene", "plane.json", "--json", "plane.json"}));
}

TEST_F(BenchTest, TheProgramHasNoRivals) {
  expect_failure(2, {"--against embree", "SIGHTLINE_BENCH"},
                 small({"--scene", "city", "--against", "embree"}));
}

}  // namespace
}  // namespace sightline::cli
