#include "host/cli/overlap_answers.hpp"

#include "host/cli/bit_matrix.hpp"
#include "host/cli/bytes.hpp"
#include "host/cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

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

/// How many ids there will be was counted before, not where: as many at a time as by those before
/// them give some four million ids, which bounds the memory where rows do not suddenly grow.
void write_rows(Job& job, const Askers& askers, std::uint64_t chunk, std::uint64_t pairs,
                io::ResultWriter& writer) {
  constexpr std::uint64_t ids_at_a_time = std::uint64_t{1} << 22, first_askers = 1024;
  Progress progress(askers.verb, askers.unit, askers.count, job.common().quiet);
  std::uint64_t before = 0, first = 0, size = std::min(first_askers, chunk);
  writer.write_offsets(0, std::vector<std::uint64_t>{0});
  while (first < askers.count) {
    progress.update(first);
    const std::uint64_t n = std::min(size, askers.count - first);
    OverlapRows rows = askers.all(first, n);
    for (std::uint64_t& offset : rows.offsets) offset += before;
    if (rows.offsets.back() > pairs) {
      throw Error(ErrorKind::internal, "there are more overlaps than were counted");
    }
    writer.write_ids(before, rows.ids);
    writer.write_offsets(first + 1, std::span(rows.offsets).subspan(1));
    before = rows.offsets.back();
    first += n;
    const std::uint64_t ids = std::max<std::uint64_t>(rows.ids.size(), 1);
    size = std::clamp<std::uint64_t>(n * ids_at_a_time / ids, 1, std::min(4 * n, chunk));
  }
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
                     std::uint64_t chunk) {
  const auto write = [&](const auto& body) {
    io::ResultWriter writer(output, parameters);
    const OverlapReport report = job.timed(askers.verb, [&] { return body(writer); });
    job.timed("commit", [&] { writer.commit(); });
    job.set("/result/bytes", writer.file_bytes());
    return report;
  };
  if (query == OverlapQueryKind::any) {
    return write([&](auto& writer) { return write_any(job, askers, chunk, writer); });
  }
  if (query == OverlapQueryKind::count) {
    return write([&](auto& writer) {
      return count(job, askers, chunk,
                   [&](std::uint64_t first, const auto& c) { writer.write_counts(first, c); });
    });
  }
  const auto nothing = [](std::uint64_t, const auto&) {};
  const OverlapReport counted =
      job.timed("count", [&] { return count(job, askers, chunk, nothing); });
  parameters.pairs = counted.pairs;
  return write([&](auto& writer) {
    write_rows(job, askers, chunk, counted.pairs, writer);
    return counted;
  });
}

}  // namespace

io::ResultKind result_kind_of(OverlapQueryKind query) {
  return query == OverlapQueryKind::any     ? io::ResultKind::overlap_any
         : query == OverlapQueryKind::count ? io::ResultKind::overlap_count
                                            : io::ResultKind::overlap_all;
}

std::uint64_t answer_bytes(OverlapQueryKind query) {
  return query == OverlapQueryKind::all ? 64 : sizeof(std::uint32_t);
}

void answer_overlaps(Job& job, const Askers& askers, OverlapQueryKind query,
                     const std::string& output, io::ResultParameters parameters,
                     std::uint64_t chunk) {
  parameters.kind = result_kind_of(query);
  parameters.asking = askers.count;
  job.set("/query/kind", std::string(io::result_kind_name(parameters.kind)));
  job.set("/chunk/" + askers.unit, std::min(chunk, askers.count));
  if (job.common().dry_run) {
    job.set("/counts/asking", askers.count);
    job.say(fmt::format("would ask for the overlaps of {} {}, {} at a time", grouped(askers.count),
                        askers.unit, grouped(std::min(chunk, askers.count))));
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  const OverlapReport report = answer(job, askers, query, output, parameters, chunk);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(job, askers, report, query != OverlapQueryKind::any, seconds.count());
  job.set("/result/file", output);
  job.say(fmt::format("wrote   {}", output));
}

}  // namespace sightline::cli
