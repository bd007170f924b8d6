// Seeded fields of view for points that look around a scene.
#pragma once

#include "tests/support/random_points.hpp"

#include <sightline/points.hpp>

#include <vector>

namespace sightline::testing {

/// Directions at other points, along axes and anywhere; half angles of 0 to 180 degrees, those of
/// multiples of 45 exact; one in 16 is bad.
inline std::vector<Field> random_fields(const std::vector<SightPoint>& points, std::uint64_t seed) {
  constexpr float exact[][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -0.0f}, {3, 4}};
  Random r(seed);
  std::vector<Field> fields(points.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Field& f = fields[i];
    const Vec3 other = points[r.bits() % points.size()].position;
    f.direction = r.one_in(3) ? minus(other, points[i].position) : r.vec(-1, 1);
    if (r.one_in(4)) f.direction = r.lattice(-1, 1);
    const auto& angle = exact[r.below(7)];
    f.cosine = angle[0], f.sine = angle[1];
    if (r.one_in(2)) f.cosine = r.uniform(-1, 1), f.sine = r.uniform(0, 1);
    f.range = r.one_in(2) ? infinity : r.uniform(0, 40);
    if (!r.one_in(16)) continue;
    const float bad[] = {std::nanf(""), -1, infinity};
    if (r.one_in(3)) f.direction = {bad[r.below(3)], 0, std::nanf("")};
    if (r.one_in(3)) f.cosine = bad[2 * r.below(2)];
    if (r.one_in(3)) f.range = bad[r.below(2)];
    if (r.one_in(3)) f.cosine = f.sine = 0;
  }
  return fields;
}

/// The fields as rows; the vector must outlive the view.
inline FieldsView rows_of(const std::vector<Field>& fields, FieldShape shape) {
  FieldsView v;
  v.shape = shape;
  v.direction = {fields, &Field::direction};
  v.cosine = {fields, &Field::cosine};
  v.sine = {fields, &Field::sine};
  v.range = {fields, &Field::range};
  return v;
}

inline constexpr FieldShape every_field_shape[] = {FieldShape::cone, FieldShape::sector,
                                                   FieldShape::sector_y_up};

}  // namespace sightline::testing
