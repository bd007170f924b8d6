#include "bench/query_row.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace sightline::bench {
namespace {

using cli::Answers;
using cli::CastFirst;

constexpr double loop_tests = 2e7;  // so many pairs are the plain loop's sample

CastFirst ours(const Caster& caster, const QueryBatch& batch, const std::string& ask) {
  const auto first = [](std::uint64_t n) { return IdRange{0, static_cast<std::uint32_t>(n)}; };
  if (ask == "eights") return eights_of_ours(caster, batch);
  if (ask == "any") {
    return [&, first](std::uint64_t n, Answers& a) {
      caster.overlap_any(batch.shapes, std::span(a.bits).first(bit_words(n)), first(n));
    };
  }
  if (ask == "count") {
    return [&, first](std::uint64_t n, Answers& a) {
      caster.overlap_count(batch.shapes, std::span(a.counts).first(n), first(n));
    };
  }
  if (ask == "all") {
    return [&, first](std::uint64_t n, Answers& a) {
      OverlapRows rows = caster.overlap_all(batch.shapes, first(n));
      a.offsets = std::move(rows.offsets);
      a.id = std::move(rows.ids);
    };
  }
  if (ask == "blocked") {
    return [&](std::uint64_t n, Answers& a) {
      RaysView rays;
      rays.count = n;
      rays.origin = std::span(batch.points).first(n);
      rays.direction = std::span(batch.moves).first(n);
      rays.t_max = 1.0f;
      caster.any_hit(rays, std::span(batch.radii).first(n), std::span(a.bits).first(bit_words(n)));
    };
  }
  return [&](std::uint64_t n, Answers& a) {
    PointsView points;
    points.count = n;
    points.position = std::span(batch.points).first(n);
    caster.nearest(points, {a.t, a.id});
  };
}

/// Motions by samples, as those do who have no sweep: eight a round, spread over the motion, of
/// those that no round before has found blocked.
CastFirst sampled(const Caster& caster, const QueryBatch& batch) {
  return [&](std::uint64_t n, Answers& a) {
    constexpr int samples = 32, rounds = 4, a_round = samples / rounds;
    std::vector<std::uint32_t> open(n);
    std::iota(open.begin(), open.end(), 0u);
    std::fill(a.bits.begin(), a.bits.end(), 0);
    std::vector<Sphere> spheres;
    std::vector<std::uint64_t> bits;
    for (int round = 0; round < rounds && !open.empty(); ++round) {
      spheres.clear();
      for (const std::uint32_t i : open) {
        const Vec3 p = batch.points[i], way = batch.moves[i];
        for (int k = 0; k < a_round; ++k) {
          const float t = static_cast<float>(k * rounds + round) / (samples - 1);
          const Vec3 at = {fma(t, way.x, p.x), fma(t, way.y, p.y), fma(t, way.z, p.z)};
          spheres.push_back({at, batch.radii[i]});
        }
      }
      Scene scene;
      scene.add(spheres);
      bits.resize(bit_words(spheres.size()));
      caster.overlap_any(scene, bits);
      const auto is_free = [&](std::size_t k) { return (bits[k / 8] >> k % 8 * 8 & 0xff) == 0; };
      std::size_t still = 0;
      for (std::size_t k = 0; k < open.size(); ++k) {
        const std::uint32_t i = open[k];
        if (is_free(k)) {
          open[still++] = i;
        } else {
          a.bits[i / 64] |= std::uint64_t{1} << i % 64;
        }
      }
      open.resize(still);
    }
  };
}

double found_by(const Answers& a, std::uint64_t n) {
  double sum = 0;
  if (!a.bits.empty()) {
    for (const std::uint64_t word : a.bits) sum += std::popcount(word);
  } else if (!a.counts.empty()) {
    for (const std::uint32_t c : a.counts) sum += c;
  } else {
    sum = static_cast<double>(a.id.size() -
                              static_cast<std::size_t>(std::count(a.id.begin(), a.id.end(), none)));
  }
  return sum / static_cast<double>(n);
}

/// Whether the first n answers are the same to the bit.
bool same_first(const Answers& a, Answers b, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) {
    if (!a.bits.empty() && ((a.bits[i / 64] ^ b.bits[i / 64]) >> i % 64 & 1) != 0) return false;
    if (!a.counts.empty() && a.counts[i] != b.counts[i]) return false;
    if (!a.t.empty() && (a.t[i] != b.t[i] || a.id[i] != b.id[i])) return false;
  }
  if (a.offsets.empty()) return true;
  return std::equal(b.offsets.begin(), b.offsets.end(), a.offsets.begin()) &&
         std::equal(b.id.begin(), b.id.end(), a.id.begin());
}

}  // namespace

cli::Answers room_for(std::uint64_t n, const std::string& ask) {
  Answers a;
  if (ask == "any" || ask == "blocked" || ask == "eights") {
    a.bits.resize(bit_words(n));
  } else if (ask == "count") {
    a.counts.resize(n);
  } else if (ask == "all") {
    a.offsets.resize(n + 1);
  } else if (ask == "nearest" || ask == "cast") {
    a.t.resize(n);
    a.id.resize(n);
  } else {
    throw Error(ErrorKind::usage,
                "nothing is asked by " + ask +
                    ": there are any, eights, count, all, nearest, cast and blocked");
  }
  return a;
}

QueryRow measured(QueryRow row, std::uint64_t n, const CastFirst& ours, const CastFirst& loop,
                  const std::vector<cli::Contender>& contenders, const cli::DuelOptions& options) {
  row.timing = options.timing;
  Answers expected = room_for(n, row.ask);
  row.duel = cli::duel(n, ours, expected, contenders, options);
  if (!contenders.empty()) row.rival = contenders[row.duel.winner].mode;
  row.found = found_by(expected, n);
  const double some_queries = loop_tests / static_cast<double>(row.shapes);
  const std::uint64_t some =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(some_queries) * n / row.count, 64, n);
  Answers sample = room_for(some, row.ask);
  const cli::Taken taken = cli::taken_by([&] { loop(some, sample); });
  row.loop_seconds =
      taken.cpu * static_cast<double>(n) / static_cast<double>(some) / options.timing.threads;
  row.differs = !same_first(expected, std::move(sample), some);
  return row;
}

Contest::Contest(std::string name, const Scene& scene, const std::vector<std::string>& against)
    : name_(std::move(name)), scene_(scene), loop_(scene, Backend::reference) {
  const auto is_asked = [&](const std::string& rival) {
    return std::ranges::any_of(against, [&](const auto& a) { return rival.starts_with(a); });
  };
  for (const rivals::QueryRival& rival : rivals::query_rivals()) {
    if (is_asked(rival.name)) entrants_.push_back({rival.name, rival.build(scene_.view())});
  }
  if (is_asked("VAMP")) vamp_ = vamp_scene_of(scene_.view());
}

QueryRow Contest::row(const QueryBatch& batch, const std::string& ask, int threads,
                      const cli::DuelOptions& options) const {
  const bool eights = ask == "eights";
  const bool spheres = batch.shapes.view().count(Kind::sphere) == batch.size();
  if (eights && !spheres) {
    throw Error(ErrorKind::usage, "eights are asked of spheres and rakes, not of " + batch.name);
  }
  const std::uint64_t n = eights ? batch.size() / 8 : batch.size();
  const Caster caster(scene_, Backend::cpu, {.threads = threads});
  rivals::QueryRunner runner(threads);
  std::vector<cli::Contender> contenders;
  if (ask == "blocked") contenders.push_back({"32 samples, ours", sampled(caster, batch)});
  std::optional<VampAnswers> vamp;
  if (vamp_ != nullptr && spheres && (eights || ask == "any")) {
    vamp.emplace(*vamp_, batch, eights, threads);
    contenders.push_back({eights ? "VAMP, a bit for eight" : "VAMP, a bit for one in all lanes",
                          [&](std::uint64_t k, Answers& a) { vamp->answer(k, a); }});
  }
  for (const Entrant& e : entrants_) {
    if (ask == "blocked" || eights) break;
    if (ask == "nearest" && !e.tree->signs()) continue;
    for (const bool sorted : {false, true}) {
      contenders.push_back({e.name + (sorted ? ", sorted" : ""),
                            [&, sorted, tree = e.tree.get()](std::uint64_t some, Answers& a) {
                              runner.answer(*tree, sorted, batch, ask, some, a);
                            }});
    }
  }
  return measured({name_, batch.name, ask, scene_.size(), batch.size()}, n,
                  ours(caster, batch, ask), ours(loop_, batch, ask), contenders, options);
}

RowSink::RowSink(const std::string& json) {
  if (!json.empty() && (json_ = std::fopen(json.c_str(), "w")) == nullptr) {
    throw Error(ErrorKind::io, json + ": cannot be written");
  }
  std::printf("%-6s %8s %-9s %-8s %7s %8s %9s %9s %6s %9s  %s\n", "scene", "shapes", "queries",
              "ask", "threads", "found", "M/s", "rival", "ratio", "loop M/s", "its best");
}

RowSink::~RowSink() {
  if (json_ != nullptr) std::fclose(json_);
}

void RowSink::add(const QueryRow& row) {
  const auto rate = [&](double seconds) {
    return seconds > 0 ? static_cast<double>(row.count) / seconds * 1e-6 : 0;
  };
  const double mine = rate(row.timing.seconds(row.duel.ours));
  const double rival = rate(row.timing.seconds(row.duel.rival));
  const cli::Difference& d = row.duel.difference;
  std::printf("%-6s %8llu %-9s %-8s %7d %8.3f %9.3f %9.3f %6.2f %9.4f  %s\n", row.scene.c_str(),
              static_cast<unsigned long long>(row.shapes), row.queries.c_str(), row.ask.c_str(),
              row.timing.threads, row.found, mine, rival, row.duel.ratio, rate(row.loop_seconds),
              row.rival.c_str());
  if (row.differs) std::printf("DIFFERENT from the plain loop\n");
  std::fflush(stdout);
  differing_ += row.differs;
  if (json_ == nullptr) return;
  nlohmann::json line = {{"scene", row.scene},
                         {"shapes", row.shapes},
                         {"queries", row.queries},
                         {"ask", row.ask},
                         {"count", row.count},
                         {"threads", row.timing.threads},
                         {"clock", row.timing.clock == cli::Clock::wall ? "wall" : "cpu"},
                         {"found", row.found},
                         {"mqueries_per_s", mine},
                         {"loop_mqueries_per_s", rate(row.loop_seconds)}};
  if (!row.rival.empty()) {
    line["rival"] = row.rival;
    line["rival_mqueries_per_s"] = rival;
    line["ratio"] = row.duel.ratio;
    line["ratios"] = row.duel.ratios;
    line["compared"] = d.rays;
    line["differ"] = d.hits;
    line["ids_differ"] = d.ids;
    line["largest_distance_difference"] = d.largest_t;
    for (const auto& [mode, seconds] : row.duel.seconds) line["modes"][mode] = rate(seconds);
  }
  std::fprintf(json_, "%s\n", line.dump().c_str());
}

}  // namespace sightline::bench
