// Which rays over which scenes are filtered, and that those that are not miss no filter.
#include "host/cpu/rays/ray_filters.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using detail::has_zero_mask;
using detail::is_filtered;
using detail::Sights;

/// What a scene's shapes carry.
enum class Carry { nothing, masks, groups, both, mask_of_none };
constexpr Carry every_carry[] = {Carry::nothing, Carry::masks, Carry::groups, Carry::both,
                                 Carry::mask_of_none};

Attributes attributes_of(Carry carry, int k) {
  Attributes a;
  const auto i = static_cast<std::uint32_t>(k);
  if (carry == Carry::masks || carry == Carry::both) a.mask = 1 + i % 3;
  if (carry == Carry::groups || carry == Carry::both) a.group = i % 4;
  if (carry == Carry::mask_of_none && k == 17) a.mask = 0;
  return a;
}

/// Large shapes side by side, of which the 18th is in front of many.
Scene scene_that_carries(Carry carry) {
  Random r(3);
  Scene scene;
  for (int k = 0; k < 60; ++k) {
    const Attributes a = attributes_of(carry, k);
    const Vec3 at = r.vec(-8, 8);
    if (k == 17) {
      scene.add_sphere({{12, 0, 0}, 5}, a);
    } else if (k % 2 == 0) {
      scene.add_aabb(random_shape<Aabb>(r, at, 3), a);
    } else {
      scene.add_capsule(random_shape<Capsule>(r, at, 3), a);
    }
  }
  scene.add_plane({{0, 0, 1}, -20}, attributes_of(carry, 60));
  return scene;
}

detail::TraceScene seen_as(const Scene& scene) {
  return {nullptr, 0, 0, scene.view(), {}, has_zero_mask(scene.view())};
}

/// Which one thing rays or points are filtered by.
enum class By { nothing, mask, exclude, other_exclude, group, other_group };
constexpr By every_by[] = {By::nothing,       By::mask,  By::exclude,
                           By::other_exclude, By::group, By::other_group};

bool expected(Carry carry, By by) {
  const bool groups = carry == Carry::groups || carry == Carry::both;
  if (by == By::group || by == By::other_group) return groups || carry == Carry::mask_of_none;
  return by != By::nothing || carry == Carry::mask_of_none;
}

/// Gives columns the filter, as one value for all or as one of each ray.
struct Filtered {
  std::vector<std::uint32_t> values;

  Filtered(std::size_t count, By by) : values(count) {
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<std::uint32_t>(by == By::mask ? i % 4 : i % 61 * 17 % 61);
      if (by == By::group || by == By::other_group) values[i] = static_cast<std::uint32_t>(i % 5);
    }
  }
  Column<std::uint32_t> column(bool common) const {
    if (common) return values[std::min<std::size_t>(2, values.size() - 1)];
    return values;
  }
  void give(RaysView& rays, By by, bool common) const {
    if (by == By::mask) rays.mask = column(common);
    if (by == By::exclude) rays.exclude[0] = column(common);
    if (by == By::other_exclude) rays.exclude[1] = column(common);
    if (by == By::group) rays.exclude_group[0] = column(common);
    if (by == By::other_group) rays.exclude_group[1] = column(common);
  }
  void give(PointsView& from, PointsView& to, By by, bool common) const {
    if (by == By::mask) from.mask = column(common);
    if (by == By::exclude) from.exclude = column(common);
    if (by == By::other_exclude) to.exclude = column(common);
    if (by == By::group) from.exclude_group = column(common);
    if (by == By::other_group) to.exclude_group = column(common);
  }
};

TEST(RayFilters, WhereTheyCanTellShapesApart) {
  for (const Carry carry : every_carry) {
    const Scene scene = scene_that_carries(carry);
    EXPECT_EQ(has_zero_mask(scene.view()), carry == Carry::mask_of_none);
    const detail::TraceScene seen = seen_as(scene);
    for (const By by : every_by) {
      for (const bool common : {true, false}) {
        const Filtered filter(5, by);
        RaysView rays;
        PointsView from, to;
        rays.count = from.count = to.count = 5;
        filter.give(rays, by, common);
        filter.give(from, to, by, common);
        const std::string what = "shapes " + std::to_string(static_cast<int>(carry)) + ", rays " +
                                 std::to_string(static_cast<int>(by));
        EXPECT_EQ(is_filtered(seen, rays), expected(carry, by)) << what;
        EXPECT_EQ(is_filtered(seen, Sights{5, from, to, {}}), expected(carry, by)) << what;
      }
    }
  }
}

TEST(RayFilters, AMaskOfNoneHidesWhereverItIs) {
  EXPECT_FALSE(has_zero_mask(Scene().view()));
  for (std::uint32_t id = 0; id < 5; ++id) {
    Scene scene;
    for (std::uint32_t k = 0; k < 5; ++k) {
      scene.add_sphere({{0, 0, 0}, 1}, {k == id ? 0u : 8u, none, 0});
    }
    EXPECT_TRUE(has_zero_mask(scene.view())) << id;
  }
}

/// Rays [n] without filters: whole packets side by side, then rays everywhere.
std::vector<Ray> plain_rays(std::size_t n) {
  Random r(8);
  std::vector<Ray> rays(n);
  for (std::size_t i = 0; i < n; ++i) {
    rays[i].origin = i < n / 2 ? Vec3{30, 1, 2} : r.vec(-20, 20);
    rays[i].direction =
        i < n / 2 ? plus({-1.5f, 0.01f, -0.05f}, r.vec(-0.03f, 0.03f)) : r.vec(-1, 1);
  }
  return rays;
}

Caster cpu_of(const Scene& scene, Lanes lanes) {
  return Caster(scene, CpuOptions{.threads = 1, .lanes = lanes});
}

void expect_same(const Caster& cpu, const Scene& scene, const RaysView& rays,
                 const std::string& what) {
  const Caster reference(scene, ReferenceOptions{});
  const Answers expected = answers_of(reference, rays, Inside::solid);
  EXPECT_EQ(first_difference(expected, answers_of(cpu, rays, Inside::solid)), rays.size())
      << what << ", " << cpu.description();
}

// Each filter alone over each scene, through the backend with its packets.
TEST(RayFilters, RaysAnswerAsTheReferenceDoes) {
  const auto all = plain_rays(2500);
  for (const Carry carry : every_carry) {
    const Scene scene = scene_that_carries(carry);
    for (const Lanes lanes : {Lanes::automatic, Lanes::avx2, Lanes::portable}) {
      const Caster cpu = cpu_of(scene, lanes);
      for (const By by : every_by) {
        for (const bool common : {true, false}) {
          RaysView rays = rows_of(all);
          const RaysView plain;
          rays.mask = plain.mask;
          for (int k = 0; k < 2; ++k) {
            rays.exclude[k] = plain.exclude[k];
            rays.exclude_group[k] = plain.exclude_group[k];
          }
          const Filtered filter(all.size(), by);
          filter.give(rays, by, common);
          expect_same(cpu, scene, rays,
                      "shapes " + std::to_string(static_cast<int>(carry)) + ", rays " +
                          std::to_string(static_cast<int>(by)));
        }
      }
    }
  }
}

/// Points [n] without filters.
PointsView plain_view(const std::vector<SightPoint>& points) {
  PointsView view = rows_of(points);
  const PointsView plain;
  view.mask = plain.mask;
  view.exclude = plain.exclude;
  view.exclude_group = plain.exclude_group;
  return view;
}

TEST(RayFilters, SightsAnswerAsTheReferenceDoes) {
  const std::size_t n = 700;
  std::vector<SightPoint> first(n), second(n);
  Random r(9);
  for (SightPoint& p : first) p.position = plus({30, 1, 2}, r.vec(-0.2f, 0.2f));
  for (SightPoint& p : second) p.position = r.one_in(2) ? r.vec(-20, 20) : r.vec(-2, 2);
  const std::uint64_t words = (n + 63) / 64;
  for (const Carry carry : every_carry) {
    const Scene scene = scene_that_carries(carry);
    const Caster cpu = cpu_of(scene, Lanes::automatic), reference(scene, ReferenceOptions{});
    for (const By by : every_by) {
      for (const bool common : {true, false}) {
        PointsView from = plain_view(first), to = plain_view(second);
        const Filtered filter(n, by);
        filter.give(from, to, by, common);
        std::vector<std::uint64_t> a(words), b(words), matrix(20 * words), other(20 * words);
        cpu.visibility_pairs(from, to, a);
        reference.visibility_pairs(from, to, b);
        cpu.visibility(from.slice(0, 20), to, matrix);
        reference.visibility(from.slice(0, 20), to, other);
        const std::string what = "shapes " + std::to_string(static_cast<int>(carry)) + ", points " +
                                 std::to_string(static_cast<int>(by));
        EXPECT_EQ(a, b) << what;
        EXPECT_EQ(matrix, other) << what;
      }
    }
  }
}

// Masks may come and go with an update, whatever it does with the tree.
TEST(RayFilters, UpdatesHideShapesAndShowThemAgain) {
  const auto rays = plain_rays(2500);
  const Scene shown = scene_that_carries(Carry::nothing),
              hidden = scene_that_carries(Carry::mask_of_none);
  RaysView view = rows_of(rays);
  view.mask = RaysView{}.mask;
  for (int k = 0; k < 2; ++k) {
    view.exclude[k] = RaysView{}.exclude[k];
    view.exclude_group[k] = RaysView{}.exclude_group[k];
  }
  const Answers with = answers_of(Caster(shown, ReferenceOptions{}), view, Inside::solid);
  const Answers without = answers_of(Caster(hidden, ReferenceOptions{}), view, Inside::solid);
  ASSERT_NE(first_difference(with, without), view.size()) << "the shape is in no ray's way";
  for (const Update how : {Update::automatic, Update::refit, Update::rebuild}) {
    Caster cpu = cpu_of(shown, Lanes::automatic);
    expect_same(cpu, shown, view, "before");
    cpu.update(hidden, how);
    expect_same(cpu, hidden, view, "hidden");
    cpu.update(shown, how);
    expect_same(cpu, shown, view, "shown again");
  }
}

}  // namespace
}  // namespace sightline::testing
