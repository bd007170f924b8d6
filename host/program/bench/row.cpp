#include "host/program/bench/scene_bench.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace sightline::cli {
namespace {

bool is_silent(const Job& job) { return job.common().json == "-" || job.common().quiet; }

void print(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

double rate(const BenchRow& row, double seconds) {
  return seconds > 0 ? static_cast<double>(row.count) / seconds * 1e-6 : 0;
}
double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}
std::string name_only(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

void print_head(const Job& job, bool rival) {
  if (is_silent(job)) return;
  std::string line = fmt::format(
      "{:<14} {:>9} {:<11} {:<10} {:<9} {:<8} {:>7} {:>9} {:>7} {:>8} {:>7}", "scene", "shapes",
      "rays", "query", "backend", "lanes", "threads", "Mrays/s", "GB/s", "build s", "B/shape");
  if (rival)
    line += fmt::format(" {:>9} {:>6} {:>8} {:>7}  {}", "rival", "ratio", "build s", "B/shape",
                        "its best mode");
  print(line);
}

void print_row(const Job& job, const BenchRow& row) {
  if (is_silent(job)) return;
  const double mrays = rate(row, row.timing.seconds(row.duel.ours));
  std::string line = fmt::format(
      "{:<14} {:>9} {:<11} {:<10} {:<9} {:<8} {:>7} {:>9.3f} {:>7.2f} {:>8.4f} {:>7.1f}",
      name_only(row.scene), row.shapes, name_only(row.rays), row.query, row.backend,
      row.lanes.empty() ? "-" : row.lanes,
      row.threads == 0 ? std::string("-") : std::to_string(row.threads), mrays,
      mrays * row.bytes_per_ray * 1e-3, row.build_s, row.bytes_per_shape);
  if (!row.rival_mode.empty()) {
    line +=
        fmt::format(" {:>9.3f} {:>6.2f} {:>8.4f} {:>7.1f}  {}: {}",
                    rate(row, row.timing.seconds(row.duel.rival)), row.duel.ratio,
                    row.rival_build_s, row.rival_bytes_per_shape, row.rival_name, row.rival_mode);
  }
  print(line);
}

void report_row(Job& job, std::uint64_t index, const BenchRow& row) {
  const std::string at = fmt::format("/rows/{}/", index);
  const auto set = [&](const char* key, const auto& value) { job.set(at + key, value); };
  const double mrays = rate(row, row.timing.seconds(row.duel.ours));
  set("scene", row.scene);
  set("shapes", row.shapes);
  set("rays", row.rays);
  set("query", row.query);
  set("backend", row.backend);
  set("device", row.device);
  if (!row.lanes.empty()) set("lanes", row.lanes);
  set("threads", static_cast<std::uint64_t>(row.threads));
  set("count", row.count);
  set("mrays_per_s", mrays);
  set("wall_mrays_per_s", rate(row, row.duel.ours.wall));
  set("bytes_per_s", mrays * row.bytes_per_ray * 1e6);
  set("clock", row.timing.clock == Clock::wall ? "wall" : "cpu");
  set("build_s", row.build_s);
  set("bytes_per_shape", row.bytes_per_shape);
  set("hit_share", row.hit_share);
  set("redrawn_share", row.redrawn_share);
  set("answers_hash", row.hash);
  set("judged", row.judged);
  if (row.rival_mode.empty()) return;
  set("rival", row.rival);
  set("rival_mode", row.rival_mode);
  set("rival_mrays_per_s", rate(row, row.timing.seconds(row.duel.rival)));
  set("rival_wall_mrays_per_s", rate(row, row.duel.rival.wall));
  set("rival_build_s", row.rival_build_s);
  set("rival_bytes_per_shape", row.rival_bytes_per_shape);
  set("ratio", row.duel.ratio);
  for (std::size_t k = 0; k < row.duel.ratios.size(); ++k) {
    job.set(fmt::format("{}ratios/{}", at, k), row.duel.ratios[k]);
  }
  for (std::size_t k = 0; k < row.duel.seconds.size(); ++k) {
    const auto& [mode, time] = row.duel.seconds[k];
    job.set(fmt::format("{}modes/{}/mode", at, k), mode);
    job.set(fmt::format("{}modes/{}/mrays_per_s", at, k), rate(row, time));
  }
  const Difference& d = row.duel.difference;
  set("rival_compared", d.rays);
  set("rival_hits_differ", share(d.hits, d.rays));
  set("rival_ids_differ", share(d.ids, d.rays));
  set("rival_largest_t_difference", d.largest_t);
}

}  // namespace sightline::cli
