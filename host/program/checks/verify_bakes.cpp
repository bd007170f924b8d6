#include "host/program/checks/verify_bakes.hpp"

#include "host/program/engine/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {

BakeElements bake_elements(const io::BakeParameters& p) {
  if (io::is_of_areas(p.kind)) return {p.areas * p.areas, "pairs"};
  return {p.points, p.kind == io::BakeKind::exposure ? "targets" : "points"};
}

void require_bake_arguments(const VerifyArguments& a, const io::BakeParameters& p) {
  const bool others = !a.input.rays.empty() || !a.input.origins.empty() || !a.with.empty() ||
                      !a.capsules.empty() || !a.radii.empty() || !a.circles.empty() ||
                      !a.segments.empty();
  const bool fields =
      !a.input.directions.empty() || !a.fields.half_angle.empty() || !a.fields.range.empty();
  const bool areas = !a.areas.empty(), from = !a.from.empty(), to = !a.to.empty();
  const bool points = !a.points.empty();
  bool right = false;
  const char* words = "points with --points";
  if (io::is_of_areas(p.kind)) {
    right = areas && !from && !to && !points && !fields;
    words = "areas with --areas";
  } else if (p.kind == io::BakeKind::exposure) {
    right = from && to && !areas && !points;
    words = "viewpoints with --from, their fields of view, targets with --to";
  } else {
    right = points && !areas && !from && !to && !fields;
  }
  if (right && !others) return;
  throw Error(ErrorKind::usage, fmt::format("{}: holds {}: name its {}, and nothing else", a.result,
                                            io::bake_kind_name(p.kind), words));
}

void for_each_element(const BakeVerification& v, Differences& differences,
                      const std::function<void(std::uint64_t)>& check) {
  const auto [total, unit] = bake_elements(v.result.parameters());
  const Sample sample = sample_of(v.arguments, total);
  constexpr std::uint64_t size = 64;
  const std::uint64_t pieces = sample.count / size + (sample.count % size != 0);
  Progress progress("verify", unit, sample.count, v.job.common().quiet);
  for_each_piece(pieces, v.job.common().threads, progress, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * size, end = std::min(begin + size, sample.count);
    for (std::uint64_t k = begin; k < end; ++k) check(sample[k]);
    differences.add_checked(end - begin);
    return end - begin;
  });
}

void verify_bake(const BakeVerification& v, Differences& differences) {
  const bool areas = io::is_of_areas(v.result.parameters().kind);
  (areas ? verify_areas : verify_points)(v, differences);
}

}  // namespace sightline::cli
