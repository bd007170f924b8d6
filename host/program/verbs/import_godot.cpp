// import of Godot scenes: what was taken, approximated and left out.
#include "host/files/import/godot/import_godot.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/inputs.hpp"
#include "host/program/verbs/import.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

using Tallies = std::map<std::string, io::GodotTally>;

std::uint64_t sum(const Tallies& tallies) {
  std::uint64_t n = 0;
  for (const auto& [reason, tally] : tallies) n += tally.count;
  return n;
}

/// The reasons as words, and in the report as counts by reason with where each happened first.
void tell(Job& job, const std::string& key, const std::string& words, const Tallies& tallies) {
  job.set("/counts/" + key, sum(tallies));
  std::map<std::string, std::string> rows;
  for (const auto& [reason, tally] : tallies) {
    rows[reason] = fmt::format("{}; first {}", tally.count, tally.first);
    job.say("{:<7} {}: {}; first {}", words, grouped(tally.count), reason, tally.first);
  }
  job.set("/" + key, rows);
}

void report_taken(Job& job, const io::GodotImport& import) {
  std::string words;
  std::uint64_t shapes = 0;
  for (const auto& [type, count] : import.taken) {
    job.set("/counts/taken/" + type, count);
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", grouped(count), type);
    shapes += count;
  }
  std::string kinds;
  for (int k = 0; k < kind_count; ++k) {
    const auto kind = static_cast<Kind>(k);
    const std::uint32_t count = import.scene.count(kind);
    job.set(fmt::format("/counts/shapes/{}", io::kind_name(kind)), std::uint64_t{count});
    if (count == 0) continue;
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", grouped(count), io::kind_name(kind));
  }
  job.set("/counts/files", std::uint64_t{import.files.size()});
  job.set("/counts/nodes", import.nodes);
  job.set("/counts/bodies", import.bodies);
  job.say("nodes   {} of {}", grouped(import.nodes), plural(import.files.size(), "files"));
  job.say("took    {} of {}: {}", plural(shapes, "shapes"), plural(import.bodies, "bodies"),
          words.empty() ? "none" : words);
  if (shapes > 0) job.say("as      {}", kinds);
}

}  // namespace

void import_godot_scene(Job& job, const ImportArguments& a) {
  const std::string root = a.root.empty() ? io::found_root(a.file).string() : a.root;
  job.set("/input/root", root);
  job.say("root    res:// is {}", root);
  const io::GodotImport import = job.timed("import", [&] {
    return io::import_godot(a.file, {root, a.strict});
  });
  warn_of(job, import.notes);
  report_taken(job, import);
  tell(job, "approximated", "approx", import.approximated);
  if (!import.approximated.empty()) {
    job.set("/counts/largest_volume", import.largest_volume);
    job.say("        at most {:.2f} times the volume", import.largest_volume);
  }
  tell(job, "not_solid", "passed", import.not_solid);
  tell(job, "left_out", "left out", import.left_out);
  write_imported(job, a, import.scene,
                 {{"unit", "m"},
                  {"up", "y"},
                  {"godot.files", fmt::format("{}", fmt::join(import.files, "\n"))},
                  {"godot.left_out", std::to_string(sum(import.left_out))},
                  {"godot.approximated", std::to_string(sum(import.approximated))}});
}

}  // namespace sightline::cli
