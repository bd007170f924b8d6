// Closed meshes and convex hulls as shapes of a scene.
#include "host/door/closed_mesh.hpp"
#include "host/door/convex_hull.hpp"

namespace sightline {

using detail::Faces;
using detail::in_words;

std::uint32_t Scene::add_solid(std::span<const Vec3> vertices, Faces faces,
                               const AttributesView& attributes) {
  return in_words([&] {
    detail::triangles_of(vertices, faces);  // or refuse
    detail::check_closed(vertices, faces);
    return add_mesh(vertices, faces, attributes);
  });
}

std::uint32_t Scene::add_hull(std::span<const Vec3> points, const Attributes& attributes) {
  return in_words([&] {
    return add_mesh(points, detail::hull_faces(points),
                    {attributes.mask, attributes.group, attributes.label});
  });
}

}  // namespace sightline
