#include "bench/rivals/vamp_scene.hpp"

#include <vamp/collision/environment.hh>
#include <vamp/collision/validity.hh>

namespace sightline::rivals {
namespace {

namespace vc = ::vamp::collision;
using Lanes = ::vamp::FloatVector<8, 1>;

/// Upright capsules and boxes along the axes go where its shorter tests are.
vc::Environment<float> environment_of(const VampShapes& shapes) {
  vc::Environment<float> to;
  for (const auto& s : shapes.spheres) to.spheres.emplace_back(s[0], s[1], s[2], s[3]);
  for (const auto& s : shapes.capsules) {
    const float x = s[3] - s[0], y = s[4] - s[1], z = s[5] - s[2];
    const float square = x * x + y * y + z * z;
    if (square == 0) {
      to.spheres.emplace_back(s[0], s[1], s[2], s[6]);
      continue;
    }
    auto& capsules = x == 0 && y == 0 ? to.z_aligned_capsules : to.capsules;
    capsules.emplace_back(s[0], s[1], s[2], x, y, z, s[6], 1 / square);
  }
  for (const auto& s : shapes.boxes) {
    to.cuboids.emplace_back(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10],
                            s[11], s[12], s[13], s[14]);
  }
  for (const auto& s : shapes.aligned_boxes) {
    to.z_aligned_cuboids.emplace_back(s[0], s[1], s[2], 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,
                                      0.0f, 1.0f, s[3], s[4], s[5]);
  }
  to.sort();
  return to;
}

class Scene final : public VampScene {
 public:
  explicit Scene(const VampShapes& shapes) : environment_(environment_of(shapes)) {}

  void any(const EightSpheres* spheres, std::uint64_t begin, std::uint64_t end,
           std::uint8_t* hit) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const EightSpheres& s = spheres[i];
      hit[i - begin] = hits(Lanes(s.x), Lanes(s.y), Lanes(s.z), Lanes(s.radius));
    }
  }

  void each(const EightSpheres* spheres, std::uint64_t begin, std::uint64_t end,
            std::uint8_t* hit) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const EightSpheres& s = spheres[i / 8];
      const std::uint64_t k = i % 8;
      hit[i - begin] = hits(Lanes(s.x[k]), Lanes(s.y[k]), Lanes(s.z[k]), Lanes(s.radius[k]));
    }
  }

 private:
  bool hits(Lanes x, Lanes y, Lanes z, Lanes radius) const {
    return ::vamp::sphere_environment_in_collision(environment_, x, y, z, radius);
  }

  vc::Environment<Lanes> environment_;
};

}  // namespace

std::unique_ptr<VampScene> vamp_scene(const VampShapes& shapes) {
  return std::make_unique<Scene>(shapes);
}

}  // namespace sightline::rivals
