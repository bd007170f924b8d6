// All rows of one scene, for people and as values for the report.
#pragma once

#include "host/program/bench/query.hpp"
#include "host/program/engine/job.hpp"

#include <sightline/caster.hpp>

namespace sightline::cli {

struct BenchRow {
  std::string scene, rays, query, backend, device;
  std::string lanes;  ///< as --lanes has them; "": none
  std::uint64_t shapes = 0;
  std::uint64_t count = 0;  ///< rays or pairs
  int threads = 0;          ///< 0: of a GPU
  Timing timing;
  double bytes_per_ray = 0;  ///< of rays and answers
  double hit_share = 0, redrawn_share = 0;
  double build_s = 0, bytes_per_shape = 0;
  std::string hash;
  std::uint64_t judged = 0;                   ///< rays whose answers were held to brute force, here
  std::string rival_name, rival, rival_mode;  ///< as --against has it, with version; "": none
  double rival_build_s = 0, rival_bytes_per_shape = 0;
  DuelResult duel;
};

/// Prints the head of the table, or a row, to stdout unless the report goes there or the job is
/// quiet.
void print_head(const Job& job, bool rival);
void print_row(const Job& job, const BenchRow& row);
/// Sets the values of "/rows/<index>".
void report_row(Job& job, std::uint64_t index, const BenchRow& row);

/// What the rows run on: a backend's name as --device says it, threads (0: a GPU), the clock, and
/// the lanes of the cpu.
struct BenchPlace {
  std::string device;
  int threads;
  Clock clock;
  Lanes lanes = Lanes::automatic;

  Timing timing() const { return {clock, threads}; }
};

/// Whom the rows are held against.
struct Opponents {
  std::vector<const Rival*> rivals;
  std::string mode;  ///< the one mode of theirs that is run; "": each, until the best is found
};

/// Where the rows go; numbers them.
struct BenchSink {
  Job& job;
  std::uint64_t rows = 0;
  std::uint64_t differing = 0;  ///< rows whose answers are not the bytes of the first place's
};

/// Measures the batches at every place: a row for each of the rivals, one without where there are
/// none. A scene without a standard kind gets rays by its bounds.
void bench_scene(BenchSink& sink, const std::string& name, const Scene& scene,
                 std::optional<gen::SceneKind> kind, const BatchOptions& rays,
                 const std::vector<BenchPlace>& places, int pairs, const Opponents& against);

}  // namespace sightline::cli
