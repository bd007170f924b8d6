// flat: circles and segments of files at a set of 2D shapes, streamed through bounded memory.
#include "host/cli/bytes.hpp"
#include "host/cli/flat_asking.hpp"
#include "host/cli/memory.hpp"
#include "host/cli/overlap_answers.hpp"
#include "host/cli/progress.hpp"
#include "host/cli/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_rows_per_chunk = 1 << 18;

/// The bad ones of what asks.
struct BadRows {
  std::uint64_t count = 0, first = 0;
  std::uint64_t seen = 0;  ///< rows; some are asked again

  void add(std::uint64_t first_row, const FlatReport& report) {
    if (first_row < seen) return;
    seen = first_row + report.asked;
    if (report.bad > 0 && count == 0) first = first_row + report.first_bad;
    count += report.bad;
  }
  void tell(Job& job, const io::RowsFile& file, const char* unit) const {
    job.set("/counts/bad", count);
    if (count == 0) return;
    job.set("/counts/first_bad", first);
    job.warn(fmt::format("{}: {} of {} {} are bad and find nothing; the first is number {}",
                         file.name(), grouped(count), grouped(file.count()), unit, first));
  }
};

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
  BadRows bad;
  const auto circles = [&](std::uint64_t first, std::uint64_t n) {
    file.read(first, n, rows);
    return CirclesView::rows(n, rows.data());
  };
  const auto report_on = [&](std::uint64_t first, const FlatReport& report) {
    bad.add(first, report);
    return OverlapReport{report.asked, report.found, report.pairs};
  };
  const Askers askers = {
      file.count(),
      "flat",
      "circles",
      [&](std::uint64_t first, std::span<std::uint64_t> bits, std::uint64_t n) {
        return report_on(first, caster.overlap_any(circles(first, n), bits));
      },
      [&](std::uint64_t first, std::span<std::uint32_t> counts) {
        return report_on(first, caster.overlap_count(circles(first, counts.size()), counts));
      },
      [&](std::uint64_t first, std::uint64_t n) {
        OverlapRows ids;
        caster.overlap_all(circles(first, n), ids);  // the bad ones were counted before
        return ids;
      }};
  answer_overlaps(
      job, askers, a.query, a.output, parameters,
      overlap_chunks(job, caster.backend(), a.query, row_bytes(caster, file), most_rows(caster)));
  if (!job.common().dry_run) bad.tell(job, file, "circles");
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
  io::ResultWriter writer(a.output, parameters);
  std::uint64_t hits = 0;
  BadRows bad;
  job.timed("cast", [&] {
    Progress progress("flat", "segments", file.count(), job.common().quiet);
    std::vector<float> rows;
    io::HitsBuffer buffer;
    for (std::uint64_t first = 0; first < file.count(); first += chunk) {
      progress.update(first);
      const std::uint64_t n = std::min(chunk, file.count() - first);
      file.read(first, n, rows);
      buffer.resize(n, false);
      const FlatReport report =
          caster.cast(SegmentsView::rows(n, rows.data()), buffer.view(), a.inside);
      writer.write_hits(first, n, buffer.view());
      hits += report.found;
      bad.add(first, report);
    }
  });
  job.timed("commit", [&] { writer.commit(); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const double rate = static_cast<double>(file.count()) / std::max(seconds.count(), 1e-9);
  job.set("/counts/hits", hits);
  job.set("/rates/segments_per_second", rate);
  job.set("/result/file", a.output);
  job.set("/result/bytes", writer.file_bytes());
  job.say(fmt::format("flat    {} segments in {:.2f} s ({} segments/s, files included), {} hit",
                      grouped(file.count()), seconds.count(), short_number(rate), grouped(hits)));
  bad.tell(job, file, "segments");
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
