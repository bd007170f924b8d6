// distance and clearance: the shapes nearest to points, or to segments.
#include "host/program/engine/bytes.hpp"
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_elements_per_chunk = 1 << 20;

/// What both have: k shapes for each point, or for each segment that begins at one.
class Near : public Result {
 public:
  Near(const Names& of, const NearestOptions& o) : Result(of), options(o) {}

  NearestOptions options;

  Grid grid() const override { return {points_.count}; }
  std::vector<Column> columns() const override {
    const std::uint64_t n = points_.count, k = options.k;
    return {{"distance", io::Dtype::f32, {n, k}}, {"id", io::Dtype::u32, {n, k}}};
  }
  void load(InputFiles& in) override { from_ = in.points(points_); }
  Cost cost() const override {
    // The points lie in memory already; a device takes them from pinned copies.
    return {1 << 18, (copies_in_memory(backend()) - 1) * sizeof(SightPoint) * 2,
            most_elements_per_chunk / options.k};
  }
  void tally(Block& block, io::JobCounts& counts) const override {
    const auto ids = block.of<std::uint32_t>("id");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      counts.sum[0] += ids[i] != none;
      counts.sum[1] += i % options.k == 0 && ids[i] != none;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"found", "shapes found", counts.sum[0]},
            {"with_any", "with a shape in range", counts.sum[1], points_.count},
            {"bad_points", "bad", counts.sum[2], 0, Shown::in_reports}};
  }
  void report(Job& job, const Done& done) const override {
    if (done.counts.sum[2] == 0) return;
    job.warn(fmt::format("{} of {} {} are bad (NaN, infinite or beyond 2^40) and find nothing",
                         grouped(done.counts.sum[2]), grouped(points_.count), names.unit));
  }

 protected:
  static io::JobCounts bad(const NearestReport& report) {
    io::JobCounts counts;
    counts.sum[2] = report.bad_points;
    return counts;
  }
  void visit_query(Parameters& p) {
    p.number("query.range", options.range, 0.0f);
    p.number("query.k", options.k, 1);
  }

  Input points_{"--points", "/points", "points"};
  io::Points from_;
};

class Distance : public Near {
 public:
  explicit Distance(const NearestOptions& o = {})
      : Near({"distance", "distance", "points", "point"}, o) {}

  void visit(Parameters& p) override {
    p.input("points", points_);
    visit_query(p);
  }
  std::vector<Column> columns() const override {
    std::vector<Column> columns = Near::columns();
    columns.push_back({.name = "point", .shape = {points_.count, options.k, 3}, .xyz = true});
    columns.push_back({.name = "direction", .shape = {points_.count, options.k, 3}, .xyz = true});
    return columns;
  }
  void load(InputFiles& in) override {
    Near::load(in);
    caster_ = in.caster(scene_hash, scene_);
  }
  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    return bad(caster().nearest(from_.view().slice(part.row, part.rows),
                                {block.of<float>("distance"), block.of<std::uint32_t>("id"),
                                 block.of<Vec3>("point"), block.of<Vec3>("direction")},
                                options));
  }
};

class Clearance : public Near {
 public:
  explicit Clearance(const NearestOptions& o = {})
      : Near({"clearance", "distance", "segments", "segment", "points"}, o) {}

  void visit(Parameters& p) override {
    p.input("points", points_);
    p.hash("to.hash", ends_.hash);
    visit_query(p);
  }
  std::vector<Column> columns() const override {
    std::vector<Column> columns = Near::columns();
    columns.push_back({"t", io::Dtype::f32, {points_.count, options.k}});
    columns.push_back({.name = "on_shape", .shape = {points_.count, options.k, 3}, .xyz = true});
    return columns;
  }
  void load(InputFiles& in) override {
    Near::load(in);
    ends_.count = points_.count;
    to_ = in.points(ends_);
    if (ends_.count != points_.count) {
      throw Error(
          ErrorKind::bad_input,
          fmt::format("{} has {} points, but {} has {}: segments need as many ends",
                      in.file_of("--points"), points_.count, in.file_of("--to"), ends_.count));
    }
    caster_ = in.caster(scene_hash, scene_);
  }
  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    return bad(caster().clearance(from_.view().slice(part.row, part.rows),
                                  to_.view().slice(part.row, part.rows),
                                  {block.of<float>("distance"),
                                   block.of<std::uint32_t>("id"),
                                   block.of<float>("t"),
                                   {},
                                   block.of<Vec3>("on_shape")},
                                  options));
  }

 private:
  Input ends_{"--to", "/to", "ends of segments", "segments"};
  io::Points to_;
};

}  // namespace

std::unique_ptr<Result> new_distance() { return std::make_unique<Distance>(); }
std::unique_ptr<Result> new_clearance() { return std::make_unique<Clearance>(); }

int run_distance(Job& job, const DistanceArguments& a) {
  Distance distance(a.options);
  Clearance clearance(a.options);
  const bool segments = InputFiles(job, a.inputs).has("--to");
  return run_result(job, segments ? static_cast<Result&>(clearance) : distance, a);
}

}  // namespace sightline::cli
