// verify: results of 2D, circle by circle and segment by segment.
#include "host/program/checks/verify_hits.hpp"
#include "host/program/engine/flat_asking.hpp"
#include "host/program/engine/parallel.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

void verify_circles(Job& job, const VerifyArguments& a, const io::ResultReader& result,
                    const FlatCaster& judge, std::uint64_t per_piece, Differences& differences) {
  const io::RowsFile file = open_circles(a.circles);
  require_same(result, "circles", a.circles, result.parameters().asking_hash,
               hash_of_circles(file));
  require_count(result, "circles", result.parameters().asking, a.circles, file.count());
  const auto ids_of = [&](std::uint64_t i) {
    std::vector<float> row;
    file.read(i, 1, row);
    OverlapRows rows;
    judge.overlap_all(CirclesView::rows(1, row.data()), rows);
    return rows.ids;
  };
  verify_ids(job, a, result, {"circle", "circles", per_piece, ids_of}, differences);
}

void verify_segments(Job& job, const VerifyArguments& a, const io::ResultReader& result,
                     const FlatCaster& judge, std::uint64_t per_piece, Differences& differences) {
  const io::ResultParameters& p = result.parameters();
  const io::RowsFile file = open_segments(a.segments);
  require_same(result, "segments", a.segments, p.rays_hash, hash_of_segments(file));
  require_count(result, "segments", p.rays, a.segments, file.count());
  const Sample sample = sample_of(a, p.rays);
  const std::uint64_t pieces = sample.count / per_piece + (sample.count % per_piece != 0);
  Progress progress("verify", "segments", sample.count, job.common().quiet);
  for_each_piece(pieces, job.common().threads, progress, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * per_piece, end = std::min(begin + per_piece, sample.count);
    std::vector<std::uint64_t> index;
    std::vector<float> rows, row;
    for (std::uint64_t k = begin; k < end; ++k) {
      index.push_back(sample[k]);
      file.read(sample[k], 1, row);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    io::HitsBuffer truth;
    truth.resize(index.size(), false);
    judge.cast(SegmentsView::rows(index.size(), rows.data()), truth.view(), p.inside);
    compare_hits("segment", index, read_hits(sample, result, index), truth, differences);
    differences.add_checked(end - begin);
    return end - begin;
  });
}

}  // namespace

void verify_flat(Job& job, const VerifyArguments& a, const io::ResultReader& result,
                 LoadedFlatScene set, Differences& differences) {
  const FlatCaster judge = build_caster(job, std::move(set.scene), "reference");
  const std::uint64_t per_piece =
      chunk_size(judge.backend(), judge.scene().size(), most_rows_per_piece);
  if (io::is_overlap(result.parameters().kind)) {
    verify_circles(job, a, result, judge, per_piece, differences);
  } else {
    verify_segments(job, a, result, judge, per_piece, differences);
  }
}

}  // namespace sightline::cli
