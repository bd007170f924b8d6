#include "host/files/formats/flat_file.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/formats/file_kind.hpp"
#include "tests/host/files/io_test.hpp"

#include <sightline/geometry/flat/flat_shapes_view.hpp>

namespace sightline::io {
namespace {

class FlatFileTest : public IoTest {
 protected:
  /// A container of zeros.
  void write_zeros(const std::vector<TensorSpec>& tensors, const Metadata& metadata = {}) {
    ContainerWriter file(path("f"), tensors, metadata);
    file.commit();
  }
  void refused(std::initializer_list<std::string> words) {
    expect_error(ErrorKind::bad_input, words, [&] { read_flat_scene(path("f")); });
  }
};

/// All kinds, and numbers that only survive when they are kept as given.
FlatScene sample_set() {
  const Vec2 triangle[] = {{0, 0}, {4, 0.1f}, {0, 3}}, segment[] = {{1, 1}, {2, 1e-40f}};
  FlatScene set;
  set.add_circle({{0.1f, -0.0f}, 2});
  set.add_circle({{5, 5}, 0}, 6);
  set.add_capsule({{0, 0}, {1, 2}, 0.25f});
  set.add_sector({{1, 2}, {3, 4}, 1, 1, 7});
  set.add_polygon(triangle, 3);
  set.add_polygon(segment);
  set.add_aabb({{-1, -1}, {1, 1}});
  set.add_obb({{1, 2}, {3, 0}, 3, 4});
  return set;
}

template <class T>
bool same_memory(const T* a, const T* b, std::uint64_t n) {
  return std::memcmp(a, b, n * sizeof(T)) == 0;
}

void expect_same_set(const FlatScene& a, const FlatScene& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(flat_hash(a), flat_hash(b));
  const FlatShapesView x = a.view(), y = b.view();
  EXPECT_TRUE(same_memory(x.begin, y.begin, flat_kind_count + 1));
  EXPECT_TRUE(same_memory(x.circle, y.circle, a.count(FlatKind::circle)));
  EXPECT_TRUE(same_memory(x.capsule, y.capsule, a.count(FlatKind::capsule)));
  EXPECT_TRUE(same_memory(x.sector, y.sector, a.count(FlatKind::sector)));
  EXPECT_TRUE(same_memory(x.polygon_end, y.polygon_end, a.count(FlatKind::polygon)));
  EXPECT_TRUE(same_memory(x.corner, y.corner, x.polygon_end[a.count(FlatKind::polygon) - 1]));
  EXPECT_TRUE(same_memory(x.aabb, y.aabb, a.count(FlatKind::aabb)));
  EXPECT_TRUE(same_memory(x.obb, y.obb, a.count(FlatKind::obb)));
  for (std::uint32_t id = 0; id < a.size(); ++id) {
    const auto [kind, index] = a.kind_and_index(id);
    EXPECT_EQ(a.mask(kind, index), b.mask(kind, index)) << id;
  }
}

TEST_F(FlatFileTest, ReadsBackTheSameNumbers) {
  write_flat_scene(path("f"), sample_set(), {{"source", "by hand"}});
  Metadata metadata;
  expect_same_set(read_flat_scene(path("f"), &metadata), sample_set());
  EXPECT_EQ(metadata["unit"], "m");
  EXPECT_EQ(metadata["source"], "by hand");
  EXPECT_EQ(metadata["sightline.file"], "flat scene");
  const ContainerReader file(path("f"));
  EXPECT_EQ(file.expect("polygon.offsets", Dtype::u64, {3}).elements(), 3u);
  EXPECT_EQ(file.expect("polygon.corner", Dtype::f32, {5, 2}).elements(), 10u);
  EXPECT_EQ(file.expect("sector.half_angle", Dtype::f32, {1, 2}).elements(), 2u);
  EXPECT_NE(file.find("circle.mask"), nullptr);
  EXPECT_EQ(file.find("capsule.mask"), nullptr);
  EXPECT_EQ(content_hash(file), flat_hash(sample_set()));
  write_flat_scene(path("none"), FlatScene());
  EXPECT_EQ(read_flat_scene(path("none")).size(), 0u);
}

TEST_F(FlatFileTest, HashesWhatASetSaysAlone) {
  FlatScene masked = sample_set(), moved = sample_set();
  masked.add_circle({{0, 0}, 1}, FlatScene::every_mask);
  moved.add_circle({{0, 0}, 1}, 1);
  EXPECT_NE(flat_hash(masked), flat_hash(moved));
  FlatScene a, b;
  a.add_circle({{0, 0}, 1});
  b.add_circle({{0, 0}, 1}, FlatScene::every_mask);
  EXPECT_EQ(flat_hash(a), flat_hash(b));
}

TEST_F(FlatFileTest, RefusesBadContainers) {
  write_zeros({{"circle.center", Dtype::f32, {2, 3}}, {"circle.radius", Dtype::f32, {2}}});
  refused({path("f"), "'circle.center'", "[2, 3]"});
  write_zeros({{"circle.center", Dtype::f32, {2, 2}}});
  refused({path("f"), "'circle.radius'"});
  write_zeros({{"circle.center", Dtype::f32, {2, 2}}, {"circle.radius", Dtype::f32, {3}}});
  refused({path("f"), "'circle.radius'", "[3]"});
  write_zeros({{"circle.center", Dtype::f32, {0, 2}}, {"circle.radius", Dtype::f32, {3}}});
  refused({path("f"), "'circle.radius' is [3], but there are no shapes"});
  write_zeros({{"obb.center", Dtype::f32, {1, 2}},
               {"obb.half_extents", Dtype::f32, {1, 2}},
               {"obb.turn", Dtype::f32, {1, 2}}});
  refused({path("f"), "obb 0 is refused: its cosine and sine are both 0"});
  write_zeros({{"polygon.offsets", Dtype::u64, {2}}, {"polygon.corner", Dtype::f32, {1, 2}}});
  refused({path("f"), "'polygon.offsets' does not rise from 0 to the number of corners, 1"});
  write_zeros({{"polygon.offsets", Dtype::u64, {2}}, {"polygon.corner", Dtype::f32, {0, 2}}});
  refused({path("f"), "polygon 0 is refused: it has no corners"});
  write_zeros({{"polygon.offsets", Dtype::u64, {0}}, {"polygon.corner", Dtype::f32, {0, 2}}});
  refused({path("f"), "'polygon.offsets' does not rise"});
  write_zeros({{"sphere.center", Dtype::f32, {1, 3}}});
  refused({path("f"), "unknown tensor 'sphere.center'"});
  write_zeros({}, {{"sightline.file", "scene"}});
  refused({path("f"), "'scene'", "'flat scene'"});
}

TEST_F(FlatFileTest, ReadsSetsByHand) {
  const std::string text = R"({"dimensions": 2, "unit": "m",
    "circle": [{"center": [0.1, -0.0], "radius": 2}, {"center": [5, 5], "radius": 0, "mask": 6}],
    "capsule": [{"a": [0, 0], "b": [1, 2], "radius": 0.25}],
    "sector": [{"center": [1, 2], "direction": [3, 4], "half_angle": [1, 1], "radius": 7}],
    "polygon": [{"corners": [[0, 0], [4, 0.1], [0, 3]], "mask": 3},
                {"corners": [[1, 1], [2, 1e-40]]}],
    "aabb": [{"min": [-1, -1], "max": [1, 1]}],
    "obb": [{"center": [1, 2], "half_extents": [3, 0], "turn": [3, 4]}]})";
  Metadata metadata;
  expect_same_set(parse_flat_json("s.json", text, &metadata), sample_set());
  EXPECT_EQ(metadata["unit"], "m");
  EXPECT_EQ(kind_of_file(put("s.json", text)), "flat scene");
  EXPECT_EQ(kind_of_file(put("t.json", "{}")), "scene");
  EXPECT_EQ(kind_of_file(put("u.json", "nothing")), "scene");
  expect_error(ErrorKind::io, {"v.json"}, [&] { kind_of_file(path("v.json")); });
}

TEST_F(FlatFileTest, RefusesBadSetsByHand) {
  const struct {
    std::string text, word;
  } cases[] = {
      {"", "not JSON"},
      {"{}", "is not a JSON object with \"dimensions\": 2"},
      {R"({"dimensions": 3})", "\"dimensions\": 2"},
      {R"({"dimensions": 2, "sphere": []})", "unknown key 'sphere'"},
      {R"({"dimensions": 2, "circle": [{"center": [0, 0, 0], "radius": 1}]})",
       "circle 0 'center' is not a list of 2 numbers"},
      {R"({"dimensions": 2, "circle": [{"center": [0, 0], "radius": 1, "group": 1}]})",
       "circle 0 has an unknown key 'group'"},
      {R"({"dimensions": 2, "circle": [{"center": [0, 0], "radius": -1}]})",
       "circle 0 is refused: the radius is negative"},
      {R"({"dimensions": 2, "polygon": [{"corners": [[0, 0], [1]]}]})",
       "polygon 0 'corners' is not a list of lists of 2 numbers"},
      {R"({"dimensions": 2, "polygon": [{"corners": 1}]})", "polygon 0 'corners' is not a list"},
      {R"({"dimensions": 2, "polygon": [{"corners": [[0,0],[2,0],[1,1],[2,2],[0,2]]}]})",
       "polygon 0 is refused: its corners are not in convex position"},
      {R"({"dimensions": 2, "polygon": [{"corners": [[[0,0]]]}]})", "nested too deeply"},
      {R"({"dimensions": 2, "sector": [{"center": [0,0], "direction": [0,0], "half_angle": [1,0],
        "radius": 1}]})",
       "sector 0 is refused: the direction has no length"},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(bad.text);
    expect_error(ErrorKind::bad_input, {"s.json: ", bad.word},
                 [&] { parse_flat_json("s.json", bad.text); });
  }
}

TEST_F(FlatFileTest, ReadsRowsBySlices) {
  const float numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  NpyWriter out(path("c.npy"), Dtype::f32, {4, 3});
  out.write(0, 12, numbers);
  out.commit();
  const RowsFile file(path("c.npy"), 3);
  EXPECT_EQ(file.count(), 4u);
  std::vector<float> rows;
  file.read(1, 2, rows);
  EXPECT_EQ(rows, (std::vector<float>{3, 4, 5, 6, 7, 8}));
  EXPECT_NE(file.hash("circle"), file.hash("segment"));
  expect_error(ErrorKind::bad_input, {path("c.npy"), "[4, 3]", "[n, 4]"},
               [&] { RowsFile(path("c.npy"), 4); });
}

// Whatever the text, it is read or refused in one sentence.
TEST_F(FlatFileTest, SurvivesBrokenTexts) {
  const std::string good = R"({"dimensions": 2, "circle": [{"center": [0, 1], "radius": 2}], )"
                           R"("polygon": [{"corners": [[0, 0], [4, 1], [0, 3]], "mask": 3}]})";
  std::uint64_t state = 1, refused = 0;
  for (int k = 0; k < 3000; ++k) {
    std::string text = good;
    for (int edits = 0; edits < 1 + k % 3; ++edits) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::size_t at = (state >> 33) % text.size();
      if (state >> 63 != 0) {
        text.erase(at, 1 + (state >> 20) % 3);
      } else {
        text[at] = "{}[]\",:-019e. x"[(state >> 12) % 15];
      }
    }
    try {
      parse_flat_json("s.json", text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input) << text;
      EXPECT_TRUE(std::string(error.what()).starts_with("s.json: ")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace sightline::io
