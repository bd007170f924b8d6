#include <sightline/flat_scene.hpp>

#include "host/common/fp_environment.hpp"
#include "host/door/validate_flat.hpp"

#include <sightline/flat/bounds.hpp>

#include <algorithm>
#include <new>
#include <string>

namespace sightline {
namespace {

constexpr std::uint64_t max_shapes = 0xFFFFFFFEu;  // `none` is no id

constexpr std::array<const char*, flat_kind_count> kind_names = {"circle",  "capsule", "sector",
                                                                 "polygon", "aabb",    "obb"};

std::string name_of(FlatKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

[[noreturn]] void refuse(FlatKind kind, std::uint64_t index, const char* why) {
  throw Error(ErrorKind::bad_input,
              name_of(kind) + " " + std::to_string(index) + " is refused: " + why);
}

/// Room for so many more, by doubling, so that adding one by one stays linear.
template <class T>
void reserve_more(std::vector<T>& v, std::uint64_t n) {
  if (v.capacity() - v.size() < n) v.reserve(std::max<std::uint64_t>(v.size() + n, 2 * v.size()));
}

template <class T>
std::uint64_t bytes_of(const std::vector<T>& v) {
  return v.size() * sizeof(T);
}

SIGHTLINE_NOINLINE Aabb2 union_of_bounds(const FlatShapesView& shapes) {
  Aabb all = empty_aabb();
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    all = unite(lifted(shapes.visit(id, [](const auto& s) { return bounds(s); })), all);
  }
  return {{all.min.x, all.min.y}, {all.max.x, all.max.y}};
}

}  // namespace

template <class Shape>
std::uint32_t FlatScene::add(FlatKind kind, std::vector<Shape>& shapes, const Shape& shape,
                             std::uint32_t mask) {
  auto& masks = masks_[static_cast<std::size_t>(kind)];
  const std::uint32_t index = count(kind);
  if (size() >= max_shapes) {
    throw Error(ErrorKind::bad_input, "a set holds at most 2^32 - 2 shapes");
  }
  try {
    reserve_more(shapes, 1);
    if (mask != every_mask && masks.empty()) masks.reserve(index + 1);
    if (!masks.empty()) reserve_more(masks, 1);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "no memory for one more " + name_of(kind) + " after " + std::to_string(index));
  }
  shapes.push_back(shape);
  if (mask != every_mask && masks.empty()) masks.resize(index, every_mask);
  if (mask != every_mask || !masks.empty()) masks.push_back(mask);
  return index;
}

std::uint32_t FlatScene::add_circle(const Circle& s, std::uint32_t mask) {
  if (const char* why = detail::reason_to_refuse(s)) refuse(FlatKind::circle, circles_.size(), why);
  return add(FlatKind::circle, circles_, s, mask);
}
std::uint32_t FlatScene::add_capsule(const Capsule2& s, std::uint32_t mask) {
  if (const char* why = detail::reason_to_refuse(s)) {
    refuse(FlatKind::capsule, capsules_.size(), why);
  }
  return add(FlatKind::capsule, capsules_, s, mask);
}
std::uint32_t FlatScene::add_sector(const Sector& s, std::uint32_t mask) {
  if (const char* why = detail::reason_to_refuse(s)) refuse(FlatKind::sector, sectors_.size(), why);
  return add(FlatKind::sector, sectors_, s, mask);
}
std::uint32_t FlatScene::add_aabb(const Aabb2& s, std::uint32_t mask) {
  if (const char* why = detail::reason_to_refuse(s)) refuse(FlatKind::aabb, aabbs_.size(), why);
  return add(FlatKind::aabb, aabbs_, s, mask);
}
std::uint32_t FlatScene::add_obb(const Obb2& s, std::uint32_t mask) {
  if (const char* why = detail::reason_to_refuse(s)) refuse(FlatKind::obb, obbs_.size(), why);
  return add(FlatKind::obb, obbs_, s, mask);
}

std::uint32_t FlatScene::add_polygon(std::span<const Vec2> corners, std::uint32_t mask) {
  const std::uint64_t index = polygon_ends_.size();
  if (const char* why = detail::reason_to_refuse(corners)) refuse(FlatKind::polygon, index, why);
  const std::uint64_t end = corners_.size() + corners.size();
  try {
    reserve_more(corners_, corners.size());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "no memory for the " + std::to_string(corners.size()) +
                                              " corners of polygon " + std::to_string(index));
  }
  add(FlatKind::polygon, polygon_ends_, end, mask);
  corners_.insert(corners_.end(), corners.begin(), corners.end());
  return static_cast<std::uint32_t>(index);
}

std::uint64_t FlatScene::size() const {
  std::uint64_t n = 0;
  for (int k = 0; k < flat_kind_count; ++k) n += count(static_cast<FlatKind>(k));
  return n;
}

std::uint32_t FlatScene::count(FlatKind kind) const {
  const std::size_t counts[flat_kind_count] = {circles_.size(), capsules_.size(),
                                               sectors_.size(), polygon_ends_.size(),
                                               aabbs_.size(),   obbs_.size()};
  return static_cast<std::uint32_t>(counts[static_cast<std::size_t>(kind)]);
}

std::uint32_t FlatScene::id(FlatKind kind, std::uint32_t index) const {
  if (index >= count(kind)) {
    throw Error(ErrorKind::usage, "there is no " + name_of(kind) + " " + std::to_string(index) +
                                      ": the set has " + std::to_string(count(kind)));
  }
  std::uint32_t before = 0;
  for (int k = 0; k < static_cast<int>(kind); ++k) before += count(static_cast<FlatKind>(k));
  return before + index;
}

std::pair<FlatKind, std::uint32_t> FlatScene::kind_and_index(std::uint32_t id) const {
  std::uint32_t index = id;
  for (int k = 0; k < flat_kind_count; ++k) {
    const auto kind = static_cast<FlatKind>(k);
    if (index < count(kind)) return {kind, index};
    index -= count(kind);
  }
  throw Error(ErrorKind::usage, "there is no shape " + std::to_string(id) + ": the set has " +
                                    std::to_string(size()));
}

std::uint32_t FlatScene::mask(FlatKind kind, std::uint32_t index) const {
  return has_masks(kind) ? masks_[static_cast<std::size_t>(kind)].at(index) : every_mask;
}

FlatShapesView FlatScene::view() const {
  FlatShapesView v;
  for (int k = 0; k < flat_kind_count; ++k) {
    v.begin[k + 1] = v.begin[k] + count(static_cast<FlatKind>(k));
  }
  v.circle = circles_.data();
  v.capsule = capsules_.data();
  v.sector = sectors_.data();
  v.polygon_end = polygon_ends_.data();
  v.corner = corners_.data();
  v.aabb = aabbs_.data();
  v.obb = obbs_.data();
  return v;
}

Aabb2 FlatScene::bounds() const {
  const detail::FpEnvironment environment;
  return union_of_bounds(view());
}

std::uint64_t FlatScene::memory_bytes() const {
  std::uint64_t bytes = bytes_of(circles_) + bytes_of(capsules_) + bytes_of(sectors_) +
                        bytes_of(polygon_ends_) + bytes_of(corners_) + bytes_of(aabbs_) +
                        bytes_of(obbs_);
  for (const auto& masks : masks_) bytes += bytes_of(masks);
  return bytes;
}

}  // namespace sightline
