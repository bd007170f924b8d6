// cover: where one can take cover, in which directions, and on which side one can lean out.
#include "host/program/results/run.hpp"

#include "host/files/core/file_format.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/memory.hpp"
#include "host/program/jobs/progress.hpp"

#include <sightline/cover.hpp>

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

class Cover : public Result {
 public:
  Cover() : Result({"cover", "cover", "points", "point"}, {"--points", "/points", "points"}) {}

  CoverOptions options;  ///< but for the axis, which is the scene's
  std::string places;    ///< where places along a map's walls are written
  float spacing = 1;     ///< of the places

  void visit(Parameters& p) override {
    constexpr std::array<std::string_view, 2> axes = {"z", "y"};
    // What is asked has no policy and no range of its own.
    p.inside(inside_);
    p.number("query.range", range_, 0.0f);
    p.input("points", input_);
    bool y_up = options.up.y != 0;
    p.choice("query.up", y_up, axes);
    options.up = y_up ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    p.number("query.directions", options.directions, 4, 64);
    p.number("query.at", options.at);
    p.number("query.crouch", options.crouch);
    p.number("query.stand", options.stand);
    p.number("query.radius", options.radius);
    p.number("query.reach", options.reach);
    p.number("query.lean", options.lean);
    p.number("query.view", options.view);
  }
  std::vector<Column> columns() const override {
    const io::Shape n = {input_.count};
    return {{"height", io::Dtype::u8, n},    {"facing", io::Dtype::u8, n},
            {"distance", io::Dtype::f32, n}, {"crouch", io::Dtype::u64, n},
            {"stand", io::Dtype::u64, n},    {"left", io::Dtype::u64, n},
            {"right", io::Dtype::u64, n}};
  }

  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    in.refuse_kinds(caster(), Refused::without_columns, "bakes of cover");
    if (in.verifies()) {
      points_ = in.points(input_);
      return in.naming_result([&] { cover(caster(), {}, {}, options); });
    }
    if (up_of(scene_) == UpAxis::y) options.up = {0, 1, 0};
    // Refuses bad options before the file is made.
    cover_directions(options.directions, options.up);
    cover(caster(), {}, {}, options);
    io::refuse_other_ending(places, ".npy");
    over_ = load_over(in.job(), in.value("--over"), scene_);
    points_ = find_points(in);
    input_.hash = io::points_hash(points_);
    input_.count = points_.count();
  }
  /// The places along walls, where there is a name for them.
  void write_places(Job& job) const {
    io::write_points(places, points_);
    job.wrote(places, plural(points_.count(), "points"));
    const auto eyes = points_.metadata.find(io::eyes_key);
    if (eyes == points_.metadata.end() || !io::has_ending(places, ".npy")) return;
    job.warn(
        "{}: an .npy holds no eye heights: give --at {} to visibility and exposure, or let "
        "--points-out end in .safetensors",
        places, eyes->second);
  }

  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const CoverReport report =
        cover(caster(), points_.view().slice(part.row, part.rows),
              {buffer.of<CoverHeight>("height"), buffer.of<std::uint8_t>("facing"),
               buffer.of<float>("distance"), buffer.of<std::uint64_t>("crouch"),
               buffer.of<std::uint64_t>("stand"), buffer.of<std::uint64_t>("left"),
               buffer.of<std::uint64_t>("right")},
              options);
    io::JobCounts counts;
    counts.sum[0] = report.candidates;
    return counts;
  }
  void report(Job& job, const Done&) const override {
    std::uint64_t bad = 0;
    for (std::uint64_t i = 0; i < input_.count; ++i) bad += !in_domain(points_.position[i]);
    if (bad > 0) job.set("/counts/bad_points", bad);
    warn_of_bad(job, bad, plural(input_.count, "points"), "has no cover", "have no cover");
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    for (const CoverHeight height : buffer.of<CoverHeight>("height")) {
      counts.sum[1] += height == CoverHeight::crouch;
      counts.sum[2] += height == CoverHeight::stand;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"candidates", "near something", counts.sum[0], 0, Shown::by_runs},
            {"crouch", "with cover to crouch behind", counts.sum[1]},
            {"stand", "to stand behind", counts.sum[2]}};
  }
  Cost cost(const Job&) const override {
    const std::uint64_t directions = std::max(1u, options.directions);
    return {most_points, 0,
            std::max<std::uint64_t>(
                1, chunk_size(backend(), shapes(), most_points * directions) / directions)};
  }

  /// The share of directions that are safe when crouching.
  void draw(Job& job, const io::ContainerWriter& writer, const std::string& picture) const {
    std::vector<std::uint64_t> safe(input_.count);
    writer.read("crouch", 0, safe.size(), safe.data());
    std::vector<float> share;
    for (const std::uint64_t directions : safe) {
      share.push_back(static_cast<float>(std::popcount(directions)) /
                      static_cast<float>(options.directions));
    }
    draw_shares(job, picture, caster(), scene_, points_.view(), std::move(share),
                "share of directions safe when crouching", options.crouch - options.at, over_);
  }

 private:
  /// Reads the points, or finds the places, says how many there are and reports them. Where a map
  /// says which way is up, so do the options then. In a dry run places are counted, not looked for:
  /// all along walls are given.
  io::Points find_points(InputFiles& in) {
    Job& job = in.job();
    const std::string file = in.file_of("--nav");
    if (file.empty()) return load_points(job, in.file_of("--points"), "/points");
    io::Metadata metadata;
    const NavMap map = load_map(job, file, metadata);
    job.set("/nav/file", file);
    if (metadata["scene.hash"] != scene_hash) {
      io::fail(ErrorKind::bad_input, "{}: is the map of another scene", file);
    }
    options.up = upright(Vec3{0, 0, 1}, map.grid.up);
    io::Points points;
    points.metadata = {{"unit", unit_of(metadata)}, {"up", map.grid.up == UpAxis::y ? "y" : "z"}};
    if (const float eyes = options.stand - options.at; eyes != 0) {
      points.metadata[io::eyes_key] = fmt::format("{}", eyes);
    }
    if (job.common().dry_run) {
      points.position.resize(spans_along_walls(map).size());
      const std::uint64_t bytes = io::bytes_of_points(points);
      job.set("/bytes/points_at_most", bytes);
      job.say("places  {} along walls, of which some are kept: at most {}, and no more results",
              grouped(points.count()), format_bytes(bytes));
      return points;
    }
    const CoverPlaces found = find_places(job, caster(), map, options, spacing);
    points.position = found.position;
    job.set("/points/file", places);
    job.set("/points/count", points.count());
    job.set("/counts/along_walls", found.along_walls);
    job.set("/counts/covered", found.covered);
    job.say("places  {} along walls, {} with cover, {} kept at {} apart",
            grouped(found.along_walls), grouped(found.covered), grouped(points.count()), spacing);
    return points;
  }

  Inside inside_ = Inside::solid;
  float range_ = infinity;
  io::Points points_;
  std::optional<Scene> over_;  ///< drawn in the place of the scene
};

struct CoverArguments : ResultArguments {
  Cover result;
};

int run_cover(Job& job, CoverArguments& a) {
  const InputFiles in(job, a.inputs);
  const CoverOptions& o = a.result.options;
  if (!in.has("--points") && !in.has("--nav")) {
    throw Error(ErrorKind::usage, "name the points: --points P, or --nav MAP and --points-out");
  }
  if (o.radius > o.reach) {
    io::fail(ErrorKind::usage, "--radius {} is above --reach {}, beyond which nothing is cover",
             o.radius, o.reach);
  }
  if (o.crouch > o.stand) {
    io::fail(ErrorKind::usage, "--crouch {} is above --stand {}", o.crouch, o.stand);
  }
  RunHooks hooks = hooks_of(a.result);
  if (!a.result.places.empty()) {
    hooks.also = a.result.places;
    hooks.write_also = [&a](Job& of) { a.result.write_places(of); };
  }
  return run_result(job, a.result, a, hooks);
}

}  // namespace

void add_cover(Verb& v) {
  auto& a = v.runs<CoverArguments>(
      run_cover,
      "sightline cover city.st --points places.npy -o cover.st\n"
      "sightline cover city.st --nav city.nav --points-out places.st -o cover.st");
  Cover& r = a.result;
  v.scene(a.inputs);
  const Option points = v.input("--points", a.inputs, "P", "points where one could stand");
  const Option map =
      v.input(
           "--nav", a.inputs, "MAP",
           "instead of points: a navigation map, along whose walls to look for places with cover")
          .excludes(points);
  map.needs(
      v.output("--points-out", r.places, "POINTS", "points to write: the places found").needs(map));
  v.number("--spacing", r.spacing, any_length, "L",
           "how far apart similar places are, at most 64 of the map's cells; 0: all")
      .needs(map);
  v.add("--direction-count", r.options.directions, "K", "4, 8, 16, 32 or 64, evenly around")
      .check(member({"4", "8", "16", "32", "64"}));
  const std::tuple<const char*, float*, const char*> lengths[] = {
      {"--at", &r.options.at, "how high the points are above the feet, in scene units as all"},
      {"--crouch", &r.options.crouch, "eyes above the feet when crouching"},
      {"--stand", &r.options.stand, "eyes above the feet when standing"},
      {"--radius", &r.options.radius, "of the body: what is nearer leaves no room"},
      {"--reach", &r.options.reach, "what is further away is no cover"},
      {"--lean", &r.options.lean, "how far one leans to the side"},
      {"--view", &r.options.view, "how far one must see from there"}};
  for (const auto& [name, value, words] : lengths) {
    v.number(name, *value, value == &r.options.at ? coordinate : any_length, "L", words);
  }
  v.output(a.output, "OUT", "cover to write");
  const Option picture = v.picture(
      a.picture, "map from above: points coloured by how many directions are safe, and the shapes");
  v.input("--over", a.inputs, "SCENE",
          "the picture shows the shapes of another scene of the same map, such as its walls alone")
      .needs(picture);
  v.bake(a);
}

std::vector<MakeResult> cover_kinds() { return {make_result<Cover>}; }

}  // namespace sightline::cli
