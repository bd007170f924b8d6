// What the bench of overlaps and distances asks: shapes and points spread over a scene.
#pragma once

#include "host/gen/rays.hpp"

#include <sightline/scene.hpp>

#include <string>
#include <vector>

namespace sightline::bench {

/// Shapes of one kind, or points, or motions of spheres.
struct QueryBatch {
  std::string name;  ///< spheres, rakes, capsules, aabbs, obbs, points, motions
  Scene shapes;
  std::vector<Vec3> points;  ///< of motions: their starts
  std::vector<Vec3> moves;   ///< of motions, and the radii of their spheres
  std::vector<float> radii;

  std::uint64_t size() const { return points.empty() ? shapes.size() : points.size(); }
};

/// `count` of a kind, their places uniform in the region of the scene's rays, their sizes about
/// those of a cell, of which the region has as many as the scene has shapes: half extents and radii
/// of u(0.25,0.75) cells, a capsule's half length as much and its radius half of it; turned at
/// random. The sphere of a motion has half such a radius and moves one to eight cells in any
/// direction. Rakes are eight such spheres each, of one radius, along a line of a cell. Throws
/// Error{usage} for a name that is not there.
QueryBatch make_queries(const std::string& name, const gen::RayRegion& region, std::uint64_t shapes,
                        std::uint64_t count, std::uint64_t seed);

}  // namespace sightline::bench
