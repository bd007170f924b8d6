// Why a 2D shape is refused from a set, if it is.
#pragma once

#include <sightline/flat_shapes.hpp>

#include <span>

namespace sightline::detail {

/// The reason in a few words, or null for a legal shape (docs/reference/flat.md, "Sets").
const char* reason_to_refuse(const Circle& s);
const char* reason_to_refuse(const Capsule2& s);
const char* reason_to_refuse(const Sector& s);
const char* reason_to_refuse(std::span<const Vec2> corners);
const char* reason_to_refuse(const Aabb2& s);
const char* reason_to_refuse(const Obb2& s);

}  // namespace sightline::detail
