#include "bench/duel/ray_row.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace sightline::bench {
namespace {

double rate(const RayRow& row, double seconds) {
  return seconds > 0 ? static_cast<double>(row.count) / seconds * 1e-6 : 0;
}
double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}
std::string name_only(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

void print_head() {
  fmt::print(
      "{:<14} {:>9} {:<11} {:<10} {:<8} {:>7} {:>9} {:>8} {:>7} {:>9} {:>6} {:>8} {:>7}  {}\n",
      "scene", "shapes", "rays", "query", "lanes", "threads", "Mrays/s", "build s", "B/shape",
      "rival", "ratio", "build s", "B/shape", "its best mode");
}

void print_row(const RayRow& row) {
  fmt::print(
      "{:<14} {:>9} {:<11} {:<10} {:<8} {:>7} {:>9.3f} {:>8.4f} {:>7.1f} {:>9.3f} {:>6.2f} "
      "{:>8.4f} "
      "{:>7.1f}  {}: {}\n",
      name_only(row.scene), row.shapes, name_only(row.rays), row.query, row.lanes,
      row.timing.threads, rate(row, row.timing.seconds(row.duel.ours)), row.build_s,
      row.bytes_per_shape, rate(row, row.timing.seconds(row.duel.rival)), row.duel.ratio,
      row.rival_build_s, row.rival_bytes_per_shape, row.rival_name, row.rival_mode);
  std::fflush(stdout);
}

nlohmann::json json_of(const RayRow& row) {
  const double mrays = rate(row, row.timing.seconds(row.duel.ours));
  const Difference& d = row.duel.difference;
  nlohmann::json to = {{"scene", row.scene},
                       {"shapes", row.shapes},
                       {"rays", row.rays},
                       {"query", row.query},
                       {"backend", "cpu"},
                       {"device", row.device},
                       {"lanes", row.lanes},
                       {"threads", row.timing.threads},
                       {"count", row.count},
                       {"mrays_per_s", mrays},
                       {"wall_mrays_per_s", rate(row, row.duel.ours.wall)},
                       {"bytes_per_s", mrays * row.bytes_per_ray * 1e6},
                       {"clock", row.timing.clock == Clock::wall ? "wall" : "cpu"},
                       {"build_s", row.build_s},
                       {"bytes_per_shape", row.bytes_per_shape},
                       {"hit_share", row.hit_share},
                       {"redrawn_share", row.redrawn_share},
                       {"answers_hash", row.hash},
                       {"judged", row.judged},
                       {"rival", row.rival},
                       {"rival_mode", row.rival_mode},
                       {"rival_mrays_per_s", rate(row, row.timing.seconds(row.duel.rival))},
                       {"rival_wall_mrays_per_s", rate(row, row.duel.rival.wall)},
                       {"rival_build_s", row.rival_build_s},
                       {"rival_bytes_per_shape", row.rival_bytes_per_shape},
                       {"ratio", row.duel.ratio},
                       {"ratios", row.duel.ratios},
                       {"rival_compared", d.rays},
                       {"rival_hits_differ", share(d.hits, d.rays)},
                       {"rival_ids_differ", share(d.ids, d.rays)},
                       {"rival_largest_t_difference", d.largest_t}};
  for (const auto& [mode, seconds] : row.duel.seconds) {
    to["modes"].push_back({{"mode", mode}, {"mrays_per_s", rate(row, seconds)}});
  }
  return to;
}

}  // namespace sightline::bench
