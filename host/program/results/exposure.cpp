// exposure: how many viewpoints see each target; the bits are counted and not kept.
#include "host/program/results/sight_result.hpp"

#include "host/program/jobs/bytes.hpp"

#include <sightline/visibility.hpp>

#include <algorithm>
#include <bit>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_pairs = 1 << 24;

class Exposure : public SightResult {
 public:
  Exposure()
      : SightResult({"exposure", "exposure", "targets", "target"}, {"--to", "/to", "points"}) {}

  void visit(Parameters& p) override {
    p.inside(options.inside);
    p.number("query.range", options.range, 0.0f);
    p.input("points", input_);
    p.input("from", viewpoints_);
    visit_ends(p, "points");
  }
  std::vector<Column> columns() const override {
    const io::Shape n = {input_.count};
    return {{"count", io::Dtype::u32, n}, {"share", io::Dtype::f32, n}};
  }
  void load(InputFiles& in) override {
    from_ = in.points(viewpoints_);
    to_ = in.points(input_);
    load_scene_and_fields(in);
    in.raise_to_eyes(to_, input_, at, scene_);
    rate = {"pairs", viewpoints_.count, {}};
  }

  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const auto counts = buffer.of<std::uint32_t>("count");
    const VisibilityReport report =
        exposure(caster(), from_.view(), fields_.view(), to_.view().slice(part.row, part.rows),
                 counts, options);
    if (margin_length > 0) count_without_ends(to_.view().slice(part.row, part.rows), counts);
    const auto share = buffer.of<float>("share");
    const auto all = static_cast<double>(std::max<std::uint64_t>(1, viewpoints_.count));
    for (std::size_t i = 0; i < counts.size(); ++i) share[i] = static_cast<float>(counts[i] / all);
    io::JobCounts counted = visibility_counts(report, part.row == 0, true);
    counted.sum[0] = counted.sum[5] = 0;  // visible is tallied; all pairs are looked at
    return counted;
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    for (const std::uint32_t n : buffer.of<std::uint32_t>("count")) {
      counts.sum[0] += n;
      counts.sum[5] = std::max<std::uint64_t>(counts.sum[5], n);
      counts.sum[7] += n == 0;
    }
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    const auto& sum = counts.sum;
    return {{"viewpoints", "viewpoints", viewpoints_.count},
            {"targets", "targets", input_.count},
            {"visible", "visible pairs", sum[0], viewpoints_.count * input_.count},
            {"unseen", "unseen targets", sum[7]},
            {"most", "most viewpoints", sum[5], 0, Shown::by_info},
            {"pairs", "pairs", viewpoints_.count * input_.count, 0, Shown::in_reports},
            {"bad_viewpoints", "bad viewpoints", sum[1], 0, Shown::in_reports},
            {"bad_targets", "bad targets", sum[2], 0, Shown::in_reports},
            {"bad_fields", "bad fields", sum[6], 0, Shown::in_reports},
            {"touching_viewpoints", "in or at shapes", sum[3], 0, Shown::in_reports},
            {"touching_targets", "in or at shapes", sum[4], 0, Shown::in_reports}};
  }
  void report(Job& job, const Done& done) const override {
    const auto& sum = done.counts.sum;
    const bool same = viewpoints_.hash == input_.hash;  // the same points are counted once
    if (const std::uint64_t blind = sum[1] + (same ? 0 : sum[2]) + sum[6]; blind > 0) {
      job.warn("{}", blind == 1 ? "1 point or field is bad and sees nothing"
                                : grouped(blind) + " points or fields are bad and see nothing");
    }
    const std::uint64_t touching = same ? sum[3] : sum[3] + sum[4];
    // Of both files, those that touch are raised only where both have their eyes.
    const bool raised = (sum[3] == 0 || viewpoints_.at != 0) && (sum[4] == 0 || input_.at != 0);
    warn_of_touching(job, touching, plural(touching, "points"), raised);
  }
  Cost cost(const Job&) const override {
    const std::uint64_t pairs = chunk_size(backend(), shapes(), most_pairs);
    return {1 << 16, 0,
            std::clamp<std::uint64_t>(
                pairs / std::max<std::uint64_t>(1, viewpoints_.count) / 64 * 64, 64, 1 << 16)};
  }

  void draw(Job& job, const io::ContainerWriter& writer, const std::string& picture) const {
    std::vector<float> share(input_.count);
    writer.read("share", 0, share.size(), share.data());
    draw_shares(job, picture, caster(), scene_, to_.view(), std::move(share),
                "share of the viewpoints that see it");
  }

 private:
  void count_without_ends(const PointsView& to, std::span<std::uint32_t> counts) const {
    std::fill(counts.begin(), counts.end(), 0u);
    const std::uint64_t words = bit_words(to.size()), slice = 1024;
    std::vector<std::uint64_t> bits;
    for (std::uint64_t first = 0; first < from_.count(); first += slice) {
      const std::uint64_t n = std::min(slice, from_.count() - first);
      bits.assign(n * words, 0);
      visible_matrix(caster(), from_.view().slice(first, n), fields_of(first, n), to, bits, options,
                     margin_length);
      for (std::size_t k = 0; k < bits.size(); ++k) {
        for (std::uint64_t word = bits[k]; word != 0; word &= word - 1) {
          ++counts[k % words * 64 + static_cast<std::size_t>(std::countr_zero(word))];
        }
      }
    }
  }
  io::Points to_;
};

}  // namespace

void add_exposure(Verb& v) {
  auto [r, a] =
      add_result<Exposure>(v,
                           "sightline exposure city.st --from eyes.npy --to goals.npy -o seen.st\n"
                           "sightline exposure city.st --from eyes.npy --to eyes.npy "
                           "--range 100 -o seen.st --picture seen.png");
  add_sight(v, r, a, "targets").required();
  v.output(a.output, "OUT", "counts and shares to write");
  v.picture(a.picture, "map from above: targets coloured by how many see them, and the shapes");
  v.bake(a);
}

std::vector<MakeResult> exposure_kinds() { return {make_result<Exposure>}; }

}  // namespace sightline::cli
