// Areas in files, and lists of differences: round trips, and what is refused.
#include "host/files/formats/areas_file.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/formats/visible_sets.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/support/scale.hpp"

#include <random>

namespace sightline::io {
namespace {

class AreasFileTest : public IoTest {};

void write_areas(const std::string& name, const Areas& areas, const Metadata& metadata) {
  const std::uint64_t n = areas.size();
  write_tensors(name, "areas",
                {stored("area.offsets", {n + 1}, areas.offsets.data()),
                 stored("area.corner", {areas.corner.size(), 3}, areas.corner.data()),
                 stored("area.height", {n}, areas.height.data()),
                 stored("area.samples", {n}, areas.samples.data())},
                metadata);
}

TEST_F(AreasFileTest, AreasComeBack) {
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
  std::uint64_t counted = 0;
  read_area_samples(path("a.st"), {5, "y", [&](std::uint64_t n) { counted = n; }});
  EXPECT_EQ(counted, 12u);
}

TEST_F(AreasFileTest, ABoxIsItsLowestFaceAndItsHeight) {
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

TEST_F(AreasFileTest, DamagedFilesAreReadOrRefused) {
  Areas areas;
  const Vec3 corners[] = {{0, 0, 1}, {4, 0, 1}, {4, 3, 1}};
  areas.add(corners, 1);
  write_areas(path("a.st"), areas, {});
  std::mt19937_64 draws(1);
  const std::string file = get("a.st");
  const std::string text =
      R"({"up":"z","areas":[{"corners":[[0,0,0],[1,0,0],[1,1,0]],"height":2}]})";
  for (std::uint64_t i = 0; i < scaled(300); ++i) {
    for (const auto& [name, whole] : {std::pair("y.st", &file), std::pair("z.json", &text)}) {
      std::string bytes = *whole;
      for (std::uint64_t k = draws() % 3; k < 3; ++k) {
        bytes[draws() % bytes.size()] = static_cast<char>(draws());
      }
      if (draws() % 4 == 0) bytes.resize(draws() % bytes.size());
      put(name, bytes);
      try {
        read_area_samples(path(name), {4, "z", [&, name = name](std::uint64_t n) {
                                         if (n > 1 << 10) refuse(path(name), "{} samples", n);
                                       }});
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      }
    }
  }
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
