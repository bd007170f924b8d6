// cover: where one can take cover, in which directions, and on which side one can lean out.
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"

#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/cover_points.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_points = 1 << 14;

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
    p.hash("points.hash", hash_);
    p.number("points.count", count_);
    bool y_up = options_.up.y != 0;
    p.choice("query.up", y_up, axes);
    options_.up = y_up ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    p.number("query.directions", options_.directions);
    p.number("query.at", options_.at);
    p.number("query.crouch", options_.crouch);
    p.number("query.stand", options_.stand);
    p.number("query.radius", options_.radius);
    p.number("query.reach", options_.reach);
    p.number("query.lean", options_.lean);
    p.number("query.view", options_.view);
  }
  Grid grid() const override { return {count_}; }
  std::vector<Column> columns() const override {
    const io::Shape n = {count_};
    return {{"height", io::Dtype::u8, n},    {"facing", io::Dtype::u8, n},
            {"distance", io::Dtype::f32, n}, {"crouch", io::Dtype::u64, n},
            {"stand", io::Dtype::u64, n},    {"left", io::Dtype::u64, n},
            {"right", io::Dtype::u64, n}};
  }

  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    if (arguments_ == nullptr) {
      points_ = in.points({"--points", "/points", "points", "points"}, hash_, count_);
      return in.naming_result([&] { cover(caster(), {}, {}, options_); });
    }
    if (up_of(scene_) == UpAxis::y) options_.up = {0, 1, 0};
    // Refuses bad options before the file is made.
    cover_directions(options_.directions, options_.up);
    cover(caster(), {}, {}, options_);
    const bool writes = !arguments_->places.empty() && !in.job().common().dry_run;
    if (writes) io::check_can_write(arguments_->places);
    points_ = cover_points(in.job(), *arguments_, caster(), scene_hash, options_);
    hash_ = io::points_hash(points_);
    count_ = points_.count();
  }
  /// The places along walls, where there is a name for them.
  void begun(Job& job) const override {
    if (arguments_->places.empty()) return;
    io::write_points(arguments_->places, points_);
    job.say(fmt::format("wrote   {}: {} points", arguments_->places, grouped(points_.count())));
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
  void tally(Block& block, io::JobCounts& counts) const override {
    for (const CoverHeight height : block.of<CoverHeight>("height")) {
      counts.sum[1] += height == CoverHeight::crouch;
      counts.sum[2] += height == CoverHeight::stand;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"candidates", "near something", counts.sum[0], 0, Told::by_runs},
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
  void draw(Job& job, const io::ContainerWriter& writer) const override {
    if (arguments_->picture.empty()) return;
    std::vector<std::uint64_t> safe(count_);
    writer.read("crouch", 0, count_, safe.data());
    std::vector<float> share;
    for (const std::uint64_t directions : safe) {
      share.push_back(static_cast<float>(std::popcount(directions)) /
                      static_cast<float>(options_.directions));
    }
    draw_shares(job, arguments_->picture, caster(), scene_, points_.view(), std::move(share),
                "share of directions safe when crouching", options_.crouch - options_.at);
  }

 private:
  const CoverArguments* arguments_ = nullptr;
  CoverOptions options_;
  Inside inside_ = Inside::solid;
  float range_ = infinity;
  std::string hash_;
  std::uint64_t count_ = 0;
  io::Points points_;
};

}  // namespace

std::unique_ptr<Result> new_cover() { return std::make_unique<Cover>(); }

int run_cover(Job& job, const CoverArguments& a) {
  if (a.points.empty() && a.map.empty()) {
    throw Error(ErrorKind::usage, "name the points: --points P, or --nav MAP and --points-out");
  }
  InputFiles in(job, {{"--scene", a.scene}, {"--points", a.points}, {"--nav", a.map}});
  Cover cover(a);
  return run_result(job, cover, in, {a.output, a.resume, {a.picture, a.places}});
}

}  // namespace sightline::cli
