// verify: the nearest shapes, row by row of points or segments.
#include "host/program/checks/verify.hpp"
#include "host/program/engine/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_elements_per_piece = 1 << 20;

std::string words_of(float v) { return fmt::format("{}", v); }
std::string words_of(std::uint32_t id) { return id == none ? "no shape" : fmt::format("{}", id); }
std::string words_of(const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }

/// Compares row i with the truth, which is the first row of its buffer; tells the first difference.
class RowComparison {
 public:
  RowComparison(const Verification& v, Differences& differences)
      : p_(v.result.parameters()), differences_(differences) {}

  void compare(std::uint64_t i, const io::NearBuffer& file, const io::NearBuffer& truth,
               std::uint64_t row) const {
    const bool of_points = p_.kind == io::ResultKind::distance;
    const bool same = column(i, "id", file.id, truth.id, row) &&
                      column(i, "distance", file.distance, truth.distance, row) &&
                      column(i, of_points ? "point" : "on_shape", file.point, truth.point, row);
    if (!same) return;
    if (of_points) {
      column(i, "direction", file.direction, truth.direction, row);
    } else {
      column(i, "t", file.t, truth.t, row);
    }
  }

 private:
  template <class T>
  bool column(std::uint64_t i, const char* name, const std::vector<T>& file,
              const std::vector<T>& truth, std::uint64_t row) const {
    for (std::uint64_t j = 0; j < p_.k; ++j) {
      const T &in_file = file[row * p_.k + j], &expected = truth[row * p_.k + j];
      if (std::memcmp(&in_file, &expected, sizeof(T)) == 0) continue;
      differences_.add(i, fmt::format("{} {}: the file has {} {} at place {}, the reference {}",
                                      p_.kind == io::ResultKind::distance ? "point" : "segment", i,
                                      name, words_of(in_file), j, words_of(expected)));
      return false;
    }
    return true;
  }

  const io::ResultParameters& p_;
  Differences& differences_;
};

/// Rows of the file and of the reference from row `first` on.
void verify_near_rows(const Verification& v, const PointsView& from, const PointsView& to,
                      std::uint64_t first, std::uint64_t n, Differences& differences) {
  const io::ResultParameters& p = v.result.parameters();
  const NearestOptions options{p.k, p.range};
  io::NearBuffer file, truth;
  v.result.read_near(first, n, file);
  truth.resize(p, n);
  if (p.kind == io::ResultKind::distance) {
    v.judge.nearest(from.slice(first, n), truth.nearest(), options);
  } else {
    v.judge.clearance(from.slice(first, n), to.slice(first, n), truth.clearance(), options);
  }
  const RowComparison comparison(v, differences);
  for (std::uint64_t row = 0; row < n; ++row) comparison.compare(first + row, file, truth, row);
}

}  // namespace

void verify_near(const Verification& v, const io::Points& points, const io::Points* to,
                 Differences& differences) {
  const PointsView from = points.view(), ends = to == nullptr ? PointsView{} : to->view();
  const Sample sample = sample_of(v.arguments, points.count());
  const std::uint64_t size =
      std::clamp<std::uint64_t>(most_elements_per_piece / v.result.parameters().k, 1,
                                chunk_size(v.judge, most_rows_per_piece));
  const std::uint64_t pieces = sample.count / size + (sample.count % size != 0);
  Progress progress("verify", to == nullptr ? "points" : "segments", sample.count,
                    v.job.common().quiet);
  for_each_piece(pieces, v.job.common().threads, progress, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * size, end = std::min(begin + size, sample.count);
    if (sample.is_full()) {
      verify_near_rows(v, from, ends, begin, end - begin, differences);
    } else {
      for (std::uint64_t k = begin; k < end; ++k) {
        verify_near_rows(v, from, ends, sample[k], 1, differences);
      }
    }
    differences.add_checked(end - begin);
    return end - begin;
  });
}

}  // namespace sightline::cli
