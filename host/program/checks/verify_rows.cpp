// verify: counts and rows of hits, ray by ray.
#include "host/program/checks/verify_piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sightline::cli {
namespace {

template <class T>
bool same_column_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Row i of many, alone.
HitRows row_of(const HitRows& rows, std::size_t i) {
  const auto part = [&](const auto& all) {
    using All = std::decay_t<decltype(all)>;
    if (all.empty()) return All();
    const auto at = [&](std::uint64_t k) { return all.begin() + static_cast<std::ptrdiff_t>(k); };
    return All(at(rows.offsets[i]), at(rows.offsets[i + 1]));
  };
  return {{}, part(rows.id), part(rows.t), part(rows.t_out), {rows.count[i]}, {rows.flags[i]}};
}

/// The first place where two rows as long as each other differ.
std::string words_of(const HitRows& row, std::size_t k) {
  if (k >= row.id.size()) return fmt::format("count {} flags {}", row.count[0], row.flags[0]);
  std::string words = fmt::format("hit {} of id {} t {}", k, row.id[k], row.t[k]);
  if (!row.t_out.empty()) words += fmt::format(" t_out {}", row.t_out[k]);
  return words;
}
std::size_t first_difference(const HitRows& a, const HitRows& b) {
  std::size_t k = 0;
  const auto same = [&](const std::vector<float>& x, const std::vector<float>& y) {
    return x.empty() || bits_of(x[k]) == bits_of(y[k]);
  };
  while (k < a.id.size() && a.id[k] == b.id[k] && same(a.t, b.t) && same(a.t_out, b.t_out)) ++k;
  return k;
}

/// Compares what the file has of ray i with its true row.
void compare(const Verification& v, std::uint64_t i, const HitRows& truth,
             Differences& differences) {
  const auto differs = [&](const std::string& in_file, const std::string& expected) {
    differences.add(i,
                    fmt::format("ray {}: the file has {}, the reference {}", i, in_file, expected));
  };
  HitRows file;
  file.count.resize(1);
  file.flags.resize(1);
  v.result.read_counts(i, file.count);
  if (v.result.parameters().kind == io::ResultKind::hit_counts) {
    if (file.count != truth.count) {
      differs(fmt::format("{} hits", file.count[0]), fmt::format("{}", truth.count[0]));
    }
    return;
  }
  v.result.read_row_flags(i, file.flags);
  std::uint64_t row[2];
  v.result.read_offsets(i, row);
  if (row[0] > row[1] || row[1] > v.result.parameters().kept ||
      row[1] - row[0] != truth.id.size()) {
    return differs(fmt::format("offsets {} and {}", row[0], row[1]),
                   fmt::format("{} hits", truth.id.size()));
  }
  v.result.read_row_hits(row[0], truth.id.size(), file);
  if (file.count == truth.count && file.flags == truth.flags && file.id == truth.id &&
      same_column_bytes(file.t, truth.t) && same_column_bytes(file.t_out, truth.t_out)) {
    return;
  }
  const std::size_t k = first_difference(file, truth);
  differs(words_of(file, k), words_of(truth, k));
}

/// What is no ray's: rows begin at 0 and end with the hits.
void check_ends(const Verification& v, Differences& differences) {
  const io::ResultParameters& p = v.result.parameters();
  std::uint64_t first = 0, last = 0;
  v.result.read_offsets(0, {&first, 1});
  v.result.read_offsets(p.rays, {&last, 1});
  if (first != 0) differences.add(0, fmt::format("the first offset is {}, not 0", first));
  if (last != p.kept) {
    differences.add(p.rays,
                    fmt::format("the last offset is {}, not the number of hits, {}", last, p.kept));
  }
}

}  // namespace

void verify_rows(const Verification& v, const io::RaysSource& rays, Differences& differences) {
  const io::ResultParameters& p = v.result.parameters();
  const bool all = p.kind == io::ResultKind::all_hits;
  for_each_piece(v, rays, differences, [&](const Sample&, const Piece& piece) {
    HitRows truth;
    if (all) {
      v.judge.all_hits(piece.view(), truth, {p.inside, false, p.first, p.t_out});
    } else {
      truth.count.resize(piece.rays.size());
      truth.flags.resize(piece.rays.size());
      truth.offsets.resize(piece.rays.size() + 1);
      v.judge.count_hits(piece.view(), truth.count, {p.inside, false});
    }
    for (std::size_t k = 0; k < piece.index.size(); ++k) {
      compare(v, piece.index[k], row_of(truth, k), differences);
    }
  });
  if (all) check_ends(v, differences);
}

}  // namespace sightline::cli
