#include "host/flat/flat_set.hpp"

#include "host/common/fp_environment.hpp"

#include <sightline/geometry/flat/flat_bounds.hpp>

#include <algorithm>
#include <iterator>
#include <new>
#include <string>

namespace sightline::detail {
namespace {

SIGHTLINE_NOINLINE void fill_bounds(const FlatShapesView& shapes, std::vector<Vec3>& low,
                                    std::vector<Vec3>& high) {
  Aabb all = empty_aabb();
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    const Aabb box = lifted(shapes.visit(id, [](const auto& s) { return bounds(s); }));
    low[id] = box.min;
    high[id] = box.max;
    all = unite(box, all);
  }
  if (is_empty(all)) return;
  // The boxes are as high as the set is wide: the areas by which builders decide then depend on the
  // boxes' outlines, as 2D should, also for flat boxes.
  const float height = max(all.max.x - all.min.x, all.max.y - all.min.y);
  for (Vec3& v : high) v.z = height;
}

}  // namespace

FlatSet::FlatSet(FlatScene scene) : scene_(std::move(scene)) {
  const FlatShapesView shapes = scene_.view();
  bool masks = false;
  for (int k = 0; k < flat_kind_count; ++k) masks |= scene_.has_masks(static_cast<FlatKind>(k));
  try {
    low_.resize(shapes.size());
    high_.resize(shapes.size());
    if (masks) mask_.reserve(shapes.size());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "no memory for the bounds of " + std::to_string(shapes.size()) + " shapes (" +
                    std::to_string(2 * shapes.size() * sizeof(Vec3)) + " bytes)");
  }
  for (int k = 0; masks && k < flat_kind_count; ++k) {
    const auto kind = static_cast<FlatKind>(k);
    for (std::uint32_t i = 0; i < scene_.count(kind); ++i) mask_.push_back(scene_.mask(kind, i));
  }
  const FpEnvironment environment;
  fill_bounds(shapes, low_, high_);
}

FlatShapesView FlatSet::view() const {
  FlatShapesView v = scene_.view();
  v.low = low_.data();
  v.high = high_.data();
  v.mask = mask_.empty() ? nullptr : mask_.data();
  return v;
}

std::uint64_t FlatSet::memory_bytes() const {
  return scene_.memory_bytes() + 2 * low_.size() * sizeof(Vec3) +
         mask_.size() * sizeof(std::uint32_t);
}

ShapesView boxes_of(const FlatShapesView& shapes) {
  ShapesView boxes;
  std::fill(std::begin(boxes.begin) + 1, std::end(boxes.begin), shapes.size());
  boxes.of<Aabb>().min = shapes.low;
  boxes.of<Aabb>().max = shapes.high;
  boxes.mask = shapes.mask;
  return boxes;
}

}  // namespace sightline::detail
