// What the command line gives every ray whose file does not say it.
#pragma once

#include "host/files/formats/rays_file.hpp"
#include "host/program/arguments/arguments.hpp"

#include <sightline/scene.hpp>

namespace sightline::cli {

/// Whether the command line gives rays a radius, as a number or as a file.
bool has_radius(const CastArguments& arguments);

/// --t-min, --t-max, --mask, --exclude (ids or kind:index of the scene), --exclude-group.
/// Throws Error{usage} for values that make no sense.
io::RayDefaults ray_defaults(const CastArguments& arguments, const Scene& scene);

/// Throws Error{usage} when an option would give what the file of rays has already.
void refuse_overridden_columns(const CastArguments& arguments, const io::RaysSource& rays);

/// Why a bad ray is one.
const char* reason_of_bad_ray(const Ray& ray);

}  // namespace sightline::cli
