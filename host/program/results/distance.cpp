// distance and clearance: the shapes nearest to points, or to segments.
#include "host/program/jobs/bytes.hpp"
#include "host/program/results/run.hpp"

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_elements_per_chunk = 1 << 20;

/// k shapes for each point or, where there are ends, for each segment that begins at one.
class Near : public Result {
 public:
  explicit Near(bool segments = false) : segments_(segments) {}

  NearestOptions options;

  Names names() const override {
    return segments_ ? Names{"clearance", "distance", "segments", "segment", "points"}
                     : Names{"distance", "distance", "points", "point"};
  }
  void visit(Parameters& p) override {
    p.input("points", points_);
    if (segments_) p.hash("to.hash", ends_.hash);
    p.number("query.range", options.range, 0.0f);
    p.number("query.k", options.k, 1);
  }
  Grid grid() const override { return {points_.count}; }
  std::vector<Column> columns() const override {
    const std::uint64_t n = points_.count, k = options.k;
    const io::Shape each = {n, k}, vectors = {n, k, 3};
    std::vector<Column> columns = {{"distance", io::Dtype::f32, each},
                                   {"id", io::Dtype::u32, each}};
    if (segments_) {
      columns.push_back({"t", io::Dtype::f32, each});
      columns.push_back({.name = "on_shape", .shape = vectors, .xyz = true});
    } else {
      columns.push_back({.name = "point", .shape = vectors, .xyz = true});
      columns.push_back({.name = "direction", .shape = vectors, .xyz = true});
    }
    return columns;
  }
  std::string check_options(const InputFiles& in) override {
    segments_ = in.has("--to");
    return "";
  }
  void load(InputFiles& in) override {
    from_ = in.points(points_);
    if (segments_) {
      ends_.count = points_.count;
      to_ = in.points(ends_);
      if (ends_.count != points_.count) {
        io::fail(ErrorKind::bad_input, "{} has {}, but {} has {}: segments need as many ends",
                 in.file_of("--points"), plural(points_.count, "points"), in.file_of("--to"),
                 ends_.count);
      }
    }
    caster_ = in.caster(scene_hash, scene_);
  }

  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const PointsView from = from_.view().slice(part.row, part.rows);
    const auto distance = buffer.of<float>("distance");
    const auto id = buffer.of<std::uint32_t>("id");
    io::JobCounts counts;
    counts.sum[2] =
        segments_
            ? caster()
                  .clearance(from, to_.view().slice(part.row, part.rows),
                             {distance, id, buffer.of<float>("t"), {}, buffer.of<Vec3>("on_shape")},
                             options)
                  .bad_points
            : caster()
                  .nearest(from,
                           {distance, id, buffer.of<Vec3>("point"), buffer.of<Vec3>("direction")},
                           options)
                  .bad_points;
    return counts;
  }
  Cost cost() const override {
    // The points lie in memory already; a device takes them from pinned copies.
    return {1 << 18, (copies_in_memory(backend()) - 1) * sizeof(SightPoint) * 2,
            most_elements_per_chunk / options.k};
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    const auto ids = buffer.of<std::uint32_t>("id");
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
    const std::uint64_t bad = done.counts.sum[2];
    if (bad == 0) return;
    job.warn("{} of {} {} bad (NaN, infinite or beyond 2^40) and {} nothing", grouped(bad),
             plural(points_.count, names().unit), agreeing(bad, "is", "are"),
             agreeing(bad, "finds", "find"));
  }

 private:
  bool segments_;
  Input points_{"--points", "/points", "points"},
      ends_{"--to", "/to", "ends of segments", "segments"};
  io::Points from_, to_;
};

void add_distance(Verbs& verbs) {
  auto [v, r, a] =
      add_result<Near>(verbs, "the shapes nearest to points, or to segments: how clear a path is",
                       "sightline distance city.st --points eyes.npy -o near.st\n"
                       "sightline distance city.st --points a.npy --to b.npy --k 3 -o clear.st");
  v.scene(a.inputs);
  v.input("--points", a.inputs, "P", "points, or where segments begin").required();
  v.input("--to", a.inputs, "Q", "where the segments end, one for each point; then clearances");
  v.number("--range", r.options.range, not_negative, "R",
           "farthest shape, in scene units; default inf");
  v.count("--k", r.options.k, 1, none - 1, "K", "shapes for each, nearest first");
  v.output(a.output, "OUT", "result to write");
  v.job(a);
}

const VerbEntry distance_verb{23, add_distance};
const ResultKind near_kinds[] = {ResultKind{make_result<Near, false>},
                                 ResultKind{make_result<Near, true>}};

}  // namespace
}  // namespace sightline::cli
