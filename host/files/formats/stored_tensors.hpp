// What is in memory as the tensors of its container, which it must outlive.
#pragma once

#include "host/files/core/hash.hpp"
#include "host/files/formats/points_file.hpp"

#include <sightline/scene.hpp>
#include <sightline/visibility.hpp>

namespace sightline::io {

/// A kind without shapes has none. Masks, groups and labels are there only where one differs from
/// its default, so that a scene has one form only.
std::vector<TensorSource> tensors_of(const Scene& scene);
std::vector<TensorSource> tensors_of(const Areas& areas);
/// `whole`: with fields of view, areas and labels, which do not count for the hash.
std::vector<TensorSource> tensors_of(const Points& points, bool whole = true);

/// Adds the unit and the way up that a scene has where its metadata do not say them.
Metadata with_units(Metadata metadata);

}  // namespace sightline::io
