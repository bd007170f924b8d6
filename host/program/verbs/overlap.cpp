// overlap: the shapes of one file at those of another, some of them at a time.
#include "host/program/verbs/overlap_answers.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

// Large enough that threads do not wait for each other, small enough to be interrupted soon.
constexpr std::uint64_t most_asking_per_chunk = 1 << 18;

IdRange range_of(std::uint64_t first, std::uint64_t n) {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(n)};
}

io::JobCounts overlap_counts(const OverlapReport& report) {
  io::JobCounts counts;
  counts.sum = {report.overlapping, report.pairs};
  return counts;
}

Askers askers_of(const Caster& caster, const Scene& asking) {
  return {
      asking.size(),
      "overlap",
      "shapes",
      [&](std::uint64_t first, std::span<std::uint64_t> bits, std::uint64_t n) {
        return overlap_counts(caster.overlap_any(asking, bits, range_of(first, n)));
      },
      [&](std::uint64_t first, std::span<std::uint32_t> counts) {
        return overlap_counts(caster.overlap_count(asking, counts, range_of(first, counts.size())));
      },
      [&](std::uint64_t first, std::uint64_t n) {
        return caster.overlap_all(asking, range_of(first, n));
      }};
}

}  // namespace

int run_overlap(Job& job, const OverlapArguments& a) {
  refuse_same_files(job, {a.scene, a.with}, {a.output});
  LoadedScene scene = load_scene(job, a.scene);
  const LoadedScene with = load_scene(job, a.with, "/asking");
  if (with.scene.count(Kind::plane) > 0) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: shape {} is a plane, which has no bounds and cannot ask", a.with,
                            with.scene.id(Kind::plane, 0)));
  }
  io::ResultParameters parameters;
  parameters.scene_hash = scene.hash;
  parameters.asking_hash = with.hash;
  const Caster caster = build_caster(job, std::move(scene.scene));
  // A device takes shapes and masks from pinned memory.
  const std::uint64_t bytes_per_shape =
      caster.backend() == Backend::cuda ? sizeof(ObbFrame) + sizeof(std::uint32_t) : 0;
  const OverlapChunks chunks = overlap_chunks(job, caster.backend(), a.query, bytes_per_shape,
                                              chunk_size(caster, most_asking_per_chunk));
  answer_overlaps(job, askers_of(caster, with.scene), a.query, {a.output, a.keeping}, parameters,
                  chunks);
  return 0;
}

}  // namespace sightline::cli
