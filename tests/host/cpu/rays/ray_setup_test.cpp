// Rays collected and made ready by lanes: the bits of scale(), whatever the numbers, the neighbours
// and the order.
#include "tests/host/cpu/rays/expected_record.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace sightline::testing {
namespace {

using detail::grid_bits;
using detail::grid_cells;
using detail::RayGrid;
using detail::RayRecord;
using detail::SimdKernels;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Any finite float, of any exponent; often one of those where something changes.
float awkward(Random& r) {
  const float sign = r.one_in(2) ? -1.0f : 1.0f;
  switch (r.below(8)) {
    case 0:
      return sign * 0.0f;
    case 1:
      return sign * r.power_of_two(-149, 127);
    case 2:
      return sign * next_up(r.power_of_two(-149, 126));
    case 3:
      return sign * next_down(r.power_of_two(-148, 127));
    case 4:
      return sign * (r.one_in(2) ? largest_float : 0x1p-126f);
    default:
      return sign * r.power_of_two(-149, 126) * r.uniform(1, 2);
  }
}

float origin(Random& r) {
  if (r.one_in(200)) return r.one_in(2) ? not_a_number : infinity;
  if (r.one_in(100)) return r.one_in(2) ? domain_limit : -domain_limit;
  if (r.one_in(300)) return next_up(domain_limit);
  const float x = awkward(r);
  return abs(x) <= domain_limit ? x : x * 0x1p-90f;
}

float direction(Random& r) {
  if (r.one_in(300)) return r.one_in(2) ? not_a_number : -infinity;
  return awkward(r);
}

Ray awkward_ray(Random& r) {
  Ray ray;
  ray.origin = {origin(r), origin(r), origin(r)};
  ray.direction = {direction(r), direction(r), direction(r)};
  if (r.one_in(3)) {  // components of like sizes
    const float size = r.power_of_two(-149, 125);
    ray.direction = times(r.vec(-2, 2), size);
  }
  if (r.one_in(20)) ray.direction = {0.0f, -0.0f, 0.0f};
  if (r.one_in(2)) {
    const float a = abs(awkward(r)), b = abs(awkward(r));
    ray.t_min = min(a, b);
    ray.t_max = r.one_in(3) ? infinity : max(a, b);
  }
  if (r.one_in(20)) ray.t_min = -0.0f;
  if (r.one_in(100)) ray.t_min = r.one_in(2) ? -0x1p-149f : not_a_number;
  if (r.one_in(100)) ray.t_max = r.one_in(2) ? not_a_number : -1.0f;
  if (r.one_in(50)) ray.t_min = ray.t_max = infinity;
  return ray;
}

/// The Morton code of cells, bit by bit.
std::uint32_t place_of(const RayGrid& grid, const Ray& ray) {
  const float half = 0.5f * ray.t_max;
  const float t = grid.by_midpoint && half <= largest_float ? half : 0;
  const auto cell = [&](float o, float d, float low) {
    const float c = (fma(t, d, o) - low) * grid.scale;
    return static_cast<std::uint32_t>(min(max(c, 0.0f), static_cast<float>(grid_cells - 1)));
  };
  const std::uint32_t cells[3] = {cell(ray.origin.x, ray.direction.x, grid.low.x),
                                  cell(ray.origin.y, ray.direction.y, grid.low.y),
                                  cell(ray.origin.z, ray.direction.z, grid.low.z)};
  std::uint32_t place = 0;
  for (int bit = 0; bit < grid_bits; ++bit) {
    for (int axis = 0; axis < 3; ++axis) {
      place |= (cells[axis] >> bit & 1) << (3 * bit + axis);
    }
  }
  return place;
}

/// Empty, or what is wrong with these rays as they were collected, and with their keys.
std::string problem_of(const Collected& collected, const std::vector<Ray>& rays,
                       const RayGrid* grid) {
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const std::string which = "ray " + std::to_string(i) + ": " + text(rays[i]);
    const Ray& r = rays[i];
    const float given[8] = {r.origin.x,    r.origin.y,    r.origin.z,    r.t_min,
                            r.direction.x, r.direction.y, r.direction.z, r.t_max};
    if (std::memcmp(&collected.rays[i], given, sizeof given) != 0) return which + " is another";
    const std::uint32_t key = collected.keys[i], octant = key >> 3 * grid_bits;
    if (octant > 7) return which + " has a key of no octant";
    const ScaledRay s = scale(r);
    if (s.bad) continue;
    if (octant != (expected_record(s).flags & detail::record_flags::octant)) {
      return which + " has the key of another octant";
    }
    if ((key & ((1u << 3 * grid_bits) - 1)) != (grid == nullptr ? 0 : place_of(*grid, r))) {
      return which + " has the key of another place";
    }
  }
  return is_poison(collected.rays.back()) ? "" : "the ray after the last was written";
}

/// Empty, or what is wrong with the records that are made of rays[index[0]], rays[index[1]] ...
std::string problem_of(const SimdKernels& simd, const Collected& collected,
                       const std::vector<Ray>& rays, const std::vector<std::uint32_t>& index) {
  const std::vector<RayRecord> records = collected.records(simd, index);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const Ray& ray = rays.at(index[i]);
    const std::string which = "record " + std::to_string(i) + ", ray " + std::to_string(index[i]) +
                              " of " + std::to_string(rays.size()) + ": " + text(ray);
    const ScaledRay s = scale(ray);
    if (is_bad(records[i]) != s.bad) return which + (s.bad ? " is bad" : " is good");
    if (!s.bad && !same_record(records[i], expected_record(s))) return which + " is another";
  }
  return is_poison(records.back()) ? "" : "the record after the last was written";
}

/// Empty, or what is wrong with what the kernels make of these rays, be they taken one after the
/// other or in any order, some of them more than once.
std::string problem_of(const SimdKernels& simd, const std::vector<Ray>& rays, const RaysView& view,
                       const RayGrid& grid) {
  const Collected collected(simd, view, &grid);
  std::string problem = problem_of(Collected(simd, view), rays, nullptr);
  if (problem.empty()) problem = problem_of(collected, rays, &grid);
  std::vector<std::uint32_t> index(rays.size());
  std::iota(index.begin(), index.end(), 0u);
  if (problem.empty()) problem = problem_of(simd, collected, rays, index);
  Random r(rays.size() + 1);
  if (!rays.empty()) index.resize(static_cast<std::size_t>(r.between(1, 100)));
  for (std::uint32_t& i : index) i = static_cast<std::uint32_t>(r.bits() % rays.size());
  if (problem.empty()) problem = problem_of(simd, collected, rays, index);
  return problem.empty() ? "" : simd.name + (", " + problem);
}

RayGrid random_grid(Random& r) {
  return {r.vec(-100, 100), r.one_in(5) ? 0.0f : r.power_of_two(-20, 20), r.one_in(2)};
}

TEST(SetUp, HasTheBitsOfScaleForAwkwardNumbers) {
  for_each_simd([](const SimdKernels& simd) {
    for (std::uint64_t seed = 1; seed <= scaled(3000); ++seed) {
      Random r(seed);
      std::vector<Ray> rays(static_cast<std::size_t>(r.between(1, 200)));
      for (Ray& ray : rays) ray = awkward_ray(r);
      ASSERT_EQ(problem_of(simd, rays, rows_of(rays), random_grid(r)), "") << "seed " << seed;
    }
  });
}

// 23 * 2^-149 divided by 16 is 1 at once and 2 by two times 4: scale() says which.
TEST(SetUp, ScalesSubnormalTimesInTwoSteps) {
  const std::vector<Ray> rays(32, Ray{{1, 2, 3}, {0x1p-4f, 0, 0}, 23 * 0x1p-149f, 1});
  for_each_simd([&](const SimdKernels& simd) {
    EXPECT_EQ(problem_of(simd, rays, rows_of(rays), RayGrid{{0, 0, 0}, 1, false}), "");
  });
}

TEST(SetUp, WritesAsManyRaysAndRecordsAsThereAre) {
  for_each_simd([](const SimdKernels& simd) {
    for (std::size_t n = 0; n <= 70; ++n) {
      Random r(n + 1);
      std::vector<Ray> rays(n);
      for (Ray& ray : rays) ray = awkward_ray(r);
      ASSERT_EQ(problem_of(simd, rays, rows_of(rays), random_grid(r)), "") << n << " rays";
    }
  });
}

// Each component of a scene whose rays are real: the ones that the grid is made over.
TEST(SetUp, OfRaysOverAScene) {
  const Scene scene = make_scene(SceneFamily::random, 200, 5);
  const std::vector<Ray> rays = random_rays(scene, scaled(20000), 6);
  for (const bool by_midpoint : {false, true}) {
    const RayGrid grid = detail::RayGrid{{-50, -50, -50}, 1.28f, by_midpoint};
    for_each_simd([&](const SimdKernels& simd) {
      EXPECT_EQ(problem_of(simd, rays, rows_of(rays), grid), "");
    });
  }
}

TEST(SetUp, ColumnsMayBeCommonOrApart) {
  for_each_simd([](const SimdKernels& simd) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      Random r(seed);
      const std::size_t n = static_cast<std::size_t>(r.between(1, 40));
      const Ray common = awkward_ray(r);
      std::vector<Ray> rays(n, common);
      std::vector<float> x(3 * n), z(n);
      RaysView view;
      view.count = n;
      view.origin = common.origin;
      view.t_min.common = common.t_min;
      view.t_max.common = common.t_max;
      view.direction.x = {x.data(), n, 3 * sizeof(float)};
      view.direction.y.common = common.direction.y;
      view.direction.z = z;
      for (std::size_t i = 0; i < n; ++i) {
        rays[i].direction.x = x[3 * i] = direction(r);
        rays[i].direction.z = z[i] = direction(r);
      }
      ASSERT_EQ(problem_of(simd, rays, view, random_grid(r)), "") << "seed " << seed;
    }
  });
}

// Rows without gaps, and columns of their own, which are loaded by whole vectors.
TEST(SetUp, RowsAndColumnsWithoutGaps) {
  for_each_simd([](const SimdKernels& simd) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      Random r(seed);
      const std::size_t n = static_cast<std::size_t>(r.between(1, 80));
      std::vector<Ray> rays(n);
      std::vector<Vec3> rows;
      std::vector<float> columns[5];
      for (Ray& ray : rays) {
        ray = awkward_ray(r);
        rows.push_back(ray.origin);
        const float values[5] = {ray.direction.x, ray.direction.y, ray.direction.z, ray.t_min,
                                 ray.t_max};
        for (int k = 0; k < 5; ++k) columns[k].push_back(values[k]);
      }
      RaysView view;
      view.count = n;
      view.origin = Vec3Column::rows(rows);
      view.direction = {columns[0], columns[1], columns[2]};
      view.t_min = columns[3];
      view.t_max = columns[4];
      ASSERT_EQ(problem_of(simd, rays, view, random_grid(r)), "") << "seed " << seed;
    }
  });
}

// A component too small for its octant is +0 once scaled, and no sign of it may remain.
TEST(SetUp, TinyNegativeComponentsAreOfThePositiveOctant) {
  std::vector<Ray> rays(1);
  rays[0].direction = {1, -0x1p-140f, -0.0f};
  for_each_simd([&](const SimdKernels& simd) {
    const Collected collected(simd, rows_of(rays));
    EXPECT_EQ(collected.keys[0] >> 3 * grid_bits, 0u) << simd.name;
    const std::vector<RayRecord> record = collected.records(simd, {0});
    EXPECT_EQ(record[0].flags & detail::record_flags::octant, 0u) << simd.name;
    EXPECT_EQ(bits_of(record[0].direction[1]), 0u) << simd.name;
    EXPECT_EQ(record[0].inverse[1], infinity) << simd.name;
  });
}

/// A point now and then bad, often one of few places, so that coordinates tie.
SightPoint awkward_point(Random& r) {
  SightPoint p;
  p.position = r.lattice(-1, 1);
  if (r.one_in(3)) p.position = r.vec(-3, 3);
  if (r.one_in(4)) p.position.x = -p.position.x;  // zeros of both signs
  if (r.one_in(6)) p.position.z = awkward(r);
  if (r.one_in(20)) p.position.y = origin(r);
  return p;
}

TEST(SetUpSights, HasTheBitsOfSightQuery) {
  const auto check = [](const SimdKernels& simd, std::uint64_t seed) {
    Random r(seed);
    const std::size_t n = static_cast<std::size_t>(r.between(1, 70));
    std::vector<SightPoint> from(n), to(n);
    for (SightPoint& p : from) p = awkward_point(r);
    for (SightPoint& p : to) p = awkward_point(r);
    const bool one_viewpoint = r.one_in(2);
    SightOptions options;
    if (r.one_in(2)) options.margin = r.one_in(2) ? 0.25f : 0x1.fffffep-2f;
    if (r.one_in(2)) options.range = r.one_in(2) ? 2.0f : r.uniform(0, 4);
    const RayGrid grid = random_grid(r);
    const auto points = [](const std::vector<SightPoint>& p) {
      return PointsView{{p, &SightPoint::position}};
    };
    PointsView first = points(from);
    if (one_viewpoint) {
      first.position = from[0].position;
    }
    const Collected collected(simd, detail::Sights{n, first, points(to), options}, &grid);
    std::vector<std::uint32_t> index(n);
    std::iota(index.begin(), index.end(), 0u);
    const std::vector<RayRecord> records = collected.records(simd, index);
    ASSERT_TRUE(is_poison(collected.rays[n]) && is_poison(records[n])) << simd.name;
    for (std::size_t i = 0; i < n; ++i) {
      const SightPoint& p = from[one_viewpoint ? 0 : i];
      const SightQuery s = sight_query(p, to[i], options);
      ASSERT_EQ(is_bad(records[i]), !s.possible)
          << simd.name << " seed " << seed << " " << text(p.position) << text(to[i].position);
      if (!s.possible) continue;
      ASSERT_TRUE(same_record(records[i], expected_record(s.query.ray)))
          << simd.name << " seed " << seed << " " << text(p.position) << text(to[i].position);
      ASSERT_EQ(collected.keys[i] >> 3 * grid_bits, records[i].flags & detail::record_flags::octant)
          << simd.name << " seed " << seed << " " << text(p.position) << text(to[i].position);
    }
  };
  for_each_simd([&](const SimdKernels& simd) {
    for (std::uint64_t seed = 1; seed <= scaled(5000); ++seed) {
      check(simd, seed);
      if (HasFatalFailure()) return;
    }
  });
}

}  // namespace
}  // namespace sightline::testing
