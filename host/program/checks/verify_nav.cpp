#include "host/program/checks/verify_nav.hpp"

#include <fmt/format.h>

#include <charconv>

namespace sightline::cli {
namespace {

void require_nav_arguments(const VerifyArguments& a, bool has_from) {
  const bool others = !a.input.rays.empty() || !a.input.origins.empty() ||
                      !a.input.directions.empty() || !a.to.empty() || !a.points.empty() ||
                      !a.with.empty() || !a.capsules.empty() || !a.radii.empty() ||
                      !a.fields.half_angle.empty() || !a.fields.range.empty() ||
                      !a.circles.empty() || !a.segments.empty() || !a.areas.empty();
  if (!others && a.from.empty() != has_from) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: holds a navigation map: name {}", a.result,
                          has_from ? "the points that say what is kept, with --from, and nothing "
                                     "else"
                                   : "nothing but its scene"));
}

std::string text_of(const io::Metadata& metadata, const char* key) {
  const auto at = metadata.find(key);
  return at == metadata.end() ? "" : at->second;
}

std::uint32_t version_in(const std::string& text) {
  std::uint32_t version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

}  // namespace

int verify_nav_file(Job& job, const VerifyArguments& a) {
  io::Metadata metadata;
  const NavMap map = io::read_nav(a.result, &metadata);
  job.set("/result/file", a.result);
  job.set("/result/kind", "nav");
  require_answers_version(a.result, version_in(text_of(metadata, "sightline.answers")));
  const std::string from_hash = text_of(metadata, "from.hash");
  require_nav_arguments(a, !from_hash.empty());
  LoadedScene scene = load_scene(job, a.scene);
  require_same(a.result, "a scene", a.scene, text_of(metadata, "scene.hash"), scene.hash);
  io::Points from;
  if (!from_hash.empty()) {
    from = load_points(job, a.from, "/from");
    require_same(a.result, "points", a.from, from_hash, io::points_hash(from));
  }
  const Caster judge = build_caster(job, std::move(scene.scene), "reference");
  const std::uint64_t columns = map.grid.columns();
  if (job.common().dry_run) return tell_dry_run(job, sample_of(a, columns), "columns");
  Differences differences;
  const NavVerification v{job, a, map, judge, from.view()};
  job.timed("verify", [&] {
    verify_nav_columns(v, differences);
    verify_nav_layers(v, differences);
    verify_nav_regions(v, differences);
  });
  return tell_outcome(job, differences, columns, a.result, "columns");
}

}  // namespace sightline::cli
