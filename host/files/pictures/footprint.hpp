// What a shape covers as seen from above.
#pragma once

#include "host/files/pictures/picture.hpp"

#include <optional>
#include <vector>

namespace sightline::io {

/// A place on the map: to the right and away from the viewer's feet.
struct MapPoint {
  double x = 0, y = 0;
};

/// z up: (x, y); y up: (x, -z), so that the map is not mirrored.
MapPoint on_map(const Vec3& p, UpAxis up);

/// How high a place is.
inline double height_of(const Vec3& p, UpAxis up) { return upright(p, up).z; }
/// How high a shape's lower and upper end are.
inline Slice heights_of(const Aabb& b, UpAxis up) {
  return {height_of(b.min, up), height_of(b.max, up)};
}

/// The convex outline of a shape's shadow, counter-clockwise; two points for a flat upright shape,
/// none for a plane.
std::vector<MapPoint> footprint(const ShapesView& shapes, std::uint32_t id, UpAxis up);

bool is_aligned_box(const ShapesView& shapes, std::uint32_t id);

/// An axis-aligned box as seen from above.
struct FlatBox {
  MapPoint low, high;
  Slice heights;
  bool is_floor = false;
};
/// All corners of a box, or the two ends of a line.
struct BoxOutline {
  std::vector<MapPoint> corners;
  Slice heights;
  bool is_floor = false;
};
/// The outlines of boxes, without the pieces at which boxes of the same heights touch: floors are
/// often cut into many. Boxes that touch are floors if one of them is.
std::vector<BoxOutline> merged_outlines(std::vector<FlatBox> boxes);

/// The distance between neighbouring points of a grid, or nothing when they lie on none.
std::optional<double> grid_spacing(const std::vector<MapPoint>& points);

}  // namespace sightline::io
