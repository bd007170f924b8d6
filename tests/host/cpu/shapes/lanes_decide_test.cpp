// Overlaps and nearest shapes run the code of the lanes that a caster is told: counted here, with
// the answers of every set of lanes side by side.
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/shapes/shape_kernels.hpp"
#include "tests/support/random_points.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sightline::testing {
namespace {

using detail::ShapeKernels;

/// What the counting kernels run.
const ShapeKernels* counted = nullptr;

/// A kernel that counts its calls.
template <auto member>
struct Count;
template <class R, class... A, R (*ShapeKernels::*member)(A...)>
struct Count<member> {
  static inline int calls = 0;
  static R call(A... a) {
    ++calls;
    return (counted->*member)(a...);
  }
};
int calls_of_groups = 0;
template <class Shape>
void count_groups(const detail::SphereColumns& spheres, const detail::SphereGroup* groups,
                  const std::uint16_t* list, std::uint32_t count,
                  const detail::LaneForm<Shape>& form, const detail::SphereMargin& margin,
                  detail::EightVerdict* verdicts) {
  ++calls_of_groups;
  std::get<ShapeKinds::index<Shape>()>(counted->test_groups)(spheres, groups, list, count, form,
                                                             margin, verdicts);
}
template <class... Shapes>
constexpr ShapeKinds::Each<std::tuple, detail::TestGroups> count_all_groups(KindList<Shapes...>) {
  return {count_groups<Shapes>...};
}
constexpr ShapeKernels counting = {
    Count<&ShapeKernels::spheres_any>::call,   Count<&ShapeKernels::spheres_count>::call,
    Count<&ShapeKernels::bodies_any>::call,    count_all_groups(ShapeKinds()),
    Count<&ShapeKernels::boxes_meeting>::call, Count<&ShapeKernels::bound_distances>::call,
    Count<&ShapeKernels::bounds_within>::call};

/// Asks a scene on each set of lanes: the answers are the same, and calls() says more after each.
template <class Ask>
void expect_calls(const Scene& shapes, const Ask& ask, const std::function<int()>& calls) {
  decltype(ask(std::declval<const detail::CpuScene&>())) first;
  for (const Lanes lanes : detail::usable_lanes()) {
    detail::SimdKernels simd = detail::choose_simd(lanes);
    const ShapeKernels kernels = simd.shapes;
    counted = &kernels;
    simd.shapes = counting;
    const detail::CpuScene scene = {
        shapes.view(), detail::Threads(1), simd, detail::build_tree(shapes.view()), {}, {}};
    const int before = calls();
    const auto answers = ask(scene);
    EXPECT_GT(calls(), before) << simd.name;
    if (lanes == detail::usable_lanes().front()) first = answers;
    EXPECT_EQ(answers, first) << simd.name;
  }
}

Scene spheres_over(const Scene& scene, std::uint64_t n) {
  Scene spheres;
  for (const SightPoint& p : random_points(scene, n, 3)) {
    spheres.add_sphere({is_bad(p) ? Vec3{0, 0, 0} : p.position, 0.5f});
  }
  return spheres;
}
Scene bounded_scene(int n) {
  Scene scene;
  for (const SightPoint& p :
       random_points(make_scene(SceneFamily::random, 60, 5), static_cast<std::uint64_t>(n), 7)) {
    const Vec3 c = is_bad(p) ? Vec3{1, 2, 3} : p.position;
    if (scene.size() % 2 == 0) {
      scene.add_sphere({c, 0.25f});
    } else {
      scene.add_capsule({c, {c.x, c.y + 1, c.z}, 0.25f});
    }
  }
  return scene;
}

template <auto member>
int calls_of() {
  return Count<member>::calls;
}
using Bits = std::vector<std::uint64_t>;
auto any_of(const Scene& queries, std::uint32_t body = 1) {
  return [&queries, body](const detail::CpuScene& scene) {
    Bits bits(bit_words(queries.size() / body));
    answer_query(scene, detail::OverlapAny{queries.view(), bits.data(), body});
    return bits;
  };
}
auto nearest_of(const std::vector<Vec3>& points) {
  return [&points](const detail::CpuScene& scene) {
    PointsView view;
    view.count = points.size();
    view.position = Vec3Column::rows(points);
    std::vector<float> distance(points.size());
    answer_query(scene, detail::Nearest{view, 1, infinity, {.distance = distance.data()}});
    return distance;
  };
}

TEST(LanesDecide, OverlapsOfSpheres) {
  const Scene few = bounded_scene(40), many = bounded_scene(300);
  const Scene spheres = spheres_over(few, 2400);
  expect_calls(few, any_of(spheres), calls_of<&ShapeKernels::spheres_any>);
  expect_calls(few, any_of(spheres, 8), calls_of<&ShapeKernels::bodies_any>);
  expect_calls(
      few,
      [&](const detail::CpuScene& scene) {
        std::vector<std::uint32_t> counts(spheres.size());
        answer_query(scene, detail::OverlapCount{spheres.view(), counts.data()});
        return counts;
      },
      calls_of<&ShapeKernels::spheres_count>);
  expect_calls(many, any_of(spheres), [] { return calls_of_groups; });
}

TEST(LanesDecide, OverlapsOfOtherShapes) {
  const Scene few = bounded_scene(40);
  expect_calls(few, any_of(few), calls_of<&ShapeKernels::boxes_meeting>);
}

TEST(LanesDecide, NearestShapes) {
  const Scene few = bounded_scene(40), many = bounded_scene(300);
  std::vector<Vec3> points;
  for (int k = 0; k < 200; ++k) points.push_back({0.1f * static_cast<float>(k), 0.5f, 0.25f});
  for (const Scene* scene : {&few, &many}) {
    expect_calls(*scene, nearest_of(points), calls_of<&ShapeKernels::bound_distances>);
    expect_calls(*scene, nearest_of(points), calls_of<&ShapeKernels::bounds_within>);
  }
}

}  // namespace
}  // namespace sightline::testing
