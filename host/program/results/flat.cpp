// flat: where segments hit a set of 2D shapes; of circles see overlap.cpp.
#include "host/program/results/flat.hpp"

#include "host/program/engine/bytes.hpp"
#include "host/program/results/hits.hpp"
#include "host/program/results/kinds.hpp"
#include "host/program/results/run.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

namespace sightline::cli {

void FlatResult::load_rows(InputFiles& in, const Role& role, const char* tensor,
                           std::uint64_t width, std::string& hash, std::uint64_t& count) {
  const auto hash_of = [&](const std::string& f) { return io::RowsFile(f, width).hash(tensor); };
  rows_.emplace(in.file(role, hash, hash_of), width);
  in.settle_count(role, rows_->name(), count, rows_->count());
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
  if (counts.sum[2] == 0) return;
  job.set("/counts/first_bad", counts.first_bad);
  job.warn(fmt::format("{}: {} of {} {} are bad and find nothing; the first is number {}",
                       rows_->name(), grouped(counts.sum[2]), grouped(rows_->count()), names.unit,
                       counts.first_bad));
}

namespace {

class Segments : public FlatResult {
 public:
  explicit Segments(Inside inside = Inside::solid)
      : FlatResult({"hits", "flat", "segments", "segment", "segments", "", "segments"}),
        inside_(inside) {}

  void visit(Parameters& p) override {
    FlatResult::visit(p);
    p.inside(inside_);
    p.hash("segments.hash", hash_);
    p.number("segments.count", count_);
  }
  Grid grid() const override { return {count_}; }
  std::vector<Column> columns() const override { return hit_columns(count_, false); }
  void load(InputFiles& in) override {
    load_rows(in, {"--segments", "/segments", "segments", "segments"}, "segment", 4, hash_, count_);
  }
  io::JobCounts answer(const io::GridPart& part, Block& block) const override {
    rows().read(part.row, part.rows, block.numbers);
    return bad(part, flat().cast(SegmentsView::rows(block.numbers), hits_in(block), inside_));
  }
  void tally(Block& block, io::JobCounts& counts) const override { tally_hits(block, counts); }
  std::vector<Counted> counted(const io::JobCounts& counts) const override {
    return {{"hits", "hits", counts.sum[0], count_}, {"bad_rays", "bad segments", counts.sum[1]}};
  }
  Cost cost() const override { return {1 << 18, row_bytes()}; }
  void report(Job& job, const Done& done) const override { warn_of_bad(job, done.counts); }

 private:
  Inside inside_;
  std::string hash_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Result> new_segments() { return std::make_unique<Segments>(); }

int run_flat(Job& job, const FlatArguments& a) {
  if (a.circles.empty() == a.segments.empty()) {
    throw Error(ErrorKind::usage, "name what asks: --circles C.npy or --segments S.npy");
  }
  InputFiles in(job, {{"--scene", a.scene}, {"--circles", a.circles}, {"--segments", a.segments}});
  if (a.segments.empty()) return run_circles(job, a, in);
  Segments segments(a.inside);
  return run_result(job, segments, in, {a.output, a.resume});
}

}  // namespace sightline::cli
