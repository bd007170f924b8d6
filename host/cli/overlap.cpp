// overlap: the shapes of one file at those of another, some of them at a time.
#include "host/cli/bit_matrix.hpp"
#include "host/cli/bytes.hpp"
#include "host/cli/inputs.hpp"
#include "host/cli/memory.hpp"
#include "host/cli/progress.hpp"
#include "host/cli/row_cuts.hpp"
#include "host/cli/verbs.hpp"
#include "host/io/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

// Large enough that threads do not wait for each other, small enough to be interrupted soon.
constexpr std::uint64_t most_shapes_per_chunk = 1 << 18;
constexpr std::uint64_t most_ids_per_chunk = 1 << 22;

struct Plan {
  io::ResultParameters parameters;
  std::uint64_t chunk = 0;         ///< shapes that ask at a time
  std::uint64_t most_ids = 0;      ///< of their rows
  std::uint64_t bytes_per_id = 0;  ///< in memory while they are found
};

/// Calls use(first, n) for one chunk after the other, and shows how far it is.
template <class Use>
void for_each_chunk(Job& job, const Plan& plan, const Use& use) {
  const std::uint64_t all = plan.parameters.asking;
  Progress progress("overlap", "shapes", all, job.common().quiet);
  for (std::uint64_t first = 0; first < all; first += plan.chunk) {
    progress.update(first);
    use(first, std::min(plan.chunk, all - first));
  }
  progress.update(all);
}

IdRange range_of(std::uint64_t first, std::uint64_t n) {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(n)};
}

void add(OverlapReport& total, const OverlapReport& part) {
  total.asked += part.asked;
  total.overlapping += part.overlapping;
  total.pairs += part.pairs;
}

OverlapReport write_any(Job& job, const Caster& caster, const Scene& asking, const Plan& plan,
                        io::ResultWriter& writer) {
  OverlapReport total;
  std::vector<std::uint64_t> bits;
  for_each_chunk(job, plan, [&](std::uint64_t first, std::uint64_t n) {
    bits.resize(words_for(n));
    add(total, caster.overlap_any(asking, bits, range_of(first, n)));
    writer.write_overlap_bits(first / 64, bits);
  });
  return total;
}

/// Counts into `use(first, counts)`.
template <class Use>
OverlapReport count(Job& job, const Caster& caster, const Scene& asking, const Plan& plan,
                    const Use& use) {
  OverlapReport total;
  std::vector<std::uint32_t> counts;
  for_each_chunk(job, plan, [&](std::uint64_t first, std::uint64_t n) {
    counts.resize(n);
    add(total, caster.overlap_count(asking, counts, range_of(first, n)));
    use(first, counts);
  });
  return total;
}

/// Rows are cut where they were counted, so that as many ids as are allowed lie in memory; or those
/// of one shape, where it has more.
void write_rows(Job& job, const Caster& caster, const Scene& asking, const Plan& plan,
                const RowSums& sums, io::ResultWriter& writer) {
  Progress progress("overlap", "shapes", plan.parameters.asking, job.common().quiet);
  std::vector<std::uint32_t> counts;
  const auto count_again = [&](std::uint64_t first, std::uint64_t n) {
    counts.resize(n);
    caster.overlap_count(asking, counts, range_of(first, n));
    return std::span<const std::uint32_t>(counts);
  };
  std::uint64_t before = 0;
  writer.write_offsets(0, std::vector<std::uint64_t>{0});
  for_each_cut(sums, {plan.chunk, plan.most_ids}, count_again,
               [&](std::uint64_t first, std::uint64_t n, std::uint64_t most_ids) {
                 progress.update(first);
                 if (most_ids > plan.most_ids) {
                   require_memory(job.common().max_memory, most_ids * plan.bytes_per_id,
                                  fmt::format("all that shape {} overlaps", first));
                 }
                 OverlapRows rows = caster.overlap_all(asking, range_of(first, n));
                 for (std::uint64_t& offset : rows.offsets) offset += before;
                 if (rows.offsets.back() > plan.parameters.pairs) {
                   throw Error(ErrorKind::internal, "there are more overlaps than were counted");
                 }
                 writer.write_ids(before, rows.ids);
                 writer.write_offsets(first + 1, std::span(rows.offsets).subspan(1));
                 before = rows.offsets.back();
               });
  progress.update(plan.parameters.asking);
}

void tell_report(Job& job, const OverlapReport& report, bool counted, double seconds) {
  const double rate = static_cast<double>(report.asked) / std::max(seconds, 1e-9);
  job.set("/counts/asking", report.asked);
  job.set("/counts/overlapping", report.overlapping);
  job.set("/rates/shapes_per_second", rate);
  std::string line =
      fmt::format("overlap {} shapes in {:.2f} s ({} shapes/s, files included), {} overlap",
                  grouped(report.asked), seconds, short_number(rate), grouped(report.overlapping));
  if (counted) {
    job.set("/counts/pairs", report.pairs);
    line += fmt::format(", {} pairs", grouped(report.pairs));
  }
  job.say(line);
}

OverlapReport answer(Job& job, const OverlapArguments& a, const Caster& caster, const Scene& asking,
                     Plan& plan) {
  const auto write = [&](const auto& body) {
    io::ResultWriter writer(a.output, plan.parameters);
    const OverlapReport report = job.timed("overlap", [&] { return body(writer); });
    job.timed("commit", [&] { writer.commit(); });
    job.set("/result/bytes", writer.file_bytes());
    return report;
  };
  if (a.query == OverlapQueryKind::any) {
    return write([&](auto& writer) { return write_any(job, caster, asking, plan, writer); });
  }
  if (a.query == OverlapQueryKind::count) {
    return write([&](auto& writer) {
      return count(job, caster, asking, plan,
                   [&](std::uint64_t first, const auto& c) { writer.write_counts(first, c); });
    });
  }
  RowSums sums(plan.parameters.asking);
  const OverlapReport counted = job.timed("count", [&] {
    return count(job, caster, asking, plan,
                 [&](std::uint64_t first, const auto& c) { sums.add(first, c, none); });
  });
  plan.parameters.pairs = counted.pairs;
  return write([&](auto& writer) {
    write_rows(job, caster, asking, plan, sums, writer);
    return counted;
  });
}

/// What is asked for at a time. A device takes those that ask from pinned memory, and gives back
/// counts or ids there; the library gathers rows in parts before they are whole (caster.hpp).
void plan_chunks(const Job& job, const Caster& caster, Plan& plan) {
  constexpr std::uint64_t id = sizeof(std::uint32_t), offset = sizeof(std::uint64_t);
  constexpr std::uint64_t pinned_shape = sizeof(ObbFrame) + sizeof(std::uint32_t);
  constexpr std::uint64_t pinned_piece = 2 * sizeof(std::uint64_t);
  const bool device = caster.backend() == Backend::cuda;
  const bool rows = plan.parameters.kind == io::ResultKind::overlap_all;
  const std::uint64_t limit = job.common().max_memory;
  std::uint64_t bytes_per_shape = copies_in_memory(caster) * id + (device ? pinned_shape : 0);
  const std::uint64_t most = chunk_size(caster, most_shapes_per_chunk);
  if (rows) {
    // Half of the memory for shapes that ask, half for ids.
    bytes_per_shape += 2 * offset + (device ? pinned_piece : 0);
    bytes_per_shape *= 2;
    plan.bytes_per_id = (device ? 2 : 6) * id;
    plan.most_ids = buffer_elements(limit, 2 * plan.bytes_per_id, most_ids_per_chunk);
  }
  plan.chunk = buffer_elements(limit, bytes_per_shape, most);
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
  Plan plan;
  plan.parameters.kind = a.query == OverlapQueryKind::any     ? io::ResultKind::overlap_any
                         : a.query == OverlapQueryKind::count ? io::ResultKind::overlap_count
                                                              : io::ResultKind::overlap_all;
  plan.parameters.scene_hash = scene.hash;
  plan.parameters.asking_hash = with.hash;
  plan.parameters.asking = with.scene.size();
  const Caster caster = build_caster(job, std::move(scene.scene));
  plan_chunks(job, caster, plan);
  job.set("/query/kind", std::string(io::result_kind_name(plan.parameters.kind)));
  job.set("/chunk/shapes", std::min(plan.chunk, plan.parameters.asking));
  if (plan.most_ids > 0) job.set("/chunk/ids", plan.most_ids);
  if (job.common().dry_run) {
    job.set("/counts/asking", plan.parameters.asking);
    job.say(fmt::format("would ask for the overlaps of {} shapes, {} at a time",
                        grouped(plan.parameters.asking),
                        grouped(std::min(plan.chunk, plan.parameters.asking))));
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  const OverlapReport report = answer(job, a, caster, with.scene, plan);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(job, report, a.query != OverlapQueryKind::any, seconds.count());
  job.set("/result/file", a.output);
  job.say(fmt::format("wrote   {}", a.output));
  return 0;
}

}  // namespace sightline::cli
