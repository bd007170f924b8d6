// verify: hits and blocked bits, ray by ray.
#include "host/program/checks/verify_hits.hpp"
#include "host/program/checks/verify_piece.hpp"
#include "host/program/engine/bit_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

void compare_blocked(const Verification& v, const Piece& piece,
                     const std::vector<std::uint64_t>& truth, Differences& differences) {
  std::uint64_t word = 0, at = ~std::uint64_t{0};
  for (std::size_t i = 0; i < piece.index.size(); ++i) {
    const std::uint64_t index = piece.index[i];
    if (index / 64 != at) v.result.read_blocked(at = index / 64, {&word, 1});
    const std::uint64_t in_file = word >> (index % 64) & 1;
    const std::uint64_t expected = truth[i / 64] >> (i % 64) & 1;
    if (in_file == expected) continue;
    differences.add(index, fmt::format("ray {}: the file has blocked {}, the reference {}", index,
                                       in_file, expected));
  }
}

/// The bits after the last ray, which must be 0.
void check_padding(const Verification& v, std::uint64_t rays, Differences& differences) {
  if (rays % 64 == 0) return;
  std::uint64_t word = 0;
  v.result.read_blocked(rays / 64, {&word, 1});
  if (word >> (rays % 64) != 0) differences.add(rays, "the padding after the last ray is not 0");
}

}  // namespace

void verify_rays(const Verification& v, const io::RaysSource& rays, Differences& differences) {
  const io::ResultParameters& p = v.result.parameters();
  const bool blocked = p.kind == io::ResultKind::blocked;
  const CastOptions options{p.inside, false};
  for_each_piece(v, rays, differences, [&](const Sample& sample, const Piece& piece) {
    const RaysView view = piece.view();
    const Column<float> radius = {piece.radii.data()};
    if (blocked) {
      std::vector<std::uint64_t> truth(words_for(view.count));
      v.judge.any_hit(view, radius, truth, options);
      compare_blocked(v, piece, truth, differences);
    } else {
      io::HitsBuffer truth;
      truth.resize(view.count, p.normals);
      v.judge.closest_hit(view, radius, truth.view(), options);
      compare_hits("ray", piece.index, read_hits(sample, v.result, piece.index), truth,
                   differences);
    }
  });
  if (blocked) check_padding(v, p.rays, differences);
}

}  // namespace sightline::cli
