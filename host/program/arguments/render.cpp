// Options of pictures: render.
#include "host/program/arguments/options.hpp"
#include "host/program/verbs/verbs.hpp"

namespace sightline::cli {
namespace {

using Draw = void (*)(Job&, const RenderArguments&);

/// A kind of picture, which is a verb of its own below render.
Verb add_picture(Verb& render, RenderArguments& a, CommonArguments& common, const char* name,
                 const char* words, Draw draw, const char* endings) {
  auto& picture = *render.app.add_subcommand(name, words);
  picture.callback([&a, draw] { a.draw = draw; });
  Verb v(picture, common);
  const bool camera = draw == render_camera;
  v.positional(camera ? "SCENE" : "RESULT", a.file, camera ? "scene" : "its file");
  v.output(a.output, endings, "file to write; its ending says which kind");
  if (camera) return v;
  v.max_memory();
  v.report();
  v.dry_run();
  return v;
}

void add_scene(Verb v, RenderArguments& a) {
  v.input("--scene", a.inputs, "SCENE", "the result's scene");
}

void add_slice(Verb& v, RenderArguments& a, const char* words) {
  v.number("--slice", a.slice, {-infinity, infinity, "a number"}, "LOW,HIGH", words)
      ->delimiter(',')
      ->expected(2);
}

/// What all maps of results have.
void add_map_options(Verb& v, RenderArguments& a) {
  add_scene(v, a);
  v.input("--over", a.inputs, "SCENE",
          "draw over another scene of the same map, such as its walls alone");
  v.input("--links", a.inputs, "MAP.nav", "draw the jumps and drops of a map that nav made of it");
  add_slice(v, a, "heights that are shown: points between, shapes that reach between");
}

void add_nav_map(Verb v, RenderArguments& a) {
  add_scene(v, a);
  add_slice(v, a, "heights of the floors that are shown, such as one storey");
}

void add_result_points(Verb v, RenderArguments& a) {
  add_map_options(v, a);
  v.input("--from,--points", a.inputs, "A", "its viewpoints, or its points");
}

void add_row(Verb v, RenderArguments& a) {
  add_result_points(v, a);
  v.input("--to", a.inputs, "B", "its targets, where they are not the viewpoints");
  v.count("--viewpoint", a.viewpoint, 0, any, "I", "number of the viewpoint, from 0")->required();
}

void add_area_map(Verb v, RenderArguments& a) {
  add_map_options(v, a);
  v.input("--areas", a.inputs, "AREAS", "its areas");
  auto* area = v.count("--area", a.area, 0, any, "I", "number of the area that looks, from 0");
  v.count("--viewpoint", a.viewpoint, 0, any, "I",
          "instead: number of one of its points, where the areas are a file of points")
      ->excludes(area);
}

void add_camera(Verb v, RenderArguments& a) {
  const auto add_place = [&](const char* name, std::vector<double>& place, const char* words) {
    v.number(name, place, coordinate, "X,Y,Z", words)->required()->delimiter(',')->expected(3);
  };
  add_place("--eye", a.eye, "where it is, in scene units");
  add_place("--target", a.target, "what is in the middle of the picture");
  v.number("--fov", a.field_of_view, {1, 170, "an angle from 1 to 170"}, "DEG",
           "angle of the longer side, 1 to 170 degrees");
  v.count("--width", a.width, 1, 16384, "N", "pixels");
  v.count("--height", a.height, 1, 16384, "N", "pixels");
  v.choice("--show", a.show,
           std::vector<std::pair<std::string, io::CameraShow>>{{"shaded", io::CameraShow::shaded},
                                                               {"depth", io::CameraShow::depth},
                                                               {"normal", io::CameraShow::normal}},
           "WHAT", "PNG: shaded (default), depth or normal");
  v.count("--mask", a.mask, 0, most_bits, "BITS",
          "32 bits; a shape is seen when its mask shares one");
  v.device();
  v.threads();
  v.lanes();
  v.max_memory();
  v.report();
  v.dry_run();
}

}  // namespace

void add_render_verb(Verbs& verbs) {
  auto [render, a] =
      verbs.add("render", "pictures of results, and of what a camera sees", run_render,
                "sightline render map seen.st --scene city.st --from eyes.npy -o seen.png\n"
                "sightline render camera city.st --eye 0,0,20 --target 50,50,0 -o city.png");
  render.app.require_subcommand(1);
  const auto add = [&, &a = a, &render = render](const char* name, const char* words, Draw draw,
                                                 const char* endings = "P.png") {
    return add_picture(render, a, verbs.common(), name, words, draw, endings);
  };
  add_result_points(
      add("map",
          "points from above, coloured by how much they see, by how many see them, or "
          "by the distance of the nearest shape",
          render_map, "P.png|.ply"),
      a);
  add_row(add("row", "targets from above, by whether one viewpoint sees them", render_row), a);
  add("histogram", "how many points see how much, are seen by how many, or are how far from shapes",
      render_histogram);
  add_area_map(add("areas", "areas from above, by how much of each one area sees", render_areas),
               a);
  add_result_points(
      add("cover", "arrows to the nearest cover, with sides to lean out", render_cover), a);
  add_nav_map(add("nav", "where one can walk, jump and drop, from above", render_nav), a);
  add_camera(
      add("camera", "what a pinhole camera in a scene sees", render_camera, "P.png|.exr|.ply"), a);
}

}  // namespace sightline::cli
