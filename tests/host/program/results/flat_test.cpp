// The verb flat, from files to files, and its verification.
#include "tests/host/program/program.hpp"
#include "tests/support/flat_sets.hpp"

#include "host/files/formats/flat_file.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;
using testing::FlatAnswers;

class FlatTest : public ProgramTest {
 protected:
  void SetUp() override {
    // No bad ones: their numbers are NaN, which JSON has not.
    case_ = testing::flat_case(testing::FlatFamily::lattice, 300, 700, 4);
    for (std::size_t i = 2; i < case_.circles.size(); i += 3) {
      if (!(case_.circles[i] >= 0)) case_.circles[i] = 1;
    }
    for (float& x : case_.segments) x = abs(x) <= 1e6f ? x : 1.0f;
    case_.circle_masks.clear(), case_.segment_masks.clear();
    io::write_flat_scene(path("set.st"), case_.scene);
    put_npy("circles.npy", case_.circles, {case_.circles.size() / 3, 3});
    put_npy("segments.npy", case_.segments, {case_.segments.size() / 4, 4});
    truth_ = std::make_unique<FlatAnswers>(FlatCaster(case_.scene, ReferenceOptions{}), case_,
                                           Inside::surface);
  }
  json circles(const std::string& query, const std::string& to, const Arguments& options = {}) {
    return json_of({"flat", "set.st", "--circles", "circles.npy", "--query", query, "-o", to},
                   options);
  }
  json segments(const std::string& to, const Arguments& options = {}) {
    return json_of(
        {"flat", "set.st", "--segments", "segments.npy", "--inside", "surface", "-o", to}, options);
  }
  Arguments verify(const std::string& result) const {
    const bool hits = result.starts_with("hits");
    return {"verify",
            result,
            "--scene",
            "set.st",
            hits ? "--segments" : "--circles",
            hits ? "segments.npy" : "circles.npy",
            "--full"};
  }

  testing::FlatCase case_;
  std::unique_ptr<FlatAnswers> truth_;
};

TEST_F(FlatTest, WritesWhatTheLibraryAnswers) {
  ASSERT_GT(truth_->rows.ids.size(), 200u);
  ASSERT_GT(truth_->cast.hits, 100u);
  const auto any = circles("any", "any.st");
  const auto count = circles("count", "count.st", {"--device", "reference"});
  const auto all = circles("all", "all.st", {"--threads", "2", "--max-memory", "200M"});
  const auto hits = segments("hits.st");
  const auto words = column<std::uint64_t>("any.st", "bits");
  const auto numbers = column<std::uint32_t>("count.st", "count");
  const auto offsets = column<std::uint64_t>("all.st", "offsets");
  const auto ids = column<std::uint32_t>("all.st", "id");
  EXPECT_EQ(words, truth_->bits);
  EXPECT_EQ(numbers, truth_->counts);
  EXPECT_EQ(offsets, truth_->rows.offsets);
  EXPECT_EQ(ids, truth_->rows.ids);
  EXPECT_EQ(column<float>("hits.st", "t"), truth_->t);
  EXPECT_EQ(column<std::uint32_t>("hits.st", "id"), truth_->id);
  EXPECT_EQ(column<std::uint8_t>("hits.st", "flags"), truth_->flags);
  EXPECT_EQ(any["counts"]["overlapping"], truth_->any.overlapping);
  EXPECT_EQ(count["counts"]["pairs"], ids.size());
  EXPECT_EQ(all["counts"]["asking"], 700);
  EXPECT_EQ(all["counts"]["bad"], 0);
  EXPECT_EQ(hits["counts"]["hits"], truth_->cast.hits);
  EXPECT_EQ(hits["query"]["inside"], "surface");
}

TEST_F(FlatTest, InfoAndVerifyReadThem) {
  for (const std::string query : {"any", "count", "all"}) {
    circles(query, query + ".st");
    const auto info = json_of({"info", query + ".st"});
    EXPECT_EQ(info["counts"]["asking"], 700) << query;
    EXPECT_EQ(info["counts"]["overlapping"], truth_->any.overlapping) << query;
    const auto report = json_of(verify(query + ".st"));
    EXPECT_EQ(report["verify"]["checked"], 700) << query;
    EXPECT_EQ(report["verify"]["different"], 0) << query;
  }
  segments("hits.st");
  EXPECT_EQ(json_of({"info", "hits.st"})["counts"]["hits"], truth_->cast.hits);
  EXPECT_EQ(json_of(verify("hits.st"))["verify"]["checked"], 700);
  Arguments sampled = verify("hits.st");
  sampled.back() = "--sample";
  sampled.push_back("17");
  EXPECT_EQ(json_of(sampled)["verify"]["checked"], 17);
  sampled.push_back("--dry-run");
  EXPECT_EQ(json_of(sampled)["verify"]["would_check"], 17);
  const auto set = json_of({"info", "set.st"});
  EXPECT_EQ(set["file"]["kind"], "flat scene");
  EXPECT_EQ(set["scene"]["shapes"], 300);
  EXPECT_EQ(set["scene"]["sector"], case_.scene.count(FlatKind::sector));
}

TEST_F(FlatTest, VerifyFindsWhatWasChanged) {
  circles("any", "any.st");
  circles("count", "count.st");
  circles("all", "all.st");
  segments("hits.st");
  flip("any.st", offset_of("any.st", "bits", 1), 4);  // bit 10
  expect_difference(verify("any.st"), 10);
  flip("count.st", offset_of("count.st", "count", 4 * 33));
  expect_difference(verify("count.st"), 33);
  std::uint64_t with_ids = 0;
  while (truth_->rows.offsets[with_ids + 1] == truth_->rows.offsets[with_ids]) ++with_ids;
  flip("all.st", offset_of("all.st", "id", 0));
  expect_difference(verify("all.st"), with_ids);
  flip("hits.st", offset_of("hits.st", "t", 4 * 77));
  expect_difference(verify("hits.st"), 77);
}

TEST_F(FlatTest, ReadsSetsByHandAndTellsBadCircles) {
  put("set.json", R"({"dimensions": 2, "circle": [{"center": [0, 0], "radius": 1}],
                      "polygon": [{"corners": [[2, 0], [4, 0], [4, 2], [2, 2]]}]})");
  EXPECT_EQ(json_of({"info", "set.json"})["file"]["kind"], "flat scene");
  put_npy("three.npy", {1.5f, 0, 1, NAN, 0, 1, 9, 9, 1}, {3, 3});
  const Outcome done = run({"flat", "set.json", "--circles", "three.npy", "--query", "count", "-o",
                            "o.st", "--json", "r.json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(done.said("1 of 3 circles is bad and finds nothing; the first is number 1"))
      << done.err;
  EXPECT_EQ(json::parse(get("r.json"))["counts"]["bad"], 1);
  const auto counts = column<std::uint32_t>("o.st", "count");
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{2, 0, 0}));
}

TEST_F(FlatTest, BadInputIsTold) {
  put("bad.json", R"({"dimensions": 2, "aabb": [{"min": [1, 0], "max": [0, 1]}]})");
  expect_failure(3, {"bad.json", "aabb 0 is refused: min is greater than max"},
                 {"flat", "bad.json", "--circles", "circles.npy", "-o", "o.st"});
  expect_failure(3, {"segments.npy", "[700, 4]", "[n, 3]"},
                 {"flat", "set.st", "--circles", "segments.npy", "-o", "o.st"});
  expect_failure(6, {"nothing.npy"}, {"flat", "set.st", "--circles", "nothing.npy", "-o", "o.st"});
  expect_failure(2, {"--circles", "--segments"}, {"flat", "set.st", "-o", "o.st"});
  expect_failure(
      2, {"--circles", "--segments"},
      {"flat", "set.st", "--circles", "circles.npy", "--segments", "segments.npy", "-o", "o.st"});
  expect_failure(2, {"--inside"},
                 {"flat", "set.st", "--circles", "circles.npy", "--inside", "solid", "-o", "o.st"});
  expect_failure(2, {"named twice"},
                 {"flat", "set.st", "--circles", "circles.npy", "-o", "circles.npy"});
  expect_failure(
      5, {"--max-memory"},
      {"flat", "set.st", "--circles", "circles.npy", "-o", "o.st", "--max-memory", "1M"});
  circles("all", "all.st");
  segments("hits.st");
  expect_failure(2, {"all.st", "--circles"},
                 {"verify", "all.st", "--scene", "set.st", "--segments", "segments.npy"});
  expect_failure(2, {"hits.st", "--segments"},
                 {"verify", "hits.st", "--scene", "set.st", "--rays", "segments.npy"});
  std::vector<float> others = case_.circles;
  others[5] += 1;
  put_npy("others.npy", others, {others.size() / 3, 3});
  expect_failure(3, {"all.st", "hash"},
                 {"verify", "all.st", "--scene", "set.st", "--circles", "others.npy"});
  make_city(20, 20);
  expect_failure(3, {"city.st", "'scene'", "'flat scene'"},
                 {"flat", "city.st", "--circles", "circles.npy", "-o", "o.st"});
  expect_failure(3, {"set.st"}, {"cast", "set.st", "--rays", "rays.st", "-o", "o.st"});
}

TEST_F(FlatTest, DryRunWritesNothing) {
  const auto before = names();
  EXPECT_EQ(circles("all", "o.st", {"--dry-run"})["counts"]["asking"], 700);
  EXPECT_EQ(segments("o.st", {"--dry-run"})["counts"]["segments"], 700);
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace sightline::cli
