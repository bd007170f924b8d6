#include "bench/rivals/ray_order.hpp"

#include "bench/rivals/morton.hpp"
#include "bench/rivals/ray_columns.hpp"

#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

namespace sightline::rivals {
namespace {

constexpr int passes = 3;
constexpr int digit_bits = 10;  // three of them hold an octant and a Morton code
constexpr std::uint32_t digits = 1u << digit_bits;
constexpr std::uint64_t least_chunk = 1 << 14;

using Range = tbb::blocked_range<std::uint64_t>;

/// Where rays are sorted by: their origins, or the middles of those that end.
struct Places {
  RayColumns rays;
  bool none_ends;

  explicit Places(const RaysView& view)
      : rays(view), none_ends(rays.t_max.is_common() && rays.t_max[0] == infinity) {}

  Vec3 operator[](std::uint64_t i) const {
    const Vec3 o = {rays.ox[i], rays.oy[i], rays.oz[i]};
    if (none_ends || rays.t_max[i] == infinity) return o;
    const float t = 0.5f * (rays.t_min[i] + rays.t_max[i]);
    return {o.x + t * rays.dx[i], o.y + t * rays.dy[i], o.z + t * rays.dz[i]};
  }
  std::uint32_t octant(std::uint64_t i) const {
    return (rays.dx[i] < 0 ? 1u : 0u) | (rays.dy[i] < 0 ? 2u : 0u) | (rays.dz[i] < 0 ? 4u : 0u);
  }
};

Aabb bounds_of(const Places& places, std::uint64_t n) {
  return tbb::parallel_reduce(
      Range(0, n, least_chunk), empty_aabb(),
      [&](const Range& range, Aabb box) {
        for (std::uint64_t i = range.begin(); i < range.end(); ++i) {
          const Vec3 p = places[i];
          box.min = {min(p.x, box.min.x), min(p.y, box.min.y), min(p.z, box.min.z)};
          box.max = {max(p.x, box.max.x), max(p.y, box.max.y), max(p.z, box.max.z)};
        }
        return box;
      },
      [](const Aabb& a, const Aabb& b) { return unite(a, b); });
}

}  // namespace

// Least significant digit first; every chunk counts and moves its own entries.
const std::uint32_t* RayOrder::sort(const RaysView& rays) {
  const std::uint64_t n = rays.size();
  entries_.resize(n);
  other_.resize(n);
  order_.resize(n);
  const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  const std::uint64_t chunks =
      threads == 1 ? 1 : std::clamp<std::uint64_t>(n / least_chunk, 1, 4 * threads);
  counts_.resize(chunks * digits);
  const auto for_each_chunk = [&](auto&& work) {
    tbb::parallel_for(std::uint64_t{0}, chunks, [&](std::uint64_t c) {
      work(n * c / chunks, n * (c + 1) / chunks, counts_.data() + c * digits);
    });
  };
  const Places places(rays);
  const MortonGrid grid(bounds_of(places, n));
  for_each_chunk([&](std::uint64_t begin, std::uint64_t end, std::uint32_t*) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint32_t key =
          places.octant(i) << (3 * MortonGrid::cell_bits) | grid.code(places[i]);
      entries_[i] = {key, static_cast<std::uint32_t>(i)};
    }
  });
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * digit_bits;
    const auto digit = [&](const Entry& e) { return e.key >> shift & (digits - 1); };
    for_each_chunk([&](std::uint64_t begin, std::uint64_t end, std::uint32_t* counts) {
      std::fill_n(counts, digits, 0u);
      for (std::uint64_t i = begin; i < end; ++i) ++counts[digit(entries_[i])];
    });
    std::uint32_t sum = 0;
    for (std::uint32_t d = 0; d < digits; ++d) {
      for (std::uint64_t c = 0; c < chunks; ++c) {
        sum += std::exchange(counts_[c * digits + d], sum);
      }
    }
    const Entry* from = entries_.data();
    Entry* to = other_.data();
    std::uint32_t* order = order_.data();
    for_each_chunk([&](std::uint64_t begin, std::uint64_t end, std::uint32_t* counts) {
      if (pass + 1 < passes) {
        for (std::uint64_t i = begin; i < end; ++i) to[counts[digit(from[i])]++] = from[i];
      } else {
        for (std::uint64_t i = begin; i < end; ++i) order[counts[digit(from[i])]++] = from[i].ray;
      }
    });
    entries_.swap(other_);
  }
  return order_.data();
}

}  // namespace sightline::rivals
