// cover: where one can take cover, in which directions, and on which side one can lean out.
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"

#include "host/files/core/file_format.hpp"
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/progress.hpp"
#include "host/program/verbs/verbs.hpp"

#include <sightline/cover_places.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_points = 1 << 14;

CoverPlaces find_places(Job& job, const Caster& caster, const NavMap& map,
                        const CoverOptions& cover, float spacing) {
  CoverPlaceOptions o;
  o.cover = cover;
  o.spacing = spacing;
  if (job.common().max_memory != 0) {
    const std::uint64_t held = current_memory_bytes();
    o.max_bytes = job.common().max_memory > held ? job.common().max_memory - held : 1;
  }
  Progress progress("cover", "places along walls", spans_along_walls(map).size(),
                    job.common().quiet);
  o.progress = [&](std::uint64_t done, std::uint64_t) { progress.update(done); };
  return job.timed("places", [&] { return find_cover_places(caster, map, o); });
}

/// Reads the points, or finds the places, says how many there are and reports them. Where a map
/// says which way is up, so do the options then. In a dry run places are counted, not looked for:
/// all along walls are given.
io::Points cover_points(InputFiles& in, const CoverArguments& a, const Caster& caster,
                        const std::string& scene_hash, CoverOptions& options) {
  Job& job = in.job();
  const std::string file = in.file_of("--nav");
  if (file.empty()) return load_points(job, in.file_of("--points"), "/points");
  io::Metadata metadata;
  const NavMap map = load_map(job, file, metadata);
  job.set("/nav/file", file);
  if (metadata["scene.hash"] != scene_hash) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: is the map of another scene", file));
  }
  options.up = upright(Vec3{0, 0, 1}, map.grid.up);
  io::Points points;
  if (job.common().dry_run) {
    points.position.resize(3 * spans_along_walls(map).size());
    job.say(fmt::format("places  {} along walls, of which some are kept", grouped(points.count())));
    return points;
  }
  const CoverPlaces places = find_places(job, caster, map, options, a.spacing);
  for (const Vec3& p : places.position) {
    points.position.insert(points.position.end(), {p.x, p.y, p.z});
  }
  points.metadata = {{"unit", unit_of(metadata)}, {"up", map.grid.up == UpAxis::y ? "y" : "z"}};
  job.set("/points/file", a.places);
  job.set("/points/count", points.count());
  job.set("/counts/along_walls", places.along_walls);
  job.set("/counts/covered", places.covered);
  job.say(fmt::format("places  {} along walls, {} with cover, {} kept at {} apart",
                      grouped(places.along_walls), grouped(places.covered), grouped(points.count()),
                      a.spacing));
  return points;
}

class Cover : public Result {
 public:
  Cover() : Result({"cover", "cover", "points", "point"}) {}
  /// As the arguments ask, which must stay.
  explicit Cover(const CoverArguments& a) : Cover() {
    arguments_ = &a;
    options_ = a.options;
  }

  void visit(Parameters& p) override {
    constexpr std::array<std::string_view, 2> axes = {"z", "y"};
    // What is asked has no policy and no range of its own.
    p.inside(inside_);
    p.number("query.range", range_, 0.0f);
    p.input("points", input_);
    bool y_up = options_.up.y != 0;
    p.choice("query.up", y_up, axes);
    options_.up = y_up ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    p.number("query.directions", options_.directions, 4, 64);
    p.number("query.at", options_.at);
    p.number("query.crouch", options_.crouch);
    p.number("query.stand", options_.stand);
    p.number("query.radius", options_.radius);
    p.number("query.reach", options_.reach);
    p.number("query.lean", options_.lean);
    p.number("query.view", options_.view);
  }
  Grid grid() const override { return {input_.count}; }
  std::vector<Column> columns() const override {
    const io::Shape n = {input_.count};
    return {{"height", io::Dtype::u8, n},    {"facing", io::Dtype::u8, n},
            {"distance", io::Dtype::f32, n}, {"crouch", io::Dtype::u64, n},
            {"stand", io::Dtype::u64, n},    {"left", io::Dtype::u64, n},
            {"right", io::Dtype::u64, n}};
  }

  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    if (arguments_ == nullptr) {
      points_ = in.points(input_);
      return in.naming_result([&] { cover(caster(), {}, {}, options_); });
    }
    if (up_of(scene_) == UpAxis::y) options_.up = {0, 1, 0};
    // Refuses bad options before the file is made.
    cover_directions(options_.directions, options_.up);
    cover(caster(), {}, {}, options_);
    io::refuse_other_ending(arguments_->places, ".npy");
    over_ = load_over(in.job(), in.value("--over"), scene_);
    points_ = cover_points(in, *arguments_, caster(), scene_hash, options_);
    input_.hash = io::points_hash(points_);
    input_.count = points_.count();
  }
  /// The places along walls, where there is a name for them.
  void begun(Job& job) const override {
    if (arguments_->places.empty()) return;
    io::write_points(arguments_->places, points_);
    job.wrote(arguments_->places, fmt::format("{} points", grouped(points_.count())));
  }

  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    const CoverReport report =
        cover(caster(), points_.view().slice(part.row, part.rows),
              {block.of<CoverHeight>("height"), block.of<std::uint8_t>("facing"),
               block.of<float>("distance"), block.of<std::uint64_t>("crouch"),
               block.of<std::uint64_t>("stand"), block.of<std::uint64_t>("left"),
               block.of<std::uint64_t>("right")},
              options_);
    io::JobCounts counts;
    counts.sum[0] = report.candidates;
    return counts;
  }
  void report(Job& job, const Done&) const override {
    std::uint64_t bad = 0;
    for (std::uint64_t i = 0; i < input_.count; ++i) bad += !in_domain(points_.view().position[i]);
    if (bad == 0) return;
    job.set("/counts/bad_points", bad);
    job.warn(fmt::format("{} of {} points are bad (NaN, infinite or beyond 2^40) and have no cover",
                         grouped(bad), grouped(input_.count)));
  }
  void tally(Block& block, io::JobCounts& counts) const override {
    for (const CoverHeight height : block.of<CoverHeight>("height")) {
      counts.sum[1] += height == CoverHeight::crouch;
      counts.sum[2] += height == CoverHeight::stand;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"candidates", "near something", counts.sum[0], 0, Shown::by_runs},
            {"crouch", "with cover to crouch behind", counts.sum[1]},
            {"stand", "to stand behind", counts.sum[2]}};
  }
  Cost cost() const override {
    const std::uint64_t directions = std::max(1u, options_.directions);
    return {most_points, 0,
            std::max<std::uint64_t>(
                1, chunk_size(backend(), shapes(), most_points * directions) / directions)};
  }

  /// The share of directions that are safe when crouching.
  void draw(Job& job, const io::ContainerWriter& writer,
            const std::string& picture) const override {
    std::vector<std::uint64_t> safe(input_.count);
    writer.read("crouch", 0, safe.size(), safe.data());
    std::vector<float> share;
    for (const std::uint64_t directions : safe) {
      share.push_back(static_cast<float>(std::popcount(directions)) /
                      static_cast<float>(options_.directions));
    }
    draw_shares(job, picture, caster(), scene_, points_.view(), std::move(share),
                "share of directions safe when crouching", options_.crouch - options_.at, over_);
  }

 private:
  const CoverArguments* arguments_ = nullptr;
  CoverOptions options_;
  Inside inside_ = Inside::solid;
  float range_ = infinity;
  Input input_{"--points", "/points", "points"};
  io::Points points_;
  std::optional<Scene> over_;  ///< drawn in the place of the scene
};

}  // namespace

std::unique_ptr<Result> new_cover() { return std::make_unique<Cover>(); }

int run_cover(Job& job, const CoverArguments& a) {
  const InputFiles in(job, a.inputs);
  if (!in.has("--points") && !in.has("--nav")) {
    throw Error(ErrorKind::usage, "name the points: --points P, or --nav MAP and --points-out");
  }
  const CoverOptions& o = a.options;
  if (o.radius > o.reach) {
    throw Error(ErrorKind::usage,
                fmt::format("--radius {} is above --reach {}, beyond which nothing is cover",
                            o.radius, o.reach));
  }
  if (o.crouch > o.stand) {
    throw Error(ErrorKind::usage,
                fmt::format("--crouch {} is above --stand {}", o.crouch, o.stand));
  }
  Cover cover(a);
  return run_result(job, cover, a, {a.places});
}

}  // namespace sightline::cli
