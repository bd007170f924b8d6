// bench where there is a device: the same rows for it, with the same answers.
#include "tests/host/program/program.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class BenchOnDevice : public ProgramTest {};

TEST_F(BenchOnDevice, ItsRowsFollowTheCpus) {
  const json report = json_of({"bench", "--scene", "cloud", "--shapes", "300", "--count", "4096",
                               "--pairs", "1", "--threads", "1"});
  const json& rows = report["rows"];
  ASSERT_EQ(rows.size(), 10u) << report.dump();
  EXPECT_EQ(report["counts"]["differing"], 0);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(rows[k]["backend"], "cpu");
    EXPECT_EQ(rows[k]["clock"], "cpu");
    EXPECT_EQ(rows[k + 5]["backend"], "cuda");
    EXPECT_EQ(rows[k + 5]["clock"], "wall");
    EXPECT_EQ(rows[k + 5]["threads"], 0);
    EXPECT_EQ(rows[k]["answers_hash"], rows[k + 5]["answers_hash"]);
    EXPECT_EQ(rows[k]["rays"], rows[k + 5]["rays"]);
  }
}

}  // namespace
}  // namespace sightline::cli
