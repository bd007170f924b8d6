// render: what its pictures share.
#pragma once

#include "host/cli/job.hpp"
#include "host/io/container.hpp"
#include "host/io/picture.hpp"

namespace sightline::cli {

/// What a scene's metadata say of up: z where they say nothing.
UpAxis up_axis_of(const io::Metadata& metadata);

/// Whether a file's name ends in this; in any case.
bool has_ending(const std::string& file, const std::string& ending);
/// Throws Error{usage} unless it is one of these, which are as ".png".
void require_ending(const std::string& file, std::initializer_list<const char*> endings);

/// Tells and reports a file that was written.
void tell_picture(Job& job, const std::string& file);

int render_camera(Job& job, const RenderArguments& arguments);

}  // namespace sightline::cli
