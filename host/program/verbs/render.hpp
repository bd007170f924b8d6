// render: what its pictures share.
#pragma once

#include "host/files/pictures/picture.hpp"
#include "host/program/results/result.hpp"
#include "host/program/verbs/verbs.hpp"

#include <sightline/nav.hpp>

namespace sightline::cli {

/// In a dry run says what would be drawn; true then.
bool is_described_only(Job& job, const std::string& what);
/// Throws Error{usage} unless it is a result of one of these kinds.
ResultFile open_result(const RenderArguments& arguments,
                       std::initializer_list<std::string_view> kinds);
/// The files that the arguments name, which must be those of the result.
InputFiles inputs_of(Job& job, const RenderArguments& arguments, const ResultFile& result);

/// The scene of a result, another that is drawn in its place, and the jumps to draw over it.
struct MapInputs {
  LoadedScene scene;
  std::optional<Scene> over;
  std::optional<NavJumps> jumps;
};
/// Throws Error{bad_input} where scene or jumps are another's, or what is drawn is no scene of the
/// same map.
MapInputs load_map_inputs(InputFiles& in, const ResultFile& result);
/// What all maps show; the inputs must stay until it is drawn.
void set_map(io::SceneMap& map, const MapInputs& inputs, const RenderArguments& arguments,
             const std::string& caption);

/// What the points stand over is drawn faintly; `lift` as in floors_under. Throws
/// Error{out_of_memory} where a tree over the scene does not fit.
void set_floors(Job& job, io::SceneMap& map, const MapInputs& inputs, const PointsView& points,
                float lift = 0);

}  // namespace sightline::cli
