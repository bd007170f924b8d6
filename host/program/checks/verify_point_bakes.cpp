// verify: exposure, probes and cover, point by point.
#include "host/program/checks/verify_bakes.hpp"
#include "host/program/engine/cover_rows.hpp"
#include "host/program/engine/fields.hpp"

#include <sightline/exposure.hpp>
#include <sightline/probes.hpp>

#include <fmt/format.h>

#include <cstring>

namespace sightline::cli {
namespace {

void verify_exposure(const BakeVerification& v, const PointsView& targets,
                     Differences& differences) {
  const io::BakeParameters& p = v.result.parameters();
  const VerifyArguments& a = v.arguments;
  const io::Points from = load_points(v.job, a.from, "/from");
  require_same(v.result, "viewpoints", a.from, p.from_hash, io::points_hash(from));
  FieldArguments named = a.fields;
  named.directions = a.input.directions;
  const LoadedFields fields = load_fields(v.job, named, from, a.from, p.field_shape);
  require_same(v.result, "fields of view", a.from, p.fields_hash, fields.hash);
  const VisibilityOptions options{p.range, p.margin, p.inside};
  for_each_element(v, differences, [&](std::uint64_t i) {
    std::uint32_t in_file = 0, truth = 0;
    float share = 0;
    v.result.read("count", i, 1, &in_file);
    v.result.read("share", i, 1, &share);
    exposure(v.judge, from.view(), fields.view(), targets.slice(i, 1), {&truth, 1}, options);
    const auto expected =
        static_cast<float>(truth / static_cast<double>(std::max<std::uint64_t>(1, p.viewpoints)));
    if (in_file == truth && share == expected) return;
    differences.add(i, fmt::format("target {}: the file has {} viewpoints and a share of {}, the "
                                   "reference {} and {}",
                                   i, in_file, share, truth, expected));
  });
}

void verify_probes(const BakeVerification& v, const PointsView& points, Differences& differences) {
  const io::BakeParameters& p = v.result.parameters();
  const std::uint64_t rays = std::uint64_t{p.grid} * p.grid;
  std::vector<Vec3> directions(rays);
  v.result.read("direction", 0, 3 * rays, directions.data());
  const std::vector<Vec3> expected = octahedral_directions(p.grid);
  if (std::memcmp(directions.data(), expected.data(), rays * sizeof(Vec3)) != 0) {
    differences.add(0, "the file has other directions than the reference");
  }
  for_each_element(v, differences, [&](std::uint64_t i) {
    std::vector<float> in_file(rays), truth(rays);
    v.result.read("distance", i * rays, rays, in_file.data());
    probe_distances(v.judge, points.slice(i, 1), p.grid, truth, {p.range, p.inside});
    for (std::uint64_t k = 0; k < rays; ++k) {
      if (std::memcmp(&in_file[k], &truth[k], sizeof(float)) == 0) continue;
      differences.add(i, fmt::format("point {}: the file has distance {} in direction {}, the "
                                     "reference {}",
                                     i, in_file[k], k, truth[k]));
      return;
    }
  });
}

/// Throws Error{bad_input} where the options that the file states are none.
void require_options(const BakeVerification& v) {
  try {
    cover(v.judge, {}, {}, v.result.parameters().cover);
  } catch (const Error& error) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: {}", v.result.name(), error.what()));
  }
}

void verify_cover(const BakeVerification& v, const PointsView& points, Differences& differences) {
  require_options(v);
  for_each_element(v, differences, [&](std::uint64_t i) {
    CoverRows in_file, truth;
    in_file.resize(1), truth.resize(1);
    cover(v.judge, points.slice(i, 1), truth.view(), v.result.parameters().cover);
    for_each_cover_column(in_file, [&](const char* tensor, auto& column) {
      v.result.read(tensor, i, 1, column.data());
    });
    bool same = true;
    const auto compare = [&](const char* tensor, const auto& file, const auto& expected) {
      if (!same || std::memcmp(file.data(), expected.data(), sizeof file[0]) == 0) return;
      same = false;
      differences.add(
          i, fmt::format("point {}: the file has another {} than the reference", i, tensor));
    };
    compare("height", in_file.height, truth.height);
    compare("facing", in_file.facing, truth.facing);
    compare("distance", in_file.distance, truth.distance);
    compare("crouch", in_file.crouch, truth.crouch);
    compare("stand", in_file.stand, truth.stand);
    compare("left", in_file.left, truth.left);
    compare("right", in_file.right, truth.right);
  });
}

}  // namespace

void verify_points(const BakeVerification& v, Differences& differences) {
  const io::BakeParameters& p = v.result.parameters();
  const bool exposed = p.kind == io::BakeKind::exposure;
  const std::string& file = exposed ? v.arguments.to : v.arguments.points;
  const io::Points points = load_points(v.job, file, exposed ? "/to" : "/points");
  require_same(v.result, "points", file, p.points_hash, io::points_hash(points));
  require_count(v.result, "points", p.points, file, points.count());
  if (exposed) return verify_exposure(v, points.view(), differences);
  (p.kind == io::BakeKind::probes ? verify_probes : verify_cover)(v, points.view(), differences);
}

}  // namespace sightline::cli
