// flat: where segments hit a set of 2D shapes; of circles see overlap.cpp.
#include "host/program/results/flat.hpp"

#include "host/program/jobs/bytes.hpp"
#include "host/program/results/hits.hpp"

namespace sightline::cli {

void FlatResult::load_rows(InputFiles& in, Input& input, const char* tensor, std::uint64_t width) {
  const auto hash_of = [&](const std::string& f) { return io::RowsFile(f, width).hash(tensor); };
  rows_.emplace(in.file(input, hash_of), width);
  in.settle_count(input, rows_->name(), rows_->count());
  warn_of(in.job(), rows_->notes());
  warn_if_empty(in.job(), rows_->name(), rows_->count(), input.unit);
  flat_ = in.flat_caster(scene_hash);
}

std::uint64_t FlatResult::row_bytes() const {
  return copies_in_memory(backend()) * rows_->width() * sizeof(float);
}

io::JobCounts FlatResult::bad(const io::GridPart& part, const FlatReport& report) {
  io::JobCounts counts;
  counts.sum[2] = report.bad;
  if (report.bad > 0) counts.first_bad = part.row + report.first_bad;
  return counts;
}

void FlatResult::warn_of_bad(Job& job, const io::JobCounts& counts) const {
  job.set("/counts/bad", counts.sum[2]);
  const std::uint64_t bad = counts.sum[2];
  if (bad == 0) return;
  job.set("/counts/first_bad", counts.first_bad);
  job.warn("{}: {} of {} {}; the first is number {}", rows_->name(), grouped(bad),
           plural(rows_->count(), names().unit),
           agreeing(bad, "is bad and finds nothing", "are bad and find nothing"), counts.first_bad);
}

namespace {

class Segments : public FlatResult {
 public:
  explicit Segments(Inside inside = Inside::solid) : inside_(inside) {}

  Names names() const override {
    return {"hits", "flat", "segments", "segment", "segments", "", "segments"};
  }
  void visit(Parameters& p) override {
    FlatResult::visit(p);
    p.inside(inside_);
    p.input("segments", input_);
  }
  Grid grid() const override { return {input_.count}; }
  std::vector<Column> columns() const override { return hit_columns(input_.count, false); }
  void load(InputFiles& in) override { load_rows(in, input_, "segment", 4); }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    rows().read(part.row, part.rows, buffer.numbers);
    return bad(part, flat().cast(SegmentsView::rows(buffer.numbers), hits_in(buffer), inside_));
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    tally_hits(buffer, counts);
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"hits", "hits", counts.sum[0], input_.count},
            {"bad_rays", "bad segments", counts.sum[1]}};
  }
  Cost cost() const override { return {1 << 18, row_bytes()}; }
  void report(Job& job, const Done& done) const override { warn_of_bad(job, done.counts); }

 private:
  Inside inside_;
  Input input_{"--segments", "/segments", "segments"};
};

struct FlatArguments : ResultArguments {
  OverlapQueryKind query = OverlapQueryKind::any;  ///< of circles
  Inside inside = Inside::solid;                   ///< of segments
};

int run_flat(Job& job, const FlatArguments& a) {
  const InputFiles in(job, a.inputs);
  if (!in.has("--circles") && !in.has("--segments")) {
    throw Error(ErrorKind::usage, "name the queries: --circles C.npy or --segments S.npy");
  }
  if (in.has("--circles")) return run_result(job, *new_circles(a.query), a);
  Segments segments(a.inside);
  return run_result(job, segments, a);
}

void add_flat(Verbs& verbs) {
  auto [v, a] = verbs.add<FlatArguments>(
      "flat", "circles and segments at a set of 2D shapes", run_flat,
      "sightline flat set.json --circles c.npy --query count -o overlaps.st\n"
      "sightline flat set.json --segments s.npy -o hits.st");
  v.positional("SET", a.inputs, "--scene", "set of 2D shapes");
  const Option circles = v.input("--circles", a.inputs, "C.npy",
                                 "which shapes overlap these circles: x, y, radius [n,3] f32");
  const Option segments = v.input("--segments", a.inputs, "S.npy",
                                  "where these segments hit a shape first: two ends [n,4] f32")
                              .excludes(circles);
  add_overlap_query(v, a.query,
                    "of circles: any (one bit per circle; default), count, or all (ids in rows)")
      .excludes(segments);
  v.inside(a.inside).excludes(circles);
  v.output(a.output, "OUT", "result to write");
  v.job(a);
}

const VerbEntry flat_verb{25, add_flat};
const ResultKind segments_kind{make_result<Segments>};

}  // namespace
}  // namespace sightline::cli
