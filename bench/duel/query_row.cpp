#include "bench/duel/query_row.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

namespace sightline::bench {
namespace {

constexpr double loop_tests = 2e7;  // so many pairs are the plain loop's sample

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

}  // namespace

Contest::Contest(std::string name, const Scene& scene, const std::vector<std::string>& against)
    : name_(std::move(name)), scene_(scene), loop_(scene, ReferenceOptions{}) {
  const auto is_asked = [&](const std::string& rival) {
    return std::ranges::any_of(against, [&](const auto& a) { return rival.starts_with(a); });
  };
  for (const rivals::QueryRival& rival : rivals::query_rivals()) {
    if (is_asked(rival.name)) entrants_.push_back({rival.name, rival.build(scene_.view())});
  }
  if (is_asked("VAMP")) vamp_ = vamp_scene_of(scene_.view());
}

QueryRow Contest::row(const QueryBatch& batch, const std::string& ask, int threads,
                      const DuelOptions& options) const {
  const Question question = query_question(batch, ask);
  const bool eights = ask == "eights";
  const bool spheres = batch.shapes.view().count(Kind::sphere) == batch.size();
  const Caster caster(scene_, CpuOptions{.threads = threads});
  rivals::QueryRunner runner(threads);
  std::vector<Contender> contenders;
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
  QueryRow row = {name_, batch.name, ask, scene_.size(), batch.size()};
  const std::uint64_t n = question.count;
  row.timing = options.timing;
  Answers expected = question.room(n);
  row.duel = duel(
      n, [&](std::uint64_t k, Answers& a) { question.ask(caster, k, a); }, expected, contenders,
      options);
  if (!contenders.empty()) row.rival = contenders[row.duel.winner].mode;
  row.found = expected.found() / static_cast<double>(n);
  const double some_queries = loop_tests / static_cast<double>(row.shapes) / question.each;
  const std::uint64_t some =
      std::min(n, bit_words(static_cast<std::uint64_t>(some_queries) + 1) * 64);
  Answers sample = question.room(some);
  const Taken taken = taken_by([&] { question.ask(loop_, some, sample); });
  row.loop_seconds =
      taken.cpu * static_cast<double>(n) / static_cast<double>(some) / options.timing.threads;
  row.differs = !sample.begins(expected);
  return row;
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
  const Difference& d = row.duel.difference;
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
                         {"clock", row.timing.clock == Clock::wall ? "wall" : "cpu"},
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
