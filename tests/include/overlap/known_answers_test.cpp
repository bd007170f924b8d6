// Other projects' known answers about pairs of shapes: tests/cases/README.md.
#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <variant>

namespace sightline::testing {
namespace {

using OverlapJson = nlohmann::json;
using AnyShape = std::variant<Aabb, ObbFrame, Sphere, Capsule, Plane>;

OverlapJson read_pairs(const char* name) {
  std::ifstream file(source_folder() / "tests/cases/data" / name);
  return OverlapJson::parse(file);
}
Vec3 point_of(const OverlapJson& j) {
  return {j.at(0).get<float>(), j.at(1).get<float>(), j.at(2).get<float>()};
}
AnyShape any_shape(const OverlapJson& j) {
  const std::string type = j.at("type");
  if (type == "aabb") return Aabb{point_of(j.at("min")), point_of(j.at("max"))};
  if (type == "obb") {
    const OverlapJson& a = j.at("axes");
    return ObbFrame{point_of(j.at("center")),
                    point_of(j.at("half")),
                    {point_of(a.at(0)), point_of(a.at(1)), point_of(a.at(2))}};
  }
  if (type == "sphere") return Sphere{point_of(j.at("center")), j.at("radius").get<float>()};
  return Plane{point_of(j.at("normal")), j.at("offset").get<float>()};
}

/// A source's plane is a surface: met by what meets the half-spaces on both of its sides.
template <class A, class B>
bool meets(const A& a, const B& b) {
  if constexpr (std::is_same_v<A, Plane> && std::is_same_v<B, Plane>) {
    return false;
  } else if constexpr (std::is_same_v<A, Plane>) {
    return overlaps(a, b) && overlaps(Plane{-a.normal, -a.offset}, b);
  } else {
    return overlaps(a, b);
  }
}

TEST(OverlapKnownAnswers, PairsOfShapes) {
  std::map<std::string, int> ran;
  const OverlapJson data = read_pairs("overlap.json");
  for (const OverlapJson& c : data.at("cases")) {
    SCOPED_TRACE(c.at("id").get<std::string>());
    const bool got = std::visit([](const auto& a, const auto& b) { return meets(a, b); },
                                any_shape(c.at("a")), any_shape(c.at("b")));
    EXPECT_EQ(got, c.at("expect").at("overlap").get<bool>());
    ++ran[c.at("a").at("type").get<std::string>() + " " + c.at("b").at("type").get<std::string>()];
  }
  const std::map<std::string, int> expected = {{"aabb aabb", 12},    {"aabb sphere", 3},
                                               {"obb obb", 26},      {"plane aabb", 5},
                                               {"sphere sphere", 3}, {"sphere aabb", 2}};
  EXPECT_EQ(ran, expected);
}

TEST(OverlapKnownAnswers, PointsAreSpheresOfRadiusZero) {
  int ran = 0;
  const OverlapJson data = read_pairs("cases.json");
  for (const OverlapJson& c : data.at("cases")) {
    // On the unit sphere in decimals only: as floats the point lies outside.
    if (!c.contains("point") || c.at("id") == "contains-point-arborx_ix-128") continue;
    SCOPED_TRACE(c.at("id").get<std::string>());
    const Sphere point{point_of(c.at("point")), 0};
    const bool got =
        std::visit([&](const auto& s) { return overlaps(s, point); }, any_shape(c.at("shape")));
    EXPECT_EQ(got, c.at("expect").at("inside").get<bool>());
    ++ran;
  }
  EXPECT_EQ(ran, 14);
}

}  // namespace
}  // namespace sightline::testing
