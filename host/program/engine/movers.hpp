// What moves in a sweep: the shapes of a file and the directions of another.
#pragma once

#include "host/files/core/npy.hpp"
#include "host/program/engine/inputs.hpp"

#include <span>

namespace sightline::cli {

/// Spheres and capsules in the order of their ids, and a direction for each.
class Movers {
 public:
  /// Reads the shapes within the job's memory, and reports both. Throws Error{bad_input} for shapes
  /// of other kinds and for another number of directions.
  Movers(Job& job, const std::string& shapes, const std::string& directions);

  const Scene& scene() const { return shapes_.scene; }
  const std::string& shapes_hash() const { return shapes_.hash; }
  const std::string& directions_hash() const { return directions_hash_; }
  std::uint64_t count() const { return shapes_.scene.size(); }
  const std::string& directions_name() const { return directions_.name(); }
  /// Directions [first, first + n), in `memory`.
  std::span<const Vec3> directions(std::uint64_t first, std::uint64_t n,
                                   std::vector<Vec3>& memory) const;

 private:
  LoadedScene shapes_;
  io::NpyReader directions_;
  std::string directions_hash_;
};

}  // namespace sightline::cli
