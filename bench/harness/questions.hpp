// What is asked of casters, and where the answers go.
#pragma once

#include "bench/harness/answers.hpp"
#include "bench/harness/world.hpp"

#include <functional>

namespace sightline::bench {

/// One call and its input. What it was made of must outlive it.
struct Question {
  std::uint64_t count = 0;  ///< rays, queries, viewpoints, bodies
  const char* unit = "";    ///< of the rate: rays, pairs, queries, spheres
  double each = 1;          ///< units of one: the targets of a viewpoint, the spheres of a body
  double bytes = 0;         ///< of a unit, read and written beside the scene; 0: not counted
  /// Arrays for the first n answers.
  std::function<Answers(std::uint64_t)> room = {};
  /// Answers the first n.
  std::function<void(const Caster&, std::uint64_t, Answers&)> ask = {};
};

/// Of World::rays(of): closest, any, thick (closest hits of spheres of radius 0.1 that move along
/// the rays), thick_0 (of radius 0), count_hits, all_hits.
Question ray_question(World& world, const std::string& ask, const std::string& of);
/// Of World::points(): visibility (of the targets from the viewpoints), self (the viewpoints among
/// themselves), fields (within cones of 60 degrees), pairs (each viewpoint and its own target).
Question sight_question(World& world, const std::string& ask);
/// Of shapes: any, count, all, eights (whether any of each eight overlaps anything). Of points:
/// nearest. Of motions: blocked (whether the sphere hits anything), clearance (of its middle's
/// path). Throws Error{usage} for others.
Question query_question(const QueryBatch& batch, const std::string& ask);

}  // namespace sightline::bench
