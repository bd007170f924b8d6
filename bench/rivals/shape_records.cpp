#include "bench/rivals/shape_records.hpp"

#include "bench/rivals/morton.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <algorithm>
#include <string>

namespace sightline::rivals {
namespace {

/// Ids kind by kind, each kind's in Morton order.
std::vector<std::uint32_t> morton_order(const ShapesView& shapes) {
  Aabb all = empty_aabb();
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) all = unite(all, shapes.bounds[id]);
  const MortonGrid grid(all);
  std::vector<std::uint64_t> keys(shapes.bounded());
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const Aabb& b = shapes.bounds[id];
    const Vec3 center = {0.5f * (b.min.x + b.max.x), 0.5f * (b.min.y + b.max.y),
                         0.5f * (b.min.z + b.max.z)};
    const auto kind = static_cast<std::uint64_t>(shapes.kind_of(id));
    keys[id] = kind << 60 | std::uint64_t{grid.code(center)} << 32 | id;
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return order;
}

}  // namespace

void refuse_planes(const ShapesView& shapes, const char* rival) {
  if (shapes.size() == shapes.bounded()) return;
  throw Error(ErrorKind::usage, std::string("the scene holds planes, which ") + rival + " has not");
}

ShapeRecords::ShapeRecords(const ShapesView& shapes, bool in_morton_order, bool boxes, bool round) {
  std::copy_n(shapes.begin, first.size(), first.begin());
  if (in_morton_order) order = morton_order(shapes);
  const auto fill = [&]<class Shape>(auto& records, Kind kind, const Shape*) {
    const std::uint32_t begin = first[static_cast<std::size_t>(kind)];
    const std::uint32_t end = first[static_cast<std::size_t>(kind) + 1];
    records.resize(end - begin);
    for (std::uint32_t k = begin; k < end; ++k) {
      records[k - begin] = record(shapes.get<Shape>(id(k) - begin));
    }
  };
  if (boxes) {
    fill(aabbs, Kind::aabb, static_cast<const Aabb*>(nullptr));
    fill(obbs, Kind::obb, static_cast<const ObbFrame*>(nullptr));
  }
  if (!round) return;
  fill(spheres, Kind::sphere, static_cast<const Sphere*>(nullptr));
  fill(capsules, Kind::capsule, static_cast<const Capsule*>(nullptr));
}

std::uint64_t ShapeRecords::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return bytes(order) + bytes(aabbs) + bytes(obbs) + bytes(spheres) + bytes(capsules);
}

}  // namespace sightline::rivals
