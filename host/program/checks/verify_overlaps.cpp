// verify: overlaps, shape by shape of those that ask.
#include "host/program/checks/verify.hpp"
#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

std::string words_of(const std::vector<std::uint32_t>& ids) {
  return fmt::format(
      "{} ids{} {}", ids.size(), ids.size() > 8 ? ", the first" : ":",
      fmt::join(ids.begin(), ids.begin() + std::min<std::ptrdiff_t>(8, std::ssize(ids)), " "));
}

/// Compares what the file says of number i with the ids of all that it overlaps.
void compare(const io::ResultReader& result, const RowsJudge& judge, std::uint64_t i,
             Differences& differences) {
  const std::vector<std::uint32_t> truth = judge.ids_of(i);
  const auto differs = [&](const auto& in_file, const auto& expected) {
    differences.add(i, fmt::format("{} {}: the file has {}, the reference {}", judge.one, i,
                                   in_file, expected));
  };
  switch (result.parameters().kind) {
    case io::ResultKind::overlap_any: {
      std::uint64_t word = 0;
      result.read_overlap_bits(i / 64, {&word, 1});
      const bool in_file = (word >> (i % 64) & 1) != 0, expected = !truth.empty();
      if (in_file != expected) differs(in_file, expected);
      return;
    }
    case io::ResultKind::overlap_count: {
      std::uint32_t count = 0;
      result.read_counts(i, {&count, 1});
      if (count != truth.size()) differs(count, truth.size());
      return;
    }
    default: {
      std::uint64_t row[2];
      result.read_offsets(i, row);
      if (row[0] > row[1] || row[1] > result.parameters().pairs) {
        return differs(fmt::format("offsets {} and {}", row[0], row[1]), words_of(truth));
      }
      if (row[1] - row[0] != truth.size()) {
        return differs(fmt::format("{} ids", row[1] - row[0]), words_of(truth));
      }
      std::vector<std::uint32_t> ids(truth.size());
      result.read_ids(row[0], ids);
      if (ids != truth) differs(words_of(ids), words_of(truth));
    }
  }
}

/// What is nobody's: padding bits are 0, rows begin at 0 and end with the ids.
void check_ends(const io::ResultReader& result, const char* one, Differences& differences) {
  const io::ResultParameters& p = result.parameters();
  if (p.kind == io::ResultKind::overlap_any && p.asking % 64 != 0) {
    std::uint64_t word = 0;
    result.read_overlap_bits(p.asking / 64, {&word, 1});
    if (word >> (p.asking % 64) != 0) {
      differences.add(p.asking, fmt::format("the padding after the last {} is not 0", one));
    }
  }
  if (p.kind == io::ResultKind::overlap_all) {
    std::uint64_t first = 0, last = 0;
    result.read_offsets(0, {&first, 1});
    result.read_offsets(p.asking, {&last, 1});
    if (first != 0) differences.add(0, fmt::format("the first offset is {}, not 0", first));
    if (last != p.pairs) {
      differences.add(
          p.asking, fmt::format("the last offset is {}, not the number of ids, {}", last, p.pairs));
    }
  }
}

}  // namespace

void verify_ids(Job& job, const VerifyArguments& arguments, const io::ResultReader& result,
                const RowsJudge& judge, Differences& differences) {
  const Sample sample = sample_of(arguments, result.parameters().asking);
  const std::uint64_t size = judge.per_piece;
  const std::uint64_t pieces = sample.count / size + (sample.count % size != 0);
  Progress progress("verify", judge.unit, sample.count, job.common().quiet);
  for_each_piece(pieces, job.common().threads, progress, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * size, end = std::min(begin + size, sample.count);
    for (std::uint64_t k = begin; k < end; ++k) compare(result, judge, sample[k], differences);
    differences.add_checked(end - begin);
    return end - begin;
  });
  check_ends(result, judge.one, differences);
}

void verify_overlaps(const Verification& v, const Scene& asking, Differences& differences) {
  const auto ids_of = [&](std::uint64_t i) {
    return v.judge.overlap_all(asking, {static_cast<std::uint32_t>(i), 1}).ids;
  };
  const std::uint64_t size = chunk_size(v.judge, most_rows_per_piece);
  verify_ids(v.job, v.arguments, v.result, {"shape", "shapes", size, ids_of}, differences);
}

}  // namespace sightline::cli
