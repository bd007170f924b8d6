// verify: the rays of a sample, some at a time.
#pragma once

#include "host/program/checks/verify.hpp"

#include <functional>

namespace sightline::cli {

/// Some of the sample's rays, and where each one is in the file.
struct Piece {
  std::vector<std::uint64_t> index;
  std::vector<Ray> rays;
  std::vector<float> radii;

  /// The rays in rows, each with all it carries.
  RaysView view() const;
};

/// Calls use(sample, piece) for all rays of the result's sample, possibly at the same time, and
/// counts them as checked.
void for_each_piece(const Verification& v, const io::RaysSource& rays, Differences& differences,
                    const std::function<void(const Sample&, const Piece&)>& use);

}  // namespace sightline::cli
