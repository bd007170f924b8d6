// exposure: how many viewpoints see each target; the bits are counted and not kept.
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"

#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/sight_margin.hpp"
#include "host/program/verbs/verbs.hpp"

#include <sightline/exposure.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_pairs = 1 << 24;

class Exposure : public Result {
 public:
  Exposure() : Result({"exposure", "exposure", "targets", "target"}) {}

  VisibilityOptions options;
  float margin_length = 0;

  void visit(Parameters& p) override {
    p.inside(options.inside);
    p.number("query.range", options.range, 0.0f);
    p.input("points", targets_);
    p.input("from", viewpoints_);
    p.margins(options.margin, margin_length);
    if (!p.has("fields.hash", !fields_hash_.empty()) && !p.has("fields.shape", false)) return;
    p.hash("fields.hash", fields_hash_);
    p.field_shape("fields.shape", field_shape_);
  }
  Grid grid() const override { return {targets_.count}; }
  std::vector<Column> columns() const override {
    const io::Shape n = {targets_.count};
    return {{"count", io::Dtype::u32, n}, {"share", io::Dtype::f32, n}};
  }
  void load(InputFiles& in) override {
    from_ = in.points(viewpoints_);
    to_ = in.points(targets_);
    caster_ = in.caster(scene_hash, scene_);
    fields_ = in.fields(from_, scene_, field_shape_, fields_hash_);
  }

  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    const auto counts = block.of<std::uint32_t>("count");
    const VisibilityReport report =
        exposure(caster(), from_.view(), fields_.view(), to_.view().slice(part.row, part.rows),
                 counts, options);
    if (margin_length > 0) count_without_ends(to_.view().slice(part.row, part.rows), counts);
    const auto share = block.of<float>("share");
    for (std::size_t i = 0; i < counts.size(); ++i) share[i] = share_of(counts[i]);
    io::JobCounts counted = visibility_counts(report, part.row == 0, true);
    counted.sum[0] = counted.sum[5] = 0;  // visible is tallied; all pairs are looked at
    return counted;
  }
  void tally(Block& block, io::JobCounts& counts) const override {
    for (const std::uint32_t n : block.of<std::uint32_t>("count")) {
      counts.sum[0] += n;
      counts.sum[5] = std::max<std::uint64_t>(counts.sum[5], n);
      counts.sum[7] += n == 0;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    const auto& sum = counts.sum;
    return {{"viewpoints", "viewpoints", viewpoints_.count},
            {"targets", "targets", targets_.count},
            {"visible", "visible pairs", sum[0], viewpoints_.count * targets_.count},
            {"unseen", "unseen targets", sum[7]},
            {"most", "most viewpoints", sum[5], 0, Shown::by_info},
            {"pairs", "pairs", viewpoints_.count * targets_.count, 0, Shown::in_reports},
            {"bad_viewpoints", "bad viewpoints", sum[1], 0, Shown::in_reports},
            {"bad_targets", "bad targets", sum[2], 0, Shown::in_reports},
            {"bad_fields", "bad fields", sum[6], 0, Shown::in_reports},
            {"touching_viewpoints", "in or at shapes", sum[3], 0, Shown::in_reports},
            {"touching_targets", "in or at shapes", sum[4], 0, Shown::in_reports}};
  }
  Rate rate(const Done& done) const override { return {"pairs", done.cells * viewpoints_.count}; }
  void report(Job& job, const Done& done) const override {
    const auto& sum = done.counts.sum;
    const bool same = viewpoints_.hash == targets_.hash;  // the same points are counted once
    if (const std::uint64_t blind = sum[1] + (same ? 0 : sum[2]) + sum[6]; blind > 0) {
      job.warn(fmt::format("{} points or fields are bad and see nothing", grouped(blind)));
    }
    if (const std::uint64_t touching = same ? sum[3] : sum[3] + sum[4]; touching > 0) {
      job.warn(
          fmt::format("{} points lie in or touch a shape, which hides them; --margin-length 0.01 "
                      "leaves out the segments' ends, --inside ignore the shapes around them",
                      grouped(touching)));
    }
  }
  Cost cost() const override {
    const std::uint64_t pairs = chunk_size(backend(), shapes(), most_pairs);
    return {1 << 16, 0,
            std::clamp<std::uint64_t>(
                pairs / std::max<std::uint64_t>(1, viewpoints_.count) / 64 * 64, 64, 1 << 16)};
  }

  void draw(Job& job, const io::ContainerWriter& writer,
            const std::string& picture) const override {
    std::vector<float> share(targets_.count);
    writer.read("share", 0, share.size(), share.data());
    draw_shares(job, picture, caster(), scene_, to_.view(), std::move(share),
                "share of the viewpoints that see it");
  }

 private:
  void count_without_ends(const PointsView& to, std::span<std::uint32_t> counts) const {
    std::fill(counts.begin(), counts.end(), 0u);
    const auto fields = fields_.view();
    const std::uint64_t words = bit_words(to.count), slice = 1024;
    std::vector<std::uint64_t> bits;
    for (std::uint64_t first = 0; first < from_.count(); first += slice) {
      const std::uint64_t n = std::min(slice, from_.count() - first);
      const auto looks = fields ? std::optional(fields->slice(first, n)) : std::nullopt;
      bits.assign(n * words, 0);
      visible_matrix(caster(), from_.view().slice(first, n), looks, to, bits, options,
                     margin_length);
      for (std::size_t k = 0; k < bits.size(); ++k) {
        for (std::uint64_t word = bits[k]; word != 0; word &= word - 1) {
          ++counts[k % words * 64 + static_cast<std::size_t>(std::countr_zero(word))];
        }
      }
    }
  }
  float share_of(std::uint32_t count) const {
    return static_cast<float>(count /
                              static_cast<double>(std::max<std::uint64_t>(1, viewpoints_.count)));
  }

  Input viewpoints_{"--from", "/from", "viewpoints"}, targets_{"--to", "/to", "points"};
  std::string fields_hash_;
  FieldShape field_shape_ = FieldShape::cone;
  io::Points from_, to_;
  LoadedFields fields_;
};

}  // namespace

std::unique_ptr<Result> new_exposure() { return std::make_unique<Exposure>(); }

int run_exposure(Job& job, const SightArguments& a) {
  Exposure exposure;
  exposure.options = a.options;
  exposure.margin_length = a.margin_length;
  return run_result(job, exposure, a);
}

}  // namespace sightline::cli
