// A scene as the tensors of its file, read straight from the scene.
#pragma once

#include "host/files/core/hash.hpp"

#include <sightline/queries/ray.hpp>
#include <sightline/scene.hpp>

namespace sightline::io {

using sightline::kind_name;

/// "sphere.radius", for one.
std::string tensor_name(Kind kind, const char* field);

/// The tensors of a scene. A kind without shapes has none; masks, groups and labels are there only
/// where one differs from its default, so that a scene has one form only. The scene must outlive
/// them, unchanged.
std::vector<TensorSource> scene_tensors(const Scene& scene);

}  // namespace sightline::io
