// Rays that run close together, traced as packets: against brute force, ray by ray.
#include "tests/host/cpu/rays/expected_packets.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using detail::RayQuery;
using detail::SimdKernels;

/// Whether packets begin with rays that a packet cannot hold: bad ones, other octants.
enum class Stray { never, now_and_then };

/// Packets of rays side by side, as an octant's camera sends them; neighbours see other shapes.
std::vector<Ray> bundles(const Scene& scene, std::uint64_t packets, std::uint64_t seed,
                         Stray stray) {
  Random r(seed);
  std::vector<Ray> rays;
  for (const Ray& middle : random_rays(scene, packets, seed)) {
    const float length = max_abs(middle.direction);
    const float wide = r.one_in(4) ? 0 : r.power_of_two(-12, -3);
    for (int k = 0; k < detail::largest_packet; ++k) {
      Ray ray = middle;
      ray.direction = plus(ray.direction, times(r.vec(-1, 1), wide * length));
      ray.origin = plus(ray.origin, times(r.vec(-1, 1), wide));
      if (r.one_in(50)) ray.t_max = ray.t_min;
      if (r.one_in(6)) ray.mask = 1u << r.below(4);
      if (r.one_in(6)) ray.exclude[1] = static_cast<std::uint32_t>(r.below(150));
      if (stray == Stray::now_and_then) {
        if (r.one_in(2000)) ray.direction.y = 0;
        if (r.one_in(2000)) ray.direction.x = -ray.direction.x;
        if (r.one_in(2000)) ray.t_min = -1;
      }
      rays.push_back(ray);
    }
  }
  return rays;
}

TEST(Packets, AnswerAsBruteForceDoes) {
  for_each_simd([](const SimdKernels& simd) {
    double packets = 0, jobs = 0;
    for (const SceneFamily family : ray_families) {
      const Built built(make_scene(family, 150, 8));
      for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(6, scaled(40)); ++seed) {
        auto rays = bundles(built.scene, seed % 5 + 1, seed,
                            seed % 3 == 0 ? Stray::now_and_then : Stray::never);
        if (seed % 2 == 0) rays.resize(rays.size() * 9 / 10);  // the last packet is not whole
        const std::string what = std::string(name_of(family)) + ", seed " + std::to_string(seed);
        const RayQuery query = seed % 4 == 1 ? RayQuery::any : RayQuery::closest;
        packets += expect_answers(built, rays, query, every_policy[seed % 3], simd, what);
        jobs += 1;
        if (::testing::Test::HasFailure()) return;
      }
    }
    EXPECT_GT(packets / jobs, 0.2) << simd.name;
  });
}

/// The ray with a direction so many times as long, which ends where it ended.
Ray lengthened(Ray ray, float by) {
  ray.direction = times(ray.direction, by);
  ray.t_min /= by;
  ray.t_max /= by;
  return ray;
}

// As a camera's whose directions have one length: some have the next exponent, which the bounds
// make one again.
TEST(Packets, OfLargestComponentsAroundAPowerOfTwo) {
  for_each_simd([](const SimdKernels& simd) {
    double packets = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random r(seed);
      const Built built(make_scene(ray_family(seed), 150, seed));
      auto rays = bundles(built.scene, 6, seed, Stray::never);
      for (std::size_t first = 0; first < rays.size(); first += detail::largest_packet) {
        const float by = 1 / max_abs(rays[first].direction);
        if (!(by < 0x1p60f)) continue;
        for (int k = 0; k < detail::largest_packet; ++k) {
          Ray& ray = rays[first + static_cast<std::size_t>(k)];
          const bool odd = k * 16 / simd.packet_size % 2 != 0;  // whole vectors, or any rays
          ray = lengthened(ray, seed % 2 == 0 ? by : by * (odd ? 0.96f : 1.04f));
          if (ray.t_max < infinity || r.one_in(2)) continue;
          ray.t_max = ray.t_min + r.uniform(0, 60);
        }
      }
      packets += expect_answers(built, rays, seed % 3 == 0 ? RayQuery::any : RayQuery::closest,
                                every_policy[seed % 3], simd, "seed " + std::to_string(seed));
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_GT(packets, 3) << simd.name;
  });
}

TEST(Packets, NotOfManyLengths) {
  for_each_simd([](const SimdKernels& simd) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Random r(seed);
      const Built built(make_scene(SceneFamily::city, 150, seed));
      auto rays = bundles(built.scene, 4, seed, Stray::never);
      const bool near = seed % 2 == 0;  // to a power of two: alike but for four times the length
      for (Ray& ray : rays) {
        ray = lengthened(ray, near ? 1 / max_abs(ray.direction) : r.power_of_two(-4, 0));
        if (near) ray = lengthened(ray, r.one_in(2) ? 0.24f : 1.0f);
      }
      EXPECT_EQ(expect_answers(built, rays, RayQuery::closest, Inside::solid, simd, "lengths"), 0);
    }
  });
}

// Of no length but a direction: what lies there, at t = 0, be it -0; or at one that does not stay
// the same number when it is scaled.
TEST(Packets, ThatEndWhereTheyBegin) {
  Scene scene;
  for (int k = 1; k <= 20; ++k) {
    const float size = static_cast<float>(k);
    scene.add_aabb({{-size, -size, -size}, {size, size, size}});
    scene.add_sphere({{0, 0, 0}, size});
  }
  const Built built(std::move(scene));
  Random r(6);
  std::vector<Ray> at_zero(2 * detail::largest_packet);
  for (Ray& ray : at_zero) {
    ray.origin = r.vec(0, 0.25f);
    ray.direction = plus({1, 1, 1}, times(r.vec(-1, 1), 0.02f));
    ray.t_min = r.one_in(2) ? -0.0f : 0.0f;
    ray.t_max = r.one_in(2) ? -0.0f : 0.0f;
  }
  std::vector<Ray> rounded = at_zero;
  for (Ray& ray : rounded) {
    ray.direction = times(ray.direction, 0x1p-130f);
    ray.t_min = r.uniform(0, 1);
    ray.t_max = r.one_in(2) ? ray.t_min : infinity;
  }
  for_each_simd([&](const SimdKernels& simd) {
    for (const Inside inside : every_policy) {
      for (const RayQuery query : {RayQuery::closest, RayQuery::any}) {
        EXPECT_EQ(expect_answers(built, at_zero, query, inside, simd, "rays of no length"), 1);
        EXPECT_EQ(expect_answers(built, rounded, query, inside, simd, "rounded ends"), 1);
      }
    }
  });
}

// The bounds of a vector are its ray then, and leave out no more than the ray does: edges of boxes.
// In half of the packets all vectors are one, in the others those between the first and the last
// run elsewhere.
TEST(Packets, OfOneRayAVector) {
  for_each_simd([](const SimdKernels& simd) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random r(seed);
      const Built built(make_scene(ray_family(seed / 2), 8, seed));
      std::vector<Ray> rays;
      for (const Ray& ray : random_rays(built.scene, 100, seed)) {
        for (int v = 0; v < 16; ++v) {
          Ray own = ray;
          if (seed % 2 == 0 && v > 0 && v < 15) own.origin = plus(own.origin, r.vec(-9, 9));
          rays.insert(rays.end(), static_cast<std::size_t>(simd.packet_size / 16), own);
        }
      }
      expect_answers(built, rays, RayQuery::closest, Inside::solid, simd,
                     "seed " + std::to_string(seed));
      if (::testing::Test::HasFailure()) return;
    }
  });
}

// Directions so short that t is greater than any float: the answer is the greatest.
TEST(Packets, WhoseHitsAreBeyondAllFloats) {
  Scene scene;
  for (int k = 1; k <= 8; ++k) scene.add_sphere({{0, 0, 0}, static_cast<float>(k)});
  const Built built(std::move(scene));
  Random r(7);
  std::vector<Ray> rays(detail::largest_packet);
  for (Ray& ray : rays) {
    ray.origin = {-50, -50, -50};
    ray.direction = times(plus({1, 1, 1}, times(r.vec(-1, 1), 0.02f)), 0x1p-130f);
  }
  for_each_simd([&](const SimdKernels& simd) {
    for (const Inside inside : every_policy) {
      EXPECT_EQ(expect_answers(built, rays, RayQuery::closest, inside, simd, "short ones"), 1);
    }
  });
}

/// Packets whose vectors run side by side, each from a place of its own, between ends of its own.
std::vector<Ray> parted_bundles(const Scene& scene, std::uint64_t packets, std::uint64_t seed,
                                int packet_size) {
  Random r(seed);
  std::vector<Ray> rays;
  for (const Ray& aimed : random_rays(scene, packets, seed)) {
    const float length = max_abs(aimed.direction), apart = r.power_of_two(-1, 4);
    Ray middle = aimed;
    middle.direction = plus(middle.direction, times(r.vec(-1, 1), 0x1p-10f * length));
    const bool bounded = r.one_in(2) && length < 0x1p60f && length > 0x1p-60f;
    for (int v = 0; v < 16; ++v) {
      Ray own = middle;
      if (!r.one_in(4)) own.origin = plus(own.origin, times(r.vec(-1, 1), apart));
      if (bounded && r.one_in(2)) {  // begins sooner, or later
        own.origin = plus(own.origin, times(own.direction, r.uniform(-30, 30) / length));
      }
      if (bounded) {
        own.t_min = r.one_in(2) ? 0 : r.uniform(0, 30) / length;
        own.t_max = r.one_in(2) ? infinity : own.t_min + r.uniform(0, 60) / length;
      }
      const float wide = r.one_in(2) ? 0 : r.power_of_two(-12, -6);
      for (int k = 0; k < packet_size / 16; ++k) {
        rays.push_back(own);
        rays.back().origin = plus(own.origin, times(r.vec(-1, 1), wide));
      }
    }
  }
  return rays;
}

TEST(Packets, WhoseVectorsPart) {
  for_each_simd([](const SimdKernels& simd) {
    double packets = 0;
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(60, scaled(100)); ++seed) {
      const Built built(make_scene(ray_family(seed), 400, seed));
      const auto rays = parted_bundles(built.scene, 6, seed, simd.packet_size);
      packets += expect_answers(built, rays, seed % 5 == 0 ? RayQuery::any : RayQuery::closest,
                                every_policy[seed % 3], simd, "seed " + std::to_string(seed));
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_GT(packets, 4) << simd.name;
  });
}

// So many shapes that vectors of rays part on their way down.
TEST(Packets, OverALargeTree) {
  const Built built(make_scene(SceneFamily::city, 4000, 3));
  for_each_simd([&](const SimdKernels& simd) {
    for (const RayQuery query : {RayQuery::closest, RayQuery::any}) {
      const auto rays =
          bundles(built.scene, std::max<std::uint64_t>(2, scaled(12)), 5, Stray::never);
      expect_answers(built, rays, query, Inside::solid, simd, "city");
      if (::testing::Test::HasFailure()) return;
    }
  });
}

// Every ray meets every shape, and of equal ones the lowest id is the answer.
TEST(Packets, ThatEnterEveryLeaf) {
  Scene scene;
  for (int k = 0; k < 200; ++k) {
    const float size = 4.0f + 0.01f * static_cast<float>(k / 2);
    scene.add_aabb({{-size, -size, -size}, {size, size, size}});
  }
  scene.add_plane({{0, 0, 1}, -1});
  scene.add_plane({{0, 0, 1}, -1});
  const Built built(std::move(scene));
  Random r(4);
  std::vector<Ray> rays(3 * detail::largest_packet);
  for (Ray& ray : rays) {
    ray.origin = {-50, -50, -50};
    ray.direction = plus({1, 1, 1}, times(r.vec(-1, 1), 0.02f));
  }
  for_each_simd([&](const SimdKernels& simd) {
    for (const Inside inside : every_policy) {
      EXPECT_EQ(expect_answers(built, rays, RayQuery::closest, inside, simd, "nested boxes"), 1);
    }
  });
}

TEST(Packets, OverNothingAndUnboundedShapesAlone) {
  const Built empty{Scene()};
  Scene planes;
  planes.add_plane({{0, 0, 1}, 0});
  planes.add_plane({{1, 0, 0}, -3});
  const Built unbounded(std::move(planes));
  const Scene other = make_scene(SceneFamily::random, 20, 4);
  const auto rays = bundles(other, 8, 5, Stray::never);
  for_each_simd([&](const SimdKernels& simd) {
    for (const Inside inside : every_policy) {
      expect_answers(empty, rays, RayQuery::closest, inside, simd, "no shapes");
      expect_answers(unbounded, rays, RayQuery::closest, inside, simd, "planes");
      expect_answers(unbounded, rays, RayQuery::any, inside, simd, "planes");
    }
  });
}

TEST(Packets, SightsAreWhatTheSegmentsSay) {
  for_each_simd([](const SimdKernels& simd) {
    std::uint64_t pairs = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random r(seed);
      const Built built(make_scene(ray_family(seed), 80, seed));
      const std::uint64_t n = detail::largest_packet * 2;
      const auto ends = random_points(built.scene, 2, seed);
      std::vector<SightPoint> from(n, ends[0]), to(n, ends[1]);
      for (SightPoint& p : to) p.position = plus(p.position, r.vec(-0.05f, 0.05f));
      SightOptions options;
      options.inside = every_policy[seed % 3];
      if (r.one_in(2)) options.margin = r.uniform(0, 0.4f);
      const detail::Sights sights = {n, rows_of(from), rows_of(to), options};
      PacketRoom answers(n);
      const auto size = static_cast<std::uint32_t>(simd.packet_size);
      detail::trace_packets(
          built.trace_scene(infinity), simd, sights, RayQuery::sight, options.inside,
          [&](std::uint32_t first) { return answers.from(first); },
          [&](std::uint32_t first, int) {
            for (std::uint32_t i = first; i < first + size; ++i) {
              const SightQuery s = sight_query(from[i], to[i], options);
              ASSERT_TRUE(s.possible);
              ASSERT_EQ(bit(answers.bits.data(), i), is_blocked(built.scene.view(), s.query))
                  << simd.name << ", seed " << seed << ", pair " << i;
              ++pairs;
            }
          });
    }
    EXPECT_GT(pairs, 40u * detail::largest_packet / 4) << simd.name;
  });
}

// Wide ones among small shapes are none.
TEST(Packets, OnlyRaysThatRunCloseBesideTheLeaves) {
  const Built built(make_scene(SceneFamily::random, 100, 2));
  std::vector<Ray> rays(detail::largest_packet);
  Random r(3);
  for (Ray& ray : rays) {
    ray.origin = {-9, -9, -9};
    ray.direction = plus({1, 1, 1}, times(r.vec(-1, 1), 0.1f));
  }
  for_each_simd([&](const SimdKernels& simd) {
    PacketRoom answers(rays.size());
    const auto packet = [&](float leaf_size) {
      return simd.rays.trace_packet(built.trace_scene(leaf_size), rows_of(rays), 0, RayQuery::any,
                                    Inside::solid, nullptr, answers.from(0)) != detail::no_packet;
    };
    EXPECT_TRUE(packet(infinity)) << simd.name;
    EXPECT_FALSE(packet(0)) << simd.name;
  });
}

}  // namespace
}  // namespace sightline::testing
