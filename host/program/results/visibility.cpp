// visibility: the bit matrix of who sees whom, its report and its picture.
#include "host/program/results/sight_result.hpp"

#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/memory.hpp"

#include <sightline/geometry/queries/field_of_view.hpp>

#include <fmt/format.h>

namespace sightline::cli {
namespace {

// Points on a tile's side: half a megabyte of bits, a second of one core's work; for a CUDA device
// 32 megabytes, which it is predicted to fill in a tenth of a second.
constexpr std::uint64_t most_tile_side = 2048, most_cuda_tile_side = 16384;

class Visibility : public SightResult {
 public:
  Visibility()
      : SightResult({"visibility", "visibility", "pairs", "viewpoint {}, target {}"},
                    {"--to", "/to", "targets"}) {}

  void visit(Parameters& p) override {
    p.inside(options.inside);
    p.input("from", viewpoints_);
    p.input("to", input_);
    // Readers of a set against itself leave out each viewpoint's own bit.
    if (p.reads() && is_self() && input_.count != viewpoints_.count) p.fail("to.count");
    p.number("query.range", options.range, 0.0f);
    visit_ends(p, "to");
  }
  Grid grid() const override {
    return {viewpoints_.count, input_.count, true, is_self() && fields_hash_.empty()};
  }
  std::vector<Column> columns() const override {
    const io::Shape shape = {viewpoints_.count, bit_words(input_.count)};
    return {{"bits", io::Dtype::u64, shape, Layout::bits, "visible"}};
  }

  void load(InputFiles& in) override {
    from_ = in.points(viewpoints_);
    if (in.has("--to")) {
      to_ = in.points(input_);
    } else if (in.verifies()) {
      in.require("targets of its own, which --to names,", in.file_of("--from"), input_.hash,
                 viewpoints_.hash);
    } else {
      input_.count = viewpoints_.count;
    }
    in.job().say("points  {}, {}{}", plural(viewpoints_.count, "viewpoints"),
                 plural(input_.count, "targets"), to_ ? "" : " (the same)");
    load_scene_and_fields(in);
    if (to_) in.raise_to_eyes(*to_, input_, at, scene_);
    if (!to_ && !in.verifies()) {
      input_.hash = viewpoints_.hash;
      input_.at = viewpoints_.at;
      input_.y_up = viewpoints_.y_up;
    }
    in.job().set("/to/hash", input_.hash);
    in.job().set("/to/count", input_.count);
    in.job().set("/counts/segments", segments(pairs()));
    if (fields_hash_.empty()) return;
    rate = {"segments", 1, 5};
    in.job().say("fields  each viewpoint looks at a {}, hash {}", field_shape_name(field_shape_),
                 fields_hash_);
  }

  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const PointsView from = from_.view().slice(part.row, part.rows);
    const PointsView to = target_points().slice(part.column, part.columns);
    const std::span<std::uint64_t> bits = buffer.of<std::uint64_t>("bits");
    const bool self = grid().mirrored,
               diagonal = self && part.row == part.column && part.rows == part.columns;
    const auto fields = fields_of(part.row, part.rows);
    const VisibilityReport report = diagonal ? caster().visibility(from, bits, options)
                                    : fields ? caster().visibility(from, *fields, to, bits, options)
                                             : caster().visibility(from, to, bits, options);
    io::JobCounts counts = visibility_counts(report, self ? diagonal : part.column == 0,
                                             self ? diagonal : part.row == 0);
    if (margin_length > 0) {
      visible_matrix(caster(), from, fields, to, bits, options, margin_length);
    }
    counts.sum[0] = 0;  // tallied, mirror images too
    return counts;
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    counts.sum[0] += count_bits(buffer.of<std::uint64_t>("bits"));
  }

  Cost cost(const Job& job) const override {
    std::uint64_t side = backend() == Backend::cuda ? most_cuda_tile_side : most_tile_side;
    const std::uint64_t tests = chunk_size(backend(), shapes(), side * side);
    // A tile and its mirror image.
    const std::uint64_t room =
        buffer_elements(job.common().max_memory, copies_in_memory(backend()), side * side / 4) * 4;
    while (side > 64 && side * side > std::min(tests, room)) side /= 2;
    return {.tile_side = side};
  }

  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    const auto& sum = counts.sum;
    return {{"viewpoints", "viewpoints", viewpoints_.count},
            {"targets", "targets", input_.count},
            {"visible", "visible pairs", sum[0], pairs()},
            {"bad_viewpoints", "bad viewpoints", sum[1], 0, Shown::in_reports},
            {"bad_targets", "bad targets", sum[2], 0, Shown::in_reports},
            {"touching_viewpoints", "viewpoints in or at shapes", sum[3], 0, Shown::in_reports},
            {"touching_targets", "targets in or at shapes", sum[4], 0, Shown::in_reports},
            {"segments", "segments cast", segments(sum[5]), 0, Shown::in_reports}};
  }
  void report(Job& job, const Done& done) const override {
    const auto& sum = done.counts.sum;
    if (!fields_hash_.empty()) {
      job.set("/counts/in_field", sum[5]);
      job.set("/counts/bad_fields", sum[6]);
    }
    if (sum[6] > 0) {
      job.warn(
          "{} of {} {} of view (NaN, infinite, a direction of length 0 or a negative range), and "
          "{} nothing",
          grouped(sum[6]), plural(viewpoints_.count, "viewpoints"),
          agreeing(sum[6], "has a bad field", "have bad fields"), agreeing(sum[6], "sees", "see"));
    }
    const bool self = grid().mirrored;
    warn_of_points(job, self ? "points" : "viewpoints", viewpoints_, sum[1], sum[3]);
    if (!self) warn_of_points(job, "targets", input_, sum[2], sum[4]);
  }

  void draw(Job& job, const io::ContainerWriter& writer, const std::string& picture) const {
    const bool self = grid().mirrored;
    const auto read = [&](std::uint64_t first, std::vector<std::uint64_t>& row) {
      writer.read("bits", first, row.size(), row.data());
    };
    draw_shares(job, picture, caster(), scene_, from_.view(),
                shares_seen(viewpoints_.count, input_.count, self, read), caption_of_shares(self));
  }

 private:
  bool is_self() const { return input_.hash == viewpoints_.hash; }
  std::uint64_t pairs() const { return viewpoints_.count * input_.count; }
  PointsView target_points() const { return to_ ? to_->view() : from_.view(); }
  /// Of a set against itself nearly half of the pairs are mirrored.
  std::uint64_t segments(std::uint64_t in_field) const {
    if (!fields_hash_.empty()) return in_field;
    return grid().mirrored ? (pairs() + viewpoints_.count) / 2 : pairs();
  }
  void warn_of_points(Job& job, const char* what, const Input& input, std::uint64_t bad,
                      std::uint64_t touching) const {
    const std::string n = plural(input.count, what);
    if (bad > 0) {
      job.warn("{} of {} {} NaN, infinite or beyond 2^40, and {} nothing", grouped(bad), n,
               agreeing(bad, "is", "are"), agreeing(bad, "sees", "see"));
    }
    warn_of_touching(job, touching, fmt::format("{} of {}", grouped(touching), n), input.at != 0);
  }

  std::optional<io::Points> to_;
};

}  // namespace

void add_visibility(Verb& v) {
  auto [r, a] =
      add_result<Visibility>(v,
                             "sightline visibility city.st --from eyes.npy -o seen.st\n"
                             "sightline visibility city.st --from eyes.npy --to goals.npy "
                             "--range 50 -o seen.st --picture seen.png");
  add_sight(v, r, a, "targets; default: the viewpoints themselves");
  v.output(a.output, "VIS", "bits to write");
  v.picture(a.picture, "map from above: viewpoints coloured by how much they see, and the shapes");
  v.job(a);
}

std::vector<MakeResult> visibility_kinds() { return {make_result<Visibility>}; }

}  // namespace sightline::cli
