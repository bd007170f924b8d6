// Kinds of results: parameters as text, columns as tensors, and what is refused.
#include "host/program/results/result.hpp"

#include "tests/host/files/io_test.hpp"
#include "tests/support/scale.hpp"

#include <random>
#include <set>

namespace sightline::cli {
namespace {

using io::Metadata;

class KindsTest : public io::IoTest {};

const std::string hash_a(32, 'a'), hash_b(32, 'b'), hash_c(32, 'c');

Metadata with(Metadata metadata, const Metadata& more) {
  for (const auto& [key, value] : more) metadata[key] = value;
  return metadata;
}

Metadata of_kind(const std::string& kind, const Metadata& more) {
  return with({{"sightline.file", kind},
               {"sightline.format", "1"},
               {"sightline.answers", "77"},
               {"scene.hash", hash_a}},
              more);
}

Metadata of_rays(const std::string& kind, const Metadata& more = {}) {
  return with(of_kind(kind, {{"query.inside", "surface"},
                             {"rays.hash", hash_b},
                             {"rays.count", "3"},
                             {"query.t_min", "0.1"},
                             {"query.t_max", "inf"},
                             {"query.mask", "5"},
                             {"query.exclude", "1 4294967295"},
                             {"query.exclude_group", "2 3"}}),
              more);
}

Metadata of_visibility(const Metadata& more = {}) {
  return with(of_kind("visibility", {{"query.inside", "ignore"},
                                     {"from.hash", hash_b},
                                     {"from.count", "2"},
                                     {"to.hash", hash_c},
                                     {"to.count", "64"},
                                     {"query.range", "100.00001"},
                                     {"query.margin", "1e-05"}}),
              more);
}

const Metadata fields_metadata = {{"fields.hash", hash_a}, {"fields.shape", "sector y up"}};
const Metadata areas_metadata = {{"query.inside", "solid"},
                                 {"query.range", "12.5"},
                                 {"areas.hash", hash_b},
                                 {"areas.count", "5"},
                                 {"query.samples", "9"}};
const Metadata points_metadata = {{"query.inside", "solid"},
                                  {"query.range", "inf"},
                                  {"points.hash", hash_b},
                                  {"points.count", "6"}};
const Metadata query_metadata = {{"asking.hash", hash_b}, {"asking.count", "65"}};
const Metadata near_points_metadata = {
    {"points.hash", hash_b}, {"points.count", "7"}, {"query.range", "6"}, {"query.k", "3"}};

/// One of every kind, and of what may be left out.
std::vector<Metadata> one_of_each() {
  const Metadata flat = {{"query.dimensions", "2"}};
  std::vector<Metadata> all = {
      of_rays("hits", {{"query.normals", "1"}}),
      of_rays("hits", {{"query.normals", "0"}, {"query.radius", "0.5"}}),
      of_rays("blocked"),
      of_rays("hit counts"),
      of_rays("all hits", {{"query.first", "7"}, {"query.t_out", "1"}, {"hits.count", "5"}}),
      of_kind("sweep", {{"query.inside", "solid"},
                        {"query.normals", "1"},
                        {"moving.hash", hash_b},
                        {"moving.count", "4"},
                        {"directions.hash", hash_c},
                        {"query.t_max", "8"}}),
      of_kind("distance", near_points_metadata),
      of_kind("clearance", with(near_points_metadata, {{"to.hash", hash_c}})),
      of_visibility(),
      of_visibility(fields_metadata),
      of_visibility({{"query.margin_length", "0.25"}}),
      of_kind("area visibility", with(areas_metadata, {{"query.counts", "1"}})),
      of_kind("visible sets", with(areas_metadata, {{"differences.count", "77"}})),
      of_kind("visible sets",
              with(areas_metadata, {{"differences.count", "0"}, {"query.unknown", "seen"}})),
      of_kind("exposure", with(points_metadata, with(fields_metadata, {{"from.hash", hash_a},
                                                                       {"from.count", "3"},
                                                                       {"query.margin", "0.25"}}))),
      of_kind("probes", with(points_metadata, {{"query.grid", "4"}})),
      of_kind("cover", with(points_metadata, {{"query.up", "y"},
                                              {"query.directions", "8"},
                                              {"query.at", "-3"},
                                              {"query.crouch", "0.9"},
                                              {"query.stand", "1.6"},
                                              {"query.radius", "0.3"},
                                              {"query.reach", "1.2"},
                                              {"query.lean", "0.1"},
                                              {"query.view", "10"}})),
      of_kind("hits", with(flat, {{"query.inside", "surface"},
                                  {"segments.hash", hash_b},
                                  {"segments.count", "7"}}))};
  for (const Metadata& dimensions : {Metadata{}, flat}) {
    all.push_back(of_kind("overlap any", with(query_metadata, dimensions)));
    all.push_back(of_kind("overlap count", with(query_metadata, dimensions)));
    all.push_back(
        of_kind("overlap all", with(with(query_metadata, dimensions), {{"pairs.count", "9"}})));
  }
  return all;
}

std::unique_ptr<Result> parsed(const Metadata& metadata, std::uint32_t* version = nullptr) {
  std::unique_ptr<Result> result = new_result("f", metadata);
  std::uint32_t answers = 0;
  const std::string file = "f";
  Parameters p(file, metadata);
  visit_all(*result, answers, p);
  if (version != nullptr) *version = answers;
  return result;
}
void expect_refused(const Metadata& metadata, std::initializer_list<std::string> words) {
  io::expect_error(ErrorKind::bad_input, words, [&] { parsed(metadata); });
}

TEST_F(KindsTest, EachHasItsOwnNameAndIsTestedHere) {
  std::set<std::pair<std::string, bool>> registered, tested;
  for (const MakeResult make : all_kinds()) {
    const std::unique_ptr<Result> result = make();
    EXPECT_TRUE(registered.emplace(result->names().kind, result->names().flat).second)
        << result->names().kind;
  }
  for (const Metadata& kind : one_of_each()) {
    tested.emplace(kind.at("sightline.file"), kind.contains("query.dimensions"));
  }
  EXPECT_EQ(registered, tested);
}

TEST_F(KindsTest, ParametersReadBackEqual) {
  for (const Metadata& text : one_of_each()) {
    std::uint32_t answers = 0;
    const std::unique_ptr<Result> result = parsed(text, &answers);
    EXPECT_EQ(answers, 77u);
    EXPECT_EQ(metadata_of(*result),
              with(text, {{"sightline.answers", std::to_string(answers_version)}}))
        << text.at("sightline.file");
  }
}

TEST_F(KindsTest, NoEntryMayBeMissingOrStrange) {
  for (const Metadata& good : one_of_each()) {
    for (const auto& [key, value] : good) {
      Metadata bad = good;
      bad.erase(key);
      const bool optional = key == "query.radius" || key == "query.dimensions" ||
                            key == "query.margin_length" || key == "query.unknown";
      if (!optional) expect_refused(bad, {"f: ", key});
      for (const char* strange : {"", "x", "nan", "-1 ", "99999999999999999999999 1"}) {
        bad[key] = strange;
        if (key == "sightline.file") {
          expect_refused(bad, {"f: is of kind", "not a result"});
        } else {
          expect_refused(bad, {"f: bad metadata", key});
        }
      }
    }
  }
  expect_refused({}, {"f: lacks the metadata 'sightline.file'"});
  expect_refused(of_kind("rays", {}), {"is of kind 'rays', not a result"});
  expect_refused(with(of_rays("blocked"), {{"query.dimensions", "2"}}), {"f: bad metadata"});
}

TEST_F(KindsTest, NothingMayBeWhatNoQueryHas) {
  using Entry = std::pair<std::string, std::string>;
  for (const auto& [key, value] : {Entry{"query.margin", "0.5"},
                                   {"query.margin", "-0.1"},
                                   {"query.range", "-1"},
                                   {"query.margin_length", "0"}}) {
    expect_refused(with(of_visibility(), {{key, value}}), {"f: bad metadata", key, value});
  }
  expect_refused(of_rays("hits", {{"query.normals", "0"}, {"query.radius", "0"}}),
                 {"query.radius"});
  expect_refused(of_kind("distance", with(near_points_metadata, {{"query.k", "0"}})), {"query.k"});
  for (Metadata cover : one_of_each()) {
    if (cover["sightline.file"] != "cover") continue;
    cover["query.directions"] = "200";
    expect_refused(cover, {"query.directions", "200"});
  }
  // Readers of a set against itself leave out each viewpoint's own bit.
  expect_refused(of_visibility({{"to.hash", hash_b}, {"to.count", "1"}}), {"to.count", "1"});
  EXPECT_EQ(parsed(of_visibility({{"to.hash", hash_b}, {"to.count", "2"}}))->grid().columns, 2u);
  // Rows have an offset more than there are of them, which is then none at all.
  const std::string most = std::to_string(~0ull);
  const Metadata circles = with(query_metadata, {{"query.dimensions", "2"}, {"pairs.count", "0"}});
  expect_refused(of_kind("overlap all", with(circles, {{"asking.count", most}})), {"asking.count"});
  parsed(of_kind("overlap all", with(circles, {{"asking.count", std::to_string(~0ull - 1)}})));
  expect_refused(
      of_rays(
          "all hits",
          {{"rays.count", most}, {"query.first", "1"}, {"query.t_out", "0"}, {"hits.count", "0"}}),
      {"rays.count"});
  expect_refused(of_kind("area visibility", with(areas_metadata, {{"query.counts", "0"},
                                                                  {"areas.count", "99999999"}})),
                 {"areas.count"});
}

TEST_F(KindsTest, SizesThatDoNotFitAreRefused) {
  const auto refused = [&](const Metadata& metadata, const std::vector<io::TensorSpec>& tensors,
                           const std::string& words) {
    io::ContainerWriter(path("r"), tensors, metadata).commit();
    io::expect_error(ErrorKind::bad_input, {path("r"), words}, [&] { ResultFile file(path("r")); });
  };
  using io::Dtype;
  refused(of_visibility({{"to.count", "65"}}), {{"bits", Dtype::u64, {2, 1}}},
          "'bits' is U64 [2, 1], not U64 [2, 2]");
  refused(of_rays("blocked"), {{"blocked", Dtype::u64, {2}}}, "'blocked' is U64 [2], not U64 [1]");
  const std::vector<io::TensorSpec> hits = {
      {"t", Dtype::f32, {3}}, {"id", Dtype::u32, {3}}, {"flags", Dtype::u8, {3}}};
  refused(of_rays("hits", {{"query.normals", "0"}}), {hits[0], hits[1]}, "lacks tensor 'flags'");
  refused(of_rays("hits", {{"query.normals", "1"}}), hits, "lacks tensor 'normal'");
  refused(of_rays("hits", {{"query.normals", "0"}, {"rays.count", std::to_string(~0ull)}}), hits,
          "'t' is [3], not of 2^64 - 1 elements");
  refused(of_rays("blocked"), {{"blocked", Dtype::u64, {1}}, hits[0]}, "unknown tensor 't'");
}

TEST_F(KindsTest, DamagedFilesAreReadOrRefused) {
  std::mt19937_64 draws(1);
  for (const Metadata& metadata : one_of_each()) {
    io::ContainerWriter(path("good"), tensors_of(parsed(metadata)->columns()), metadata).commit();
    const std::string whole = get("good");
    for (std::uint64_t i = 0; i < scaled(100); ++i) {
      std::string bytes = whole;
      for (std::uint64_t k = draws() % 3; k < 3; ++k) {
        bytes[draws() % bytes.size()] = static_cast<char>(draws());
      }
      if (draws() % 4 == 0) bytes.resize(draws() % bytes.size());
      put("x.st", bytes);
      try {
        const ResultFile file(path("x.st"));
        file.for_each_buffer([&](ColumnBuffer& buffer) {
          io::JobCounts counts;
          file.result().tally(buffer, counts);
        });
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("x.st"), std::string::npos) << error.what();
      }
    }
  }
}

/// Every id has room: the greatest is one less than there are areas.
TEST_F(KindsTest, IdsAreNarrowWhereTheyFit) {
  for (const auto& [count, dtype] :
       {std::pair("1", io::Dtype::u16), {"65536", io::Dtype::u16}, {"65537", io::Dtype::u32}}) {
    const auto sets =
        parsed(of_kind("visible sets",
                       with(areas_metadata, {{"areas.count", count}, {"differences.count", "3"}})));
    EXPECT_EQ(sets->columns().back().dtype, dtype) << count;
  }
}

}  // namespace
}  // namespace sightline::cli
