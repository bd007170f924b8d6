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
  const sightline::Hits hits = caster.closest_hit({origins, directions}, {.normals = true});
  const sightline::CastReport& report = hits.report;
  std::printf("%s: %llu of %llu rays hit, t = %g\n", caster.description().c_str(),
              static_cast<unsigned long long>(report.hits),
              static_cast<unsigned long long>(report.rays), static_cast<double>(hits.t[0]));
  return report.hits == 1 && hits.t[0] == 2.0f && hits.id[0] == 0 &&
         hits.id[1] == sightline::none && hits.normal[0].x == -1.0f;
}

bool sees(const sightline::Caster& caster) {
  const std::vector<sightline::Vec3> positions = {{0, 0, 0}, {7, 0, 0}, {0, 5, 0}};
  const sightline::BitMatrix seen = caster.visibility(positions);
  // The box stands between the first two points and nothing else does.
  return seen.words[0] == 0b101 && seen.words[1] == 0b110 && seen.words[2] == 0b111 &&
         !seen(0, 1) && seen(0, 2);
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
    const sightline::Caster caster(scene, sightline::default_options(backend));
    right = casts(caster) && sees(caster) && right;
  }
  return right ? 0 : 1;
}
