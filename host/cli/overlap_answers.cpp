#include "host/cli/overlap_answers.hpp"

#include "host/cli/bit_matrix.hpp"
#include "host/cli/bytes.hpp"
#include "host/cli/memory.hpp"
#include "host/cli/progress.hpp"
#include "host/cli/row_cuts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_ids_per_chunk = 1 << 22;

/// Calls use(first, n) for one chunk after the other, and shows how far it is.
template <class Use>
void for_each_asking_chunk(Job& job, const Askers& askers, std::uint64_t chunk, const Use& use) {
  Progress progress(askers.verb, askers.unit, askers.count, job.common().quiet);
  for (std::uint64_t first = 0; first < askers.count; first += chunk) {
    progress.update(first);
    use(first, std::min(chunk, askers.count - first));
  }
  progress.update(askers.count);
}

void add(OverlapReport& total, const OverlapReport& part) {
  total.asked += part.asked;
  total.overlapping += part.overlapping;
  total.pairs += part.pairs;
}

OverlapReport write_any(Job& job, const Askers& askers, std::uint64_t chunk,
                        io::ResultWriter& writer) {
  OverlapReport total;
  std::vector<std::uint64_t> bits;
  for_each_asking_chunk(job, askers, chunk, [&](std::uint64_t first, std::uint64_t n) {
    bits.resize(words_for(n));
    add(total, askers.any(first, bits, n));
    writer.write_overlap_bits(first / 64, bits);
  });
  return total;
}

/// Counts into `use(first, counts)`.
template <class Use>
OverlapReport count(Job& job, const Askers& askers, std::uint64_t chunk, const Use& use) {
  OverlapReport total;
  std::vector<std::uint32_t> counts;
  for_each_asking_chunk(job, askers, chunk, [&](std::uint64_t first, std::uint64_t n) {
    counts.resize(n);
    add(total, askers.counts(first, counts));
    use(first, counts);
  });
  return total;
}

/// Rows are cut where they were counted, so that as many ids as are allowed lie in memory; or those
/// of one that asks, where it has more.
void write_rows(Job& job, const Askers& askers, const OverlapChunks& chunks, const RowSums& sums,
                io::ResultWriter& writer) {
  Progress progress(askers.verb, askers.unit, askers.count, job.common().quiet);
  std::vector<std::uint32_t> counts;
  const auto count_again = [&](std::uint64_t first, std::uint64_t n) {
    counts.resize(n);
    askers.counts(first, counts);
    return std::span<const std::uint32_t>(counts);
  };
  std::uint64_t before = 0;
  writer.write_offsets(0, std::vector<std::uint64_t>{0});
  for_each_cut(sums, {chunks.askers, chunks.ids}, count_again,
               [&](std::uint64_t first, std::uint64_t n, std::uint64_t most_ids) {
                 progress.update(first);
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
               });
  progress.update(askers.count);
}

void tell_report(Job& job, const Askers& askers, const OverlapReport& report, bool counted,
                 double seconds) {
  const double rate = static_cast<double>(report.asked) / std::max(seconds, 1e-9);
  job.set("/counts/asking", report.asked);
  job.set("/counts/overlapping", report.overlapping);
  job.set("/rates/" + askers.unit + "_per_second", rate);
  std::string line = fmt::format("{:<7} {} {} in {:.2f} s ({} {}/s, files included), {} overlap",
                                 askers.verb, grouped(report.asked), askers.unit, seconds,
                                 short_number(rate), askers.unit, grouped(report.overlapping));
  if (counted) {
    job.set("/counts/pairs", report.pairs);
    line += fmt::format(", {} pairs", grouped(report.pairs));
  }
  job.say(line);
}

OverlapReport answer(Job& job, const Askers& askers, OverlapQueryKind query,
                     const std::string& output, io::ResultParameters& parameters,
                     const OverlapChunks& chunks) {
  const auto write = [&](const auto& body) {
    io::ResultWriter writer(output, parameters);
    const OverlapReport report = job.timed(askers.verb, [&] { return body(writer); });
    job.timed("commit", [&] { writer.commit(); });
    job.set("/result/bytes", writer.file_bytes());
    return report;
  };
  if (query == OverlapQueryKind::any) {
    return write([&](auto& writer) { return write_any(job, askers, chunks.askers, writer); });
  }
  if (query == OverlapQueryKind::count) {
    return write([&](auto& writer) {
      return count(job, askers, chunks.askers,
                   [&](std::uint64_t first, const auto& c) { writer.write_counts(first, c); });
    });
  }
  io::check_can_write(output);
  RowSums sums(askers.count);
  const OverlapReport counted = job.timed("count", [&] {
    return count(job, askers, chunks.askers,
                 [&](std::uint64_t first, const auto& c) { sums.add(first, c, none); });
  });
  parameters.pairs = counted.pairs;
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

void answer_overlaps(Job& job, const Askers& askers, OverlapQueryKind query,
                     const std::string& output, io::ResultParameters parameters,
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
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  const OverlapReport report = answer(job, askers, query, output, parameters, chunks);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(job, askers, report, query != OverlapQueryKind::any, seconds.count());
  job.set("/result/file", output);
  job.say(fmt::format("wrote   {}", output));
}

}  // namespace sightline::cli
