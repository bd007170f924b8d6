#include "host/program/verbs/overlap_answers.hpp"

#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/progress.hpp"
#include "host/program/engine/row_cuts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_ids_per_chunk = 1 << 22;

io::JobCounts write_any(const Job& job, const Askers& askers, std::uint64_t chunk,
                        io::ResultWriter& writer) {
  std::vector<std::uint64_t> bits;
  const auto work = [&](std::uint64_t first, std::uint64_t n) {
    bits.resize(words_for(n));
    const io::JobCounts counted = askers.any(first, bits, n);
    writer.write_overlap_bits(first / 64, bits);
    return counted;
  };
  return work_on_chunks(job, writer.container(), {askers.verb, askers.unit, askers.count, chunk},
                        work);
}

io::JobCounts write_counts(const Job& job, const Askers& askers, std::uint64_t chunk,
                           io::ResultWriter& writer) {
  std::vector<std::uint32_t> counts;
  const auto work = [&](std::uint64_t first, std::uint64_t n) {
    counts.resize(n);
    const io::JobCounts counted = askers.counts(first, counts);
    writer.write_counts(first, counts);
    return counted;
  };
  return work_on_chunks(job, writer.container(), {askers.verb, askers.unit, askers.count, chunk},
                        work);
}

/// Counts all of them, and sums up their rows.
io::JobCounts count_rows(const Job& job, const Askers& askers, std::uint64_t chunk, RowSums& sums) {
  io::JobCounts total;
  std::vector<std::uint32_t> counts;
  Progress progress(askers.verb, askers.unit, askers.count, job.common().quiet);
  for (std::uint64_t first = 0; first < askers.count; first += chunk) {
    progress.update(first);
    counts.resize(std::min(chunk, askers.count - first));
    total.add(askers.counts(first, counts));
    sums.add(first, counts, none);
  }
  return total;
}

/// Rows are cut where they were counted, so that as many ids as are allowed lie in memory; or those
/// of one that asks, where it has more.
void write_rows(Job& job, const Askers& askers, const OverlapChunks& chunks, const RowSums& sums,
                io::ResultWriter& writer) {
  const std::uint64_t done = rows_done(writer.container(), askers.count);
  Progress progress(askers.verb, askers.unit, askers.count, job.common().quiet, done);
  std::vector<std::uint32_t> counts;
  const auto count_again = [&](std::uint64_t first, std::uint64_t n) {
    counts.resize(n);
    askers.counts(first, counts);
    return std::span<const std::uint32_t>(counts);
  };
  std::uint64_t before = done > 0 ? writer.read_offset(done) : 0;
  if (done == 0) writer.write_offsets(0, std::vector<std::uint64_t>{0});
  const auto use = [&](std::uint64_t first, std::uint64_t n, std::uint64_t most_ids) {
    if (most_ids > chunks.ids) {
      require_memory(job.common().max_memory, most_ids * chunks.bytes_per_id,
                     fmt::format("all that number {} overlaps", first));
    }
    OverlapRows rows = askers.all(first, n);
    for (std::uint64_t& offset : rows.offsets) offset += before;
    if (rows.offsets.back() > sums.elements()) {
      throw Error(ErrorKind::internal, "there are more overlaps than were counted");
    }
    writer.write_ids(before, rows.ids);
    writer.write_offsets(first + 1, std::span(rows.offsets).subspan(1));
    before = rows.offsets.back();
    writer.container().mark_done({{first, n, 0, 1}, 0, n, {}, 0});
    show_progress(progress, first + n, writer.container());
  };
  for_each_cut(sums, {chunks.askers, chunks.ids}, count_again, use, done);
}

void tell_report(Job& job, const Askers& askers, const io::JobCounts& counts, bool counted,
                 std::uint64_t asked_now, double seconds) {
  const double rate = static_cast<double>(asked_now) / std::max(seconds, 1e-9);
  job.set("/counts/asking", askers.count);
  job.set("/counts/overlapping", counts.sum[0]);
  job.set("/rates/" + askers.unit + "_per_second", rate);
  std::string line = fmt::format("{:<7} {} {} in {:.2f} s ({} {}/s, files included), {} overlap",
                                 askers.verb, grouped(askers.count), askers.unit, seconds,
                                 short_number(rate), askers.unit, grouped(counts.sum[0]));
  if (counted) {
    job.set("/counts/pairs", counts.sum[1]);
    line += fmt::format(", {} pairs", grouped(counts.sum[1]));
  }
  job.say(line);
}

io::JobCounts answer(Job& job, const Askers& askers, OverlapQueryKind query,
                     const OverlapOutput& output, io::ResultParameters& parameters,
                     const OverlapChunks& chunks, std::uint64_t& asked_now) {
  const auto write = [&](const auto& body) {
    io::ResultWriter writer = open_result(job, output.name, parameters, output.keeping);
    const io::JobCounts counts = job.timed(askers.verb, [&] { return body(writer); });
    job.timed("commit", [&] { writer.commit(); });
    job.set("/result/bytes", writer.file_bytes());
    asked_now = rows_of_this_run(writer.container(), askers.count);
    return counts;
  };
  if (query == OverlapQueryKind::any) {
    return write([&](auto& writer) { return write_any(job, askers, chunks.askers, writer); });
  }
  if (query == OverlapQueryKind::count) {
    return write([&](auto& writer) { return write_counts(job, askers, chunks.askers, writer); });
  }
  io::check_can_write(output.name);
  RowSums sums(askers.count);
  const io::JobCounts counted =
      job.timed("count", [&] { return count_rows(job, askers, chunks.askers, sums); });
  parameters.pairs = counted.sum[1];
  return write([&](auto& writer) {
    write_rows(job, askers, chunks, sums, writer);
    return counted;
  });
}

}  // namespace

io::ResultKind result_kind_of(OverlapQueryKind query) {
  return query == OverlapQueryKind::any     ? io::ResultKind::overlap_any
         : query == OverlapQueryKind::count ? io::ResultKind::overlap_count
                                            : io::ResultKind::overlap_all;
}

// A device gives back counts or ids in pinned memory; the host puts the ids of a run in order while
// it has them, six times at most.
OverlapChunks overlap_chunks(const Job& job, Backend backend, OverlapQueryKind query,
                             std::uint64_t bytes_per_asker, std::uint64_t most) {
  constexpr std::uint64_t id = sizeof(std::uint32_t), offset = sizeof(std::uint64_t);
  constexpr std::uint64_t pinned_piece = 2 * sizeof(std::uint64_t);
  const bool device = backend == Backend::cuda;
  const std::uint64_t limit = job.common().max_memory;
  OverlapChunks chunks;
  bytes_per_asker += copies_in_memory(backend) * id;
  if (query == OverlapQueryKind::all) {
    // Half of the memory for those that ask, half for ids.
    bytes_per_asker = 2 * (bytes_per_asker + 2 * offset + (device ? pinned_piece : 0));
    chunks.bytes_per_id = (device ? 2 : 6) * id;
    chunks.ids = buffer_elements(limit, 2 * chunks.bytes_per_id, most_ids_per_chunk);
  }
  chunks.askers = buffer_elements(limit, bytes_per_asker, most);
  return chunks;
}

io::JobCounts answer_overlaps(Job& job, const Askers& askers, OverlapQueryKind query,
                              const OverlapOutput& output, io::ResultParameters parameters,
                              const OverlapChunks& chunks) {
  parameters.kind = result_kind_of(query);
  parameters.asking = askers.count;
  job.set("/query/kind", std::string(io::result_kind_name(parameters.kind)));
  job.set("/chunk/" + askers.unit, std::min(chunks.askers, askers.count));
  if (chunks.ids > 0) job.set("/chunk/ids", chunks.ids);
  if (job.common().dry_run) {
    job.set("/counts/asking", askers.count);
    job.say(fmt::format("would ask for the overlaps of {} {}, {} at a time", grouped(askers.count),
                        askers.unit, grouped(std::min(chunks.askers, askers.count))));
    return {};
  }
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t asked_now = 0;
  const io::JobCounts counts = answer(job, askers, query, output, parameters, chunks, asked_now);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(job, askers, counts, query != OverlapQueryKind::any, asked_now, seconds.count());
  job.set("/result/file", output.name);
  job.say(fmt::format("wrote   {}", output.name));
  return counts;
}

}  // namespace sightline::cli
