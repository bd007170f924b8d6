// A scene in Embree: records of the shapes, geometries over them, its tree.
#pragma once

#include "bench/rivals/embree_api.hpp"
#include "bench/rivals/embree_callbacks.hpp"
#include "bench/rivals/shape_records.hpp"

#include <sightline/geometry/shapes/all_shapes.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {

/// How a scene is given to Embree.
struct EmbreeVariant {
  const char* name;
  bool native;   ///< spheres and capsules as Embree's own sphere points and round linear curves
  bool quads;    ///< boxes as six of Embree's own quads each
  bool ordered;  ///< records in the Morton order of their bounds' centres, not in the scene's
  RTCBuildQuality quality;
};

struct DeviceRelease {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
};
struct SceneRelease {
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};

/// For the processor at hand.
const AllCallbacks& callbacks();

/// A built scene of bounded shapes.
class EmbreeGeometry {
 public:
  /// Throws Error{usage} for planes, Error{device} for what Embree refuses.
  EmbreeGeometry(const ShapesView& shapes, const EmbreeVariant& variant, int threads);

  RTCScene scene() const { return scene_.get(); }
  std::uint64_t memory_bytes() const;
  /// The id of a hit shape.
  std::uint32_t id(unsigned geometry, unsigned primitive) const {
    if (geometry == static_cast<unsigned>(Kind::triangle)) {
      return records_.first[geometry] + primitive;
    }
    const bool is_quad = quads_ && geometry <= static_cast<unsigned>(Kind::obb);
    return records_.id(records_.first[geometry] + (is_quad ? primitive / 6 : primitive));
  }

 private:
  using Vertex = std::array<float, 4>;  ///< position and radius
  template <class T>
  using Array = ShapeRecords::Array<T>;

  void make_native(const ShapesView& shapes);
  void make_quads(const ShapesView& shapes);
  void add_user(Kind kind, std::uint64_t count, void* bounds);
  void add_points();
  /// The boxes of a kind, from the first-th of the scene on.
  void add_quads(Kind kind, std::uint64_t first, std::uint64_t count);
  void add_curves();
  void add_triangles(const ShapesView& shapes);
  void attach(Kind kind, RTCGeometry geometry);

  std::atomic<std::int64_t> bytes_{0};  ///< that Embree holds
  std::unique_ptr<RTCDeviceTy, DeviceRelease> device_;
  std::unique_ptr<RTCSceneTy, SceneRelease> scene_;
  RTCBuildQuality quality_;
  bool quads_;
  ShapeRecords records_;
  Array<Vertex> points_;
  Array<std::array<Vertex, 2>> curves_;
  std::vector<unsigned> curve_starts_;
  Array<std::array<Vertex, 3>> triangles_;
  Array<std::array<unsigned, 3>> corners_of_triangles_;
  Array<std::array<Vertex, 8>> corners_;  ///< of each box; the fourth float is unused
  Array<std::array<std::array<unsigned, 4>, 6>> faces_;  ///< of as many boxes as a kind has
};

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
