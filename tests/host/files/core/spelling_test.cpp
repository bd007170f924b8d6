#include "host/files/core/spelling.hpp"

#include "host/files/core/words.hpp"

#include <gtest/gtest.h>

namespace sightline::io {
namespace {

TEST(Spelling, CamelCaseIsSnakeCase) {
  const std::pair<const char*, const char*> cases[] = {{"halfExtents", "half_extents"},
                                                       {"half_extents", "half_extents"},
                                                       {"HalfExtents", "half_extents"},
                                                       {"half-extents", "half_extents"},
                                                       {"Half Extents", "half_extents"},
                                                       {"halfSizeX", "half_size_x"},
                                                       {"posX", "pos_x"},
                                                       {"X", "x"},
                                                       {"ID", "id"},
                                                       {"tMax", "t_max"},
                                                       {"euler_yxz_degrees", "euler_yxz_degrees"},
                                                       {"position", "center"},
                                                       {"Pos", "center"},
                                                       {"halfSize", "half_extents"},
                                                       {"", ""}};
  for (const auto& [given, standard] : cases) EXPECT_EQ(standard_key(given), standard) << given;
}

TEST(Spelling, CountsEdits) {
  EXPECT_EQ(edits("", "abc"), 3u);
  EXPECT_EQ(edits("abc", "abc"), 0u);
  EXPECT_EQ(edits("kitten", "sitting"), 3u);
  EXPECT_EQ(edits("json", "jsno"), 1u);
  EXPECT_EQ(edits("mask", "msak"), 1u);
  EXPECT_EQ(edits("ca", "abc"), 3u) << "an exchanged pair is not torn apart";
}

TEST(Spelling, SuggestsTheNearestWord) {
  const std::vector<std::string> known = {"center", "radius", "mask"};
  EXPECT_EQ(did_you_mean("centre", known), "; did you mean 'center'?");
  EXPECT_EQ(did_you_mean("raduis", known), "; did you mean 'radius'?");
  EXPECT_EQ(did_you_mean("colour", known), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 'm'), known), "");
  EXPECT_EQ(did_you_mean("", known), "");
}

TEST(Spelling, AWordWithAHandicapHasToBeNearer) {
  const std::vector<std::string> known = {"--device", "--drive"};
  const std::size_t handicaps[] = {3, 0};
  // One edit and two.
  EXPECT_EQ(did_you_mean("--drvice", known), "; did you mean '--device'?");
  EXPECT_EQ(did_you_mean("--drvice", known, handicaps), "; did you mean '--drive'?");
  EXPECT_EQ(did_you_mean("--devices", known, handicaps), "; did you mean '--device'?");
}

TEST(Words, OneIsSingular) {
  const std::pair<const char*, const char*> cases[] = {
      {"rays that hit", "1 ray that hit"},
      {"pairs", "1 pair"},
      {"shapes found", "1 shape found"},
      {"bad rays", "1 bad ray"},
      {"boxes", "1 box"},
      {"bodies", "1 body"},
      {"blocked", "1 blocked"},
      {"overlapping something", "1 overlapping something"}};
  for (const auto& [many, one] : cases) EXPECT_EQ(plural(1, many), one);
  EXPECT_EQ(plural(0, "bad rays"), "0 bad rays");
  EXPECT_EQ(plural(12'345, "bad rays"), "12,345 bad rays");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000'000), "1,000,000");
}

}  // namespace
}  // namespace sightline::io
