#include "host/door/scene_columns.hpp"

#include "host/common/bounds_of.hpp"
#include "host/common/fp_environment.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

/// Calls f with every geometry column of a kind.
template <class Function>
void for_each_column(SceneColumns& c, Kind kind, Function&& f) {
  switch (kind) {
    case Kind::aabb:
      f(c.aabb_min), f(c.aabb_max);
      break;
    case Kind::obb:
      f(c.obb_center), f(c.obb_half_extents), f(c.obb_rotation);
      for (auto& axis : c.obb_axis) f(axis);
      break;
    case Kind::sphere:
      f(c.sphere_center), f(c.sphere_radius);
      break;
    case Kind::capsule:
      f(c.capsule_a), f(c.capsule_b), f(c.capsule_radius);
      break;
    case Kind::plane:
      f(c.plane_normal), f(c.plane_offset);
      break;
  }
}

/// Grows by doubling, so that adding shapes one by one stays linear.
template <class T>
void reserve_more(std::vector<T>& v, std::uint64_t n) {
  if (v.capacity() - v.size() < n) v.reserve(std::max<std::uint64_t>(v.size() + n, 2 * v.size()));
}

/// Room taken for one more shape; its index.
std::size_t grow_by_one(SceneColumns& c, Kind kind) {
  for_each_column(c, kind, [](auto& column) { column.emplace_back(); });
  return count(c, kind) - 1;
}

/// By id: each kind's column in turn, or its default.
std::vector<std::uint32_t> by_id(const SceneColumns& c, std::uint32_t standard,
                                 std::vector<std::uint32_t> AttributeColumns::*column) {
  std::vector<std::uint32_t> all;
  const bool needed = std::any_of(c.attributes.begin(), c.attributes.end(),
                                  [&](const AttributeColumns& a) { return !(a.*column).empty(); });
  if (!needed) return all;
  for (int k = 0; k < kind_count; ++k) {
    const auto& own = c.attributes[static_cast<std::size_t>(k)].*column;
    if (own.empty()) {
      all.resize(all.size() + count(c, static_cast<Kind>(k)), standard);
    } else {
      all.insert(all.end(), own.begin(), own.end());
    }
  }
  return all;
}

SIGHTLINE_NOINLINE void fill_bounds(const ShapesView& shapes, std::vector<Aabb>& all) {
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) all[id] = bounds_of(shapes, id);
}

SIGHTLINE_NOINLINE ObbFrame frame_of(const Obb& s) { return frame(s); }

}  // namespace

std::uint32_t count(const SceneColumns& c, Kind kind) {
  switch (kind) {
    case Kind::aabb:
      return static_cast<std::uint32_t>(c.aabb_min.size());
    case Kind::obb:
      return static_cast<std::uint32_t>(c.obb_center.size());
    case Kind::sphere:
      return static_cast<std::uint32_t>(c.sphere_center.size());
    case Kind::capsule:
      return static_cast<std::uint32_t>(c.capsule_a.size());
    default:
      return static_cast<std::uint32_t>(c.plane_normal.size());
  }
}

void put(SceneColumns& c, std::size_t i, const Aabb& s) {
  c.aabb_min[i] = s.min;
  c.aabb_max[i] = s.max;
}

void put(SceneColumns& c, std::size_t i, const Obb& s) {
  const FpEnvironment environment;
  const ObbFrame f = frame_of(s);
  c.obb_center[i] = s.center;
  c.obb_half_extents[i] = s.half_extents;
  c.obb_rotation[i] = s.rotation;
  for (std::size_t axis = 0; axis < 3; ++axis) c.obb_axis[axis][i] = f.axis[axis];
}

void put(SceneColumns& c, std::size_t i, const Sphere& s) {
  c.sphere_center[i] = s.center;
  c.sphere_radius[i] = s.radius;
}

void put(SceneColumns& c, std::size_t i, const Capsule& s) {
  c.capsule_a[i] = s.a;
  c.capsule_b[i] = s.b;
  c.capsule_radius[i] = s.radius;
}

void put(SceneColumns& c, std::size_t i, const Plane& s) {
  c.plane_normal[i] = s.normal;
  c.plane_offset[i] = s.offset;
}

void append(SceneColumns& c, const Aabb& s) { put(c, grow_by_one(c, Kind::aabb), s); }
void append(SceneColumns& c, const Obb& s) { put(c, grow_by_one(c, Kind::obb), s); }
void append(SceneColumns& c, const Sphere& s) { put(c, grow_by_one(c, Kind::sphere), s); }
void append(SceneColumns& c, const Capsule& s) { put(c, grow_by_one(c, Kind::capsule), s); }
void append(SceneColumns& c, const Plane& s) { put(c, grow_by_one(c, Kind::plane), s); }

void append(SceneColumns& c, Kind kind, const Attributes& a) {
  AttributeColumns& columns = c.attributes[static_cast<std::size_t>(kind)];
  const std::uint32_t shapes = count(c, kind);  // this one included
  const auto add = [&](auto& column, auto value, auto standard) {
    if (column.empty() && value == standard) return;
    if (column.empty()) column.resize(shapes - 1, standard);
    column.push_back(value);
  };
  const Attributes standard;
  add(columns.mask, a.mask, standard.mask);
  add(columns.group, a.group, standard.group);
  add(columns.label, a.label, standard.label);
}

void make_room(SceneColumns& c, Kind kind, std::uint64_t n, const NeededAttributes& needed) {
  for_each_column(c, kind, [n](auto& column) { reserve_more(column, n); });
  AttributeColumns& own = c.attributes[static_cast<std::size_t>(kind)];
  const std::uint64_t before = count(c, kind);
  const auto room = [&](auto& column, bool is_needed) {
    if (!column.empty()) {
      reserve_more(column, n);
    } else if (is_needed) {
      column.reserve(before + n);
    }
  };
  room(own.mask, needed.mask);
  room(own.group, needed.group);
  room(own.label, needed.label);
}

AttributesById attributes_by_id(const SceneColumns& c) {
  return {by_id(c, 0xFFFFFFFFu, &AttributeColumns::mask), by_id(c, none, &AttributeColumns::group)};
}

std::vector<Aabb> bounds_by_id(const ShapesView& shapes) {
  const FpEnvironment environment;
  std::vector<Aabb> all(shapes.bounded());
  fill_bounds(shapes, all);
  return all;
}

ShapesView view_of(const SceneColumns& c, const AttributesById& attributes) {
  ShapesView v;
  for (int k = 0; k < kind_count; ++k) {
    v.begin[k + 1] = v.begin[k] + count(c, static_cast<Kind>(k));
  }
  v.aabb_min = c.aabb_min.data();
  v.aabb_max = c.aabb_max.data();
  v.obb_center = c.obb_center.data();
  v.obb_half_extents = c.obb_half_extents.data();
  for (std::size_t i = 0; i < 3; ++i) v.obb_axis[i] = c.obb_axis[i].data();
  v.sphere_center = c.sphere_center.data();
  v.sphere_radius = c.sphere_radius.data();
  v.capsule_a = c.capsule_a.data();
  v.capsule_b = c.capsule_b.data();
  v.capsule_radius = c.capsule_radius.data();
  v.plane_normal = c.plane_normal.data();
  v.plane_offset = c.plane_offset.data();
  v.mask = attributes.mask.empty() ? nullptr : attributes.mask.data();
  v.group = attributes.group.empty() ? nullptr : attributes.group.data();
  return v;
}

}  // namespace sightline::detail
