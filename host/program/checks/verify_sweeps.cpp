// verify: sweeps, shape by shape of those that move.
#include "host/program/checks/verify.hpp"
#include "host/program/checks/verify_hits.hpp"
#include "host/program/engine/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_shapes_per_piece = 1 << 12;

}  // namespace

void verify_sweeps(const Verification& v, const Movers& movers, Differences& differences) {
  const io::ResultParameters& p = v.result.parameters();
  const SweepOptions options{p.inside, false, p.t_max};
  const Sample sample = sample_of(v.arguments, movers.count());
  const std::uint64_t size = chunk_size(v.judge, most_shapes_per_piece);
  const std::uint64_t pieces = sample.count / size + (sample.count % size != 0);
  Progress progress("verify", "shapes", sample.count, v.job.common().quiet);
  for_each_piece(pieces, v.job.common().threads, progress, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * size, end = std::min(begin + size, sample.count);
    std::vector<Vec3> direction;
    io::HitsBuffer file, truth;
    truth.resize(1, p.normals);
    for (std::uint64_t k = begin; k < end; ++k) {
      const std::uint64_t i = sample[k];
      v.judge.sweep(movers.scene(), movers.directions(i, 1, direction), truth.view(), options,
                    {static_cast<std::uint32_t>(i), 1});
      v.result.read_hits(i, 1, file);
      if (same_hit(file, 0, truth, 0)) continue;
      differences.add(i, fmt::format("shape {}: the file has {}, the reference {}", i,
                                     words_of(file, 0), words_of(truth, 0)));
    }
    differences.add_checked(end - begin);
    return end - begin;
  });
}

}  // namespace sightline::cli
