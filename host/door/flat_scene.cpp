#include <sightline/flat.hpp>
#include <sightline/geometry/flat/flat_shapes_view.hpp>

#include "host/common/checks.hpp"
#include "host/common/fp_environment.hpp"
#include "host/door/reserve.hpp"
#include "host/door/validate_flat.hpp"

#include <sightline/geometry/flat/flat_bounds.hpp>

#include <new>
#include <string>

namespace sightline {
namespace {

void check_kind(FlatKind kind) { detail::check_choice(kind, FlatKind::obb, "kind of shape"); }

void refuse(FlatKind kind, std::uint64_t index, const char* why) {
  if (why == nullptr) return;
  throw Error(ErrorKind::bad_input,
              std::string(kind_name(kind)) + " " + std::to_string(index) + " is refused: " + why);
}

void check_index(FlatKind kind, std::uint32_t index, std::uint32_t have) {
  if (index < have) return;
  throw Error(ErrorKind::usage, std::string("there is no ") + kind_name(kind) + " " +
                                    std::to_string(index) + ": the set has " +
                                    std::to_string(have));
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

FlatScene::FlatScene(const FlatScene& other) {
  detail::in_words([&] { arrays_ = other.arrays_, masks_ = other.masks_; });
}
FlatScene& FlatScene::operator=(const FlatScene& other) {
  if (this != &other) *this = FlatScene(other);
  return *this;
}

template <class Shape, class Element>
std::uint32_t FlatScene::push(const Element& element, std::uint32_t mask) {
  constexpr FlatKind kind = flat_kind_for<Shape>;
  auto& shapes = array_of<Shape>(arrays_);
  auto& masks = masks_[static_cast<std::size_t>(kind)];
  const std::uint32_t index = count(kind);
  if (size() >= detail::most_shapes) {
    throw Error(ErrorKind::bad_input, "a set holds at most 2^32 - 2 shapes");
  }
  detail::in_words(
      [&] {
        detail::reserve_more(shapes, 1);
        if (mask != every_mask && masks.empty()) masks.reserve(index + 1);
        if (!masks.empty()) detail::reserve_more(masks, 1);
      },
      [index] {
        return std::string("no memory for one more ") + kind_name(kind) + " after " +
               std::to_string(index);
      });
  shapes.push_back(element);
  if (mask != every_mask && masks.empty()) masks.resize(index, every_mask);
  if (mask != every_mask || !masks.empty()) masks.push_back(mask);
  return index;
}

template <class Shape>
std::uint32_t FlatScene::add(const Shape& shape, std::uint32_t mask) {
  const detail::FpEnvironment environment;
  constexpr FlatKind kind = flat_kind_for<Shape>;
  refuse(kind, count(kind), detail::reason_to_refuse(shape));
  return push<Shape>(shape, mask);
}
template std::uint32_t FlatScene::add(const Circle&, std::uint32_t);
template std::uint32_t FlatScene::add(const Capsule2&, std::uint32_t);
template std::uint32_t FlatScene::add(const Sector&, std::uint32_t);
template std::uint32_t FlatScene::add(const Aabb2&, std::uint32_t);
template std::uint32_t FlatScene::add(const Obb2&, std::uint32_t);

std::uint32_t FlatScene::add_polygon(std::span<const Vec2> corners, std::uint32_t mask) {
  const detail::FpEnvironment environment;
  const std::uint64_t index = count(FlatKind::polygon);
  refuse(FlatKind::polygon, index, detail::reason_to_refuse(corners));
  const std::uint64_t end = arrays_.corner.size() + corners.size();
  detail::in_words([&] { detail::reserve_more(arrays_.corner, corners.size()); },
                   [&] {
                     return "no memory for the " + std::to_string(corners.size()) +
                            " corners of polygon " + std::to_string(index);
                   });
  push<ConvexPolygon>(end, mask);
  arrays_.corner.insert(arrays_.corner.end(), corners.begin(), corners.end());
  return static_cast<std::uint32_t>(index);
}

std::uint64_t FlatScene::size() const {
  std::uint64_t n = 0;
  for (int k = 0; k < flat_kind_count; ++k) n += count(static_cast<FlatKind>(k));
  return n;
}

std::uint32_t FlatScene::count(FlatKind kind) const {
  check_kind(kind);
  return FlatKinds::with(static_cast<int>(kind), [&]<class S>(ShapeTag<S>) {
    return static_cast<std::uint32_t>(array_of<S>(arrays_).size());
  });
}

std::uint32_t FlatScene::id(FlatKind kind, std::uint32_t index) const {
  check_index(kind, index, count(kind));
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

bool FlatScene::has_masks(FlatKind kind) const {
  check_kind(kind);
  return !masks_[static_cast<std::size_t>(kind)].empty();
}

std::uint32_t FlatScene::mask(FlatKind kind, std::uint32_t index) const {
  check_index(kind, index, count(kind));
  return has_masks(kind) ? masks_[static_cast<std::size_t>(kind)][index] : every_mask;
}

FlatShapesView FlatScene::view() const {
  FlatShapesView v;
  for (int k = 0; k < flat_kind_count; ++k) {
    v.begin[k + 1] = v.begin[k] + count(static_cast<FlatKind>(k));
  }
  FlatKinds::for_each([&]<class S>(ShapeTag<S>) { array_of<S>(v) = array_of<S>(arrays_).data(); });
  v.corner = arrays_.corner.data();
  return v;
}

Aabb2 FlatScene::bounds() const {
  const detail::FpEnvironment environment;
  return union_of_bounds(view());
}

std::uint64_t FlatScene::memory_bytes() const {
  std::uint64_t bytes = bytes_of(arrays_.corner);
  FlatKinds::for_each([&]<class S>(ShapeTag<S>) { bytes += bytes_of(array_of<S>(arrays_)); });
  for (const auto& masks : masks_) bytes += bytes_of(masks);
  return bytes;
}

}  // namespace sightline
