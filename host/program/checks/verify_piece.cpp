#include "host/program/checks/verify_piece.hpp"

#include "host/program/engine/parallel.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_rays_per_piece = 1 << 14;

/// The sample's rays [begin, end).
Piece read_piece(const Sample& sample, const io::RaysSource& source, std::uint64_t begin,
                 std::uint64_t end) {
  Piece piece;
  io::RayBuffer buffer;
  const auto keep = [&](std::uint64_t first, std::uint64_t n) {
    const RaysView view = source.read(first, n, buffer);
    const Column<float> radius = source.radius(buffer);
    for (std::uint64_t i = 0; i < n; ++i) {
      piece.index.push_back(first + i);
      piece.rays.push_back(view[i]);
      piece.radii.push_back(radius[i]);
    }
  };
  if (sample.is_full()) keep(begin, end - begin);
  for (std::uint64_t k = begin; !sample.is_full() && k < end; ++k) keep(sample[k], 1);
  return piece;
}

}  // namespace

RaysView Piece::view() const {
  RaysView view;
  view.count = rays.size();
  if (rays.empty()) return view;
  constexpr auto stride = static_cast<std::ptrdiff_t>(sizeof(Ray));
  const Ray& first = rays.front();
  view.origin = Vec3Column::rows(&first.origin.x, stride);
  view.direction = Vec3Column::rows(&first.direction.x, stride);
  view.t_min = {&first.t_min, stride, 0};
  view.t_max = {&first.t_max, stride, 0};
  view.mask = {&first.mask, stride, 0};
  for (int k = 0; k < 2; ++k) {
    view.exclude[k] = {&first.exclude[k], stride, none};
    view.exclude_group[k] = {&first.exclude_group[k], stride, none};
  }
  return view;
}

void for_each_piece(const Verification& v, const io::RaysSource& rays, Differences& differences,
                    const std::function<void(const Sample&, const Piece&)>& use) {
  const Sample sample = sample_of(v.arguments, v.result.parameters().rays);
  const std::uint64_t size = chunk_size(v.judge, most_rays_per_piece);
  const std::uint64_t pieces = sample.count / size + (sample.count % size != 0);
  Progress progress("verify", "rays", sample.count, v.job.common().quiet);
  for_each_piece(pieces, v.job.common().threads, progress, [&](std::uint64_t i) {
    const std::uint64_t begin = i * size, end = std::min(begin + size, sample.count);
    use(sample, read_piece(sample, rays, begin, end));
    differences.add_checked(end - begin);
    return end - begin;
  });
}

}  // namespace sightline::cli
