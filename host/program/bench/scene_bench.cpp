#include "host/program/bench/scene_bench.hpp"

#include "host/program/engine/inputs.hpp"
#include "host/program/interrupt.hpp"

#include <sightline/error.hpp>
#include <sightline/shapes/aabb.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <thread>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_shapes_built_often = 2'000'000;
constexpr int builds = 3;

/// A rival's scene, built in one of its variants.
struct Variant {
  std::string name;
  std::unique_ptr<RivalScene> scene;
};

struct RivalBuilt {
  const Rival* rival;
  std::vector<Variant> variants = {};
  std::vector<double> seconds = {};  ///< of the first variant
};

/// Ours and the rivals' over one scene, at one place.
struct Built {
  std::optional<Caster> caster;
  std::vector<double> seconds;
  std::vector<RivalBuilt> rivals;
};

class SceneBench {
 public:
  SceneBench(BenchSink& sink, const std::string& name, const Scene& scene, int pairs,
             const Opponents& against)
      : sink_(sink), name_(name), scene_(scene), pairs_(pairs), against_(against) {}

  void measure(const BenchPlace& place, const std::deque<Batch>& batches) {
    const Built built = build(place);
    for (const Batch& batch : batches) {
      for (const BenchQuery query : batch.queries) {
        for (const RivalBuilt& rival : built.rivals) add_row(place, built, &rival, batch, query);
        if (built.rivals.empty()) add_row(place, built, nullptr, batch, query);
      }
    }
  }

 private:
  Built build(const BenchPlace& place) const {
    const int often = scene_.size() <= most_shapes_built_often ? builds : 1;
    const ShapesView shapes = scene_.view();
    const Timing timing = place.timing();
    CasterOptions options{.threads = place.threads, .device = number_of(place.device)};
    options.lanes = place.lanes;
    // A GPU is held against all cores.
    const int rival_threads =
        place.threads > 0 ? place.threads
                          : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    Built built;
    for (const Rival* rival : against_.rivals) built.rivals.push_back({rival});
    for (int k = 0; k < often; ++k) {
      poll_interrupt();
      built.caster.reset();
      Scene copy = scene_;
      built.seconds.push_back(timing.seconds(taken_by(
          [&] { built.caster.emplace(std::move(copy), backend_of(place.device), options); })));
      for (RivalBuilt& r : built.rivals) {
        r.variants.clear();
        std::unique_ptr<RivalScene> first;
        r.seconds.push_back(
            timing.seconds(taken_by([&] { first = r.rival->build(0, shapes, rival_threads); })));
        r.variants.push_back({r.rival->variants()[0], std::move(first)});
      }
    }
    for (RivalBuilt& r : built.rivals) {
      for (std::size_t v = 1; v < r.rival->variants().size(); ++v) {
        poll_interrupt();
        std::unique_ptr<RivalScene> other = r.rival->build(v, shapes, rival_threads);
        if (other != nullptr) r.variants.push_back({r.rival->variants()[v], std::move(other)});
      }
    }
    return built;
  }

  /// Against one rival, or alone.
  void add_row(const BenchPlace& place, const Built& built, const RivalBuilt* rival,
               const Batch& batch, BenchQuery query) {
    std::vector<Contender> contenders;
    std::vector<double> bytes;
    const std::span<const Variant> variants =
        rival == nullptr ? std::span<const Variant>() : std::span(rival->variants);
    for (const Variant& v : variants) {
      const std::vector<std::string> ways = v.scene->ways();
      for (std::size_t w = 0; w < ways.size(); ++w) {
        const std::string mode = v.name + ": " + ways[w];
        if (!against_.mode.empty() && mode != against_.mode) continue;
        contenders.push_back({mode, theirs(*v.scene, w, batch, query)});
        bytes.push_back(per_shape(v.scene->memory_bytes()));
      }
    }
    if (rival != nullptr && contenders.empty()) {
      io::fail(ErrorKind::usage, "--mode: {} has no \"{}\"", rival->rival->name(), against_.mode);
    }
    BenchRow row;
    Answers expected = room_for(batch.rays.count, query);
    row.duel = duel(batch.rays.count, ours(*built.caster, batch, query, batch.rays), expected,
                    contenders, {pairs_, place.timing()});
    row.scene = name_;
    row.rays = batch.name;
    row.query = name_of(query);
    row.device = built.caster->description();
    row.lanes = lanes_of(*built.caster);
    row.backend = row.device.substr(0, row.device.find(':'));
    row.shapes = scene_.size();
    row.count = batch.rays.count;
    row.threads = place.threads;
    row.timing = place.timing();
    row.bytes_per_ray = bytes_per_ray(query);
    row.hit_share = hit_share(expected, query, batch.rays.count);
    row.redrawn_share = batch.redrawn_share;
    row.build_s = median(built.seconds);
    row.bytes_per_shape = per_shape(built.caster->memory_bytes());
    row.hash = expected.hash();
    if (!contenders.empty()) {
      row.rival_name = rival->rival->name();
      row.rival = rival->rival->description();
      row.rival_mode = contenders[row.duel.winner].mode;
      row.rival_build_s = median(rival->seconds);
      row.rival_bytes_per_shape = bytes[row.duel.winner];
    }
    check(batch, query, row, std::move(expected));
    print_row(sink_.job, row);
    report_row(sink_.job, sink_.rows++, row);
  }

  /// The answers are those of the judge and of the first place, and what is seen is what no segment
  /// hits.
  void check(const Batch& batch, BenchQuery query, BenchRow& row, Answers answers) {
    std::string hash = row.hash;
    if (query == BenchQuery::visibility) {
      flip(answers.bits);
      hash = answers.hash();
    }
    const std::string key = batch.name + (query == BenchQuery::closest ? " closest" : " any");
    const auto [at, is_first] = hashes_.try_emplace(key, hash);
    ReferenceCheck checked;
    if (is_first && query != BenchQuery::visibility) {
      checked = check_by_reference(scene_, batch, query, answers);
    }
    row.judged = checked.rays;
    if (at->second == hash && checked.differing == 0) return;
    ++sink_.differing;
    sink_.job.warn("{}, {} {}: {} gives other answers than {}", name_, batch.name, row.query,
                   row.device, checked.differing == 0 ? "the rows before" : "brute force");
  }

  double per_shape(std::uint64_t bytes) const {
    return static_cast<double>(bytes) /
           static_cast<double>(std::max<std::uint64_t>(scene_.size(), 1));
  }

  BenchSink& sink_;
  std::string name_;
  const Scene& scene_;
  int pairs_;
  const Opponents& against_;
  std::map<std::string, std::string> hashes_;  ///< by batch and query
};

gen::RayRegion region_of(const std::string& name, const Caster& caster,
                         std::optional<gen::SceneKind> kind, const BatchOptions& rays) {
  if (kind) return gen::region_of(*kind, caster.scene());
  const bool makes_rays = std::any_of(rays.rays.begin(), rays.rays.end(), [](const std::string& r) {
    return r == "matrix" || gen::ray_kind(r).has_value();
  });
  if (!makes_rays) return {};
  if (is_empty(caster.scene().bounds())) {
    io::fail(ErrorKind::usage, "{}: no shape has bounds, so name a file of rays by --rays", name);
  }
  return gen::region_of(caster, rays.seed);
}

}  // namespace

void bench_scene(BenchSink& sink, const std::string& name, const Scene& scene,
                 std::optional<gen::SceneKind> kind, const BatchOptions& rays,
                 const std::vector<BenchPlace>& places, int pairs, const Opponents& against) {
  const std::deque<Batch> batches = [&] {
    const Caster caster(scene, Backend::cpu);
    return make_batches(rays, caster, region_of(name, caster, kind, rays));
  }();
  SceneBench bench(sink, name, scene, pairs, against);
  for (const BenchPlace& place : places) bench.measure(place, batches);
}

}  // namespace sightline::cli
