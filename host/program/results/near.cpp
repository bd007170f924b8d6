// distance and clearance: the shapes nearest to points, or to segments.
#include "host/program/engine/bytes.hpp"
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_elements_per_chunk = 1 << 20;

/// What both have: k shapes for each point, or for each segment that begins at one.
class Near : public Result {
 public:
  Near(const Names& of, const NearestOptions& o) : Result(of), options(o) {}

  NearestOptions options;

  Grid grid() const override { return {count}; }
  std::vector<Column> columns() const override {
    const std::uint64_t n = count, k = options.k;
    return {{"distance", io::Dtype::f32, {n, k}}, {"id", io::Dtype::u32, {n, k}}};
  }
  void load(InputFiles& in) override {
    from_ = in.points({"--points", "/points", "points", "points"}, from_hash, count);
  }
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
            {"with_any", "with a shape in range", counts.sum[1], count},
            {"bad_points", "bad", counts.sum[2], 0, Told::by_reports}};
  }
  void report(Job& job, const Done& done) const override {
    if (done.counts.sum[2] == 0) return;
    job.warn(fmt::format("{} of {} {} are bad (NaN, infinite or beyond 2^40) and find nothing",
                         grouped(done.counts.sum[2]), grouped(count), names.unit));
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

  std::string from_hash;
  std::uint64_t count = 0;
  io::Points from_;
};

class Distance : public Near {
 public:
  explicit Distance(const NearestOptions& o = {})
      : Near({"distance", "distance", "points", "point"}, o) {}

  void visit(Parameters& p) override {
    p.hash("points.hash", from_hash);
    p.number("points.count", count);
    visit_query(p);
  }
  std::vector<Column> columns() const override {
    std::vector<Column> columns = Near::columns();
    columns.push_back({"point", io::Dtype::f32, {count, options.k, 3}});
    columns.push_back({"direction", io::Dtype::f32, {count, options.k, 3}});
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
    p.hash("points.hash", from_hash);
    p.number("points.count", count);
    p.hash("to.hash", to_hash_);
    visit_query(p);
  }
  std::vector<Column> columns() const override {
    std::vector<Column> columns = Near::columns();
    columns.push_back({"t", io::Dtype::f32, {count, options.k}});
    columns.push_back({"on_shape", io::Dtype::f32, {count, options.k, 3}});
    return columns;
  }
  void load(InputFiles& in) override {
    Near::load(in);
    std::uint64_t ends = count;
    to_ = in.points({"--to", "/to", "ends of segments", "segments"}, to_hash_, ends);
    if (ends != count) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("{} has {} points, but {} has {}: segments need as many ends",
                              in.file_of("--points"), count, in.file_of("--to"), ends));
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
  std::string to_hash_;
  io::Points to_;
};

}  // namespace

std::unique_ptr<Result> new_distance() { return std::make_unique<Distance>(); }
std::unique_ptr<Result> new_clearance() { return std::make_unique<Clearance>(); }

int run_distance(Job& job, const DistanceArguments& a) {
  InputFiles in(job, {{"--scene", a.scene}, {"--points", a.points}, {"--to", a.to}});
  const NearestOptions options{a.k, a.range};
  Distance distance(options);
  Clearance clearance(options);
  Result& result = a.to.empty() ? static_cast<Result&>(distance) : clearance;
  return run_result(job, result, in, {a.output, a.resume});
}

}  // namespace sightline::cli
