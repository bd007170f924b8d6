// Overlaps of many that ask, some of them at a time, into a file: what overlap and flat share.
#pragma once

#include "host/cli/inputs.hpp"
#include "host/io/results_file.hpp"

#include <functional>
#include <span>

namespace sightline::cli {

/// Those that ask, by their numbers. Each answers for [first, first + n).
struct Askers {
  std::uint64_t count = 0;
  std::string verb;  ///< of whom people read
  std::string unit;  ///< what they are: "shapes"
  std::function<OverlapReport(std::uint64_t first, std::span<std::uint64_t> bits, std::uint64_t n)>
      any;
  std::function<OverlapReport(std::uint64_t first, std::span<std::uint32_t> counts)> counts;
  std::function<OverlapRows(std::uint64_t first, std::uint64_t n)> all;
};

io::ResultKind result_kind_of(OverlapQueryKind query);

/// Writes what `query` asks for to `output`, at most `chunk` at a time, and reports it.
/// `parameters` lack the kind and the pairs.
void answer_overlaps(Job& job, const Askers& askers, OverlapQueryKind query,
                     const std::string& output, io::ResultParameters parameters,
                     std::uint64_t chunk);

/// Bytes in memory of an asker's answer; rows are bounded by their ids as well.
std::uint64_t answer_bytes(OverlapQueryKind query);

}  // namespace sightline::cli
