// The verb distance, of points and of segments, from files to files, and its verification.
#include "tests/host/program/program.hpp"

#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <sightline/caster.hpp>

#include <cstring>
#include <filesystem>

namespace sightline::cli {
namespace {

using nlohmann::json;

/// Rows [n,k] of the nearest shapes, of points or of segments.
struct NearestRows {
  std::vector<float> distance, t;
  std::vector<std::uint32_t> id;
  std::vector<Vec3> point, direction;
};

class DistanceTest : public ProgramTest {
 protected:
  void SetUp() override {
    json_of({"gen", "city", "--shapes", "500", "--seed", "1", "-o", "city.st"});
    make_points(count, "p.npy", 1);
    make_points(count, "q.npy", 2);
  }

  json distance(const std::string& to, const Arguments& options = {}) {
    return json_of({"distance", "city.st", "--points", "p.npy", "-o", to}, options);
  }
  Arguments verify(const std::string& result, bool segments = false) const {
    Arguments all = {"verify", result, "--scene", "city.st", "--points", "p.npy", "--full"};
    if (segments) all.insert(all.end(), {"--to", "q.npy"});
    return all;
  }
  /// What the file holds; and what the library answers.
  NearestRows rows_in(const std::string& name) const {
    const bool points = io::ContainerReader(path(name)).metadata(io::kind_key) == "distance";
    NearestRows rows;
    rows.distance = column<float>(name, "distance");
    rows.id = column<std::uint32_t>(name, "id");
    rows.point = column<Vec3>(name, points ? "point" : "on_shape");
    if (points) rows.direction = column<Vec3>(name, "direction");
    if (!points) rows.t = column<float>(name, "t");
    return rows;
  }
  NearestRows rows_of(bool points, const NearestOptions& o) const {
    NearestRows rows;
    const std::uint64_t n = count * o.k;
    rows.distance.resize(n), rows.id.resize(n), rows.point.resize(n);
    rows.direction.resize(points ? n : 0), rows.t.resize(points ? 0 : n);
    const Caster caster(io::read_scene(path("city.st")), ReferenceOptions{});
    const io::Points from = io::read_points(path("p.npy")), to = io::read_points(path("q.npy"));
    if (points) {
      caster.nearest(from.view(), {rows.distance, rows.id, rows.point, rows.direction}, o);
    } else {
      caster.clearance(from.view(), to.view(), {rows.distance, rows.id, rows.t, {}, rows.point}, o);
    }
    return rows;
  }

  static constexpr std::uint64_t count = 700;
};

template <class T>
void expect_same_column(const std::vector<T>& a, const std::vector<T>& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same_rows(const NearestRows& a, const NearestRows& b) {
  expect_same_column(a.distance, b.distance);
  expect_same_column(a.id, b.id);
  expect_same_column(a.t, b.t);
  expect_same_column(a.point, b.point);
  expect_same_column(a.direction, b.direction);
}

TEST_F(DistanceTest, WritesWhatTheLibraryAnswers) {
  const NearestOptions options{3, 6};
  const auto report = distance("d.st", {"--k", "3", "--range", "6", "--threads", "2"});
  expect_same_rows(rows_in("d.st"), rows_of(true, options));
  EXPECT_EQ(report["counts"]["points"], count);
  EXPECT_GT(report["counts"]["found"], count);
  EXPECT_LT(report["counts"]["found"], 3 * count);
  EXPECT_EQ(report["query"]["kind"], "distance");
  EXPECT_EQ(report["query"]["k"], 3);
  const auto segments = distance("c.st", {"--to", "q.npy", "--k", "3", "--range", "6"});
  expect_same_rows(rows_in("c.st"), rows_of(false, options));
  EXPECT_EQ(segments["query"]["kind"], "clearance");
  EXPECT_GT(segments["counts"]["found"], report["counts"]["found"]);
  // As many as there are shapes, and one more: the rest is empty.
  distance("all.st", {"--k", "502"});
  const NearestRows all = rows_in("all.st");
  EXPECT_EQ(all.id[501], none);
  EXPECT_EQ(all.distance[501], infinity);
  EXPECT_NE(all.id[498], none);
}

TEST_F(DistanceTest, ChunksAndBackendsGiveTheSameBytes) {
  for (const std::string ends : {"", "q.npy"}) {
    Arguments options = {"--k", "2"};
    if (!ends.empty()) options.insert(options.end(), {"--to", ends});
    distance("whole.st", options);
    options.insert(options.end(), {"--device", "reference"});
    distance("judge.st", options);
    EXPECT_TRUE(get("whole.st") == get("judge.st"));
    std::filesystem::remove(path("whole.st"));  // the next are of another kind
    std::filesystem::remove(path("judge.st"));
  }
  make_points(120000, "many.npy", 3);
  const auto many = [&](const std::string& to, const Arguments& options) {
    return json_of({"distance", "city.st", "--points", "many.npy", "-o", to, "--k", "8", "-q",
                    "--device", "cpu"},
                   options);
  };
  const auto whole = many("whole.st", {});
  const auto dry = many("none.st", {"--dry-run"});
  EXPECT_EQ(dry["bytes"]["result"], get("whole.st").size());
  const std::uint64_t limit =
      dry["peak_memory_bytes"].get<std::uint64_t>() + (sanitized ? 512 << 20 : 20 << 20);
  const auto parts = many("parts.st", {"--max-memory", std::to_string(limit), "--threads", "3"});
  if (!sanitized) {
    EXPECT_LT(parts["chunk"]["points"], 120000);
    EXPECT_LE(parts["peak_memory_bytes"], limit);
  }
  EXPECT_EQ(whole["chunk"]["points"], 120000);
  EXPECT_TRUE(get("whole.st") == get("parts.st"));
}

TEST_F(DistanceTest, InfoAndVerifyReadThem) {
  distance("d.st", {"--k", "2", "--range", "5"});
  distance("c.st", {"--k", "2", "--range", "5", "--to", "q.npy"});
  for (const bool segments : {false, true}) {
    const std::string file = segments ? "c.st" : "d.st";
    const auto info = json_of({"info", file});
    EXPECT_EQ(info["counts"]["points"], count);
    EXPECT_GT(info["counts"]["with_any"], 10);
    EXPECT_GE(info["counts"]["found"], info["counts"]["with_any"]);
    EXPECT_EQ(info["query"]["k"], 2);
    const auto report = json_of(verify(file, segments));
    EXPECT_EQ(report["verify"]["checked"], count);
    EXPECT_EQ(report["verify"]["different"], 0);
    Arguments sampled = verify(file, segments);
    sampled[6] = "--sample";
    sampled.insert(sampled.begin() + 7, "17");
    EXPECT_EQ(json_of(sampled)["verify"]["checked"], 17);
  }
}

TEST_F(DistanceTest, VerifyFindsWhatWasChanged) {
  struct Column {
    const char* name;
    std::uint64_t bytes;  // of an element
  };
  distance("d.st", {"--k", "2"});
  const std::string points = get("d.st");
  for (const Column& c :
       {Column{"distance", 4}, Column{"id", 4}, Column{"point", 12}, Column{"direction", 12}}) {
    put("d.st", points);
    flip("d.st", offset_of("d.st", c.name, (2 * 33 + 1) * c.bytes));
    EXPECT_TRUE(expect_difference(verify("d.st"), 33).said(std::string("has ") + c.name));
  }
  distance("c.st", {"--k", "2", "--to", "q.npy"});
  const std::string segments = get("c.st");
  for (const Column& c :
       {Column{"distance", 4}, Column{"id", 4}, Column{"t", 4}, Column{"on_shape", 12}}) {
    put("c.st", segments);
    flip("c.st", offset_of("c.st", c.name, (2 * 640 + 1) * c.bytes));
    EXPECT_TRUE(expect_difference(verify("c.st", true), 640).said(std::string("has ") + c.name));
  }
}

TEST_F(DistanceTest, BadPointsAreToldAndFindNothing) {
  io::Points points = io::read_points(path("p.npy"));
  points.position[5].x = std::numeric_limits<float>::quiet_NaN();
  io::write_points(path("p.npy"), points);
  const auto report = distance("d.st");
  EXPECT_EQ(report["counts"]["bad_points"], 1);
  EXPECT_EQ(report["counts"]["found"], count - 1);
  EXPECT_EQ(report["warnings"].size(), 1);
  EXPECT_EQ(rows_in("d.st").id[5], none);
}

TEST_F(DistanceTest, BadInputIsTold) {
  make_points(3, "three.npy");
  expect_failure(3, {"p.npy has 700 points", "three.npy has 3"},
                 {"distance", "city.st", "--points", "p.npy", "--to", "three.npy", "-o", "o.st"});
  expect_failure(6, {"nothing.npy"},
                 {"distance", "city.st", "--points", "nothing.npy", "-o", "o.st"});
  expect_failure(2, {"--points"}, {"distance", "city.st", "-o", "o.st"});
  for (const std::string bad : {"--k=0", "--range=-1", "--range=nan"}) {
    expect_failure(2, {bad.substr(0, bad.find('='))},
                   {"distance", "city.st", "--points", "p.npy", bad, "-o", "o.st"});
  }
  expect_failure(2, {"named twice"}, {"distance", "city.st", "--points", "p.npy", "-o", "p.npy"});
  expect_failure(5, {"memory"},
                 {"distance", "city.st", "--points", "p.npy", "--k", "4000000000", "--max-memory",
                  "1G", "-o", "o.st"});
  distance("d.st");
  distance("c.st", {"--to", "q.npy"});
  expect_failure(2, {"d.st", "--points"}, {"verify", "d.st", "--scene", "city.st"});
  expect_failure(2, {"c.st", "--to"},
                 {"verify", "c.st", "--scene", "city.st", "--points", "p.npy"});
  expect_failure(2, {"d.st", "--points"}, verify("d.st", true));
  expect_failure(3, {"d.st", "hash"},
                 {"verify", "d.st", "--scene", "city.st", "--points", "q.npy"});
}

TEST_F(DistanceTest, DryRunWritesNothing) {
  const auto before = names();
  const auto report = distance("o.st", {"--dry-run", "--k", "4"});
  EXPECT_EQ(report["counts"]["points"], count);
  EXPECT_EQ(names(), before);
  distance("o.st", {"--k", "4"});
  EXPECT_EQ(report["bytes"]["result"], get("o.st").size());
}

}  // namespace
}  // namespace sightline::cli
