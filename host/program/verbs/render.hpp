// render: what its pictures share.
#pragma once

#include "host/files/pictures/picture.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/results/result.hpp"

#include <sightline/nav.hpp>

namespace sightline::cli {

/// What all pictures have; a picture with options of its own adds them.
struct RenderArguments {
  std::string file;  ///< the result
  std::vector<NamedFile> inputs;
  std::vector<double> slice;  ///< lowest and highest, or empty
  std::string output;
};

int run_picture(Job& job, const RenderArguments& arguments, const std::function<void()>& draw);

/// A picture, which is a verb below render, of a result; draw(job, arguments) draws it, or in a dry
/// run says what it would draw. Options of its own follow, and then the output.
template <class Arguments>
Arguments& add_picture(Verb& v, void (*draw)(Job&, const Arguments&), const char* examples) {
  const auto run = [draw](Job& job, const Arguments& a) {
    return run_picture(job, a, [&] { draw(job, a); });
  };
  auto& a = v.runs<Arguments>(run, examples);
  v.positional("RESULT", a.file, "result to draw");
  return a;
}
void add_picture_output(Verb& v, RenderArguments& a);
/// What all maps of results have: the scene, what is drawn over it, and the heights shown.
void add_map_options(Verb& v, RenderArguments& a);
/// The same of points: where they are.
void add_point_map_options(Verb& v, RenderArguments& a);

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
