// flat: where segments hit a set of 2D shapes, and which of them circles overlap.
#include "host/files/formats/flat_file.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/results/hits.hpp"
#include "host/program/results/overlaps.hpp"

namespace sightline::cli {
namespace {

/// Of rows of a file, so many numbers each, and a set.
class FlatResult : public Result {
 public:
  FlatResult(const Names& names, const Input& input, const char* tensor, std::uint64_t width)
      : Result(names, input), tensor_(tensor), width_(width) {
    names_.flat = true;
  }

  void load(InputFiles& in) override {
    const auto hash_of = [&](const std::string& f) {
      return io::RowsFile(f, width_).hash(tensor_);
    };
    rows_.emplace(in.file(input_, hash_of), width_);
    in.settle_count(input_, rows_->name(), rows_->count());
    warn_of(in.job(), rows_->notes());
    warn_if_empty(in.job(), rows_->name(), rows_->count(), input_.unit);
    flat_ = in.flat_caster(scene_hash);
  }
  /// The numbers of a row, where they were read to and where a device takes them from.
  Cost cost(const Job&) const override {
    return {1 << 18, copies_in_memory(backend()) * width_ * sizeof(float)};
  }
  void report(Job& job, const Done& done) const override {
    const std::uint64_t bad = done.counts.sum[2];
    job.set("/counts/bad", bad);
    if (bad == 0) return;
    job.set("/counts/first_bad", done.counts.first_bad);
    job.warn("{}: {} of {} {}; the first is number {}", rows_->name(), grouped(bad),
             plural(rows_->count(), names().unit),
             agreeing(bad, "is bad and finds nothing", "are bad and find nothing"),
             done.counts.first_bad);
  }

 protected:
  const std::vector<float>& read(const io::GridPart& part, ColumnBuffer& memory) const {
    rows_->read(part.row, part.rows, memory.numbers);
    return memory.numbers;
  }
  /// The bad ones of a part, as the third sum.
  static io::JobCounts bad(const io::GridPart& part, std::uint64_t bad, std::uint64_t first) {
    io::JobCounts counts;
    counts.sum[2] = bad;
    if (bad > 0) counts.first_bad = part.row + first;
    return counts;
  }

 private:
  const char* tensor_;
  std::uint64_t width_;
  std::optional<io::RowsFile> rows_;
};

class Segments : public FlatResult {
 public:
  explicit Segments(Inside inside = Inside::solid)
      : FlatResult({"hits", "flat", "segments", "segment", "segments", "", "segments"},
                   {"--segments", "/segments", "segments"}, "segment", 4),
        inside_(inside) {}

  void visit(Parameters& p) override {
    p.fixed("query.dimensions", "2");
    p.inside(inside_);
    p.input("segments", input_);
  }
  std::vector<Column> columns() const override { return hit_columns(input_.count, false); }
  io::JobCounts answer(const io::GridPart& part, ColumnBuffer& buffer) const override {
    const auto segments = SegmentsView::rows(read(part, buffer));
    const CastReport report = flat_->cast(segments, hits_in(buffer), inside_);
    return bad(part, report.bad_rays, report.first_bad_ray);
  }
  void tally(ColumnBuffer& buffer, io::JobCounts& counts) const override {
    tally_hits(buffer, counts);
  }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"hits", "hits", counts.sum[0], input_.count},
            {"bad_rays", "bad segments", counts.sum[1]}};
  }

 private:
  Inside inside_;
};

class QueryCircles : public FlatResult {
 public:
  explicit QueryCircles(std::string_view kind)
      : FlatResult({kind, "flat", "circles", "circle", "asking", "ids"},
                   {"--circles", "/asking", "circles"}, "circle", 3) {}

  void visit(Parameters& p) override {
    p.fixed("query.dimensions", "2");
    // Rows have an offset more than there are circles.
    p.input("asking", input_, ~std::uint64_t{0} - 1);
  }

 protected:
  CirclesView circles(const io::GridPart& part, ColumnBuffer& memory) const {
    return CirclesView::rows(read(part, memory));
  }
  io::JobCounts any(const io::GridPart& part, std::span<std::uint64_t> bits,
                    ColumnBuffer& memory) const {
    const OverlapReport report = flat_->overlap_any(circles(part, memory), bits);
    return bad(part, report.bad, report.first_bad);
  }
  io::JobCounts counts(const io::GridPart& part, std::span<std::uint32_t> numbers,
                       ColumnBuffer& memory) const {
    const OverlapReport report = flat_->overlap_count(circles(part, memory), numbers);
    return bad(part, report.bad, report.first_bad);
  }
  void all(const io::GridPart& part, ColumnBuffer& buffer) const {
    buffer.overlaps =
        flat_->overlap_all(circles(part, buffer));  // the bad ones were counted before
  }
};

struct FlatArguments : ResultArguments {
  OverlapQuery query = OverlapQuery::any;  ///< of circles
  Inside inside = Inside::solid;           ///< of segments
};

int run_flat(Job& job, const FlatArguments& a) {
  const InputFiles in(job, a.inputs);
  if (in.has("--circles")) {
    return run_overlaps<QueryCircles>(job, a.query, a, OverlapAny<QueryCircles>());
  }
  if (!in.has("--segments")) {
    throw Error(ErrorKind::usage, "name the queries: --circles C.npy or --segments S.npy");
  }
  Segments segments(a.inside);
  return run_result(job, segments, a);
}

}  // namespace

void add_flat(Verb& v) {
  auto& a =
      v.runs<FlatArguments>(run_flat,
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

std::vector<MakeResult> flat_kinds() {
  return {make_result<Segments>, make_result<OverlapAny<QueryCircles>>,
          make_result<OverlapCount<QueryCircles>>, make_result<OverlapAll<QueryCircles>>};
}

}  // namespace sightline::cli
