// verify of navigation maps: right ones pass, and one changed byte of any column is found.
#include "tests/host/program/program.hpp"
#include "tests/oracle/dice.hpp"
#include "tests/support/scale.hpp"

#include "host/files/core/container.hpp"
#include "host/files/formats/nav_file.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class VerifyNavTest : public ProgramTest {
 protected:
  void SetUp() override {
    // Platforms apart, a bridge over one, a slope, a pole, and an island that nothing leads to.
    put("yard.json", R"({"unit": "m", "up": "z",
      "aabb": [{"min": [0, 0, -2], "max": [8, 8, 0]}, {"min": [10, 0, -2], "max": [18, 8, 0]},
               {"min": [10, 10, -2], "max": [18, 14, -1.5]}, {"min": [0, 3, 2.5], "max": [8, 6, 3]},
               {"min": [30, 0, -2], "max": [34, 4, 0]}, {"min": [14, 0, 0], "max": [18, 8, 0.5]}],
      "obb": [{"center": [3, 12, -1], "half_extents": [3, 3, 0.5],
               "rotation": [0.25881905, 0, 0, 0.9659258]}],
      "sphere": [{"center": [12, 4, 0.2], "radius": 1.3}],
      "capsule": [{"a": [5, 1, 0], "b": [5, 1, 3], "radius": 0.2}]})");
    put_npy("eyes.npy", {1, 1, 1.6f}, {1, 3});
    const Arguments common = {"nav", "yard.json", "--cell", "0.5", "--jump", "6", "--drop", "2.5"};
    json_of(common, {"-o", "all.nav"});
    json_of(common, {"-o", "kept.nav", "--from", "eyes.npy"});
  }
  json verified(const Arguments& more) {
    return json_of({"verify", "--scene", "yard.json"}, more)["verify"];
  }
};

TEST_F(VerifyNavTest, RightMapsPass) {
  const NavMap all = io::read_nav(path("all.nav")), kept = io::read_nav(path("kept.nav"));
  ASSERT_GT(kept.jumps.size(), 0u);
  ASSERT_GT(kept.regions.size(), 1u);
  ASSERT_LT(kept.regions.size(), all.regions.size());
  const json full = verified({"all.nav", "--full"});
  EXPECT_EQ(full["checked"], all.grid.columns());
  EXPECT_EQ(full["different"], 0);
  EXPECT_EQ(verified({"kept.nav", "--from", "eyes.npy", "--full"})["different"], 0);
  const json some = verified({"kept.nav", "--from", "eyes.npy", "--sample", "50"});
  EXPECT_EQ(some["checked"], 50);
  EXPECT_EQ(some["of"], kept.grid.columns());
}

TEST_F(VerifyNavTest, RightMapsOfOtherOptionsPass) {
  for (const Arguments& options :
       std::vector<Arguments>{{"--up", "y"},
                              {"--radius", "0", "--range", "2"},
                              {"--bounds", "0", "0", "-1", "9", "9", "2", "--climb", "0.1"},
                              {"--slope", "10", "--cell", "0.7", "--jump", "4", "--rise", "0"}}) {
    json_of({"nav", "yard.json", "-o", "other.nav"}, options);
    EXPECT_EQ(verified({"other.nav", "--full"})["different"], 0) << options[0];
  }
}

TEST_F(VerifyNavTest, FindsOneChangedByteOfAnyColumn) {
  io::Metadata metadata;
  const NavMap right = io::read_nav(path("kept.nav"), &metadata);
  for (const char* key : {"sightline.file", "sightline.format"}) metadata.erase(key);
  const std::size_t columns = io::nav_columns(right).size();
  oracle::Dice dice(7);
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::uint64_t times = 0; times < 1 + scaled(4); ++times) {
      NavMap map = right;
      const io::NavColumn column = io::nav_columns(map)[k];
      const auto bytes = *io::tensor_bytes(column.dtype, column.shape);
      const auto at = static_cast<std::size_t>(dice.below(bytes));
      // The map is ours to change; the column only says where it lies.
      auto* const data = static_cast<unsigned char*>(const_cast<void*>(column.data));
      data[at] = static_cast<unsigned char>(data[at] ^ (1u << dice.below(8)));
      io::write_nav(path("bad.nav"), map, metadata);
      const Outcome done =
          run({"verify", "bad.nav", "--scene", "yard.json", "--from", "eyes.npy", "--full"});
      EXPECT_TRUE(done.exit_code == 1 || done.exit_code == 3)
          << column.name << ", byte " << at << ": " << done.exit_code << "\n"
          << done.err;
    }
  }
}

TEST_F(VerifyNavTest, FindsJumpsThatAreMissing) {
  io::Metadata metadata;
  NavMap map = io::read_nav(path("all.nav"), &metadata);
  for (const char* key : {"sightline.file", "sightline.format"}) metadata.erase(key);
  map.jumps.from.pop_back();
  map.jumps.to.pop_back();
  map.jumps.spans.pop_back();
  map.jumps.both_ways.pop_back();
  io::write_nav(path("bad.nav"), map, metadata);
  EXPECT_EQ(run({"verify", "bad.nav", "--scene", "yard.json", "--full"}).exit_code, 1);
}

TEST_F(VerifyNavTest, RefusesOtherInputs) {
  expect_failure(2, {"navigation map", "--from"}, {"verify", "kept.nav", "--scene", "yard.json"});
  expect_failure(2, {"name its scene with --scene, and nothing else"},
                 {"verify", "all.nav", "--scene", "yard.json", "--from", "eyes.npy"});
  expect_failure(2, {"name its scene with --scene, and nothing else"},
                 {"verify", "all.nav", "--scene", "yard.json", "--areas", "eyes.npy"});
  put("other.json", R"({"aabb": [{"min": [0, 0, -2], "max": [8, 8, 0]}]})");
  expect_failure(3, {"all.nav", "other.json", "hash"},
                 {"verify", "all.nav", "--scene", "other.json"});
  put_npy("others.npy", {1, 1, 2}, {1, 3});
  expect_failure(3, {"kept.nav", "others.npy", "hash"},
                 {"verify", "kept.nav", "--scene", "yard.json", "--from", "others.npy"});
}

}  // namespace
}  // namespace sightline::cli
