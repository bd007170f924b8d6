// What the tests of the kernels' bodies share: a scene with and without its tree, arrays with
// guards, points, and the plain truth.
#pragma once

#include "host/tree/builder.hpp"
#include "kernels/queries/sight.cuh"
#include "kernels/traverse/brute_force.cuh"
#include "tests/kernels/tree/systems.hpp"
#include "tests/kernels/ways.hpp"
#include "tests/standin/host_team.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/caster.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace sightline::testing {

/// Schedules from the one extreme to the other; answers are the same.
inline kernels::Schedule schedule_of(std::uint64_t seed) {
  constexpr std::uint32_t lanes[] = {12, 1, 32, 8, 31}, batches[] = {1024, 32, 96};
  constexpr std::uint32_t tiles[] = {4096, 64, 1024, 1088};
  return {lanes[seed % 5],
          lanes[seed / 5 % 5],
          lanes[seed / 2 % 5],
          batches[seed % 3],
          1,
          tiles[seed / 3 % 4],
          1};
}

/// A scene and its trees, as the kernels get them.
struct TreeScene {
  Scene scene;
  ShapesView shapes;
  detail::Bvh tree;
  WideTree wide;

  explicit TreeScene(Scene s) : TreeScene(std::move(s), {}) {}
  /// With this tree rather than the host's.
  TreeScene(Scene s, detail::Bvh given)
      : scene(std::move(s)),
        shapes(scene.view()),
        tree(given.nodes.empty() ? detail::build_bvh(shapes) : std::move(given)),
        wide(widen(shapes, tree.view())) {}
  kernels::DeviceScene view(Way way, std::uint64_t schedule = 0) const {
    kernels::DeviceScene view{shapes, way == Way::tree};
    view.schedule = schedule_of(schedule);
    if (way == Way::tree) view.wide = wide.view();
    return view;
  }
};

/// Counts how often a pair is traced.
struct CountingSearch {
  kernels::BruteSearch search;
  std::uint64_t* traced;
  template <class Test>
  bool any_shape(const Query& q, Test&& test) const {
    ++*traced;
    return search.any_shape(q, test);
  }
};

/// How a test has the lanes of every step run; answers are the same.
inline constexpr standin::LaneOrder every_lane_order[] = {standin::LaneOrder::upwards,
                                                          standin::LaneOrder::downwards};

/// n elements of which none is written yet, and others around them that nobody may write.
template <class T>
class Guarded {
 public:
  explicit Guarded(std::uint64_t n) : n_(n), all_(n + 2 * guards) {
    std::memset(static_cast<void*>(all_.data()), poison, all_.size() * sizeof(T));
  }
  T* data() { return all_.data() + guards; }
  T& operator[](std::uint64_t i) { return data()[i]; }
  /// The same bytes as the first n of `expected`, and the guards as they were.
  bool is(const std::vector<T>& expected) const {
    return expected.size() >= n_ &&
           (n_ == 0 || std::memcmp(all_.data() + guards, expected.data(), n_ * sizeof(T)) == 0) &&
           guards_hold();
  }
  bool guards_hold() const {
    const auto untouched = [&](std::uint64_t first) {
      const auto* byte = reinterpret_cast<const unsigned char*>(all_.data() + first);
      return std::all_of(byte, byte + guards * sizeof(T),
                         [](unsigned char b) { return b == poison; });
    };
    return untouched(0) && untouched(guards + n_);
  }

 private:
  static constexpr std::uint64_t guards = 64;
  static constexpr unsigned char poison = 0xA5;
  std::uint64_t n_;
  std::vector<T> all_;
};

inline std::vector<std::uint32_t> random_order(std::uint64_t n, Random& r) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[r.bits() % i]);
  return order;
}

/// Bit b of word b / 32.
inline bool bit_of(const std::uint32_t* words, std::uint64_t b) {
  return (words[b / 32] >> (b % 32) & 1u) != 0;
}

/// The job's bits, as sightline::sees() has them.
inline std::vector<std::uint32_t> truth_of(const TreeScene& scene, const kernels::SightJob& job,
                                           std::uint64_t rows) {
  std::vector<std::uint32_t> bits(rows * job.row_words);
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < job.targets.count; ++j) {
      const bool bit = sightline::sees(
          scene.tree.view(), scene.shapes, kernels::point_of(job.viewpoints, job.row_order, i),
          kernels::point_of(job.targets, job.target_order, j), job.options);
      bits[i * job.row_words + j / 32] |= std::uint32_t{bit} << (j % 32);
    }
  }
  return bits;
}

}  // namespace sightline::testing
