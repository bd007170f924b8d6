// VAMP's collision checks as a rival. Plain numbers alone, since its file is compiled with options
// of its own, by which no arithmetic of ours may be.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace sightline::rivals {

/// Center, radius; ends, radius; center, three axes, half extents.
struct VampShapes {
  std::vector<std::array<float, 4>> spheres;
  std::vector<std::array<float, 7>> capsules;
  std::vector<std::array<float, 15>> boxes;
  std::vector<std::array<float, 6>> aligned_boxes;  ///< center, half extents
};

/// Eight spheres as VAMP takes them: x, y, z and radius of each.
struct alignas(32) EightSpheres {
  float x[8], y[8], z[8], radius[8];
};

/// Shapes in an environment of VAMP. May be asked from many threads at once.
class VampScene {
 public:
  VampScene() = default;
  VampScene(const VampScene&) = delete;
  VampScene& operator=(const VampScene&) = delete;
  virtual ~VampScene() = default;

  /// hit [end - begin]: whether any of the eight spheres overlaps any shape, 0 or 1.
  virtual void any(const EightSpheres* spheres, std::uint64_t begin, std::uint64_t end,
                   std::uint8_t* hit) const = 0;
  /// hit [end - begin]: whether a sphere does, by its number, with that sphere in all eight lanes.
  virtual void each(const EightSpheres* spheres, std::uint64_t begin, std::uint64_t end,
                    std::uint8_t* hit) const = 0;
};

/// Null where this build is without VAMP.
std::unique_ptr<VampScene> vamp_scene(const VampShapes& shapes);

}  // namespace sightline::rivals
