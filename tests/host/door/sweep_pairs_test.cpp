// Thick rays and sweeps through scenes: the first answer of all pairs with one shape.
#include "tests/host/door/sweep_answers.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/geometry/sweep/sweep.hpp>

namespace sightline::testing {
namespace {

/// The least t over all shapes alone, and whose answer it is.
struct Least {
  Hit hit;
  std::vector<Hit> equals;  ///< those of the same t, by id

  void offer(Hit found, std::uint32_t id) {
    found.id = id;
    if (!is_hit(found)) return;
    if (found.t < hit.t) equals.clear();
    if (found.t <= hit.t) hit.t = found.t, equals.push_back(found);
  }
  /// Whether answer i is it. Among equal t that were unequal before they were scaled back, or cut,
  /// any may be the first.
  bool is(const Answers& a, std::uint64_t i) const {
    if (equals.empty()) return a.id[i] == none && a.t[i] == infinity && a.flags[i] == 0;
    for (const Hit& h : equals) {
      const Hit answer = {a.t[i], a.id[i], a.flags[i], a.normal[i]};
      if (h.id == answer.id) return same_bits(h, answer);
    }
    return false;
  }
  bool is_first(const Answers& a, std::uint64_t i) const {
    return equals.empty() || a.id[i] == equals[0].id;
  }
};

TEST(ThickRaysOfPairs, TheNearestIsTheAnswer) {
  std::uint64_t hits = 0, later = 0;
  const std::uint64_t scenes = std::max<std::uint64_t>(2, scaled(24));
  for_each_scene(scenes, [&](const Scene& scene, std::uint64_t seed, const std::string& what) {
    const Caster reference(scene, ReferenceOptions{});
    const ShapesView shapes = scene.view();
    const std::vector<Ray> rays = trouble(scene, 300, seed);
    const std::vector<float> radii = random_radii(scene, rays.size(), seed + 1);
    for (const Inside inside : every_policy) {
      const Answers a = thick_answers(reference, rays, radii, inside);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        if ((a.flags[i] & hit_flags::bad_ray) != 0) continue;
        Least least;
        for (std::uint32_t id = 0; id < shapes.size(); ++id) {
          if (!passes_filter(rays[i], shapes, id)) continue;
          least.offer(
              shapes.visit(
                  id, [&](const auto& s) { return cast_sphere(rays[i], radii[i], s, inside); }),
              id);
        }
        ASSERT_TRUE(least.is(a, i))
            << what << ", ray " << i << ": " << text(rays[i]) << ", radius " << radii[i] << ": t "
            << a.t[i] << ", id " << a.id[i] << ", not " << least.hit.t;
        hits += a.hit(i);
        later += !least.is_first(a, i);
      }
    }
  });
  EXPECT_GT(hits, 100u);
  EXPECT_LT(later, hits / 20 + 5);
}

TEST(SweepsOfPairs, TheNearestIsTheAnswer) {
  std::uint64_t hits = 0;
  const std::uint64_t scenes = std::max<std::uint64_t>(2, scaled(24));
  for_each_scene(scenes, [&](const Scene& scene, std::uint64_t seed, const std::string& what) {
    const Caster reference(scene, ReferenceOptions{});
    const ShapesView shapes = scene.view();
    const RandomMovers movers(scene, 300, seed);
    const ShapesView moving = movers.scene.view();
    const Answers a = swept_answers(reference, movers, {Inside::surface, false, 3});
    for (std::uint32_t i = 0; i < moving.size(); ++i) {
      if ((a.flags[i] & hit_flags::bad_ray) != 0) continue;
      const std::uint32_t spheres = movers.scene.count(Kind::sphere);
      Capsule m = i < spheres ? Capsule{} : moving.get<Capsule>(i - spheres);
      if (i < spheres)
        m = {moving.get<Sphere>(i).center, moving.get<Sphere>(i).center,
             moving.get<Sphere>(i).radius};
      Least least;
      for (std::uint32_t id = 0; id < shapes.size(); ++id) {
        if ((shapes.mask_of(id) & moving.mask_of(i)) == 0) continue;
        least.offer(shapes.visit(id,
                                 [&](const auto& s) {
                                   return cast_capsule(m, movers.directions[i], s, Inside::surface,
                                                       0, 3);
                                 }),
                    id);
      }
      ASSERT_TRUE(least.is(a, i)) << what << ", " << i << ": t " << a.t[i] << ", id " << a.id[i]
                                  << ", not " << least.hit.t;
      hits += a.hit(i);
    }
  });
  EXPECT_GT(hits, 100u);
}

}  // namespace
}  // namespace sightline::testing
