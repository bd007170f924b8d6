// bench where there is a device: a row for it, with the same answers.
#include "tests/host/program/program.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class BenchOnDevice : public ProgramTest {};

TEST_F(BenchOnDevice, ItsRowFollowsTheCpus) {
  make_city(300, 4096);
  for (const char* query : {"closest", "any"}) {
    const json report =
        json_of({"bench", "city.st", "rays.st", "--query", query, "--runs", "1", "--threads", "1"});
    const json& rows = report["rows"];
    ASSERT_EQ(rows.size(), 3u) << report.dump();
    EXPECT_EQ(report["counts"]["differing"], 0);
    EXPECT_EQ(rows[0]["backend"], "cpu");
    EXPECT_EQ(rows[1]["backend"], "cuda");
    EXPECT_EQ(rows[1]["clock"], "wall");
    EXPECT_EQ(rows[1]["threads"], 0);
    EXPECT_EQ(rows[1]["answers_hash"], rows[0]["answers_hash"]);
    EXPECT_EQ(rows[2]["backend"], "reference");
  }
}

}  // namespace
}  // namespace sightline::cli
