// All rows of one scene.
#pragma once

#include "host/program/bench/batch.hpp"
#include "host/program/bench/rival.hpp"
#include "host/program/bench/row.hpp"

#include <sightline/caster.hpp>

namespace sightline::cli {

/// What the rows run on: a backend's name as --device says it, threads (0: a GPU), the clock, and
/// the lanes of the cpu.
struct BenchPlace {
  std::string device;
  int threads;
  Clock clock;
  Lanes lanes = Lanes::automatic;

  Timing timing() const { return {clock, threads}; }
};

/// Where the rows go; numbers them.
struct BenchSink {
  Job& job;
  std::uint64_t rows = 0;
  std::uint64_t differing = 0;  ///< rows whose answers are not the bytes of the first place's
};

/// Measures the batches at every place, against `rival` where there is one. A scene without a
/// standard kind gets rays by its bounds.
void bench_scene(BenchSink& sink, const std::string& name, const Scene& scene,
                 std::optional<gen::SceneKind> kind, const BatchOptions& rays,
                 const std::vector<BenchPlace>& places, int pairs, const Rival* rival);

}  // namespace sightline::cli
