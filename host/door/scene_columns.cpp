#include "host/door/scene_columns.hpp"

#include <sightline/geometry/shapes/all_shapes.hpp>

#include "host/common/fp_environment.hpp"
#include "host/door/reserve.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

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

}  // namespace

std::uint32_t count(const SceneColumns& c, Kind kind) {
  return with_kind(kind, [&]<class S>(ShapeTag<S>) {
    std::size_t n = 0;
    ShapeTraits<S>::fields([&](const char*, const auto& column) { n = column.size(); },
                           columns_of<S>(c.shapes));
    return static_cast<std::uint32_t>(n);
  });
}

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
  with_kind(kind, [&]<class S>(ShapeTag<S>) {
    for_each_column<S>([n](const char*, auto& column) { reserve_more(column, n); },
                       columns_of<S>(c.shapes));
  });
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
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    for_each_column<S>([](const char*, auto& to, const auto& from) { to = from.data(); }, v.of<S>(),
                       columns_of<S>(c.shapes));
  });
  v.mask = attributes.mask.empty() ? nullptr : attributes.mask.data();
  v.group = attributes.group.empty() ? nullptr : attributes.group.data();
  return v;
}

}  // namespace sightline::detail
