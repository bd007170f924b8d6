// Fields of view: what part of the world viewpoints look at.
#pragma once

#include <sightline/detail/column.hpp>
#include <sightline/detail/lane.hpp>

namespace sightline {

/// What a viewpoint looks at: what is at most half an angle away from `direction` and at most
/// `range` away; both count, and so does where the viewpoint itself is. The angle enters as
/// (cosine, sine) of its half, whose length does not matter, so that no trigonometry runs; half
/// angles of 0 to 180 degrees. A sine below 0 counts as 0, because rounded angles near 180 degrees
/// have one.
///
/// A field is bad, and nothing is in it, where a number is NaN, one other than the range infinite,
/// the direction or (cosine, sine) of length 0, or the range negative. See field_of_view.hpp.
struct Field {
  Vec3 direction{1, 0, 0};
  float cosine = -1, sine = 0;
  float range = infinity;
};

/// A cone about the direction, or a sector of the map: heights, which are z or, where y is up, y,
/// count neither for the angle nor for the range. What they are of a direction is not looked at.
enum class FieldShape { cone, sector, sector_y_up };

/// Fields of viewpoints; without angles they look all around.
struct FieldsView {
  FieldShape shape = FieldShape::cone;
  Vec3Column direction = Vec3{1, 0, 0};
  Column<float> cosine = -1.0f, sine = 0.0f;
  Column<float> range = infinity;

  SIGHTLINE_HD Field operator[](std::uint64_t i) const {
    return {direction[i], cosine[i], sine[i], range[i]};
  }
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("direction", v.direction...), f("cosine", v.cosine...), f("sine", v.sine...);
    f("range", v.range...);
  }
  FieldsView slice(std::uint64_t first, std::uint64_t n) const { return sliced(*this, first, n); }
};

}  // namespace sightline
