// Areas and bakes in files: round trips, lists of differences, and what is refused.
#include "host/files/formats/bake_file.hpp"

#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/visible_sets.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/support/scale.hpp"

#include <random>

namespace sightline::io {
namespace {

class BakeFileTest : public IoTest {};

TEST_F(BakeFileTest, AreasComeBack) {
  Areas areas;
  const Vec3 corners[] = {{0, 0, 1}, {4, 0, 1}, {4, 3, 1}, {2, 5, 1}};
  areas.add(corners, 2.5f, 7);
  areas.add(std::span(corners).first(3), 0);
  write_areas(path("a.st"), areas, {{"up", "y"}});
  const Areas back = read_areas(path("a.st"), "y");
  EXPECT_EQ(back.offsets, areas.offsets);
  EXPECT_EQ(back.height, areas.height);
  EXPECT_EQ(back.samples, areas.samples);
  ASSERT_EQ(back.corner.size(), 7u);
  EXPECT_EQ(std::memcmp(back.corner.data(), areas.corner.data(), 7 * sizeof(Vec3)), 0);
  expect_error(ErrorKind::bad_input, {"a.st", "up"}, [&] { read_areas(path("a.st"), "z"); });
  EXPECT_EQ(samples_hash(read_area_samples(path("a.st"), {5, "y"})),
            samples_hash(sample_areas(areas, 5, {0, 1, 0})));
  EXPECT_NE(samples_hash(sample_areas(areas, 5)), samples_hash(sample_areas(areas, 6)));
  expect_error(ErrorKind::out_of_memory, {"a.st", "12 samples"}, [&] {
    read_area_samples(path("a.st"), {5, "y", 11});
  });
}

TEST_F(BakeFileTest, ABoxIsItsLowestFaceAndItsHeight) {
  for (const std::string up : {"z", "y"}) {
    put("box.json", R"({"up": ")" + up + R"(", "areas": [{"min": [1, 2, 3], "max": [4, 6, 8]}]})");
    const AreaSamples s = read_area_samples(path("box.json"), {200, up});
    Vec3 low = s.point[0], high = low;
    for (const Vec3& p : s.point) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const float found[] = {low.x, low.y, low.z, high.x, high.y, high.z};
    const float expected[] = {1, 2, 3, 4, 6, 8};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(found[k], expected[k], 0.1) << up << k;
  }
}

TEST_F(BakeFileTest, ParametersComeBack) {
  const std::string hash(32, 'a'), other(32, 'b');
  for (int kind = 0; kind < 5; ++kind) {
    for (const bool fields : {false, true}) {
      BakeParameters p;
      p.kind = static_cast<BakeKind>(kind);
      p.scene_hash = hash, p.samples_hash = other, p.points_hash = other, p.from_hash = hash;
      p.areas = 5, p.area_samples = 9, p.counts = true, p.differences = 77;
      p.viewpoints = 3, p.points = 6, p.grid = 4, p.range = 12.5f, p.margin = 0.25f;
      if (fields) p.fields_hash = hash, p.field_shape = FieldShape::sector_y_up;
      p.inside = Inside::ignore;
      p.cover.up = {0, 1, 0}, p.cover.at = -3, p.cover.lean = 0.1f, p.cover.directions = 8;
      const Metadata text = to_metadata(p);
      EXPECT_EQ(to_metadata(parse_bake_parameters("f", text)), text);
      create_bake(path("b.st"), p).commit();
      EXPECT_TRUE(is_bake(path("b.st")));
      EXPECT_EQ(to_metadata(BakeReader(path("b.st")).parameters()), text);
      for (const auto& [key, value] : text) {
        if (key.starts_with("fields.")) continue;  // one of them misses the other
        Metadata without = text, odd = text;
        without.erase(key);
        expect_error(ErrorKind::bad_input, {"f", key.c_str()},
                     [&] { parse_bake_parameters("f", without); });
        odd[key] = "-x";
        expect_error(ErrorKind::bad_input, {"f", key.c_str()},
                     [&] { parse_bake_parameters("f", odd); });
      }
    }
  }
}

TEST_F(BakeFileTest, DamagedFilesAreReadOrRefused) {
  BakeParameters p;
  p.kind = BakeKind::visible_sets;
  p.scene_hash = p.samples_hash = std::string(32, '1');
  p.areas = 3, p.differences = 2;
  create_bake(path("b.st"), p).commit();
  Areas areas;
  const Vec3 corners[] = {{0, 0, 1}, {4, 0, 1}, {4, 3, 1}};
  areas.add(corners, 1);
  write_areas(path("a.st"), areas, {});
  std::mt19937_64 draws(1);
  const std::string bake = get("b.st"), file = get("a.st");
  const std::string text =
      R"({"up":"z","areas":[{"corners":[[0,0,0],[1,0,0],[1,1,0]],"height":2}]})";
  for (std::uint64_t i = 0; i < scaled(300); ++i) {
    for (const auto& [name, whole] :
         {std::pair("x.st", &bake), std::pair("y.st", &file), std::pair("z.json", &text)}) {
      std::string bytes = *whole;
      for (std::uint64_t k = draws() % 3; k < 3; ++k) {
        bytes[draws() % bytes.size()] = static_cast<char>(draws());
      }
      if (draws() % 4 == 0) bytes.resize(draws() % bytes.size());
      put(name, bytes);
      try {
        if (name[0] == 'x') {
          BakeReader reader(path(name));
        } else {
          read_area_samples(path(name), {4, "z", 1 << 10});
        }
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      }
    }
  }
}

/// Every id has room: the greatest is one less than there are areas.
TEST_F(BakeFileTest, IdsAreNarrowWhereTheyFit) {
  EXPECT_EQ(area_id_dtype(1), Dtype::u16);
  EXPECT_EQ(area_id_dtype(65536), Dtype::u16);
  EXPECT_EQ(area_id_dtype(65537), Dtype::u32);
  const std::string name = path("ids.st");
  const std::vector<std::uint32_t> ids = {0, 1, 255, 256, 65535};
  BakeParameters p;
  p.kind = BakeKind::visible_sets;
  p.scene_hash = p.samples_hash = std::string(32, '1');
  p.areas = 3, p.differences = ids.size();
  ContainerWriter writer = create_bake(name, p);
  write_area_ids(writer, p.areas, 0, ids);
  writer.commit();
  std::vector<std::uint32_t> read(4);
  BakeReader(name).read_area_ids(1, read);
  EXPECT_EQ(read, std::vector<std::uint32_t>(ids.begin() + 1, ids.end()));
}

TEST(VisibleSets, ListsAreTheRows) {
  std::mt19937_64 draws(5);
  for (const std::uint64_t n : {1u, 63u, 64u, 65u, 300u}) {
    const std::uint64_t words = (n + 63) / 64;
    RowEncoder encoder(words);
    RowDecoder decoder(n);
    std::vector<std::uint64_t> row(words);
    std::uint64_t listed = 0, seen = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      // Mostly like the row before, sometimes like none.
      for (int k = 0; k < (i % 90 == 0 ? 400 : 2); ++k) {
        const std::uint64_t j = draws() % n;
        row[j / 64] ^= std::uint64_t{1} << (j % 64);
      }
      const RowDifferences d = encoder.next(row);
      const std::span<const std::uint64_t> back = decoder.next(d);
      ASSERT_TRUE(std::equal(back.begin(), back.end(), row.begin())) << n << " " << i;
      listed += d.id.size();
      for (const std::uint64_t w : row) seen += static_cast<std::uint64_t>(__builtin_popcountll(w));
    }
    if (n == 300) {
      EXPECT_LT(listed * 5, seen);
    }
  }
}

TEST(VisibleSets, BadListsAreRefused) {
  const auto refused = [](std::initializer_list<RowDifferences> rows) {
    RowDecoder decoder(70);
    for (const RowDifferences& row : rows) {
      try {
        decoder.next(row);
      } catch (const Error&) {
        return true;
      }
    }
    return false;
  };
  EXPECT_FALSE(refused({{none, {0, 69}}, {0, {1}}}));
  EXPECT_TRUE(refused({{none, {0, 70}}}));
  EXPECT_TRUE(refused({{none, {3, 3}}}));
  EXPECT_TRUE(refused({{0, {}}}));
  EXPECT_TRUE(refused({{none, {}}, {1, {}}}));
  RowDecoder decoder(70);
  for (int i = 0; i < 65; ++i) decoder.next({none, {}});
  EXPECT_THROW(decoder.next({0, {}}), Error);
  EXPECT_NO_THROW(decoder.next({1, {}}));
}

}  // namespace
}  // namespace sightline::io
