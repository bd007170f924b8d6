// flat: circles and segments of files at a set of 2D shapes, streamed through bounded memory.
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/flat_asking.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/verbs/overlap_answers.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_rows_per_chunk = 1 << 18;

/// What was counted of those from `first` on.
io::JobCounts flat_counts(std::uint64_t first, const FlatReport& report) {
  io::JobCounts counts;
  counts.sum = {report.found, report.pairs, report.bad};
  if (report.bad > 0) counts.first_bad = first + report.first_bad;
  return counts;
}

void tell_bad(Job& job, const io::JobCounts& counts, const io::RowsFile& file, const char* unit) {
  const std::uint64_t bad = counts.sum[2];
  job.set("/counts/bad", bad);
  if (bad == 0) return;
  job.set("/counts/first_bad", counts.first_bad);
  job.warn(fmt::format("{}: {} of {} {} are bad and find nothing; the first is number {}",
                       file.name(), grouped(bad), grouped(file.count()), unit, counts.first_bad));
}

/// The floats of a row, where they were read to and where a device takes them from.
std::uint64_t row_bytes(const FlatCaster& caster, const io::RowsFile& file) {
  return copies_in_memory(caster.backend()) * file.width() * sizeof(float);
}
std::uint64_t most_rows(const FlatCaster& caster) {
  return chunk_size(caster.backend(), caster.scene().size(), most_rows_per_chunk);
}

void overlap_circles(Job& job, const FlatArguments& a, const FlatCaster& caster,
                     io::ResultParameters parameters) {
  const io::RowsFile file = open_circles(a.circles);
  parameters.asking_hash = job.timed("hash_circles", [&] { return hash_of_circles(file); });
  job.set("/asking/file", file.name());
  job.set("/asking/hash", parameters.asking_hash);
  std::vector<float> rows;
  const auto circles = [&](std::uint64_t first, std::uint64_t n) {
    file.read(first, n, rows);
    return CirclesView::rows(n, rows.data());
  };
  const Askers askers = {
      file.count(),
      "flat",
      "circles",
      [&](std::uint64_t first, std::span<std::uint64_t> bits, std::uint64_t n) {
        return flat_counts(first, caster.overlap_any(circles(first, n), bits));
      },
      [&](std::uint64_t first, std::span<std::uint32_t> counts) {
        return flat_counts(first, caster.overlap_count(circles(first, counts.size()), counts));
      },
      [&](std::uint64_t first, std::uint64_t n) {
        OverlapRows ids;
        caster.overlap_all(circles(first, n), ids);  // the bad ones were counted before
        return ids;
      }};
  const io::JobCounts counts = answer_overlaps(
      job, askers, a.query, {a.output, a.keeping}, parameters,
      overlap_chunks(job, caster.backend(), a.query, row_bytes(caster, file), most_rows(caster)));
  if (!job.common().dry_run) tell_bad(job, counts, file, "circles");
}

void cast_segments(Job& job, const FlatArguments& a, const FlatCaster& caster,
                   io::ResultParameters parameters) {
  const io::RowsFile file = open_segments(a.segments);
  parameters.kind = io::ResultKind::hits;
  parameters.inside = a.inside;
  parameters.rays = file.count();
  parameters.rays_hash = job.timed("hash_segments", [&] { return hash_of_segments(file); });
  job.set("/segments/file", file.name());
  job.set("/segments/hash", parameters.rays_hash);
  job.set("/query/kind", "segments");
  job.set("/query/inside", std::string(io::inside_name(a.inside)));
  constexpr std::uint64_t hit_bytes = sizeof(float) + sizeof(std::uint32_t) + sizeof(std::uint8_t);
  const std::uint64_t chunk = buffer_elements(
      job.common().max_memory,
      row_bytes(caster, file) + copies_in_memory(caster.backend()) * hit_bytes, most_rows(caster));
  job.set("/chunk/segments", std::min(chunk, file.count()));
  job.set("/counts/segments", file.count());
  if (job.common().dry_run) {
    job.say(fmt::format("would cast {} segments, {} at a time", grouped(file.count()),
                        grouped(std::min(chunk, file.count()))));
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  io::ResultWriter writer = open_result(job, a.output, parameters, a.keeping);
  std::vector<float> rows;
  io::HitsBuffer buffer;
  const auto work = [&](std::uint64_t first, std::uint64_t n) {
    file.read(first, n, rows);
    buffer.resize(n, false);
    const FlatReport report =
        caster.cast(SegmentsView::rows(n, rows.data()), buffer.view(), a.inside);
    writer.write_hits(first, n, buffer.view());
    return flat_counts(first, report);
  };
  const io::JobCounts counts = job.timed("cast", [&] {
    return work_on_chunks(job, writer.container(), {"flat", "segments", file.count(), chunk}, work);
  });
  const std::uint64_t hits = counts.sum[0];
  job.timed("commit", [&] { writer.commit(); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const double rate = static_cast<double>(rows_of_this_run(writer.container(), file.count())) /
                      std::max(seconds.count(), 1e-9);
  job.set("/counts/hits", hits);
  job.set("/rates/segments_per_second", rate);
  job.set("/result/file", a.output);
  job.set("/result/bytes", writer.file_bytes());
  job.say(fmt::format("flat    {} segments in {:.2f} s ({} segments/s, files included), {} hit",
                      grouped(file.count()), seconds.count(), short_number(rate), grouped(hits)));
  tell_bad(job, counts, file, "segments");
  job.say(fmt::format("wrote   {}", a.output));
}

}  // namespace

io::RowsFile open_circles(const std::string& file) { return {file, 3}; }
io::RowsFile open_segments(const std::string& file) { return {file, 4}; }
std::string hash_of_circles(const io::RowsFile& file) { return file.hash("circle"); }
std::string hash_of_segments(const io::RowsFile& file) { return file.hash("segment"); }

int run_flat(Job& job, const FlatArguments& a) {
  refuse_same_files(job, {a.scene, a.circles, a.segments}, {a.output});
  if (a.circles.empty() == a.segments.empty()) {
    throw Error(ErrorKind::usage, "name what asks: --circles C.npy or --segments S.npy");
  }
  // A bad file is told before a large set is read.
  if (a.circles.empty()) {
    open_segments(a.segments);
  } else {
    open_circles(a.circles);
  }
  LoadedFlatScene scene = load_flat_scene(job, a.scene);
  io::ResultParameters parameters;
  parameters.flat = true;
  parameters.scene_hash = scene.hash;
  const FlatCaster caster = build_caster(job, std::move(scene.scene), job.common().device);
  if (a.circles.empty()) {
    cast_segments(job, a, caster, parameters);
  } else {
    overlap_circles(job, a, caster, parameters);
  }
  return 0;
}

}  // namespace sightline::cli
