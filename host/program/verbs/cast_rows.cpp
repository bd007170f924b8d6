#include "host/program/verbs/cast_rows.hpp"

#include "host/program/engine/bytes.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/progress.hpp"
#include "host/program/engine/ray_defaults.hpp"
#include "host/program/engine/row_cuts.hpp"

#include <sightline/queries/all_hits.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

// Hits of rays that are found at a time.
constexpr std::uint64_t most_hits_per_chunk = std::uint64_t{1} << 22;

/// What is asked, and how much of it at a time.
struct Rows {
  Job& job;
  const Caster& caster;
  const io::RaysSource& rays;
  const io::ResultParameters& parameters;
  bool strict;
  RowLimits limits;

  bool keeps() const { return parameters.kind == io::ResultKind::all_hits; }
  std::uint64_t bytes_per_hit() const {
    return sizeof(float) + sizeof(std::uint32_t) + (parameters.t_out ? sizeof(float) : 0);
  }
};

/// Each half of the memory: rays with their counts, and hits, which take up to three times what
/// they are while they are gathered. The rows of a few rays may be nearly all of them: those are
/// crossings first, in memory that grows by doubling.
RowLimits limits_of(const Rows& rows) {
  const std::uint64_t limit = rows.job.common().max_memory, halves = rows.keeps() ? 2 : 1;
  const std::uint64_t per_ray =
      sizeof(std::uint64_t) + sizeof(std::uint32_t) + sizeof(std::uint8_t);
  RowLimits limits;
  limits.rows = buffer_elements(
      limit, halves * copies_in_memory(rows.caster) * (rows.rays.bytes_per_ray() + per_ray),
      chunk_size(rows.caster, most_rays_per_chunk));
  constexpr std::uint64_t growing = 2 * sizeof(Crossing);
  limits.elements =
      buffer_elements(limit, halves * (growing + 3 * rows.bytes_per_hit()), most_hits_per_chunk);
  return limits;
}

void refuse_bad(const Rows& rows, const RaysView& view, std::uint64_t first,
                const HitRowsReport& report) {
  if (report.bad_rays == 0 || !rows.strict) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("{}: ray {}: {}", rows.rays.name(), first + report.first_bad_ray,
                          reason_of_bad_ray(view[report.first_bad_ray])));
}

/// Counts the hits of rays, some at a time.
class Counter {
 public:
  explicit Counter(const Rows& rows) : rows_(rows) {}

  /// Of rays [first, first + n), into counts().
  io::JobCounts count(std::uint64_t first, std::uint64_t n) {
    const RaysView view = rows_.rays.read(first, n, buffer_);
    counts_.resize(n);
    const HitRowsReport report =
        rows_.caster.count_hits(view, counts_, {rows_.parameters.inside, false});
    refuse_bad(rows_, view, first, report);
    io::JobCounts counts;
    counts.sum = {report.hitting, report.hits, report.bad_rays, 0};
    for (const std::uint32_t c : counts_) counts.sum[3] += c > rows_.parameters.first;
    if (report.bad_rays > 0) counts.first_bad = first + report.first_bad_ray;
    return counts;
  }
  const std::vector<std::uint32_t>& counts() const { return counts_; }

 private:
  const Rows& rows_;
  io::RayBuffer buffer_;
  std::vector<std::uint32_t> counts_;
};

HitRowsReport report_of(const Rows& rows, const io::JobCounts& counts) {
  HitRowsReport report;
  report.rays = rows.rays.count();
  report.hitting = counts.sum[0];
  report.hits = counts.sum[1];
  report.bad_rays = counts.sum[2];
  report.overflowing = counts.sum[3];
  if (report.bad_rays > 0) report.first_bad_ray = counts.first_bad;
  return report;
}

/// Counts all rays, and sums up their rows.
HitRowsReport count_rows(const Rows& rows, RowSums& sums) {
  Counter counter(rows);
  io::JobCounts total;
  const std::uint64_t all = rows.rays.count();
  Progress progress("count", "rays", all, rows.job.common().quiet);
  for (std::uint64_t first = 0; first < all; first += rows.limits.rows) {
    progress.update(first);
    total.add(counter.count(first, std::min(rows.limits.rows, all - first)));
    sums.add(first, counter.counts(), rows.parameters.first);
  }
  return report_of(rows, total);
}

/// Counts the rays that are left into the writer.
HitRowsReport write_counts(const Rows& rows, io::ResultWriter& writer) {
  const io::JobCounts before = done_before(writer.container()).counts;
  if (rows.strict && before.sum[2] > 0) {
    io::RayBuffer buffer;
    HitRowsReport bad;
    bad.bad_rays = 1;
    refuse_bad(rows, rows.rays.read(before.first_bad, 1, buffer), before.first_bad, bad);
  }
  Counter counter(rows);
  const Chunks chunks = {"count", "rays", rows.rays.count(), rows.limits.rows};
  return report_of(rows, work_on_chunks(rows.job, writer.container(), chunks,
                                        [&](std::uint64_t first, std::uint64_t n) {
                                          const io::JobCounts counts = counter.count(first, n);
                                          writer.write_counts(first, counter.counts());
                                          return counts;
                                        }));
}

/// Throws Error{out_of_memory} where the row of this one ray does not fit.
void require_row(const Rows& rows, std::uint64_t ray, std::uint64_t hits) {
  const std::uint64_t limit = rows.job.common().max_memory;
  if (limit == 0 || hits <= rows.limits.elements) return;
  throw Error(
      ErrorKind::out_of_memory,
      fmt::format("{}: ray {} has a row of {} hits, but --max-memory {} leaves room for {}: keep "
                  "fewer with --first",
                  rows.rays.name(), ray, hits, format_bytes(limit), rows.limits.elements));
}

/// Finds the hits of rays that were counted, from the first that is not done.
void write_rows(const Rows& rows, const RowSums& sums, io::ResultWriter& writer) {
  const io::ResultParameters& p = rows.parameters;
  io::RayBuffer buffer;
  HitRows found;
  std::vector<std::uint32_t> counts;
  const std::uint64_t done = rows_done(writer.container(), p.rays);
  std::uint64_t begin = done > 0 ? writer.read_offset(done) : 0;
  Progress progress("cast", "rays", p.rays, rows.job.common().quiet, done);
  const auto count = [&](std::uint64_t first, std::uint64_t n) -> std::span<const std::uint32_t> {
    counts.resize(n);
    rows.caster.count_hits(rows.rays.read(first, n, buffer), counts, {p.inside, false});
    for (std::uint32_t& c : counts) c = std::min(c, p.first);
    return counts;
  };
  const auto use = [&](std::uint64_t first, std::uint64_t n, std::uint64_t most_hits) {
    if (n == 1) require_row(rows, first, most_hits);
    rows.caster.all_hits(rows.rays.read(first, n, buffer), found,
                         {p.inside, false, p.first, p.t_out});
    if (found.offsets.back() > p.kept - begin) {
      throw Error(ErrorKind::internal, "there are more hits than were counted");
    }
    for (std::uint64_t& offset : found.offsets) offset += begin;
    writer.write_offsets(first, found.offsets);
    writer.write_counts(first, found.count);
    writer.write_row_flags(first, found.flags);
    writer.write_row_hits(begin, found);
    begin = found.offsets.back();
    writer.container().mark_done({{first, n, 0, 1}, 0, n, {}, 0});
    show_progress(progress, first + n, writer.container());
  };
  if (p.rays == 0) writer.write_offsets(0, std::vector<std::uint64_t>{0});
  for_each_cut(sums, rows.limits, count, use, done);
}

void tell_report(const Rows& rows, const HitRowsReport& report, std::uint64_t rays_now,
                 double seconds) {
  Job& job = rows.job;
  const double rate = static_cast<double>(rays_now) / std::max(seconds, 1e-9);
  job.set("/counts/rays", report.rays);
  job.set("/counts/hitting", report.hitting);
  job.set("/counts/hits", report.hits);
  job.set("/counts/bad_rays", report.bad_rays);
  job.set("/rates/rays_per_second", rate);
  std::string line =
      fmt::format("cast    {} rays in {:.2f} s ({} rays/s, files included), {} hit, {} hits",
                  grouped(report.rays), seconds, short_number(rate), grouped(report.hitting),
                  grouped(report.hits));
  if (rows.keeps()) {
    job.set("/counts/kept", report.kept);
    job.set("/counts/overflowing", report.overflowing);
    line += fmt::format(", {} kept", grouped(report.kept));
  }
  job.say(line);
  if (report.bad_rays == 0) return;
  job.set("/counts/first_bad_ray", report.first_bad_ray);
  job.warn(fmt::format("{}: {} of {} rays are bad and count as misses; the first is ray {}",
                       rows.rays.name(), grouped(report.bad_rays), grouped(report.rays),
                       report.first_bad_ray));
}

void tell_plan(const Rows& rows) {
  const std::uint64_t n = rows.rays.count();
  rows.job.set("/counts/rays", n);
  rows.job.set("/bytes/rays", n * rows.rays.bytes_per_ray());
  rows.job.say(fmt::format("would count the hits of {} rays ({}), {} at a time", grouped(n),
                           format_bytes(n * rows.rays.bytes_per_ray()),
                           grouped(std::min(rows.limits.rows, n))));
  if (rows.keeps()) {
    rows.job.say(fmt::format("would then find them, at most {} at a time, {} bytes each",
                             grouped(rows.limits.elements), rows.bytes_per_hit()));
  }
}

}  // namespace

void run_rows(Job& job, const CastArguments& a, const Caster& caster, const io::RaysSource& rays,
              io::ResultParameters parameters) {
  Rows rows{job, caster, rays, parameters, a.strict, {}};
  rows.limits = limits_of(rows);
  job.set("/chunk/rays", std::min(rows.limits.rows, rays.count()));
  if (job.common().dry_run) return tell_plan(rows);
  const auto begin = std::chrono::steady_clock::now();
  HitRowsReport report;
  std::uint64_t bytes = 0, rays_now = 0;
  const auto write = [&](const auto& body) {
    io::ResultWriter writer = open_result(job, a.output, parameters, a.keeping);
    job.timed("cast", [&] { body(writer); });
    job.timed("commit", [&] { writer.commit(); });
    bytes = writer.file_bytes();
    rays_now = rows_of_this_run(writer.container(), rays.count());
  };
  if (rows.keeps()) {
    io::check_can_write(a.output);
    RowSums sums(rays.count());
    report = job.timed("count", [&] { return count_rows(rows, sums); });
    report.kept = parameters.kept = sums.elements();
    write([&](io::ResultWriter& writer) { write_rows(rows, sums, writer); });
  } else {
    write([&](io::ResultWriter& writer) { report = write_counts(rows, writer); });
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(rows, report, rays_now, seconds.count());
  tell_result(job, a.output, bytes);
}

}  // namespace sightline::cli
