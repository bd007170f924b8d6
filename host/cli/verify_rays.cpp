// verify: hits and blocked bits, ray by ray.
#include "host/cli/bit_matrix.hpp"
#include "host/cli/parallel.hpp"
#include "host/cli/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_rays_per_piece = 1 << 14;

/// Rays in rows, each with all it carries.
RaysView view_of(const std::vector<Ray>& rays) {
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

/// The sample's rays [begin, end), and where each one is in the file.
struct Piece {
  std::vector<std::uint64_t> index;
  std::vector<Ray> rays;
};

Piece read_piece(const Sample& sample, const io::RaysSource& source, std::uint64_t begin,
                 std::uint64_t end) {
  Piece piece;
  io::RayBuffer buffer;
  const auto keep = [&](std::uint64_t first, std::uint64_t n) {
    const RaysView view = source.read(first, n, buffer);
    for (std::uint64_t i = 0; i < n; ++i) {
      piece.index.push_back(first + i);
      piece.rays.push_back(view[i]);
    }
  };
  if (sample.is_full()) keep(begin, end - begin);
  for (std::uint64_t k = begin; !sample.is_full() && k < end; ++k) keep(sample[k], 1);
  return piece;
}

std::string words_of(const io::HitsBuffer& hits, std::size_t i) {
  std::string words = fmt::format("t {} id {} flags {}", hits.t[i],
                                  static_cast<std::int64_t>(hits.id[i]), hits.flags[i]);
  if (!hits.normal.empty()) {
    const Vec3 n = hits.normal[i];
    words += fmt::format(" normal {} {} {}", n.x, n.y, n.z);
  }
  return words;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b, std::size_t i) {
  if (a.empty()) return true;
  // Bytes on purpose: they are what is promised, and equal floats may differ in them.
  const void *x = &a[i], *y = &b[i];
  return std::memcmp(x, y, sizeof(T)) == 0;
}

void compare_blocked(const Verification& v, const Piece& piece,
                     const std::vector<std::uint64_t>& truth, Differences& differences) {
  std::uint64_t word = 0, at = ~std::uint64_t{0};
  for (std::size_t i = 0; i < piece.index.size(); ++i) {
    const std::uint64_t index = piece.index[i];
    if (index / 64 != at) v.result.read_blocked(at = index / 64, {&word, 1});
    const std::uint64_t in_file = word >> (index % 64) & 1;
    const std::uint64_t expected = truth[i / 64] >> (i % 64) & 1;
    if (in_file == expected) continue;
    differences.add(index, fmt::format("ray {}: the file has blocked {}, the reference {}", index,
                                       in_file, expected));
  }
}

/// The bits after the last ray, which must be 0.
void check_padding(const Verification& v, std::uint64_t rays, Differences& differences) {
  if (rays % 64 == 0) return;
  std::uint64_t word = 0;
  v.result.read_blocked(rays / 64, {&word, 1});
  if (word >> (rays % 64) != 0) differences.add(rays, "the padding after the last ray is not 0");
}

}  // namespace

io::HitsBuffer read_hits(const Sample& sample, const io::ResultReader& result,
                         const std::vector<std::uint64_t>& index) {
  io::HitsBuffer all, one;
  if (sample.is_full()) {
    result.read_hits(index.front(), index.size(), all);
    return all;
  }
  all.resize(index.size(), result.parameters().normals);
  for (std::size_t i = 0; i < index.size(); ++i) {
    result.read_hits(index[i], 1, one);
    all.t[i] = one.t[0];
    all.id[i] = one.id[0];
    all.flags[i] = one.flags[0];
    if (!one.normal.empty()) all.normal[i] = one.normal[0];
  }
  return all;
}

void compare_hits(const char* one, const std::vector<std::uint64_t>& index,
                  const io::HitsBuffer& file, const io::HitsBuffer& truth,
                  Differences& differences) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (same_bytes(file.t, truth.t, i) && same_bytes(file.id, truth.id, i) &&
        same_bytes(file.flags, truth.flags, i) && same_bytes(file.normal, truth.normal, i)) {
      continue;
    }
    differences.add(index[i], fmt::format("{} {}: the file has {}, the reference {}", one, index[i],
                                          words_of(file, i), words_of(truth, i)));
  }
}

void verify_rays(const Verification& v, const io::RaysSource& rays, Differences& differences) {
  const io::ResultParameters& p = v.result.parameters();
  const Sample sample = sample_of(v.arguments, p.rays);
  const std::uint64_t size = chunk_size(v.judge, most_rays_per_piece);
  const std::uint64_t pieces = sample.count / size + (sample.count % size != 0);
  const bool blocked = p.kind == io::ResultKind::blocked;
  const CastOptions options{p.inside, false};
  Progress progress("verify", "rays", sample.count, v.job.common().quiet);
  for_each_piece(pieces, v.job.common().threads, progress, [&](std::uint64_t i) {
    const std::uint64_t begin = i * size, end = std::min(begin + size, sample.count);
    const Piece piece = read_piece(sample, rays, begin, end);
    if (blocked) {
      std::vector<std::uint64_t> truth(words_for(end - begin));
      v.judge.any_hit(view_of(piece.rays), truth, options);
      compare_blocked(v, piece, truth, differences);
    } else {
      io::HitsBuffer truth;
      truth.resize(end - begin, p.normals);
      v.judge.closest_hit(view_of(piece.rays), truth.view(), options);
      compare_hits("ray", piece.index, read_hits(sample, v.result, piece.index), truth,
                   differences);
    }
    differences.add_checked(end - begin);
    return end - begin;
  });
  if (blocked) check_padding(v, p.rays, differences);
}

}  // namespace sightline::cli
