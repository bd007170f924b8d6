// Why a shape is refused, if it is.
#pragma once

#include <sightline/shapes/shapes.hpp>

namespace sightline::detail {

/// The reason in a few words, or null for a legal shape (docs/contract.md, "bad shape").
const char* reason_to_refuse(const Aabb& s);
const char* reason_to_refuse(const Obb& s);
const char* reason_to_refuse(const Sphere& s);
const char* reason_to_refuse(const Capsule& s);
const char* reason_to_refuse(const Plane& s);

}  // namespace sightline::detail
