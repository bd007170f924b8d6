// One line of the bench: for people, and as values for the report.
#pragma once

#include "host/program/bench/duel.hpp"
#include "host/program/engine/job.hpp"

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
  std::uint64_t judged = 0;       ///< rays whose answers were held to brute force, here
  std::string rival, rival_mode;  ///< "": none
  double rival_build_s = 0, rival_bytes_per_shape = 0;
  DuelResult duel;
};

/// Prints the head of the table, or a row, to stdout unless the report goes there or the job is
/// quiet.
void print_head(const Job& job, bool rival);
void print_row(const Job& job, const BenchRow& row);
/// Sets the values of "/rows/<index>".
void report_row(Job& job, std::uint64_t index, const BenchRow& row);

}  // namespace sightline::cli
