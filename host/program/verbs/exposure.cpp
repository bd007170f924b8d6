// exposure: how many viewpoints see each target; the bits are counted and not kept.
#include "host/files/core/npy.hpp"
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/fields.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/verbs/verbs.hpp"

#include <sightline/exposure.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_pairs = 1 << 24;

struct ExposureJob {
  const Caster& caster;
  PointsView from, to;
  std::optional<FieldsView> fields;
  VisibilityOptions options;
};

void tell(Job& job, const VisibilityReport& r, std::uint64_t pairs_now, double seconds) {
  const double rate = static_cast<double>(pairs_now) / std::max(seconds, 1e-9);
  job.set("/counts/pairs", r.pairs);
  job.set("/counts/visible", r.visible);
  job.set("/counts/bad_viewpoints", r.bad_viewpoints);
  job.set("/counts/bad_targets", r.bad_targets);
  job.set("/counts/bad_fields", r.bad_fields);
  job.set("/counts/touching_viewpoints", r.touching_viewpoints);
  job.set("/counts/touching_targets", r.touching_targets);
  job.set("/rates/pairs_per_second", rate);
  job.say(fmt::format("baked   {} pairs in {:.2f} s ({} pairs/s): {} visible", grouped(r.pairs),
                      seconds, short_number(rate), grouped(r.visible)));
  const std::uint64_t blind = r.bad_viewpoints + r.bad_targets + r.bad_fields;
  if (blind > 0)
    job.warn(fmt::format("{} points or fields are bad and see nothing", grouped(blind)));
  const std::uint64_t touching = r.touching_viewpoints + r.touching_targets;
  if (touching > 0) {
    job.warn(
        fmt::format("{} points lie in or touch a shape, which hides them; --margin 0.001 "
                    "leaves out the segments' ends, --inside ignore the shapes around them",
                    grouped(touching)));
  }
}

/// Where counts go: a container with everything the answer is a function of, which a stopped run
/// goes on with, or a plain array.
class CountsFile {
 public:
  CountsFile(Job& job, const std::string& name, const io::BakeParameters& p,
             const io::Keeping& keeping)
      : viewpoints_(p.viewpoints) {
    if (name.ends_with(".npy")) {
      array_.emplace(name, io::Dtype::u32, io::Shape{p.points});
    } else {
      bake_.emplace(open_bake(job, name, p, keeping));
    }
  }
  /// Null where nothing is kept of a stopped run.
  io::ContainerWriter* bake() { return bake_ ? &*bake_ : nullptr; }
  void write(std::uint64_t first, const std::vector<std::uint32_t>& counts) {
    if (array_) return array_->write(first, counts.size(), counts.data());
    bake_->write("count", first, counts.size(), counts.data());
    const std::vector<float> share = shares_of(counts);
    bake_->write("share", first, share.size(), share.data());
  }
  /// Of all targets, from what was written.
  std::vector<float> shares(std::uint64_t targets) const {
    std::vector<std::uint32_t> counts(targets);
    if (array_) {
      array_->read(0, targets, counts.data());
    } else {
      bake_->read("count", 0, targets, counts.data());
    }
    return shares_of(counts);
  }
  void commit(Job& job) {
    if (bake_) return cli::commit(job, *bake_);
    array_->commit();
    job.set("/result/file", array_->name());
    job.say(fmt::format("wrote   {}", array_->name()));
  }

 private:
  std::vector<float> shares_of(const std::vector<std::uint32_t>& counts) const {
    const auto all = static_cast<double>(std::max<std::uint64_t>(1, viewpoints_));
    std::vector<float> share;
    for (const std::uint32_t n : counts) {
      share.push_back(static_cast<float>(static_cast<double>(n) / all));
    }
    return share;
  }

  std::uint64_t viewpoints_;
  std::optional<io::NpyWriter> array_;
  std::optional<io::ContainerWriter> bake_;
};

/// Counts some targets at a time into the file.
VisibilityReport count_all(const Job& job, const ExposureJob& e, CountsFile& file) {
  const std::uint64_t viewpoints = std::max<std::uint64_t>(1, e.from.count);
  const std::uint64_t chunk = std::clamp<std::uint64_t>(
      chunk_size(e.caster, most_pairs) / viewpoints / 64 * 64, 64, 1 << 16);
  std::vector<std::uint32_t> counts;
  const auto work = [&](std::uint64_t first, std::uint64_t n) {
    counts.resize(n);
    const VisibilityReport part =
        exposure(e.caster, e.from, e.fields, e.to.slice(first, n), counts, e.options);
    file.write(first, counts);
    return visibility_counts(part, first == 0, true);
  };
  const Chunks chunks = {"exposure", "targets", e.to.count, chunk};
  return visibility_report(e.from.count * e.to.count,
                           work_on_chunks(job, file.bake(), chunks, work));
}

}  // namespace

int run_exposure(Job& job, const ExposureArguments& a) {
  refuse_same_files(
      job, {a.scene, a.from, a.to, a.fields.directions, a.fields.half_angle, a.fields.range},
      {a.output, a.picture});
  const io::Points from = load_points(job, a.from, "/from"), to = load_points(job, a.to, "/to");
  LoadedScene scene = load_scene(job, a.scene);
  const LoadedFields fields =
      load_fields(job, a.fields, from, a.from, field_shape(a.fields, scene.metadata));
  io::BakeParameters p;
  p.kind = io::BakeKind::exposure;
  p.scene_hash = scene.hash;
  p.inside = a.inside;
  p.range = a.range;
  p.margin = a.margin;
  p.from_hash = io::points_hash(from);
  p.viewpoints = from.count();
  p.points_hash = io::points_hash(to);
  p.points = to.count();
  p.fields_hash = fields.hash;
  if (!fields.hash.empty()) p.field_shape = fields.shape;
  const Caster caster = build_caster(job, std::move(scene.scene));
  if (job.common().dry_run) {
    job.set("/bytes/result", p.points * 8);
    job.say(fmt::format("would count {} pairs and write {}", grouped(p.viewpoints * p.points),
                        format_bytes(p.points * 8)));
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  CountsFile file(job, a.output, p, a.keeping);
  const std::uint64_t targets_now =
      file.bake() == nullptr ? p.points : rows_of_this_run(*file.bake(), p.points);
  const ExposureJob e{caster, from.view(), to.view(), fields.view(), {a.range, a.margin, a.inside}};
  const VisibilityReport report = job.timed("exposure", [&] { return count_all(job, e, file); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell(job, report, targets_now * p.viewpoints, seconds.count());
  if (!a.picture.empty()) {
    draw_shares(job, a.picture, caster, scene.metadata, to.view(), file.shares(p.points),
                "share of the viewpoints that see it");
  }
  file.commit(job);
  return 0;
}

}  // namespace sightline::cli
