// The verb overlap, from files to files, and its verification.
#include "tests/host/program/program.hpp"

#include "host/files/formats/scene_file.hpp"

#include <sightline/caster.hpp>

namespace sightline::cli {
namespace {

using nlohmann::json;

class OverlapTest : public ProgramTest {
 protected:
  void SetUp() override {
    json_of({"gen", "city", "--shapes", "400", "--seed", "1", "-o", "city.st"});
    json_of({"gen", "mixed", "--shapes", "300", "--seed", "2", "-o", "mixed.st"});
    Scene queries;
    const Scene mixed = io::read_scene(path("mixed.st"));
    for (std::uint32_t i = 0; i < mixed.count(Kind::aabb); ++i) queries.add_aabb(mixed.aabb(i));
    for (std::uint32_t i = 0; i < mixed.count(Kind::obb); ++i) queries.add_obb(mixed.obb(i));
    for (std::uint32_t i = 0; i < mixed.count(Kind::sphere); ++i)
      queries.add_sphere(mixed.sphere(i));
    for (std::uint32_t i = 0; i < mixed.count(Kind::capsule); ++i) {
      queries.add_capsule(mixed.capsule(i));
    }
    for (float x = -20; x <= 20; x += 4) queries.add_sphere({{x, 0, 1}, 0});
    io::write_scene(path("asking.st"), queries);
    asked_ = queries.size();
    truth_ = Caster(io::read_scene(path("city.st")), ReferenceOptions{}).overlap_all(queries);
  }

  json overlap(const std::string& query, const std::string& to, const Arguments& options = {}) {
    return json_of({"overlap", "city.st", "--with", "asking.st", "--query", query, "-o", to},
                   options);
  }
  Arguments verify(const std::string& result) const {
    return {"verify", result, "--scene", "city.st", "--with", "asking.st", "--full"};
  }

  std::uint64_t asked_ = 0;
  OverlapRows truth_;
};

TEST_F(OverlapTest, WritesWhatTheLibraryAnswers) {
  ASSERT_GT(truth_.ids.size(), 20u);
  const auto any = overlap("any", "any.st");
  const auto count = overlap("count", "count.st");
  const auto all = overlap("all", "all.st", {"--threads", "2"});
  const auto words = column<std::uint64_t>("any.st", "bits");
  const auto numbers = column<std::uint32_t>("count.st", "count");
  const auto offsets = column<std::uint64_t>("all.st", "offsets");
  const auto ids = column<std::uint32_t>("all.st", "id");
  EXPECT_EQ(offsets, truth_.offsets);
  EXPECT_EQ(ids, truth_.ids);
  std::uint64_t overlapping = 0;
  for (std::uint64_t i = 0; i < asked_; ++i) {
    const std::uint64_t n = offsets[i + 1] - offsets[i];
    EXPECT_EQ(numbers[i], n) << i;
    EXPECT_EQ(words[i / 64] >> i % 64 & 1, n > 0 ? 1u : 0u) << i;
    overlapping += n > 0;
  }
  EXPECT_EQ(any["counts"]["overlapping"], overlapping);
  EXPECT_EQ(count["counts"]["pairs"], ids.size());
  EXPECT_EQ(all["counts"]["pairs"], ids.size());
  EXPECT_EQ(all["counts"]["asking"], asked_);
  EXPECT_EQ(all["query"]["kind"], "overlap all");
}

// A bit for each body of six, in files, their verification, their parts and what is wrong.
TEST_F(OverlapTest, OfBodies) {
  Scene robots;
  for (int i = 0; i < 6 * 700; ++i) {
    const float at = static_cast<float>(i / 6 % 40);
    robots.add_sphere({{at - 20, 0.5f * at - 10, static_cast<float>(i % 6)}, 0.5f});
  }
  io::write_scene(path("robots.st"), robots);
  const OverlapRows rows =
      Caster(io::read_scene(path("city.st")), ReferenceOptions{}).overlap_all(robots);
  const Arguments ask = {"overlap", "city.st", "--with", "robots.st", "--body", "6"};
  const auto report = json_of(ask + Arguments{"-o", "bodies.st"});
  const auto words = column<std::uint64_t>("bodies.st", "bits");
  ASSERT_EQ(words.size(), 11u);
  std::uint64_t overlapping = 0;
  for (std::uint64_t b = 0; b < 700; ++b) {
    const bool any = rows.offsets[6 * b] != rows.offsets[6 * b + 6];
    EXPECT_EQ(words[b / 64] >> b % 64 & 1, any ? 1u : 0u) << b;
    overlapping += any;
  }
  ASSERT_GT(overlapping, 20u);
  ASSERT_LT(overlapping, 680u);
  EXPECT_EQ(report["counts"]["overlapping"], overlapping);
  EXPECT_EQ(report["query"]["body"], 6);
  const Arguments check = {"verify", "bodies.st", "--scene", "city.st",
                           "--with", "robots.st", "--full"};
  EXPECT_EQ(json_of(check)["verify"]["checked"], 700);
  for (const std::string shard : {"0/3", "1/3", "2/3"}) {
    json_of(ask + Arguments{"--shard", shard, "-o", "merged.st"});
  }
  json_of({"merge", "-o", "merged.st"});
  EXPECT_TRUE(get("merged.st") == get("bodies.st"));
  flip("bodies.st", offset_of("bodies.st", "bits", 1), 4);
  expect_difference(check, 10);

  // Counts are of shapes, whatever a file says of bodies.
  json_of({"overlap", "city.st", "--with", "robots.st", "--query", "count", "-o", "count.st"});
  rewrite("count.st", "forged.st", {{"query.body", "6"}}, {{"count", {700}}});
  expect_failure(3, {"forged.st"},
                 {"verify", "forged.st", "--scene", "city.st", "--with", "robots.st", "--full"});
  for (const char* body : {"0", "1", "11", "4294967296"}) {
    rewrite("bodies.st", "forged.st", {{"query.body", body}}, {});
    expect_failure(3, {"forged.st", "query.body"}, {"info", "forged.st"});
  }

  const auto with_body = [&](const char* body, const Arguments& more) {
    return Arguments{"overlap", "city.st", "--with", "robots.st", "--body", body} + more;
  };
  expect_failure(3, {"robots.st", "4200 shapes are no whole number of bodies of 11"},
                 with_body("11", {"-o", "o.st"}));
  expect_failure(2, {"--query count has no --body"},
                 with_body("6", {"-o", "o.st", "--query", "count"}));
  expect_failure(2, {"--body"}, with_body("0", {"-o", "o.st"}));
}

TEST_F(OverlapTest, InfoAndVerifyReadThem) {
  for (const std::string query : {"any", "count", "all"}) {
    overlap(query, query + ".st");
    const auto info = json_of({"info", query + ".st"});
    EXPECT_EQ(info["counts"]["asking"], asked_) << query;
    EXPECT_GT(info["counts"]["overlapping"], 0) << query;
    const auto report = json_of(verify(query + ".st"));
    EXPECT_EQ(report["verify"]["checked"], asked_) << query;
    EXPECT_EQ(report["verify"]["different"], 0) << query;
  }
  Arguments sampled = verify("all.st");
  sampled.back() = "--sample";
  sampled.push_back("17");
  EXPECT_EQ(json_of(sampled)["verify"]["checked"], 17);
}

// More shapes than a chunk, rows of unlike length, and one that is longer than all others together.
class LongOverlapTest : public ProgramTest {
 protected:
  void SetUp() override {
    Scene scene, queries;
    for (int k = 0; k < 3000; ++k) {
      scene.add_sphere({{static_cast<float>(k), 0, 0}, 0.25f});
    }
    for (std::uint32_t i = 0; i < asked; ++i) {
      const float x = static_cast<float>(i % 3000);
      // In the middle of the file rows are 600 times as long.
      const float half = i >= dense && i < dense + 2000 ? 300 : 0.5f;
      queries.add_aabb({{x - half, -1, -1}, {x + half, 1, 1}});
    }
    io::write_scene(path("line.st"), scene);
    io::write_scene(path("many.st"), queries);
  }
  Arguments overlap(const std::string& query, const std::string& to,
                    const Arguments& options) const {
    return Arguments{"overlap", "line.st", "--with", "many.st", "--query", query, "-q", "-o", to} +
           options;
  }

  static constexpr std::uint32_t asked = 24000, dense = 12000;
};

TEST_F(LongOverlapTest, RowsAreBoundedByMemoryWhateverTheirLengths) {
  const auto whole = json_of(overlap("all", "whole.st", {"--device", "cpu"}));
  EXPECT_EQ(whole["counts"]["asking"], asked);
  EXPECT_GT(whole["counts"]["pairs"], 2000 * 400);
  const auto dry =
      json_of(overlap("all", "none.st", {"--dry-run", "--device", "cpu", "--threads", "2"}));
  const std::uint64_t limit =
      dry["peak_memory_bytes"].get<std::uint64_t>() + (sanitized ? 512 << 20 : 20 << 20);
  const auto parts = json_of(
      overlap("all", "parts.st",
              {"--device", "cpu", "--threads", "2", "--max-memory", std::to_string(limit)}));
  if (!sanitized) {
    EXPECT_LT(parts["chunk"]["ids"], whole["counts"]["pairs"]);
    EXPECT_LE(parts["peak_memory_bytes"], limit);
  }
  EXPECT_TRUE(get("whole.st") == get("parts.st"));
}

TEST_F(LongOverlapTest, ChunksOfBruteForceGiveTheSameBytes) {
  // 64 Mi tests a chunk: 22,336 shapes.
  for (const std::string query : {"any", "count", "all"}) {
    const std::string by_cpu = query + ".cpu.st", by_judge = query + ".judge.st";
    json_of(overlap(query, by_cpu, {"--device", "cpu"}));
    const auto judge = json_of(overlap(query, by_judge, {"--device", "reference"}));
    EXPECT_LT(judge["chunk"]["shapes"], asked);
    EXPECT_GT(judge["chunk"]["shapes"], 1024);
    EXPECT_TRUE(get(by_cpu) == get(by_judge)) << query;
  }
}

TEST_F(OverlapTest, VerifyFindsWhatWasChanged) {
  overlap("any", "any.st");
  overlap("count", "count.st");
  overlap("all", "all.st");
  flip("any.st", offset_of("any.st", "bits", 1), 4);  // bit 10
  expect_difference(verify("any.st"), 10);
  flip("count.st", offset_of("count.st", "count", 4 * 33));
  expect_difference(verify("count.st"), 33);
  std::uint64_t with_ids = 0;
  while (truth_.offsets[with_ids + 1] == truth_.offsets[with_ids]) ++with_ids;
  flip("all.st", offset_of("all.st", "id", 0));
  expect_difference(verify("all.st"), with_ids);
}

TEST_F(OverlapTest, VerifyFindsOffsetsAndPaddingThatWereChanged) {
  overlap("any", "any.st");
  overlap("all", "all.st");
  ASSERT_NE(asked_ % 64, 0u);
  flip("any.st", offset_of("any.st", "bits", asked_ / 64 * 8 + 7), 0x80);  // the last bit of all
  expect_difference(verify("any.st"), asked_);
  const std::string whole = get("all.st");
  // An offset between two rows changes both; the first and the last one row and an end.
  for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{1}, asked_ / 2, asked_}) {
    for (const std::uint64_t byte : {0, 7}) {
      put("all.st", whole);
      flip("all.st", offset_of("all.st", "offsets", 8 * i + byte), 0x80);
      SCOPED_TRACE("offset " + std::to_string(i) + ", byte " + std::to_string(byte));
      expect_difference(verify("all.st"), i == 0 ? 0 : i - 1, 2);
    }
  }
}

TEST_F(OverlapTest, BadInputIsTold) {
  Scene plane;
  plane.add_sphere({{0, 0, 0}, 1});
  plane.add_plane({{0, 0, 1}, 0});
  io::write_scene(path("plane.st"), plane);
  expect_failure(3, {"plane.st", "shape 1 is a plane"},
                 {"overlap", "city.st", "--with", "plane.st", "-o", "o.st"});
  expect_failure(6, {"nothing.st"}, {"overlap", "city.st", "--with", "nothing.st", "-o", "o.st"});
  expect_failure(2, {"--with"}, {"overlap", "city.st", "-o", "o.st"});
  expect_failure(2, {"named twice"},
                 {"overlap", "city.st", "--with", "asking.st", "-o", "asking.st"});
  overlap("all", "all.st");
  expect_failure(2, {"all.st", "--with"}, {"verify", "all.st", "--scene", "city.st"});
  expect_failure(3, {"all.st", "hash"},
                 {"verify", "all.st", "--scene", "city.st", "--with", "mixed.st"});
}

TEST_F(OverlapTest, DryRunWritesNothing) {
  const auto before = names();
  const auto report = overlap("all", "o.st", {"--dry-run"});
  EXPECT_EQ(report["counts"]["asking"], asked_);
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace sightline::cli
