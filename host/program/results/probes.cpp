// probes: how far one sees from points in every direction.
#include "host/program/results/run.hpp"

#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/memory.hpp"

#include <sightline/visibility.hpp>

#include <algorithm>

namespace sightline::cli {
namespace {

class Probes : public Result {
 public:
  Probes() : Result({"probes", "probes", "points", "point"}, {"--points", "/points", "points"}) {}

  ProbeOptions options;
  std::uint32_t side = 8;  ///< of the map of directions

  void visit(Parameters& p) override {
    p.inside(options.inside);
    p.number("query.range", options.range, 0.0f);
    p.input("points", input_);
    p.number("query.grid", side, 1, 4096);
  }
  std::vector<Column> columns() const override {
    return {
        {"distance", io::Dtype::f32, {input_.count, side, side}},
        {"direction", io::Dtype::f32, {side, side, 3}, Layout::whole, "direction", false, [this] {
           return bytes_of(octahedral_directions(side));
         }}};
  }
  void load(InputFiles& in) override {
    points_ = in.points(input_);
    caster_ = in.caster(scene_hash, scene_);
    // Directions are held twice, here and by a call.
    require_memory(in.job().common().max_memory, (2 * sizeof(Vec3) + 16) * directions(),
                   "a point's map of directions");
    rate = {"rays", directions(), {}};
  }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const CastReport report = probe_distances(caster(), points_.view().slice(part.row, part.rows),
                                              side, buffer.of<float>("distance"), options);
    io::JobCounts counts;
    counts.sum = {report.hits, report.bad_rays};
    return counts;
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"/query/grid", "directions", directions()},
            {"rays", "rays", input_.count * directions(), 0, Shown::by_runs},
            {"hits", "hit something", counts.sum[0], 0, Shown::by_runs},
            {"bad_points", "bad points", counts.sum[1] / directions(), 0, Shown::in_reports}};
  }
  void report(Job& job, const Done& done) const override {
    warn_of_bad(job, done.counts.sum[1] / directions(), plural(input_.count, "points"),
                "sees nothing", "see nothing");
  }
  // A call's own buffers hold three times what distances do.
  Cost cost(const Job&) const override {
    const std::uint64_t rays = chunk_size(backend(), shapes(), std::uint64_t{1} << 20);
    return {1 << 20, 12 * copies_in_memory(backend()) * directions(),
            std::max<std::uint64_t>(1, rays / directions())};
  }

 private:
  std::uint64_t directions() const { return std::uint64_t{side} * side; }

  io::Points points_;
};

}  // namespace

void add_probes(Verb& v) {
  auto [r, a] = add_result<Probes>(
      v,
      "sightline probes city.st --points eyes.npy -o probes.st\n"
      "sightline probes city.st --points eyes.npy --grid 32 --range 80 -o probes.st");
  v.scene(a.inputs);
  v.input("--points", a.inputs, "P", "points").required();
  v.count("--grid", r.side, 1, 4096, "N", "N x N directions of an octahedral map");
  v.range(r.options.range);
  v.inside(r.options.inside);
  v.output(a.output, "OUT", "distances and directions to write");
  v.bake(a);
}

std::vector<MakeResult> probes_kinds() { return {make_result<Probes>}; }

}  // namespace sightline::cli
