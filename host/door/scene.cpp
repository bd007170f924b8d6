#include <sightline/scene.hpp>

#include "host/common/bounds_of.hpp"
#include "host/common/fp_environment.hpp"
#include "host/door/scene_columns.hpp"
#include "host/door/validate_shape.hpp"

#include <algorithm>
#include <mutex>
#include <string>

namespace sightline {
namespace {

constexpr std::array<const char*, kind_count> kind_names = {"aabb", "obb", "sphere", "capsule",
                                                            "plane"};
constexpr std::uint64_t max_shapes = 0xFFFFFFFEu;  // `none` is no id

std::string name_of(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

Kind kind_of(const Aabb&) { return Kind::aabb; }
Kind kind_of(const Obb&) { return Kind::obb; }
Kind kind_of(const Sphere&) { return Kind::sphere; }
Kind kind_of(const Capsule&) { return Kind::capsule; }
Kind kind_of(const Plane&) { return Kind::plane; }

std::string missing(Kind kind, std::uint64_t index, std::uint64_t have) {
  return "there is no " + name_of(kind) + " " + std::to_string(index) + ": the scene has " +
         std::to_string(have);
}

/// The first few bad indices and the reason of the first; null when all n shapes are legal.
template <class At>
void check_all(Kind kind, std::uint64_t first, std::uint64_t n, At&& at) {
  constexpr std::uint64_t listed = 5;
  std::uint64_t bad = 0;
  std::string indices, reason;
  for (std::uint64_t i = 0; i < n; ++i) {
    const char* why = detail::reason_to_refuse(at(i));
    if (why == nullptr) continue;
    if (bad == 0) reason = why;
    if (bad < listed) indices += (bad == 0 ? "" : ", ") + std::to_string(first + i);
    ++bad;
  }
  if (bad == 0) return;
  std::string message = name_of(kind) + " " + indices;
  if (bad > listed) message += " and " + std::to_string(bad - listed) + " more";
  message += bad == 1 ? " is refused: " : " are refused: the first because ";
  throw Error(ErrorKind::bad_input, message + reason);
}

// The i-th shape of a batch's columns.
auto at_aabb(Vec3Column min, Vec3Column max) {
  return [=](std::uint64_t i) { return Aabb{min[i], max[i]}; };
}
auto at_obb(Vec3Column center, Vec3Column half_extents,
            const std::array<Column<float>, 4>& rotation) {
  return [=](std::uint64_t i) {
    const Quat q{rotation[0][i], rotation[1][i], rotation[2][i], rotation[3][i]};
    return Obb{center[i], half_extents[i], q};
  };
}
auto at_sphere(Vec3Column center, Column<float> radius) {
  return [=](std::uint64_t i) { return Sphere{center[i], radius[i]}; };
}
auto at_capsule(Vec3Column a, Vec3Column b, Column<float> radius) {
  return [=](std::uint64_t i) { return Capsule{a[i], b[i], radius[i]}; };
}
auto at_plane(Vec3Column normal, Column<float> offset) {
  return [=](std::uint64_t i) { return Plane{normal[i], offset[i]}; };
}

SIGHTLINE_NOINLINE Aabb union_of_bounds(const ShapesView& shapes) {
  Aabb all = empty_aabb();
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    all = unite(detail::bounds_of(shapes, id), all);
  }
  return all;
}

}  // namespace

struct Scene::Columns {
  detail::SceneColumns data;

  // What is derived is made by whoever asks first, one thread at a time.
  mutable std::mutex mutex;
  mutable std::optional<detail::AttributesById> by_id;
  mutable std::optional<std::vector<Aabb>> bounds;

  Columns() = default;
  Columns(const Columns& other) : data(other.data) {}

  std::uint64_t size() const {
    std::uint64_t n = 0;
    for (int k = 0; k < kind_count; ++k) n += detail::count(data, static_cast<Kind>(k));
    return n;
  }

  ShapesView view(bool with_bounds) const {
    const std::lock_guard lock(mutex);
    if (!by_id) by_id = detail::attributes_by_id(data);
    ShapesView v = detail::view_of(data, *by_id);
    if (!with_bounds) return v;
    if (!bounds) bounds = detail::bounds_by_id(v);
    v.bounds = bounds->data();
    return v;
  }
  void forget_derived() {
    by_id.reset();
    bounds.reset();
  }

  /// Adds at(0) .. at(n - 1) or nothing; the index within the kind of the first.
  template <class At>
  std::uint32_t add(std::uint64_t n, At&& at, const AttributesView& attributes) {
    using Shape = std::decay_t<decltype(at(0))>;
    const Kind kind = kind_of(Shape{});
    const std::uint32_t first = detail::count(data, kind);
    const detail::FpEnvironment environment;  // what is legal must not depend on the caller's
    if (n > max_shapes - size()) {
      throw Error(ErrorKind::bad_input, "a scene holds at most 2^32 - 2 shapes");
    }
    check_all(kind, first, n, at);

    const Attributes standard;
    detail::NeededAttributes needed;
    for (std::uint64_t i = 0; i < n; ++i) {
      needed.mask |= attributes.mask[i] != standard.mask;
      needed.group |= attributes.group[i] != standard.group;
      needed.label |= attributes.label[i] != standard.label;
    }
    try {
      detail::make_room(data, kind, n, needed);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorKind::out_of_memory, "no memory for " + std::to_string(n) + " more " +
                                                name_of(kind) + " shapes (" +
                                                std::to_string(n * sizeof(Shape)) + " bytes)");
    }
    forget_derived();
    for (std::uint64_t i = 0; i < n; ++i) {
      detail::append(data, at(i));
      detail::append(data, kind, {attributes.mask[i], attributes.group[i], attributes.label[i]});
    }
    return first;
  }

  /// Replaces the shapes [first, first + n) of a kind by at(0) .. at(n - 1), or none.
  template <class At>
  void set(std::uint64_t first, std::uint64_t n, At&& at) {
    const Kind kind = kind_of(std::decay_t<decltype(at(0))>{});
    const std::uint64_t have = detail::count(data, kind);
    if (first > have || n > have - first) {
      throw Error(ErrorKind::usage, missing(kind, std::max(first, have), have));
    }
    const detail::FpEnvironment environment;
    check_all(kind, first, n, at);
    forget_derived();
    for (std::uint64_t i = 0; i < n; ++i) detail::put(data, first + i, at(i));
  }
  template <class Shape>
  void set_one(std::uint32_t index, const Shape& shape) {
    set(index, 1, [&](std::uint64_t) { return shape; });
  }

  template <class Shape>
  std::uint32_t add_one(const Shape& shape, const Attributes& a) {
    AttributesView view;
    view.mask.common = a.mask;
    view.group.common = a.group;
    view.label.common = a.label;
    return add(
        1, [&](std::uint64_t) { return shape; }, view);
  }
};

Scene::Scene() : columns_(std::make_unique<Columns>()) {}
Scene::Scene(const Scene& other) : columns_(std::make_unique<Columns>(*other.columns_)) {}
Scene::Scene(Scene&& other) noexcept = default;
Scene& Scene::operator=(const Scene& other) {
  if (this != &other) columns_ = std::make_unique<Columns>(*other.columns_);
  return *this;
}
Scene& Scene::operator=(Scene&& other) noexcept = default;
Scene::~Scene() = default;

std::uint32_t Scene::add_aabb(const Aabb& s, const Attributes& a) {
  return columns_->add_one(s, a);
}
std::uint32_t Scene::add_obb(const Obb& s, const Attributes& a) { return columns_->add_one(s, a); }
std::uint32_t Scene::add_sphere(const Sphere& s, const Attributes& a) {
  return columns_->add_one(s, a);
}
std::uint32_t Scene::add_capsule(const Capsule& s, const Attributes& a) {
  return columns_->add_one(s, a);
}
std::uint32_t Scene::add_plane(const Plane& s, const Attributes& a) {
  return columns_->add_one(s, a);
}

std::uint32_t Scene::add_aabbs(std::uint64_t n, Vec3Column min, Vec3Column max,
                               const AttributesView& attributes) {
  return columns_->add(n, at_aabb(min, max), attributes);
}
std::uint32_t Scene::add_obbs(std::uint64_t n, Vec3Column center, Vec3Column half_extents,
                              const std::array<Column<float>, 4>& rotation,
                              const AttributesView& attributes) {
  return columns_->add(n, at_obb(center, half_extents, rotation), attributes);
}
std::uint32_t Scene::add_spheres(std::uint64_t n, Vec3Column center, Column<float> radius,
                                 const AttributesView& attributes) {
  return columns_->add(n, at_sphere(center, radius), attributes);
}
std::uint32_t Scene::add_capsules(std::uint64_t n, Vec3Column a, Vec3Column b, Column<float> radius,
                                  const AttributesView& attributes) {
  return columns_->add(n, at_capsule(a, b, radius), attributes);
}
std::uint32_t Scene::add_planes(std::uint64_t n, Vec3Column normal, Column<float> offset,
                                const AttributesView& attributes) {
  return columns_->add(n, at_plane(normal, offset), attributes);
}

void Scene::set_aabb(std::uint32_t i, const Aabb& s) { columns_->set_one(i, s); }
void Scene::set_obb(std::uint32_t i, const Obb& s) { columns_->set_one(i, s); }
void Scene::set_sphere(std::uint32_t i, const Sphere& s) { columns_->set_one(i, s); }
void Scene::set_capsule(std::uint32_t i, const Capsule& s) { columns_->set_one(i, s); }
void Scene::set_plane(std::uint32_t i, const Plane& s) { columns_->set_one(i, s); }

void Scene::set_aabbs(std::uint32_t first, std::uint64_t n, Vec3Column min, Vec3Column max) {
  columns_->set(first, n, at_aabb(min, max));
}
void Scene::set_obbs(std::uint32_t first, std::uint64_t n, Vec3Column center,
                     Vec3Column half_extents, const std::array<Column<float>, 4>& rotation) {
  columns_->set(first, n, at_obb(center, half_extents, rotation));
}
void Scene::set_spheres(std::uint32_t first, std::uint64_t n, Vec3Column center,
                        Column<float> radius) {
  columns_->set(first, n, at_sphere(center, radius));
}
void Scene::set_capsules(std::uint32_t first, std::uint64_t n, Vec3Column a, Vec3Column b,
                         Column<float> radius) {
  columns_->set(first, n, at_capsule(a, b, radius));
}
void Scene::set_planes(std::uint32_t first, std::uint64_t n, Vec3Column normal,
                       Column<float> offset) {
  columns_->set(first, n, at_plane(normal, offset));
}

std::uint64_t Scene::size() const { return columns_->size(); }
std::uint32_t Scene::count(Kind kind) const { return detail::count(columns_->data, kind); }

std::uint32_t Scene::id(Kind kind, std::uint32_t index) const {
  if (index >= count(kind)) {
    throw Error(ErrorKind::usage, missing(kind, index, count(kind)));
  }
  std::uint32_t before = 0;
  for (int k = 0; k < static_cast<int>(kind); ++k) before += count(static_cast<Kind>(k));
  return before + index;
}

std::pair<Kind, std::uint32_t> Scene::kind_and_index(std::uint32_t id) const {
  std::uint32_t index = id;
  for (int k = 0; k < kind_count; ++k) {
    const Kind kind = static_cast<Kind>(k);
    if (index < count(kind)) return {kind, index};
    index -= count(kind);
  }
  throw Error(ErrorKind::usage, "there is no shape " + std::to_string(id) + ": the scene has " +
                                    std::to_string(size()));
}

Attributes Scene::attributes(std::uint32_t id) const {
  const auto [kind, index] = kind_and_index(id);
  const detail::AttributeColumns& own = columns_->data.attributes[static_cast<std::size_t>(kind)];
  Attributes a;
  if (!own.mask.empty()) a.mask = own.mask[index];
  if (!own.group.empty()) a.group = own.group[index];
  if (!own.label.empty()) a.label = own.label[index];
  return a;
}

bool Scene::has_masks(Kind kind) const {
  return !columns_->data.attributes[static_cast<std::size_t>(kind)].mask.empty();
}
bool Scene::has_groups(Kind kind) const {
  return !columns_->data.attributes[static_cast<std::size_t>(kind)].group.empty();
}
bool Scene::has_labels(Kind kind) const {
  return !columns_->data.attributes[static_cast<std::size_t>(kind)].label.empty();
}

Aabb Scene::aabb(std::uint32_t i) const {
  return {columns_->data.aabb_min.at(i), columns_->data.aabb_max.at(i)};
}
Obb Scene::obb(std::uint32_t i) const {
  const auto& c = columns_->data;
  return {c.obb_center.at(i), c.obb_half_extents.at(i), c.obb_rotation.at(i)};
}
Sphere Scene::sphere(std::uint32_t i) const {
  return {columns_->data.sphere_center.at(i), columns_->data.sphere_radius.at(i)};
}
Capsule Scene::capsule(std::uint32_t i) const {
  const auto& c = columns_->data;
  return {c.capsule_a.at(i), c.capsule_b.at(i), c.capsule_radius.at(i)};
}
Plane Scene::plane(std::uint32_t i) const {
  return {columns_->data.plane_normal.at(i), columns_->data.plane_offset.at(i)};
}

ShapesView Scene::view() const { return columns_->view(true); }

Aabb Scene::bounds() const {
  const detail::FpEnvironment environment;
  return union_of_bounds(columns_->view(false));
}

ShapesView detail::SceneParts::view_without_bounds(const Scene& scene) {
  return scene.columns_->view(false);
}
bool detail::SceneParts::has_bounds(const Scene& scene) {
  const std::lock_guard lock(scene.columns_->mutex);
  return scene.columns_->bounds.has_value();
}
void detail::SceneParts::drop_bounds(Scene& scene) { scene.columns_->bounds.reset(); }

}  // namespace sightline
