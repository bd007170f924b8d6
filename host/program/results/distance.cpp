// distance and clearance: the shapes nearest to points, or to segments.
#include "host/program/jobs/bytes.hpp"
#include "host/program/results/run.hpp"

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_elements_per_chunk = 1 << 20;

struct DistanceArguments : ResultArguments {
  NearestOptions options;
};

/// k shapes for each point or, where there are ends, for each segment that begins at one.
class Distances : public Result {
 public:
  explicit Distances(const NearestOptions& o = {})
      : Distances({"distance", "distance", "points", "point"}, o) {}

  void visit(Parameters& p) override {
    p.input("points", input_);
    visit_options(p);
  }
  std::vector<Column> columns() const override { return columns_with("point", "direction"); }
  void load(InputFiles& in) override {
    from_ = in.points(input_);
    caster_ = in.caster(scene_hash, scene_);
    in.refuse_kinds(caster(), Refused::rays_alone, "nearest shapes");
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    io::JobCounts counts;
    counts.sum[2] = caster()
                        .nearest(from_.view().slice(part.row, part.rows),
                                 {buffer.of<float>("distance"), buffer.of<std::uint32_t>("id"),
                                  buffer.of<Vec3>("point"), buffer.of<Vec3>("direction")},
                                 options_)
                        .bad_points;
    return counts;
  }
  Cost cost(const Job&) const override {
    // The points lie in memory already; a device takes them from pinned copies.
    return {1 << 18, (copies_in_memory(backend()) - 1) * sizeof(SightPoint) * 2,
            most_elements_per_chunk / options_.k};
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    const auto ids = buffer.of<std::uint32_t>("id");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      counts.sum[0] += ids[i] != none;
      counts.sum[1] += i % options_.k == 0 && ids[i] != none;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"found", "shapes found", counts.sum[0]},
            {"with_any", "with a shape in range", counts.sum[1], input_.count},
            {"bad_points", "bad", counts.sum[2], 0, Shown::in_reports}};
  }
  void report(Job& job, const Done& done) const override {
    warn_of_bad(job, done.counts.sum[2], plural(input_.count, names().unit), "finds nothing",
                "find nothing");
  }

 protected:
  Distances(const Names& names, const NearestOptions& o)
      : Result(names, {"--points", "/points", "points"}), options_(o) {}
  void visit_options(Parameters& p) {
    p.number("query.range", options_.range, 0.0f);
    p.number("query.k", options_.k, 1);
  }
  /// What is found, and two columns that say where.
  std::vector<Column> columns_with(const char* third, const char* fourth) const {
    const std::uint64_t n = input_.count, k = options_.k;
    return {{"distance", io::Dtype::f32, {n, k}},
            {"id", io::Dtype::u32, {n, k}},
            {.name = third, .shape = {n, k, 3}, .xyz = true},
            {.name = fourth, .shape = {n, k, 3}, .xyz = true}};
  }

  NearestOptions options_;
  io::Points from_;
};

class Clearances : public Distances {
 public:
  explicit Clearances(const NearestOptions& o = {})
      : Distances({"clearance", "distance", "segments", "segment", "points"}, o) {}

  void visit(Parameters& p) override {
    p.input("points", input_);
    p.hash("to.hash", ends_.hash);
    visit_options(p);
  }
  std::vector<Column> columns() const override {
    std::vector<Column> columns = columns_with("t", "on_shape");
    columns[2] = {"t", io::Dtype::f32, {input_.count, options_.k}};
    return columns;
  }
  void load(InputFiles& in) override {
    from_ = in.points(input_);
    ends_.count = input_.count;
    to_ = in.points(ends_);
    if (ends_.count != input_.count) {
      io::fail(ErrorKind::bad_input, "{} has {}, but {} has {}: segments need as many ends",
               in.file_of("--points"), plural(input_.count, "points"), in.file_of("--to"),
               ends_.count);
    }
    caster_ = in.caster(scene_hash, scene_);
    in.refuse_kinds(caster(), Refused::rays_alone, "clearances");
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    io::JobCounts counts;
    counts.sum[2] = caster()
                        .clearance(from_.view().slice(part.row, part.rows),
                                   to_.view().slice(part.row, part.rows),
                                   {buffer.of<float>("distance"),
                                    buffer.of<std::uint32_t>("id"),
                                    buffer.of<float>("t"),
                                    {},
                                    buffer.of<Vec3>("on_shape")},
                                   options_)
                        .bad_points;
    return counts;
  }

 private:
  Input ends_{"--to", "/to", "ends of segments", "segments"};
  io::Points to_;
};

int run_distance(Job& job, const DistanceArguments& a) {
  if (InputFiles(job, a.inputs).has("--to")) {
    Clearances result(a.options);
    return run_result(job, result, a);
  }
  Distances result(a.options);
  return run_result(job, result, a);
}

}  // namespace

void add_distance(Verb& v) {
  auto& a = v.runs<DistanceArguments>(
      run_distance,
      "sightline distance city.st --points eyes.npy -o near.st\n"
      "sightline distance city.st --points a.npy --to b.npy --k 3 -o clear.st");
  v.scene(a.inputs);
  v.input("--points", a.inputs, "P", "points, or where segments begin").required();
  v.input("--to", a.inputs, "Q", "where the segments end, one for each point; then clearances");
  v.number("--range", a.options.range, not_negative, "R",
           "farthest shape, in scene units; default inf");
  v.count("--k", a.options.k, 1, none - 1, "K", "shapes for each, nearest first");
  v.output(a.output, "OUT", "result to write");
  v.job(a);
}

std::vector<MakeResult> distance_kinds() {
  return {make_result<Distances>, make_result<Clearances>};
}

}  // namespace sightline::cli
