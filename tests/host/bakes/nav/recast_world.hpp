// The real Recast and Detour over our spans.
#pragma once

#include "host/files/formats/recast_file.hpp"

#include <sightline/nav.hpp>

#include <string>

class dtNavMesh;

namespace sightline::testing {

using io::RecastSpans;

/// A navigation mesh that Recast builds of the map's spans.
class RecastWorld {
 public:
  explicit RecastWorld(const NavMap& map);
  /// The same from the file that write_recast made of the map, as examples/load_recast.hpp loads
  /// it.
  RecastWorld(const NavMap& map, const std::string& file);
  ~RecastWorld();

  /// Corners of the path that Detour finds from place to place, in the map's world; none where it
  /// does not get there.
  std::vector<Vec3> path(const Vec3& from, const Vec3& to) const;

 private:
  UpAxis up_;
  dtNavMesh* mesh_ = nullptr;
};

/// Columns [width * height] that Recast finds walkable by itself, from the scene's boxes as
/// triangles, filtered and eroded by the agent's radius.
std::vector<std::uint8_t> walkable_by_recast(const NavMap& map, const Scene& scene,
                                             const RecastSpans& grid);

}  // namespace sightline::testing
