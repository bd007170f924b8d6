#include "bench/rivals/ray_order.hpp"

#include "bench/rivals/morton.hpp"

#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

namespace sightline::rivals {
namespace {

constexpr int digit_bits = 10;  // three of them hold an octant and a Morton code
constexpr std::uint32_t digits = 1u << digit_bits;
constexpr std::uint64_t least_chunk = 1 << 14;

using Range = tbb::blocked_range<std::uint64_t>;

Vec3 place(const RaysView& rays, std::uint64_t i) {
  const Vec3 o = rays.origin[i];
  const float end = rays.t_max[i];
  if (end == infinity) return o;
  const Vec3 d = rays.direction[i];
  const float t = 0.5f * (rays.t_min[i] + end);
  return {o.x + t * d.x, o.y + t * d.y, o.z + t * d.z};
}

Aabb bounds_of_places(const RaysView& rays) {
  return tbb::parallel_reduce(
      Range(0, rays.count, least_chunk), empty_aabb(),
      [&](const Range& range, Aabb box) {
        for (std::uint64_t i = range.begin(); i < range.end(); ++i) {
          const Vec3 p = place(rays, i);
          box = unite(box, {p, p});
        }
        return box;
      },
      [](const Aabb& a, const Aabb& b) { return unite(a, b); });
}

std::uint32_t key_of(const MortonGrid& grid, const Vec3& p, const Vec3& d) {
  const std::uint32_t octant = (d.x < 0 ? 1u : 0u) | (d.y < 0 ? 2u : 0u) | (d.z < 0 ? 4u : 0u);
  return octant << (3 * MortonGrid::cell_bits) | grid.code(p);
}

}  // namespace

// Least significant digit first; every chunk counts and moves its own entries.
const std::uint32_t* RayOrder::sort(const RaysView& rays) {
  const std::uint64_t n = rays.count;
  entries_.resize(n);
  other_.resize(n);
  order_.resize(n);
  const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  const std::uint64_t chunks =
      threads == 1 ? 1 : std::clamp<std::uint64_t>(n / least_chunk, 1, 4 * threads);
  const auto first = [&](std::uint64_t chunk) { return n * chunk / chunks; };
  const auto for_each_chunk = [&](auto&& work) {
    tbb::parallel_for(std::uint64_t{0}, chunks, [&](std::uint64_t c) {
      work(first(c), first(c + 1), counts_.data() + c * digits);
    });
  };
  counts_.resize(chunks * digits);
  const MortonGrid grid(bounds_of_places(rays));
  for_each_chunk([&](std::uint64_t begin, std::uint64_t end, std::uint32_t*) {
    for (std::uint64_t i = begin; i < end; ++i) {
      entries_[i] = {key_of(grid, place(rays, i), rays.direction[i]),
                     static_cast<std::uint32_t>(i)};
    }
  });
  for (int pass = 0; pass < 3; ++pass) {
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
    for_each_chunk([&](std::uint64_t begin, std::uint64_t end, std::uint32_t* counts) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const Entry e = entries_[i];
        const std::uint32_t to = counts[digit(e)]++;
        if (pass == 2) {
          order_[to] = e.ray;
        } else {
          other_[to] = e;
        }
      }
    });
    entries_.swap(other_);
  }
  return order_.data();
}

}  // namespace sightline::rivals
