#include "host/common/fp_environment.hpp"

#include <sightline/geometry/intersect/triangle_weights.hpp>
#include <sightline/scene.hpp>

namespace sightline {

std::array<float, 2> Scene::corner_weights(std::uint32_t id, const Ray& ray) const {
  const detail::FpEnvironment environment;
  const auto [kind, index] = kind_and_index(id);
  const ScaledRay q = scale({ray.origin, ray.direction});
  if (kind != Kind::triangle || q.bad) return {0, 0};
  const Triangle shape = triangle(index);
  if (!interval(q.line, shape).hit) return {0, 0};
  const CornerWeights weights = sightline::corner_weights(q.line, shape);
  return {weights.b, weights.c};
}

}  // namespace sightline
