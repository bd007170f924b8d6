// A row of a duel about rays: ours and a rival over one scene, for people and as JSON.
#pragma once

#include "bench/duel/duel.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace sightline::bench {

struct RayRow {
  std::string scene, rays, query, device;
  std::string lanes;
  std::uint64_t shapes = 0;
  std::uint64_t count = 0;  ///< rays or pairs
  Timing timing = {};
  double bytes_per_ray = 0;  ///< of rays and answers
  double hit_share = 0, redrawn_share = 0;
  double build_s = 0, bytes_per_shape = 0;
  std::string hash = {};
  std::uint64_t judged = 0;  ///< rays whose answers were held to brute force, here
  std::string rival_name = {}, rival = {}, rival_mode = {};  ///< as --against has it, with version
  double rival_build_s = 0, rival_bytes_per_shape = 0;
  DuelResult duel = {};
};

void print_head();
void print_row(const RayRow& row);
nlohmann::json json_of(const RayRow& row);

}  // namespace sightline::bench
