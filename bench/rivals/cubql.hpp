// NVIDIA's cuBQL on the device: a tree over the bounds of shapes, its own walks of rays, and the
// textbook's tests of shapes in plain floats.
#pragma once

#include <sightline/geometry/shapes/all_shapes.hpp>

#include <cstdint>
#include <memory>

struct CUstream_st;

namespace sightline::rivals {

/// cuBQL's builders: the middle of the centres, which it takes by default, or the surface area.
enum class CubqlTree { median, sah };

/// cuBQL's walks: over a fixed ray, which stops at the first hit, or over one that shrinks.
enum class CubqlWalk { fixed, shrinking };

/// Rays [n] on the device, all with one range. `order`, which may be null, is theirs in time.
struct CubqlRays {
  const Vec3 *origin, *direction;
  const std::uint32_t* order;
  std::uint64_t count;
  float t_min, t_max;
};

class CubqlScene {
 public:
  /// Records and boxes go to the device. Throws Error{usage} for planes, which have no bounds.
  explicit CubqlScene(const ShapesView& shapes);
  ~CubqlScene();
  CubqlScene(const CubqlScene&) = delete;
  CubqlScene& operator=(const CubqlScene&) = delete;

  /// Frees the tree, if there is one, so that no build is timed with it.
  void clear();
  /// Builds in the stream and waits. There must be no tree.
  void build(CUstream_st* stream, CubqlTree tree);
  /// Answers [n] on the device: t (infinity where nothing is hit) and id (`none`). Does not wait.
  void closest_hit(CUstream_st* stream, const CubqlRays& rays, float* t, std::uint32_t* id) const;
  /// One byte a ray: whether anything is hit. Does not wait.
  void any_hit(CUstream_st* stream, const CubqlRays& rays, CubqlWalk walk,
               std::uint8_t* blocked) const;

 private:
  struct OnDevice;
  std::unique_ptr<OnDevice> on_device_;
};

}  // namespace sightline::rivals
