// Outputs that have the name of a file of another kind.
#include "tests/host/program/program.hpp"

namespace sightline::cli {
namespace {

class OutputsTest : public ProgramTest {
 protected:
  OutputsTest() {
    make_city(60, 20);
    make_points(9);
    EXPECT_EQ(run(sight_).exit_code, 0);
    sight_bytes_ = get("v.st");
  }
  void expect_kept(const std::vector<std::string>& words, const Arguments& arguments) {
    expect_failure(2, words, arguments);
    EXPECT_TRUE(get("v.st") == sight_bytes_) << arguments[0];
  }

  const Arguments sight_ = {"visibility", "city.st", "--from", "points.npy", "-o", "v.st"};
  std::string sight_bytes_;
};

TEST_F(OutputsTest, OfAnotherKindAreKept) {
  const std::string held = "v.st: holds 'visibility', which ";
  put("level.json", R"({"aabb": [{"min": [0, 0, -1], "max": [9, 9, 0]}]})");
  expect_kept({held + "'scene' would", "or delete it first"},
              {"gen", "city", "--shapes", "9", "-o", "v.st"});
  expect_kept({held + "'rays' would"}, {"gen", "city", "--shapes", "9", "-o", "new.st", "--rays",
                                        "los", "--count", "9", "--rays-out", "v.st"});
  expect_kept({held + "'scene' would"}, {"import", "level.json", "-o", "v.st"});
  expect_kept({held + "'nav' would"}, {"nav", "level.json", "-o", "v.st"});
  expect_kept({held + "'points' would"},
              {"nav", "level.json", "-o", "new.nav", "--points-out", "v.st"});
  expect_kept({held + "'distance' would", "delete it, or add --restart"},
              {"distance", "city.st", "--points", "points.npy", "-o", "v.st"});
  expect_kept({held + "another file would"}, {"info", "city.st", "--json", "v.st"});
  EXPECT_FALSE(exists("new.st") || exists("new.nav"));
}

TEST_F(OutputsTest, OfOtherProgramsAreKept) {
  const std::string header = R"({"weights":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  put("v.st", bytes += header + "abcd");
  sight_bytes_ = bytes;
  const std::string held = "v.st: holds tensors of another program, which ";
  expect_kept({held + "'scene' would", "or delete it first"},
              {"gen", "city", "--shapes", "9", "-o", "v.st"});
  expect_kept({held + "'visibility' would", "or add --restart"}, sight_);
  EXPECT_EQ(run(sight_ + Arguments{"--restart"}).exit_code, 0);
  EXPECT_FALSE(get("v.st") == bytes);
}

TEST_F(OutputsTest, OfShardsAndWhatTheyAreJoinedToAreKept) {
  Arguments shard = sight_ + Arguments{"--shard", "0/1"};
  shard[5] = "one.st";
  ASSERT_EQ(run(shard).exit_code, 0);
  ASSERT_EQ(run({"distance", "city.st", "--points", "points.npy", "-o", "one.st"}).exit_code, 0);
  const std::string distance = get("one.st");
  expect_failure(2, {"one.st: holds 'distance', which 'visibility' would"},
                 {"merge", "-o", "one.st"});
  EXPECT_TRUE(get("one.st") == distance);
  ASSERT_EQ(run({"merge", "-o", "v.st", "one.st.shard-0-of-1"}).exit_code, 0);
  EXPECT_TRUE(get("v.st") == sight_bytes_);
}

TEST_F(OutputsTest, OfTheSameKindOrWithRestartAreReplaced) {
  EXPECT_EQ(run(sight_ + Arguments{"--max-distance", "3"}).exit_code, 0);
  EXPECT_FALSE(get("v.st") == sight_bytes_);
  EXPECT_EQ(
      run({"distance", "city.st", "--points", "points.npy", "-o", "v.st", "--restart"}).exit_code,
      0);
  EXPECT_EQ(run({"gen", "city", "--shapes", "9", "-o", "city.st"}).exit_code, 0);
  put("notes", "no container");
  EXPECT_EQ(run({"gen", "city", "--shapes", "9", "-o", "notes"}).exit_code, 0);
}

}  // namespace
}  // namespace sightline::cli
