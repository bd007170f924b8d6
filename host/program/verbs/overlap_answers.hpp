// Overlaps of many that ask, some of them at a time, into a file: what overlap and flat share.
#pragma once

#include "host/files/formats/results_file.hpp"
#include "host/program/engine/inputs.hpp"

#include <functional>
#include <span>

namespace sightline::cli {

/// Those that ask, by their numbers. Each answers for [first, first + n), and counts those that
/// overlap anything, the overlaps, and the bad ones.
struct Askers {
  std::uint64_t count = 0;
  std::string verb;  ///< of whom people read
  std::string unit;  ///< what they are: "shapes"
  std::function<io::JobCounts(std::uint64_t first, std::span<std::uint64_t> bits, std::uint64_t n)>
      any;
  std::function<io::JobCounts(std::uint64_t first, std::span<std::uint32_t> counts)> counts;
  std::function<OverlapRows(std::uint64_t first, std::uint64_t n)> all;
};

io::ResultKind result_kind_of(OverlapQueryKind query);

/// What is worked out at a time.
struct OverlapChunks {
  std::uint64_t askers = 0;
  std::uint64_t ids = 0;           ///< of their rows; 0 where no rows are asked for
  std::uint64_t bytes_per_id = 0;  ///< in memory while they are found
};
/// Within the job's memory: at most so many that ask, of whom each takes bytes beside its answer.
OverlapChunks overlap_chunks(const Job& job, Backend backend, OverlapQueryKind query,
                             std::uint64_t bytes_per_asker, std::uint64_t most);

struct OverlapOutput {
  std::string name;
  io::Keeping keeping;
};

/// Writes what `query` asks for to `output`, as much at a time as `chunks` say, and reports it.
/// Those whose rows are long are counted twice. `parameters` lack the kind and the pairs. Returns
/// what the askers counted.
io::JobCounts answer_overlaps(Job& job, const Askers& askers, OverlapQueryKind query,
                              const OverlapOutput& output, io::ResultParameters parameters,
                              const OverlapChunks& chunks);

}  // namespace sightline::cli
