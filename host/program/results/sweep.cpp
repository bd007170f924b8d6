// sweep: what spheres and capsules that move hit.
#include "host/program/results/hits.hpp"
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"

#include "host/files/core/hash.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/scene_tensors.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

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
  Sweep() : Result({"sweep", "sweep", "shapes", "shape", "moving"}) {}

  SweepOptions options;
  bool normals = false, strict = false;

  void visit(Parameters& p) override {
    p.inside(options.inside);
    p.flag("query.normals", normals);
    p.hash("moving.hash", moving_hash_);
    p.number("moving.count", count_, 0, none - 1);
    p.hash("directions.hash", directions_hash_);
    p.number("query.t_max", options.t_max, 0.0f);
  }
  Grid grid() const override { return {count_}; }
  std::vector<Column> columns() const override { return hit_columns(count_, normals); }

  void load(InputFiles& in) override {
    const Role moving = {"--capsules", "/moving", "shapes", "shapes"};
    moving_ = in.scene(moving, moving_hash_).scene;
    const std::string file = in.file_of(moving.option);
    in.settle_count(moving, file, count_, moving_.size());
    for (int k = 0; k < kind_count; ++k) {
      const auto kind = static_cast<Kind>(k);
      if (kind == Kind::sphere || kind == Kind::capsule || moving_.count(kind) == 0) continue;
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: shape {} is of kind {}: only spheres and capsules can move",
                              file, moving_.id(kind, 0), io::kind_name(kind)));
    }
    directions_.emplace(in.file({"--directions", "/directions", "directions", "directions"},
                                directions_hash_, hash_of_directions));
    if (directions_->shape()[0] != count_) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: has {} directions for the {} shapes of {}", directions_->name(),
                              directions_->shape()[0], count_, file));
    }
    caster_ = in.caster(scene_hash, scene_);
  }

  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    block.vectors.resize(part.rows);
    directions_->read(3 * part.row, 3 * part.rows, block.vectors.data());
    const IdRange some = {static_cast<std::uint32_t>(part.row),
                          static_cast<std::uint32_t>(part.rows)};
    return first_bad(caster().sweep(moving_, block.vectors, hits_in(block), options, some),
                     part.row);
  }
  void tally(Block& block, io::JobCounts& counts) const override { tally_hits(block, counts); }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"hits", "hits", counts.sum[0], count_},
            {"bad_directions", "bad directions", counts.sum[1]}};
  }

  // On its way to a device a shape is a ray, a radius and an end.
  Cost cost() const override {
    return {1 << 18, copies_in_memory(backend()) * (3 * sizeof(Vec3) + sizeof(float))};
  }
  void refuse_bad(std::uint64_t index) const override {
    if (!strict) return;
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: direction {}: it is NaN or infinite", directions_->name(), index));
  }
  void report(Job& job, const Done& done) const override {
    if (done.counts.sum[1] == 0) return;
    job.warn(fmt::format("{}: {} of {} directions are bad and count as misses; the first is {}",
                         directions_->name(), grouped(done.counts.sum[1]), grouped(count_),
                         done.counts.first_bad));
  }

 private:
  std::string moving_hash_, directions_hash_;
  std::uint64_t count_ = 0;
  Scene moving_;
  std::optional<io::NpyReader> directions_;
};

}  // namespace

std::unique_ptr<Result> new_sweep() { return std::make_unique<Sweep>(); }

int run_sweep(Job& job, const SweepArguments& a) {
  InputFiles in(job,
                {{"--scene", a.scene}, {"--capsules", a.capsules}, {"--directions", a.directions}});
  Sweep sweep;
  sweep.options = {a.inside, false, a.t_max};
  sweep.normals = a.normals;
  sweep.strict = a.strict;
  return run_result(job, sweep, in, {a.output, a.resume});
}

}  // namespace sightline::cli
