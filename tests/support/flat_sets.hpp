// Seeded sets of 2D shapes with circles and segments about them, for the tests of batches.
#pragma once

#include "tests/support/random_flat.hpp"

#include <sightline/flat.hpp>

#include <numeric>

namespace sightline::testing {

/// How its shapes lie.
enum class FlatFamily { lattice, random, far, crowded };
inline constexpr FlatFamily every_flat_family[] = {FlatFamily::lattice, FlatFamily::random,
                                                   FlatFamily::far, FlatFamily::crowded};

/// A set with the numbers it was made of.
struct FlatCase {
  FlatScene scene;
  std::vector<float> circles;                              ///< rows [n,3]
  std::vector<float> segments;                             ///< rows [n,4]
  std::vector<std::uint32_t> circle_masks, segment_masks;  ///< empty, or [n]

  CirclesView circles_view() const {
    CirclesView v = CirclesView::rows(circles);
    if (!circle_masks.empty()) v.mask = circle_masks;
    return v;
  }
  SegmentsView segments_view() const {
    SegmentsView v = SegmentsView::rows(segments);
    if (!segment_masks.empty()) v.mask = segment_masks;
    return v;
  }
};

inline void add_to(FlatScene& scene, const Circle& s, std::uint32_t mask) {
  scene.add_circle(s, mask);
}
inline void add_to(FlatScene& scene, const Capsule2& s, std::uint32_t mask) {
  scene.add_capsule(s, mask);
}
inline void add_to(FlatScene& scene, const Sector& s, std::uint32_t mask) {
  scene.add_sector(s, mask);
}
inline void add_to(FlatScene& scene, const Aabb2& s, std::uint32_t mask) {
  scene.add_aabb(s, mask);
}
inline void add_to(FlatScene& scene, const Obb2& s, std::uint32_t mask) { scene.add_obb(s, mask); }
inline void add_to(FlatScene& scene, const ConvexPolygon& s, std::uint32_t mask) {
  scene.add_polygon({s.corners, static_cast<std::size_t>(s.count)}, mask);
}
inline void add_to(FlatScene& scene, const Polygon& s, std::uint32_t mask) {
  add_to(scene, seen(s), mask);
}

/// Where the shapes of a family lie, and how large they are.
struct FlatPlaces {
  FlatFamily family;
  Vec2 base;
  float size, spread;

  FlatPlaces(Random& r, FlatFamily f) : family(f), base{0, 0}, size(r.power_of_two(-8, 8)) {
    spread = size * r.power_of_two(2, 6);
    if (f == FlatFamily::lattice) base = lattice_base(r), size = 6, spread = 30;
    if (f == FlatFamily::far) base = vec2(r, 1e6f * size);
    if (f == FlatFamily::crowded) spread = size;
  }
  Vec2 place(Random& r) const {
    if (family == FlatFamily::lattice) return moved(base, lattice2(r, 30));
    return moved(base, vec2(r, spread));
  }
  template <class Shape>
  Shape shape(Random& r) const {
    return family == FlatFamily::lattice ? lattice_shape<Shape>(r, place(r))
                                         : random_flat<Shape>(r, place(r), size);
  }
};

inline void add_any(FlatScene& scene, Random& r, const FlatPlaces& at, std::uint32_t mask) {
  switch (r.below(flat_kind_count)) {
    case 0:
      return add_to(scene, at.shape<Circle>(r), mask);
    case 1:
      return add_to(scene, at.shape<Capsule2>(r), mask);
    case 2:
      return add_to(scene, at.shape<Sector>(r), mask);
    case 3:
      return add_to(scene, at.shape<Polygon>(r), mask);
    case 4:
      return add_to(scene, at.shape<Aabb2>(r), mask);
    default:
      return add_to(scene, at.shape<Obb2>(r), mask);
  }
}

/// So many shapes, and of circles and segments `queries` each; half of the cases have masks. Some
/// circles reach everything, some segments cross all of it, a few of both are bad.
inline FlatCase flat_case(FlatFamily family, int shapes, int queries, std::uint64_t seed) {
  Random r(seed * 4 + static_cast<std::uint64_t>(family));
  const FlatPlaces at(r, family);
  const bool masks = r.one_in(2);
  const auto mask = [&] { return masks ? static_cast<std::uint32_t>(r.bits() & r.bits()) : ~0u; };
  FlatCase c;
  for (int i = 0; i < shapes; ++i) add_any(c.scene, r, at, mask());
  const bool lattice = family == FlatFamily::lattice;
  for (int i = 0; i < queries; ++i) {
    Circle circle = at.shape<Circle>(r);
    if (r.one_in(40)) circle.radius = 2 * at.spread;
    if (r.one_in(500)) circle.radius = r.one_in(2) ? -1.0f : NAN;
    c.circles.insert(c.circles.end(), {circle.center.x, circle.center.y, circle.radius});
    Vec2 a = at.place(r), b = r.one_in(20) ? a : at.place(r);
    if (r.one_in(2)) b = moved(a, lattice ? lattice2(r, 6) : vec2(r, at.size));
    if (r.one_in(8)) (r.one_in(2) ? b.x = a.x : b.y = a.y);
    if (r.one_in(500)) a.x = r.one_in(2) ? infinity : -0x1.8p40f;
    c.segments.insert(c.segments.end(), {a.x, a.y, b.x, b.y});
    if (masks) c.circle_masks.push_back(mask()), c.segment_masks.push_back(mask());
  }
  return c;
}

/// All answers about a case.
struct FlatAnswers {
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> counts;
  OverlapRows rows;
  std::vector<float> t;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> flags;
  OverlapReport any, count, all;
  CastReport cast;

  FlatAnswers(const FlatCaster& caster, const CirclesView& circles, const SegmentsView& segments,
              Inside inside)
      : bits((circles.size() + 63) / 64, ~std::uint64_t{0}),
        counts(circles.size(), 77),
        t(segments.size(), -1),
        id(segments.size(), 12345),
        flags(segments.size(), 0xFF) {
    any = caster.overlap_any(circles, bits);
    count = caster.overlap_count(circles, counts);
    rows = caster.overlap_all(circles);
    all = rows.report;
    cast = caster.cast(segments, {t, id, flags, {}}, inside);
  }
  FlatAnswers(const FlatCaster& caster, const FlatCase& c, Inside inside)
      : FlatAnswers(caster, c.circles_view(), c.segments_view(), inside) {}
};

}  // namespace sightline::testing
