// render: what its pictures share.
#pragma once

#include "host/files/pictures/picture.hpp"
#include "host/program/engine/inputs.hpp"

#include <sightline/nav.hpp>

namespace sightline::cli {

/// Whether a file's name ends in this; in any case.
bool has_ending(const std::string& file, const std::string& ending);
/// Throws Error{usage} unless it is one of these, which are as ".png".
void require_ending(const std::string& file, std::initializer_list<const char*> endings);

/// In a dry run says what would be drawn; true then.
bool is_told_alone(Job& job, const std::string& what);
/// Tells and reports a file that was written.
void tell_picture(Job& job, const std::string& file);

/// The scene of a result, and the jumps to draw over it.
struct MapInputs {
  LoadedScene scene;
  std::optional<NavJumps> jumps;
};
/// Throws Error{bad_input} where the jumps are another scene's.
MapInputs load_map_inputs(Job& job, const RenderArguments& arguments);
/// What all maps show; the inputs must stay until it is drawn.
void set_map(io::SceneMap& map, const MapInputs& inputs, const RenderArguments& arguments,
             const std::string& caption);

/// What the points stand over is drawn faintly; `lift` as in floors_under. Throws
/// Error{out_of_memory} where a tree over the scene does not fit.
void set_floors(Job& job, io::SceneMap& map, const PointsView& points, float lift = 0);

/// Each draws one picture, or in a dry run says what it would draw.
void render_map(Job& job, const RenderArguments& arguments);
void render_row(Job& job, const RenderArguments& arguments);
void render_histogram(Job& job, const RenderArguments& arguments);
void render_areas(Job& job, const RenderArguments& arguments);
void render_cover(Job& job, const RenderArguments& arguments);
void render_nav(Job& job, const RenderArguments& arguments);
void render_camera(Job& job, const RenderArguments& arguments);

}  // namespace sightline::cli
