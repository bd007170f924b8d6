#include "tests/golden/questions.hpp"

#include "host/files/formats/scene_file.hpp"
#include "host/gen/scenes.hpp"

namespace sightline::testing {
namespace {

template <class Shape>
Given<Shape> shape_in_clutter(Random& r) {
  const Vec3 center = r.vec(-10, 10);
  const float size = r.uniform(0.2f, 2);
  if constexpr (std::is_same_v<Given<Shape>, Obb>) {
    const Vec3 half = times(r.vec(0, 1), size);
    Vec3 v{};
    do {
      v = r.vec(-1, 1);
    } while (v.x * v.x + v.y * v.y + v.z * v.z > 0.9f);
    return {center, half, {v.x, v.y, v.z, std::sqrt(1 - (v.x * v.x + v.y * v.y + v.z * v.z))}};
  } else {
    return random_shape<Shape>(r, center, size);
  }
}

/// Some shapes of one kind; a third of them have masks and groups where `choosy`.
template <class Shape>
void add_clutter(Scene& scene, int count, std::uint64_t seed, bool choosy) {
  Random r(seed);
  for (int i = 0; i < count; ++i) {
    Attributes a;
    if (choosy && r.one_in(3)) {
      a.mask = static_cast<std::uint32_t>(r.bits()) & 7u;
      a.group = static_cast<std::uint32_t>(r.below(4));
    }
    scene.add(shape_in_clutter<Shape>(r), a);
  }
}

/// Of each of these kinds so many. A new kind takes scenes of its own.
template <class... Shapes>
Scene clutter_of(int count, std::uint64_t seed, bool choosy) {
  Scene scene;
  (add_clutter<Shapes>(scene, count, seed++, choosy), ...);
  return scene;
}
Scene few_of_every_kind() {
  return clutter_of<Aabb, ObbFrame, Sphere, Capsule, Plane>(4, 26, true);
}

/// A closed mesh, triangles at random, and the other kinds but planes among them.
Scene meshes_and_others() {
  Scene scene = clutter_of<Aabb, ObbFrame, Sphere, Capsule, Triangle>(20, 32, true);
  add_clutter<Triangle>(scene, 60, 38, false);
  const std::vector<Vec3> corners = {{-9, -9, -9}, {9, -9, -9}, {0, 9, -9}, {0, 0, 9}};
  const std::vector<std::array<std::uint32_t, 3>> faces = {
      {0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  scene.add_mesh(corners, faces);
  return scene;
}

/// The same shapes, each with its attributes changed.
template <class Change>
Scene changed(const Scene& scene, const Change& change) {
  Scene other;
  for (std::uint32_t id = 0; id < scene.size(); ++id) {
    const auto [kind, index] = scene.kind_and_index(id);
    Attributes a = scene.attributes(id);
    change(id, a);
    with_kind(kind, [&, i = index]<class S>(ShapeTag<S>) { other.add(scene.get<Given<S>>(i), a); });
  }
  return other;
}

Scene unmasked(const Scene& scene) {
  return changed(scene, [](std::uint32_t, Attributes& a) { a = {}; });
}

/// 66 bodies of eight spheres side by side, as large as a hundredth to an eighth of the scene: none
/// is a point, beside which the cpu answers no spheres by lanes.
Scene spheres_around(const Scene& scene, std::uint64_t seed) {
  Random r(seed);
  const std::vector<SightPoint> places = plain_points(scene, 66, seed);
  const Aabb box = scene.bounds();
  const float extent = is_empty(box) ? 1 : max_abs(minus(box.max, box.min));
  Scene spheres;
  for (const SightPoint& place : places) {
    const float size = extent * r.uniform(0.01f, 0.125f);
    for (int k = 0; k < 8; ++k) {
      const Vec3 beside = times(r.vec(-1, 1), 2 * size);
      const Vec3 center = plus(in_domain(place.position) ? place.position : Vec3{}, beside);
      spheres.add_sphere({in_domain(center) ? center : Vec3{}, size});
    }
  }
  return spheres;
}

template <class T, class... Members>
void append_members(Bytes& to, const std::vector<T>& all, Members... members) {
  for (const T& one : all) {
    (append(to, bytes_of(std::vector{one.*members})), ...);
  }
}

void append_points(Bytes& to, const std::vector<SightPoint>& points) {
  append_members(to, points, &SightPoint::position, &SightPoint::mask, &SightPoint::exclude,
                 &SightPoint::exclude_group);
}

void append_text(Bytes& to, const std::string& text) {
  append(to, std::vector<char>(text.begin(), text.end()));
}

}  // namespace

Questions::Questions(std::string called, Scene asked, const Scene& around, std::uint64_t n,
                     std::uint64_t seed)
    : name(std::move(called)),
      scene(std::move(asked)),
      rays(trouble(around, n, seed)),
      radii(random_radii(around, n, seed + 1)),
      movers(around, n, seed + 2),
      from(random_points(around, n / 6, seed + 3)),
      to(random_points(around, n / 3, seed + 4)),
      fields(random_fields(from, seed + 5)),
      shapes(query_scene(around, static_cast<int>(n / 24 * 24), seed + 6)),
      points(around, n, seed + 7),
      segments(around, n, seed + 8) {
  const auto mask = [](std::uint32_t id, Attributes& a) {
    if (id % 3 == 1) a.mask = (1u << id % 7 % 3) & ~1u;  // none asks nothing, in every scene
  };
  shapes = changed(shapes, mask);
  spheres = changed(spheres_around(around, seed + 9), mask);
}

Questions without_filters(Questions q) {
  for (Ray& r : q.rays) {
    const Ray plain;
    r.mask = plain.mask;
    for (int k = 0; k < 2; ++k) r.exclude[k] = r.exclude_group[k] = none;
  }
  for (auto* points : {&q.from, &q.to, &q.points.points, &q.segments.from, &q.segments.to}) {
    for (SightPoint& p : *points) p = {p.position};
  }
  q.movers.scene = unmasked(q.movers.scene);
  q.shapes = unmasked(q.shapes);
  q.spheres = unmasked(q.spheres);
  return q;
}

std::vector<Questions> golden_questions() {
  constexpr int shapes = 160;
  std::vector<Questions> all;
  const auto add = [&](const char* name, const Scene& scene, std::uint64_t questions = 408) {
    all.emplace_back(name, scene, scene, questions, 100 * (all.size() + 1));
  };
  add("random", make_scene(SceneFamily::random, shapes, 28));
  add("random, far away", make_scene(SceneFamily::random, shapes, 8));
  add("lattice", make_scene(SceneFamily::lattice, shapes, 9));
  add("city", gen::make_scene(gen::SceneKind::city, shapes, 5));
  add("cloud", gen::make_scene(gen::SceneKind::cloud, shapes, 6));
  add("mixed", gen::make_scene(gen::SceneKind::mixed, shapes, 7));
  add("adversarial", gen::make_scene(gen::SceneKind::adversarial, shapes, 8));
  add("boxes", clutter_of<Aabb>(160, 21, false));
  add("oriented boxes", clutter_of<ObbFrame>(140, 22, true));
  add("spheres", clutter_of<Sphere>(160, 23, false));
  add("capsules", clutter_of<Capsule>(140, 24, true));
  add("planes", clutter_of<Plane>(5, 25, true));
  add("few of every kind", few_of_every_kind());
  add("few spheres", clutter_of<Sphere>(40, 27, false));
  add("few boxes", clutter_of<Aabb>(12, 28, false));
  add("one", clutter_of<Capsule>(1, 29, false), 216);
  all.emplace_back("nothing", Scene(), few_of_every_kind(), 72, 31);
  add("triangles", clutter_of<Triangle>(160, 30, false));
  add("meshes and others", meshes_and_others());
  add("few triangles", clutter_of<Triangle>(12, 31, true));
  add("cylinders", clutter_of<Cylinder>(140, 39, true));
  add("cylinders and others",
      clutter_of<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Triangle, Plane>(16, 40, true));
  add("few cylinders", clutter_of<Cylinder>(12, 47, false));
  return all;
}

Bytes bytes_of_questions(const Questions& q) {
  Bytes all;
  append_text(all, io::scene_hash(q.scene));
  append_members(all, q.rays, &Ray::origin, &Ray::direction, &Ray::t_min, &Ray::t_max, &Ray::mask);
  for (const Ray& r : q.rays) {
    append(all, std::vector{r.exclude[0], r.exclude[1], r.exclude_group[0], r.exclude_group[1]});
  }
  append(all, q.radii);
  append_text(all, io::scene_hash(q.movers.scene));
  append(all, q.movers.directions);
  append_text(all, io::scene_hash(q.shapes));
  append_text(all, io::scene_hash(q.spheres));
  for (const auto* points : {&q.from, &q.to, &q.points.points, &q.segments.from, &q.segments.to}) {
    append_points(all, *points);
  }
  append_members(all, q.fields, &Field::direction, &Field::cosine, &Field::sine, &Field::range);
  return all;
}

}  // namespace sightline::testing
