// Uses the installed library: a scene, a caster, rays, a visibility matrix, a refused shape.
#include <sightline/sightline.hpp>

#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

bool casts(const sightline::Caster& caster) {
  const std::vector<sightline::Vec3> origins = {{0, 0, 0}, {0, 5, 0}};
  const std::vector<sightline::Vec3> directions = {{2, 0, 0}, {1, 0, 0}};
  sightline::RaysView rays;
  rays.count = origins.size();
  rays.origin = sightline::Vec3Column::rows(origins);
  rays.direction = sightline::Vec3Column::rows(directions);
  std::vector<float> t(rays.count);
  std::vector<std::uint32_t> id(rays.count);
  const sightline::CastReport report = caster.closest_hit(rays, {.t = t, .id = id});
  std::printf("%s: %llu of %llu rays hit, t = %g\n", caster.description().c_str(),
              static_cast<unsigned long long>(report.hits),
              static_cast<unsigned long long>(report.rays), static_cast<double>(t[0]));
  return report.hits == 1 && t[0] == 2.0f && id[0] == 0 && id[1] == sightline::none;
}

bool sees(const sightline::Caster& caster) {
  const std::vector<sightline::Vec3> positions = {{0, 0, 0}, {7, 0, 0}, {0, 5, 0}};
  sightline::PointsView points;
  points.count = positions.size();
  points.position = sightline::Vec3Column::rows(positions);
  std::vector<std::uint64_t> bits(positions.size());
  caster.visibility(points, bits);
  // The box stands between the first two points and nothing else does.
  return bits[0] == 0b101 && bits[1] == 0b110 && bits[2] == 0b111;
}

bool refuses(sightline::Scene& scene) {
  try {
    scene.add_sphere({{0, 0, 0}, -1});
  } catch (const sightline::Error& error) {
    return error.kind() == sightline::ErrorKind::bad_input;
  }
  return false;
}

}  // namespace

int main() {
  sightline::Scene scene;
  scene.add_aabb({{4, -1, -1}, {5, 1, 1}});
  scene.add_sphere({{10, 0, 0}, 1});
  const bool refused = refuses(scene);
  bool right = refused;
  for (const auto backend : {sightline::Backend::reference, sightline::Backend::cpu}) {
    const sightline::Caster caster(scene, backend);
    right = casts(caster) && sees(caster) && right;
  }
  return right ? 0 : 1;
}
