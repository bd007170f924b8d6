#include "host/program/checks/verify_nav.hpp"

#include "host/program/results/input_files.hpp"

#include <fmt/format.h>

#include <charconv>

namespace sightline::cli {
namespace {

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
  std::string scene_hash = text_of(metadata, "scene.hash");
  std::string from_hash = text_of(metadata, "from.hash");
  InputFiles in(job, files_of(a), a.result, "a navigation map");
  io::Points from;
  if (!from_hash.empty()) {
    from = in.points({"--from", "/from", "points that say what is kept", "points"}, from_hash);
  }
  io::Metadata scene;
  const Caster judge = in.caster(scene_hash, scene);
  in.refuse_others();
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
