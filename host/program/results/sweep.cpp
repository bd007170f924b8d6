// sweep: what spheres and capsules that move hit.
#include "host/program/results/hits.hpp"
#include "host/program/results/run.hpp"

#include "host/files/core/hash.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/program/jobs/bytes.hpp"

namespace sightline::cli {
namespace {

std::string hash_of_directions(const std::string& file) {
  const io::NpyReader array(file);
  array.expect(io::Dtype::f32, {io::any_size, 3});
  return io::content_hash(
      {{"direction", io::Dtype::f32, array.shape(),
        [&](std::uint64_t first, std::uint64_t n, void* to) { array.read(first, n, to); }}});
}

class Sweep : public Result {
 public:
  Sweep()
      : Result({"sweep", "sweep", "shapes", "shape", "moving"},
               {"--capsules", "/moving", "shapes"}) {}

  SweepOptions options;  ///< not strict: the program names the bad direction itself
  bool normals = false, strict = false;

  void visit(Parameters& p) override {
    p.inside(options.inside);
    p.flag("query.normals", normals);
    p.input("moving", input_, none - 1);
    p.hash("directions.hash", direction_input_.hash);
    p.number("query.t_max", options.t_max, 0.0f);
  }
  std::vector<Column> columns() const override { return hit_columns(input_.count, normals); }

  void load(InputFiles& in) override {
    moving_ = in.shapes(input_).scene;
    const std::string file = in.file_of(input_.option);
    in.settle_count(input_, file, moving_.size());
    for (int k = 0; k < kind_count; ++k) {
      const auto kind = static_cast<Kind>(k);
      if (kind == Kind::sphere || kind == Kind::capsule || moving_.count(kind) == 0) continue;
      io::fail(ErrorKind::bad_input,
               "{}: shape {} is of kind {}: only spheres and capsules can move", file,
               moving_.id(kind, 0), io::kind_name(kind));
    }
    directions_.emplace(in.file(direction_input_, hash_of_directions));
    if (const std::string note = directions_->note_on_integers(); !note.empty()) {
      in.job().warn(note);
    }
    if (directions_->shape()[0] != input_.count) {
      io::fail(ErrorKind::bad_input, "{}: has {} for the {} of {}", directions_->name(),
               plural(directions_->shape()[0], "directions"), plural(input_.count, "shapes"), file);
    }
    caster_ = in.caster(scene_hash, scene_);
    in.refuse_kinds(caster(), Refused::rays_alone, "sweeps");
  }

  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    buffer.vectors.resize(part.rows);
    directions_->read(3 * part.row, 3 * part.rows, buffer.vectors.data());
    const IdRange some = {static_cast<std::uint32_t>(part.row),
                          static_cast<std::uint32_t>(part.rows)};
    SweepOptions of_part = options;
    of_part.of = some;
    return first_bad(caster().sweep(moving_, buffer.vectors, hits_in(buffer), of_part), part.row);
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    tally_hits(buffer, counts);
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"hits", "hits", counts.sum[0], input_.count},
            {"bad_directions", "bad directions", counts.sum[1]}};
  }

  // On its way to a device a shape is a ray, a radius and an end.
  Cost cost(const Job&) const override {
    return {1 << 18, copies_in_memory(backend()) * (3 * sizeof(Vec3) + sizeof(float))};
  }
  void refuse_bad(std::uint64_t index) const {
    if (!strict) return;
    io::fail(ErrorKind::bad_input, "{}: direction {}: it is NaN or infinite", directions_->name(),
             index);
  }
  void report(Job& job, const Done& done) const override {
    if (done.counts.sum[1] == 0) return;
    const std::uint64_t bad = done.counts.sum[1];
    job.warn("{}: {} of {} {}; the first is {}", directions_->name(), grouped(bad),
             plural(input_.count, "directions"),
             agreeing(bad, "is bad and counts as a miss", "are bad and count as misses"),
             done.counts.first_bad);
  }

 private:
  Input direction_input_{"--directions", "/directions", "directions"};
  Scene moving_;
  std::optional<io::NpyReader> directions_;
};

}  // namespace

void add_sweep(Verb& v) {
  auto [r, a] = add_result<Sweep>(
      v,
      "sightline sweep city.st --capsules bodies.st --directions d.npy -o hits.st\n"
      "sightline sweep city.st --capsules bodies.st --directions d.npy --t-max 1 --normals -o "
      "hits.st");
  v.scene(a.inputs);
  v.input("--capsules", a.inputs, "SHAPES",
          "scene whose spheres and capsules move, in the order of their ids")
      .required();
  v.input("--directions", a.inputs, "D.npy", "directions [n,3] f32, of any nonzero length")
      .required();
  v.number("--t-max", r.options.t_max, not_negative, "T",
           "end, in lengths of the direction; default inf");
  v.inside(r.options.inside);
  v.normals(r.normals);
  v.flag("--strict", r.strict, "a NaN or infinite direction is an error, not a miss");
  v.output(a.output, "HITS", "hits to write");
  v.job(a);
}

std::vector<MakeResult> sweep_kinds() { return {make_result<Sweep>}; }

}  // namespace sightline::cli
