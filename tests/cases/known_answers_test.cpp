// Other projects' known answers, mapped through the interval or cast() to a policy of the contract.
// tests/cases/README.md says which policy of a source means which of ours.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <variant>

namespace sightline::testing {
namespace {

using Json = nlohmann::json;
using Shape = std::variant<Aabb, ObbFrame, Sphere, Capsule, Plane>;

Json read_cases() {
  std::ifstream file(source_folder() / "tests/cases/data/cases.json");
  return Json::parse(file);
}

Vec3 vec(const Json& j) {
  return {j.at(0).get<float>(), j.at(1).get<float>(), j.at(2).get<float>()};
}

Shape shape_of(const Json& j) {
  const std::string type = j.at("type");
  if (type == "aabb") return Aabb{vec(j.at("min")), vec(j.at("max"))};
  if (type == "obb") {
    const Json& a = j.at("axes");
    return ObbFrame{vec(j.at("center")), vec(j.at("half")), {vec(a[0]), vec(a[1]), vec(a[2])}};
  }
  if (type == "sphere") return Sphere{vec(j.at("center")), j.at("radius").get<float>()};
  if (type == "capsule") {
    return Capsule{vec(j.at("a")), vec(j.at("b")), j.at("radius").get<float>()};
  }
  return Plane{vec(j.at("normal")), j.at("offset").get<float>()};
}

/// A case's ray: distances of the sources are Euclidean, ours are in lengths of the direction.
struct CaseRay {
  Ray ray;
  double length;

  explicit CaseRay(const Json& j) {
    ray.origin = vec(j.at("origin"));
    ray.direction = vec(j.at("dir"));
    length = 0;
    for (const Json& c : j.at("dir")) length += c.get<double>() * c.get<double>();
    length = std::sqrt(length);
    const double unit_length = length > 0 ? length : 1;
    ray.t_min = static_cast<float>(j.at("tmin").get<double>() / unit_length);
    if (!j.at("tmax").is_null()) {
      ray.t_max = static_cast<float>(j.at("tmax").get<double>() / unit_length);
    }
  }
  double distance(float t) const { return static_cast<double>(t) * length; }
};

/// A source's tolerance, but never finer than its inputs rounded to binary32 allow.
double tolerance(const Json& c, double expected) {
  const double given = c.contains("tol") ? c.at("tol").get<double>() : 0;
  return std::max(given, 4e-7 * (1 + std::abs(expected)));
}

void expect_distance(const Json& c, const char* name, double got) {
  if (!c.at("expect").contains(name)) return;
  const double expected = c.at("expect").at(name).get<double>();
  EXPECT_NEAR(got, expected, tolerance(c, expected)) << name;
}
void expect_vector(const Json& c, const char* name, const Vec3& got) {
  if (!c.at("expect").contains(name)) return;
  const Json& e = c.at("expect").at(name);
  EXPECT_NEAR(static_cast<double>(got.x), e[0].get<double>(), tolerance(c, e[0])) << name;
  EXPECT_NEAR(static_cast<double>(got.y), e[1].get<double>(), tolerance(c, e[1])) << name;
  EXPECT_NEAR(static_cast<double>(got.z), e[2].get<double>(), tolerance(c, e[2])) << name;
}
Vec3 point_at(const CaseRay& r, float t) { return plus(r.ray.origin, times(r.ray.direction, t)); }

/// The whole line's interval in t of the case's ray.
template <class S>
Interval line_interval(const CaseRay& r, const S& shape) {
  const ScaledRay q = scale(r.ray);
  Interval i = interval(q.line, shape);
  i.t_in = times_power_of_two(i.t_in, -q.exponent);
  i.t_out = times_power_of_two(i.t_out, -q.exponent);
  return i;
}

template <class S>
void check_cast(const Json& c, const CaseRay& r, const S& shape, Inside policy) {
  const Hit h = cast(r.ray, shape, policy);
  ASSERT_EQ(is_hit(h), c.at("expect").at("hit").get<bool>());
  if (!is_hit(h)) return;
  expect_distance(c, "dist", r.distance(h.t));
  expect_distance(c, "dist_exit", r.distance(line_interval(r, shape).t_out));
  expect_vector(c, "point", point_at(r, h.t));
}

/// Both ends, which may be negative; of a half-space, the end that is finite.
template <class S>
void check_line(const Json& c, const CaseRay& r, const S& shape) {
  const Interval i = line_interval(r, shape);
  ASSERT_EQ(i.hit, c.at("expect").at("hit").get<bool>());
  if (!i.hit) return;
  const bool leaves_half_space = std::is_same_v<S, Plane> && std::isinf(i.t_in);
  expect_distance(c, "dist", r.distance(leaves_half_space ? i.t_out : i.t_in));
  expect_distance(c, "dist_exit", r.distance(i.t_out));
}

/// The line's entry, which may lie behind the origin, unless the whole shape does.
template <class S>
void check_line_forward(const Json& c, const CaseRay& r, const S& shape) {
  const Interval i = line_interval(r, shape);
  const bool hit = i.hit && i.t_out >= 0;
  ASSERT_EQ(hit, c.at("expect").at("hit").get<bool>());
  if (!hit) return;
  expect_distance(c, "dist", r.distance(i.t_in));
  expect_vector(c, "point", point_at(r, i.t_in));
  expect_vector(c, "normal", surface_normal(scale(r.ray).line, shape, false));
  if (c.at("expect").contains("inside")) {
    const bool begins_inside = contains(shape, r.ray.origin) && i.t_in < 0;
    EXPECT_EQ(begins_inside, c.at("expect").at("inside").get<bool>());
  }
}

template <class S>
void check_chord(const Json& c, const CaseRay& r, const S& shape) {
  const Interval i = line_interval(r, shape);
  const double chord = i.hit && i.t_out > 0 ? r.distance(i.t_out - std::max(i.t_in, 0.0f)) : 0;
  expect_distance(c, "chord", chord);
}

/// "Hits at 0 when it runs in the plane" is our `solid` for those rays, `surface` for the others.
Inside in_plane_policy(const CaseRay& r, const Shape& shape) {
  const Plane& p = std::get<Plane>(shape);
  const Interval i = interval(scale(r.ray).line, p);
  const bool in_plane = i.hit && std::isinf(i.t_in) && std::isinf(i.t_out) &&
                        rounded(signed_excess(p, r.ray.origin)) == 0;
  return in_plane ? Inside::solid : Inside::surface;
}

/// Runs a case; or says why it has no meaning here.
std::optional<std::string> run(const Json& c) {
  const Shape shape = shape_of(c.at("shape"));
  if (c.contains("point")) {
    // (-0.6, -0.8): the nearest floats are outside the unit ball by 3e-8, and are our set.
    if (c.at("id") == "contains-point-arborx_ix-128") {
      return "on the surface in decimals only: binary32 moves the point outside";
    }
    const bool inside =
        std::visit([&](const auto& s) { return contains(s, vec(c.at("point"))); }, shape);
    EXPECT_EQ(inside, c.at("expect").at("inside").get<bool>());
    return {};
  }
  const std::string policy = c.at("policy");
  if (policy == "degenerate") return "degenerate: the source has no answer either (NaN)";
  if (policy == "open set") return "open set: our shapes are closed, touching is a hit";

  static const std::map<std::string, Inside> as_cast = {
      {"solid", Inside::solid},
      {"surface", Inside::surface},
      {"three-closest-point-half-line", Inside::solid},
      {"godot (origin inside = miss)", Inside::ignore},
      {"one-sided", Inside::ignore},
      {"two-sided", Inside::surface}};
  const CaseRay ray(c.at("ray"));
  std::visit(
      [&](const auto& s) {
        if (policy == "line") return check_line(c, ray, s);
        if (policy == "line-forward") return check_line_forward(c, ray, s);
        if (policy == "chord") return check_chord(c, ray, s);
        if (policy == "two-sided, in-plane ray hits at 0") {
          return check_cast(c, ray, s, in_plane_policy(ray, shape));
        }
        check_cast(c, ray, s, as_cast.at(policy));
      },
      shape);
  return {};
}

TEST(KnownAnswers, AllHoldOrAreExcludedWithAReason) {
  const Json data = read_cases();
  std::map<std::string, int> ran;
  std::map<std::string, int> excluded;
  for (const Json& c : data.at("cases")) {
    const Json& source = data.at("sources").at(c.at("source").get<std::size_t>());
    SCOPED_TRACE(c.at("id").get<std::string>() + " from " + source.at("repo").get<std::string>() +
                 " " + source.at("path").get<std::string>() + ", " +
                 c.at("test").get<std::string>());
    const std::optional<std::string> reason = run(c);
    const std::string kind = c.at("shape").at("type");
    if (reason) {
      ++excluded[*reason];
      std::cout << "excluded " << c.at("id") << ": " << *reason << "\n";
    } else {
      ++ran[(c.contains("point") ? "contains " : "ray ") + kind];
    }
  }
  const std::map<std::string, int> expected_runs = {
      {"ray aabb", 309}, {"ray obb", 2},      {"ray sphere", 182},   {"ray capsule", 3},
      {"ray plane", 23}, {"contains obb", 8}, {"contains sphere", 6}};
  EXPECT_EQ(ran, expected_runs);
  const std::map<std::string, int> expected_exclusions = {
      {"on the surface in decimals only: binary32 moves the point outside", 1},
      {"degenerate: the source has no answer either (NaN)", 1},
      {"open set: our shapes are closed, touching is a hit", 1}};
  EXPECT_EQ(excluded, expected_exclusions);
}

// A case counts only while its source is known.
TEST(KnownAnswers, EverySourceNamesRepositoryPathCommitAndLicence) {
  const Json data = read_cases();
  std::set<std::size_t> used;
  for (const Json& c : data.at("cases")) used.insert(c.at("source").get<std::size_t>());
  EXPECT_EQ(used.size(), data.at("sources").size());
  for (const Json& s : data.at("sources")) {
    for (const char* key : {"repo", "path", "commit", "licence"}) {
      EXPECT_FALSE(s.at(key).get<std::string>().empty()) << s;
    }
  }
}

}  // namespace
}  // namespace sightline::testing
