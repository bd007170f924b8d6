// Rates of 2D sets on the cpu backend.
#pragma once

#include "bench/query_row.hpp"

#include <sightline/flat_caster.hpp>

namespace sightline::bench {

/// Six kinds of shapes mixed, of sizes up to 1, one to every 9 units of area, and what is asked of
/// them: circles of radius 0.3 and segments up to 4 long. No rival has 2D sets of all these.
class FlatBench {
 public:
  FlatBench(std::uint64_t shapes, std::uint64_t count, std::uint64_t seed);
  /// Of circles: any, count, all. Of segments: cast.
  QueryRow row(const std::string& ask, int threads, const cli::DuelOptions& options) const;

 private:
  FlatScene scene_;
  std::vector<float> circles_, segments_;  ///< rows [n,3] and [n,4]
};

}  // namespace sightline::bench
