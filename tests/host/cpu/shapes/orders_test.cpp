// The orders in which queries, points and a matrix's rows and columns are taken.
#include "host/cpu/queries/ordered_points.hpp"
#include "host/cpu/shapes/query_order.hpp"
#include "tests/support/random_points.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <numeric>

namespace sightline::testing {
namespace {

TEST(CellCurves, HilbertGoesThroughEveryCellToOneBesideIt) {
  constexpr auto side = static_cast<std::uint32_t>(detail::grid_cells);
  constexpr std::uint32_t cells = side * side * side;
  const detail::RayGrid grid = {{0, 0, 0}, 1, false};
  const auto middle_of_cell = [](std::uint32_t c) {
    const auto along = [](std::uint32_t i) { return 0.5f + static_cast<float>(i % side); };
    return Vec3{along(c), along(c / side), along(c / side / side)};
  };
  std::vector<std::uint32_t> cell_at(cells, cells);
  for (std::uint32_t c = 0; c < cells; ++c) {
    const std::uint32_t code = detail::hilbert_code(grid, middle_of_cell(c));
    ASSERT_LT(code, cells);
    ASSERT_EQ(cell_at[code], cells) << "twice";
    cell_at[code] = c;
  }
  for (std::uint32_t code = 1; code < cells; ++code) {
    const Vec3 a = middle_of_cell(cell_at[code - 1]), b = middle_of_cell(cell_at[code]);
    ASSERT_EQ(abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z), 1) << code;
  }
}

TEST(CellCurves, AnyPositionHasACell) {
  const detail::RayGrid grid = {{0, 0, 0}, 1, false};
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::uint32_t cells = 1u << 3 * detail::grid_bits;
  for (const float x : {-inf, -1.0f, 0.0f, 0x1p31f, 1e38f, inf, nan}) {
    for (const Vec3& p : {Vec3{x, 1, 1}, Vec3{1, x, 1}, Vec3{1, 1, x}}) {
      EXPECT_LT(detail::morton_code(grid, p), cells);
      EXPECT_LT(detail::hilbert_code(grid, p), cells);
    }
  }
}

/// Every aligned block of 2^k points against the next in the order.
struct Blocks {
  double extent = 0, step = 0;  ///< mean widest side of a block's box; mean distance to the next

  Blocks(const PointsView& points, std::uint64_t size) {
    const std::uint64_t count = points.count / size;
    Vec3 before = {};
    for (std::uint64_t b = 0; b < count; ++b) {
      Aabb box = empty_aabb();
      for (std::uint64_t k = b * size; k < (b + 1) * size; ++k) {
        box = unite(box, {points.position[k], points.position[k]});
      }
      const Vec3 middle = 0.5f * (box.min + box.max), sides = box.max - box.min;
      extent += max(max(sides.x, sides.y), sides.z) / static_cast<double>(count);
      const Vec3 way = middle - before;
      if (b > 0) step += max(max(abs(way.x), abs(way.y)), abs(way.z)) / static_cast<double>(count);
      before = middle;
    }
  }
};

/// Points of a square lattice in a scattered order.
struct Lattice {
  static constexpr std::uint32_t side = 256, count = side * side;
  std::vector<float> x, y, z;
  PointsView view;

  Lattice() : x(count), y(count), z(count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t k = i * 1237 % count;
      x[i] = static_cast<float>(k % side), y[i] = static_cast<float>(k / side);
    }
    view.count = count;
    view.position.x = x, view.position.y = y, view.position.z = z;
  }
};

TEST(OrderedPoints, AreAllPointsInBlocksThatLieTogether) {
  Lattice points;
  const detail::OrderedPoints ordered(points.view);
  std::vector<int> times(Lattice::count);
  for (std::uint32_t k = 0; k < Lattice::count; ++k) {
    ++times[ordered.index[k]];
    const Vec3 p = ordered.view.position[k], q = points.view.position[ordered.index[k]];
    ASSERT_TRUE(p.x == q.x && p.y == q.y && p.z == q.z);
  }
  EXPECT_EQ(times, std::vector<int>(Lattice::count, 1));
  // Squares, and mostly each beside the one before.
  for (const std::uint64_t sides : {1, 4, 8, 16}) {
    const Blocks blocks(ordered.view, sides * sides);
    EXPECT_EQ(blocks.extent, static_cast<double>(sides - 1));
    EXPECT_LE(blocks.step, 1.4 * static_cast<double>(sides)) << sides;
  }
}

TEST(OrderedPoints, OfBadPointsAndTies) {
  Lattice points;
  points.x[7] = std::numeric_limits<float>::quiet_NaN();
  points.y[9] = std::numeric_limits<float>::infinity();
  std::fill_n(points.x.begin() + 5000, 5000, 3.0f);
  const detail::OrderedPoints one(points.view);
  std::vector<std::uint32_t> sorted = one.index, all(Lattice::count);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(sorted, all);
}

TEST(OrderedPoints, OfAFewAndOfOnePlace) {
  for (std::uint32_t count = 0; count < 40; ++count) {
    std::vector<float> x(count, 2.0f), y(count, -1.0f), z(count, 0.0f);
    PointsView view;
    view.count = count;
    view.position.x = x, view.position.y = y, view.position.z = z;
    const detail::OrderedPoints ordered(view);
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(ordered.index, all);  // by their indices
  }
}

/// What a part keeps of its queries: their numbers.
struct CopiedNumbers {
  std::uint64_t first = 0;
  std::vector<std::uint64_t> numbers;

  void begin(std::uint64_t begin, std::uint64_t) {
    first = begin;
    numbers.clear();
  }
  void copy(std::uint64_t i) { numbers.push_back(i); }
};

TEST(QueryOrder, AsksEveryQueryOnceGroupByGroup) {
  constexpr std::uint64_t n = 5000;
  const Scene scene = make_scene(SceneFamily::random, 100, 3);
  std::vector<Vec3> places;
  for (const SightPoint& p : random_points(scene, n, 1)) places.push_back(p.position);
  places[17].y = std::numeric_limits<float>::quiet_NaN();
  for (const int threads : {1, 3}) {
    std::mutex mutex;
    std::vector<int> asked(n), finished(n);
    std::uint64_t changes = 0, largest = 0;
    detail::for_each_in_order(
        detail::Threads(threads), n, [&](std::uint64_t i) { return places[i]; },
        [](std::uint64_t i) { return static_cast<std::uint32_t>(i % 4); },
        [] { return CopiedNumbers(); }, [] { return 0; },
        [&](int, const detail::QueryRun& run, const CopiedNumbers& copies) {
          const std::lock_guard lock(mutex);
          EXPECT_EQ(copies.first, run.begin);
          for (std::uint64_t k = 0; k < run.count; ++k) {
            EXPECT_EQ(copies.numbers[run[k] - run.begin], run[k]);
          }
          for (std::uint64_t k = 0; k < run.count; ++k) {
            ++asked[run[k]];
            changes += k > 0 && run[k] % 4 != run[k - 1] % 4;
          }
          largest = std::max(largest, run.count);
        },
        [&](std::uint64_t begin, std::uint64_t end) {
          const std::lock_guard lock(mutex);
          EXPECT_EQ(begin % 64, 0u);
          for (std::uint64_t i = begin; i < end; ++i) {
            EXPECT_EQ(asked[i], 1);
            ++finished[i];
          }
        });
    EXPECT_EQ(finished, std::vector<int>(n, 1));
    EXPECT_LE(changes, 3u * static_cast<std::uint64_t>(threads));
    EXPECT_LE(largest, detail::most_of_run);
  }
}

/// The mean distance of one query and the next of points on a lattice, in its steps.
template <auto Code>
double mean_step() {
  constexpr std::uint64_t side = 16, n = side * side * side;
  const auto place = [](std::uint64_t i) {
    const std::uint64_t k = i * 1237 % n;  // scattered
    return Vec3{static_cast<float>(k % side), static_cast<float>(k / side % side),
                static_cast<float>(k / side / side)};
  };
  double sum = 0;
  detail::for_each_in_order<Code>(
      detail::Threads(1), n, place, [](std::uint64_t) { return 0u; },
      [] { return detail::NoCopies(); }, [] { return 0; },
      [&](int, const detail::QueryRun& run, const detail::NoCopies&) {
        for (std::uint64_t k = 1; k < run.count; ++k) {
          const Vec3 a = place(run[k]), b = place(run[k - 1]);
          sum += abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z);
        }
      },
      [](std::uint64_t, std::uint64_t) {});
  return sum / n;
}

TEST(QueryOrder, PutsNeighboursSideBySide) {
  EXPECT_LT(mean_step<detail::morton_code>(), 2.5);
  EXPECT_LT(mean_step<detail::hilbert_code>(), 1.25);
}

}  // namespace
}  // namespace sightline::testing
