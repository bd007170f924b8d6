// A navigation map as Recast takes it: spans in whole cells. Recast's world has y up.
#pragma once

#include "host/files/core/tensor.hpp"

#include <sightline/nav.hpp>

#include <array>

namespace sightline::io {

/// What rcCreateHeightfield and rcAddSpan take. Column (x, z) is number z * width + x; its spans
/// are elements offsets[c] up to offsets[c + 1].
struct RecastSpans {
  std::uint32_t width = 0, height = 0;
  std::array<float, 3> bmin{}, bmax{};
  float cs = 0, ch = 0;
  std::vector<std::uint64_t> offsets;     ///< [width * height + 1]
  std::vector<std::uint16_t> smin, smax;  ///< [n], in cell heights above bmin
  std::vector<std::uint8_t> area;         ///< [n]: 63 (RC_WALKABLE_AREA), or 0
};

/// A point of a map in Recast's world: where z is up, (x, y, z) is (x, z, -y) there.
std::array<float, 3> to_recast(const Vec3& p, UpAxis up);

/// Throws Error{usage} where the map is higher than Recast's 8191 cells.
void check_recast(const NavGrid& grid);

/// Spans widened to whole cells as rcRasterizeTriangle widens them; those that then touch are one,
/// with the area of the upper one. The area says which tops are walkable, radius and all. Throws as
/// check_recast does.
RecastSpans recast_spans(const NavMap& map);

/// Jumps as the arrays offMeshCon* of dtNavMeshCreateParams [m]. Flags are 1, areas 1 where the way
/// leads back as well and 2 where it only falls; both are the caller's to change.
struct RecastConnections {
  std::vector<float> verts;  ///< [m,6]
  std::vector<float> rad;
  std::vector<std::uint16_t> flags;
  std::vector<std::uint8_t> areas;
  std::vector<std::uint8_t> dir;  ///< 1 (DT_OFFMESH_CON_BIDIR), or 0
  std::vector<std::uint32_t> user_id;
};
RecastConnections recast_connections(const NavMap& map);

/// Writes both as a container whose `sightline.file` is "recast". Throws Error{io}.
void write_recast(const std::string& name, const NavMap& map, const Metadata& more);

}  // namespace sightline::io
