// Rays and lines of sight on the cpu backend, in turn with the best of what others have: Embree 3
// and 4, tinybvh, as far as this build found them.
//
//   duel_rays --against embree,embree4 [--scene city,cloud,mixed,FILE] [--shapes 1000,...]
//             [--rays coherent,incoherent,los,matrix,FILE] [--query closest|any] [--points FILE]
//             [--count N] [--pairs P] [--threads 1,2] [--lanes avx2,...] [--mode MODE]
//             [--clock cpu|wall] [--seed S] [--json FILE]
//
// Exit code 0; 1: answers differ; 2: usage; 6: a file cannot be read or written; 7: other errors.
#include "bench/duel/ray_row.hpp"
#include "bench/duel/rival.hpp"
#include "bench/harness/questions.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <map>

namespace sightline::bench {
namespace {

constexpr std::uint64_t most_shapes_built_often = 2'000'000, judged_pairs = std::uint64_t{1} << 28;
constexpr int builds = 3;

struct Options {
  std::vector<std::string> scenes = {"city", "cloud", "mixed"};
  std::vector<std::uint64_t> shapes = {1000, 100'000, 1'000'000};
  std::vector<std::string> rays = {"coherent", "incoherent", "los", "matrix"};
  std::vector<std::string> against, lanes = {"auto"};
  std::vector<int> threads = default_threads();
  std::string query = "closest", mode, clock = "cpu", json;
  int pairs = 5;
  Load load;
};

struct Variant {
  std::string name;
  std::unique_ptr<RivalScene> scene;
};

/// A rival's scenes, one for each of its variants.
struct RivalBuilt {
  const Rival* rival;
  std::vector<Variant> variants = {};
  std::vector<double> seconds = {};  ///< of the first variant
};

/// A rival's way on our rays; sight is what it does not find blocked.
CastFirst theirs(RivalScene& scene, std::size_t way, const RaysView& rays,
                 const std::string& query) {
  return [&, way, query](std::uint64_t n, Answers& a) {
    if (query == "closest") {
      scene.closest_hit(way, rays.slice(0, n), a.t.data(), a.id.data());
    } else {
      scene.any_hit(way, rays.slice(0, n), a.bits.data());
      if (query == "visibility") a.flip_bits();
    }
  };
}

/// All rows of one scene.
class SceneDuel {
 public:
  SceneDuel(World& world, const Options& o, const std::vector<const Rival*>& rivals)
      : world_(world), o_(o), rivals_(rivals) {}

  template <class Sink>
  void run(Sink&& sink) {
    const Clock clock = o_.clock == "wall" ? Clock::wall : Clock::cpu;
    for (const int threads : o_.threads) {
      for (const std::string& lanes : o_.lanes) {
        place_ = {
            lanes, CpuOptions{.threads = threads, .lanes = lanes_named(lanes)}, {clock, threads}};
        build();
        for (const std::string& rays : o_.rays) {
          for (const std::string& query : queries_of(rays)) {
            for (const RivalBuilt& rival : built_) sink(row(rival, rays, query));
          }
        }
      }
    }
  }
  bool differs() const { return differs_; }

 private:
  std::vector<std::string> queries_of(const std::string& rays) const {
    if (rays == "matrix") return {"any", "visibility"};
    if (rays == "los") return {"any"};
    return {gen::ray_kind(rays) ? "closest" : o_.query};
  }
  double per_shape(std::uint64_t bytes) const {
    return static_cast<double>(bytes) /
           static_cast<double>(std::max<std::uint64_t>(world_.scene().size(), 1));
  }

  void build() {
    const int often = world_.scene().size() <= most_shapes_built_often ? builds : 1;
    const ShapesView shapes = world_.scene().view();
    built_.clear(), seconds_.clear();
    for (const Rival* rival : rivals_) built_.push_back({rival});
    for (int k = 0; k < often; ++k) {
      Scene copy = world_.scene();
      std::optional<Caster> ours;
      seconds_.push_back(
          place_.timing.seconds(taken_by([&] { ours.emplace(std::move(copy), place_.options); })));
      for (RivalBuilt& r : built_) {
        r.variants.clear();
        std::unique_ptr<RivalScene> first;
        r.seconds.push_back(place_.timing.seconds(
            taken_by([&] { first = r.rival->build(0, shapes, place_.timing.threads); })));
        r.variants.push_back({r.rival->variants()[0], std::move(first)});
      }
    }
    for (RivalBuilt& r : built_) {
      for (std::size_t v = 1; v < r.rival->variants().size(); ++v) {
        auto other = r.rival->build(v, shapes, place_.timing.threads);
        if (other != nullptr) r.variants.push_back({r.rival->variants()[v], std::move(other)});
      }
    }
  }

  RayRow row(const RivalBuilt& rival, const std::string& kind, const std::string& query) {
    const RaysView& rays = world_.rays(kind);
    const Question q =
        query == "visibility" ? sight_question(world_, query) : ray_question(world_, query, kind);
    const Caster& caster = world_.caster(place_.options);
    std::vector<Contender> contenders;
    std::vector<double> bytes;
    for (const Variant& v : rival.variants) {
      const std::vector<std::string> ways = v.scene->ways();
      for (std::size_t w = 0; w < ways.size(); ++w) {
        const std::string mode = v.name + ": " + ways[w];
        if (!o_.mode.empty() && mode != o_.mode) continue;
        contenders.push_back({mode, theirs(*v.scene, w, rays, query)});
        bytes.push_back(per_shape(v.scene->memory_bytes()));
      }
    }
    if (contenders.empty()) {
      throw Error(ErrorKind::usage,
                  "--mode: " + rival.rival->name() + " has no \"" + o_.mode + "\"");
    }
    RayRow row = {world_.name(), kind, query, caster.description(), lanes_of(caster)};
    Answers expected = q.room(q.count);
    row.duel = duel(rays.size(), [&](std::uint64_t, Answers& a) { q.ask(caster, q.count, a); },
                    expected, contenders, {o_.pairs, place_.timing});
    row.shapes = world_.scene().size();
    row.count = rays.size();
    row.timing = place_.timing;
    row.bytes_per_ray = q.bytes;
    row.hit_share = expected.found() / static_cast<double>(rays.size());
    if (query == "visibility") row.hit_share = 1 - row.hit_share;
    row.redrawn_share = world_.redrawn_share(kind);
    row.build_s = median(seconds_);
    row.bytes_per_shape = per_shape(caster.memory_bytes());
    row.hash = expected.hash();
    row.rival_name = rival.rival->name();
    row.rival = rival.rival->description();
    row.rival_mode = contenders[row.duel.winner].mode;
    row.rival_build_s = median(rival.seconds);
    row.rival_bytes_per_shape = bytes[row.duel.winner];
    check(q, row, std::move(expected));
    return row;
  }

  /// The answers are those of brute force and of the first place, and what is seen is what no
  /// segment hits.
  void check(const Question& q, RayRow& row, Answers answers) {
    std::string hash = row.hash;
    if (row.query == "visibility") {
      answers.flip_bits();
      hash = answers.hash();
    }
    const std::string key = row.rays + (row.query == "closest" ? " closest" : " any");
    const auto [at, is_first] = hashes_.try_emplace(key, hash);
    bool differs = at->second != hash;
    if (is_first && row.query != "visibility") {
      const std::uint64_t some = judged_pairs / std::max<std::uint64_t>(row.shapes, 1);
      row.judged = std::min(q.count, bit_words(some + 1) * 64);
      Answers expected = q.room(row.judged);
      q.ask(world_.judge(), row.judged, expected);
      differs = !expected.begins(answers);
    }
    if (!differs) return;
    differs_ = true;
    std::fprintf(stderr,
                 "duel_rays: %s, %s %s: other answers than brute force or the rows before\n",
                 row.scene.c_str(), row.rays.c_str(), row.query.c_str());
  }

  World& world_;
  const Options& o_;
  const std::vector<const Rival*>& rivals_;
  Place place_;
  std::vector<RivalBuilt> built_;
  std::vector<double> seconds_;
  std::map<std::string, std::string> hashes_;  ///< by rays and query
  bool differs_ = false;
};

const Rival* find_rival(const std::vector<std::unique_ptr<Rival>>& rivals,
                        const std::string& name) {
  std::string known;
  for (const auto& rival : rivals) {
    known += (known.empty() ? "" : ", ") + rival->name();
    if (rival->name() != name) continue;
    const std::string problem = rival->problem();
    if (problem.empty()) return rival.get();
    throw Error(ErrorKind::usage, "--against " + name + ": " + problem);
  }
  throw Error(ErrorKind::usage, "--against " + name + ": this build knows " + known);
}

/// Rivals look at neither, so their answers would be to other questions.
void refuse_masks_and_exclusions(const Options& o) {
  for (const std::string& file : o.rays) {
    if (gen::ray_kind(file) || file == "matrix") continue;
    const io::RaysSource rays(file);
    const io::RayColumns& c = rays.columns();
    if (c.mask || c.exclude || c.exclude_group) {
      throw Error(ErrorKind::usage, file + ": rivals know no masks and no exclusions");
    }
  }
}

void write(const std::string& file, const nlohmann::json& rows) {
  std::ofstream to(file);
  to << nlohmann::json{{"rows", rows}}.dump(1) << "\n";
  if (!to.flush()) throw Error(ErrorKind::io, file + ": cannot be written");
}

int compare(const Options& o) {
  const std::vector<std::unique_ptr<Rival>> all = make_rivals();
  std::vector<const Rival*> rivals;
  for (const std::string& name : o.against) rivals.push_back(find_rival(all, name));
  refuse_masks_and_exclusions(o);
  for (const std::string& name : o.lanes) static_cast<void>(lanes_named(name));
  nlohmann::json rows = nlohmann::json::array();
  bool differs = false;
  for (const Rival* rival : rivals) std::fprintf(stderr, "%s\n", rival->description().c_str());
  if (o.json != "-") print_head();
  for (const std::string& scene : o.scenes) {
    const bool standard = gen::scene_kind(scene).has_value();
    for (const std::uint64_t shapes : standard ? o.shapes : std::vector<std::uint64_t>{0}) {
      SceneDuel duels(World::of(scene, shapes, o.load), o, rivals);
      duels.run([&](const RayRow& row) {
        rows.push_back(json_of(row));
        if (o.json != "-") print_row(row);
        if (!o.json.empty() && o.json != "-") write(o.json, rows);
      });
      differs = differs || duels.differs();
    }
  }
  if (o.json == "-") std::puts(nlohmann::json{{"rows", rows}}.dump(1).c_str());
  return differs ? 1 : 0;
}

int run(int argc, char** argv) {
  Options o;
  CLI::App app("rates of rays and lines of sight beside those of others");
  const auto list = [&](const char* name, auto& to, const char* words) {
    return app.add_option(name, to, words)->delimiter(',');
  };
  list("--against", o.against, "rivals: embree, embree4, tinybvh")->required();
  list("--scene", o.scenes, "city, cloud, mixed, lattice, adversarial, or files");
  list("--shapes", o.shapes, "of standard scenes");
  list("--rays", o.rays, "coherent, incoherent, los, matrix, or files");
  app.add_option("--query", o.query, "of files of rays: closest or any")
      ->check(CLI::IsMember({"closest", "any"}));
  app.add_option("--points", o.load.points, "matrices are of these against themselves");
  app.add_option("--count", o.load.count, "rays of a kind, and about so many pairs")
      ->check(CLI::Range(4096.0, 4294967296.0));
  app.add_option("--pairs", o.pairs, "measured pairs")->check(CLI::Range(1, 1000));
  list("--threads", o.threads, "one thread and all cores where not given")
      ->check(CLI::Range(1, 4096));
  list("--lanes", o.lanes, "avx512, avx2, portable or auto, each with rows of its own");
  app.add_option("--mode", o.mode, "of a rival, as a row names it: one alone");
  app.add_option("--clock", o.clock, "cpu or wall")->check(CLI::IsMember({"cpu", "wall"}));
  app.add_option("--seed", o.load.seed, "of scenes and rays");
  app.add_option("--json", o.json, "a file for the rows; -: stdout, and no table");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return compare(o);
  } catch (const Error& error) {
    std::fprintf(stderr, "duel_rays: %s\n", error.what());
    return error.kind() == ErrorKind::usage ? 2 : error.kind() == ErrorKind::io ? 6 : 7;
  }
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) { return sightline::bench::run(argc, argv); }
