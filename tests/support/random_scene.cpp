#include "tests/support/random_scene.hpp"

#include "host/gen/scenes.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <numeric>

namespace sightline::testing {
namespace {

/// Draws attributes for the shapes of one scene.
class AttributeDice {
 public:
  explicit AttributeDice(Random& r) : r_(r), masks_(r.one_in(2)), groups_(r.one_in(2)) {}
  Attributes next() {
    Attributes a;
    a.label = ++label_;
    if (masks_ && r_.one_in(2)) a.mask = static_cast<std::uint32_t>(r_.bits()) & 7u;
    if (groups_ && r_.one_in(2)) a.group = static_cast<std::uint32_t>(r_.below(4));
    return a;
  }

 private:
  Random& r_;
  bool masks_, groups_;
  std::uint64_t label_ = 0;
};

Obb random_obb(Random& r, const Vec3& center, float size) {
  Vec3 h = times(r.vec(0.2f, 1.0f), size);
  if (r.one_in(8)) h.y = 0;
  Vec3 v{};
  do {
    v = r.vec(-1, 1);
  } while (v.x * v.x + v.y * v.y + v.z * v.z > 0.9f);
  const float w = std::sqrt(1 - (v.x * v.x + v.y * v.y + v.z * v.z));
  const float half = std::sqrt(0.5f);
  return {center, h, r.one_in(4) ? Quat{0, 0, half, half} : Quat{v.x, v.y, v.z, w}};
}

void add_shape(Scene& scene, Random& r, const Vec3& c, float size, const Attributes& a) {
  r.do_one_of([&] { scene.add_aabb(random_shape<Aabb>(r, c, size), a); },
              [&] { scene.add_obb(random_obb(r, c, size), a); },
              [&] { scene.add_sphere(random_shape<Sphere>(r, c, size), a); },
              [&] { scene.add_capsule(random_shape<Capsule>(r, c, size), a); });
}

Scene random_clutter(Random& r, int shapes) {
  Scene scene;
  AttributeDice dice(r);
  const float scale = r.one_in(4) ? r.power_of_two(-30, 30) : 1.0f;
  const float away = scale <= 0x1p20f ? 1e5f : 100.0f;  // the domain ends at 2^40
  const Vec3 offset = r.one_in(4) ? times(r.vec(-1, 1), scale * away) : Vec3{0, 0, 0};
  const bool planes = r.one_in(3);
  for (int i = 0; i < shapes; ++i) {
    const Attributes a = dice.next();
    const Vec3 c = plus(offset, times(r.vec(-10, 10), scale));
    if (planes && i % 64 == 0) {
      scene.add_plane({{0, 0, 1}, c.z - 10 * scale}, a);
    } else {
      add_shape(scene, r, c, scale * r.uniform(0.1f, 3.0f), a);
    }
  }
  return scene;
}

Scene lattice_clutter(Random& r, int shapes) {
  Scene scene;
  AttributeDice dice(r);
  const int side = r.between(2, 12);
  const bool planes = r.one_in(3);
  for (int i = 0; i < shapes; ++i) {
    const Attributes a = dice.next();
    const Vec3 c = r.lattice(-side, side);
    const Vec3 h = r.lattice(0, 2);
    const auto radius = static_cast<float>(r.between(0, 2));
    const auto c8 = r.below(8);
    if (planes && i % 64 == 0) {
      scene.add_plane({{0, 0, 1}, static_cast<float>(-side)}, a);
    } else if (c8 < 4) {
      scene.add_aabb({minus(c, h), plus(c, h)}, a);
    } else if (c8 == 4) {
      scene.add_obb({c, h, {0, 0, 0, 1}}, a);
    } else if (c8 < 7) {
      scene.add_sphere({c, radius}, a);
    } else {
      scene.add_capsule({c, plus(c, r.lattice(-3, 3)), radius}, a);
    }
  }
  return scene;
}

/// A triangle of whole numbers, whose edges, corners and planes rays meet all the time; now and
/// then without area.
Triangle lattice_triangle(Random& r, const Vec3& c) {
  return {plus(c, r.lattice(-3, 3)), plus(c, r.lattice(-3, 3)), plus(c, r.lattice(-3, 3))};
}

/// A height field of side * side cells.
void add_terrain(Scene& scene, Random& r, std::uint32_t side, AttributeDice& dice) {
  std::vector<Vec3> corners;
  std::vector<std::array<std::uint32_t, 3>> faces;
  const bool whole = r.one_in(2);
  for (std::uint32_t y = 0; y <= side; ++y) {
    for (std::uint32_t x = 0; x <= side; ++x) {
      const float z = whole ? static_cast<float>(r.between(-2, 0)) : r.uniform(-2, 0);
      corners.push_back({static_cast<float>(x), static_cast<float>(y), z});
    }
  }
  const std::uint32_t row = side + 1;
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      const std::uint32_t k = y * row + x;
      faces.push_back({k, k + 1, k + row + 1}), faces.push_back({k, k + row + 1, k + row});
    }
  }
  const Attributes a = dice.next();
  std::vector<std::uint64_t> labels = {a.label};
  while (labels.size() < faces.size()) labels.push_back(dice.next().label);
  scene.add_mesh(corners, faces, {a.mask, a.group, Column<std::uint64_t>(labels)});
}

/// Triangles alone and in meshes, and some shapes of the other kinds.
Scene triangle_clutter(Random& r, int shapes) {
  Scene scene;
  AttributeDice dice(r);
  const bool planes = r.one_in(3), lattice = r.one_in(2), others = r.one_in(2);
  const int side = r.between(2, 12);
  std::uint32_t cells = 0;
  while (static_cast<int>(4 * (cells + 1) * (cells + 1)) <= shapes) ++cells;
  if (cells > 0) add_terrain(scene, r, cells, dice);
  while (static_cast<int>(scene.size()) < shapes) {
    const Attributes a = dice.next();
    if (planes && scene.size() % 64 == 0) {
      scene.add_plane({{0, 0, 1}, static_cast<float>(-side)}, a);
    } else if (others && r.one_in(4)) {
      add_shape(scene, r, times(r.vec(-1, 1), static_cast<float>(side)), r.uniform(0.1f, 3), a);
    } else if (lattice) {
      scene.add_triangle(lattice_triangle(r, r.lattice(-side, side)), a);
    } else {
      const Vec3 c = times(r.vec(-1, 1), static_cast<float>(side));
      scene.add_triangle(random_shape<Triangle>(r, c, r.power_of_two(-3, 2)), a);
    }
  }
  return scene;
}

/// Posts, discs and wires, on whole numbers or anywhere, and some shapes of the other kinds.
Scene cylinder_clutter(Random& r, int shapes) {
  Scene scene;
  AttributeDice dice(r);
  const bool planes = r.one_in(3), lattice = r.one_in(2), others = r.one_in(2);
  const int side = r.between(2, 12);
  while (static_cast<int>(scene.size()) < shapes) {
    const Attributes a = dice.next();
    const Vec3 c = times(r.vec(-1, 1), static_cast<float>(side));
    if (planes && scene.size() % 64 == 0) {
      scene.add_plane({{0, 0, 1}, static_cast<float>(-side)}, a);
    } else if (others && r.one_in(4)) {
      add_shape(scene, r, c, r.uniform(0.1f, 3), a);
    } else if (lattice) {
      const Vec3 at = r.lattice(-side, side);
      Vec3 e = r.lattice(-3, 3);
      if (r.one_in(2) || max_abs(e) == 0) e = {0, 0, static_cast<float>(r.between(1, 4))};
      scene.add_cylinder({at, plus(at, e), static_cast<float>(r.between(0, 2))}, a);
    } else {
      scene.add_cylinder(random_shape<Cylinder>(r, c, r.power_of_two(-3, 2)), a);
    }
  }
  return scene;
}

/// A value, or a neighbour a few floats away.
float nudged(Random& r, float x) {
  for (int i = r.below(3); i > 0; --i) x = r.one_in(2) ? next_up(x) : next_down(x);
  return x;
}

/// In, on or around a box: faces, edges and corners often, give or take a float.
Vec3 point_about(Random& r, const Aabb& b) {
  const auto coordinate = [&](float lo, float hi) {
    const int choice = r.below(8);
    if (choice == 0) return nudged(r, lo);
    if (choice == 1) return nudged(r, hi);
    return lo + (hi - lo) * (choice == 2 ? r.uniform(-0.5f, 1.5f) : r.uniform(0, 1));
  };
  const float x = coordinate(b.min.x, b.max.x), y = coordinate(b.min.y, b.max.y);
  return {x, y, coordinate(b.min.z, b.max.z)};
}

class RayDice {
 public:
  RayDice(const Scene& scene, Random& r) : shapes_(scene.view()), all_(scene.bounds()), r_(r) {
    if (shapes_.bounded() == 0) all_ = {{-1, -1, -1}, {1, 1, 1}};
  }

  Ray next() {
    Ray ray;
    const Aabb box = target_box();
    const Vec3 target = point_about(r_, box);
    ray.origin = origin(box);
    Vec3 d = minus(target, ray.origin);
    if (r_.one_in(4)) along_an_axis(ray, d, target);
    if (r_.one_in(64)) d = {0, 0, 0};
    ray.direction = times(d, r_.one_in(8) ? r_.power_of_two(-140, 80) : r_.power_of_two(-4, 4));
    if (r_.one_in(8)) ray.direction = d;  // t = 1 at the target
    interval(ray);
    filters(ray);
    if (r_.one_in(256)) spoil(ray);
    return ray;
  }

 private:
  Aabb target_box() {
    if (shapes_.bounded() == 0) return all_;
    return shapes_.bounds[r_.bits() % shapes_.bounded()];
  }
  Vec3 origin(const Aabb& target) {
    const int choice = r_.below(8);
    if (choice == 0) return point_about(r_, target);
    if (choice == 1) return point_about(r_, target_box());
    if (choice == 2) return times(r_.vec(-1, 1), 1000 * max(max_abs(all_.min), max_abs(all_.max)));
    const Vec3 size = minus(all_.max, all_.min), u = r_.vec(-0.2f, 1.2f);
    return {all_.min.x + size.x * u.x, all_.min.y + size.y * u.y, all_.min.z + size.z * u.z};
  }
  void along_an_axis(Ray& ray, Vec3& d, const Vec3& target) {
    const int axis = r_.below(3);
    if (axis != 0) d.x = 0, ray.origin.x = target.x;
    if (axis != 1) d.y = 0, ray.origin.y = target.y;
    if (axis != 2) d.z = 0, ray.origin.z = target.z;
  }
  void interval(Ray& ray) {
    if (r_.one_in(2)) return;
    const float length = max_abs(ray.direction);
    const float reach = max_abs(minus(all_.max, all_.min)) / (length > 0x1p-100f ? length : 1.0f);
    const float a = r_.one_in(2) ? 0.0f : reach * r_.uniform(0, 0.5f);
    const float b = r_.one_in(4) ? a : r_.one_in(2) ? 1.0f : reach * r_.uniform(0, 2);
    ray.t_min = sightline::min(a, b);
    ray.t_max = sightline::max(a, b);
  }
  void filters(Ray& ray) {
    if (r_.one_in(4)) ray.mask = static_cast<std::uint32_t>(r_.bits()) & 7u;
    for (int k = 0; k < 2; ++k) {
      if (r_.one_in(4) && shapes_.size() != 0) {
        ray.exclude[k] = static_cast<std::uint32_t>(r_.bits() % shapes_.size());
      }
      if (r_.one_in(8)) ray.exclude_group[k] = static_cast<std::uint32_t>(r_.below(4));
    }
  }
  void spoil(Ray& ray) {
    r_.do_one_of([&] { ray.origin.y = std::nanf(""); }, [&] { ray.direction.z = infinity; },
                 [&] { ray.origin.x = 2 * domain_limit; }, [&] { ray.t_min = -1; },
                 [&] { ray.t_min = 2, ray.t_max = 1; }, [&] { ray.t_max = std::nanf(""); });
  }

  ShapesView shapes_;
  Aabb all_;
  Random& r_;
};

}  // namespace

const char* name_of(SceneFamily family) {
  constexpr const char* names[] = {"random",      "lattice",   "city",
                                   "adversarial", "triangles", "cylinders"};
  return names[static_cast<int>(family)];
}

Scene make_scene(SceneFamily family, int shapes, std::uint64_t seed) {
  Random r(seed);
  const auto n = static_cast<std::uint64_t>(shapes);
  switch (family) {
    case SceneFamily::random:
      return random_clutter(r, shapes);
    case SceneFamily::lattice:
      return lattice_clutter(r, shapes);
    case SceneFamily::triangles:
      return triangle_clutter(r, shapes);
    case SceneFamily::cylinders:
      return cylinder_clutter(r, shapes);
    case SceneFamily::city:
      return gen::make_scene(gen::SceneKind::city, n, seed);
    default:
      return gen::make_scene(gen::SceneKind::adversarial, n, seed);
  }
}

std::vector<Ray> random_rays(const Scene& scene, std::uint64_t count, std::uint64_t seed) {
  Random r(seed);
  RayDice dice(scene, r);
  std::vector<Ray> rays(count);
  for (Ray& ray : rays) ray = dice.next();
  return rays;
}

RaysView rows_of(const std::vector<Ray>& rays) {
  RaysView v = RaysView::rows(rays);
  v.count = rays.size();
  return v;
}

RaysView thick_rows_of(const std::vector<Ray>& rays, const Column<float>& radii) {
  RaysView v = rows_of(rays);
  v.radius = radii;
  return v;
}

Scene shuffled(const Scene& scene, std::uint64_t seed) {
  Random r(seed);
  std::vector<std::uint32_t> ids(scene.size());
  std::iota(ids.begin(), ids.end(), 0u);
  for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[r.bits() % i]);
  Scene other;
  for (const std::uint32_t id : ids) {
    const auto [kind, index] = scene.kind_and_index(id);
    const Attributes a = scene.attributes(id);
    with_kind(kind, [&, i = index]<class S>(ShapeTag<S>) { other.add(scene.get<Given<S>>(i), a); });
  }
  return other;
}

}  // namespace sightline::testing
