// Options of pictures: render.
#include "host/program/arguments/options.hpp"
#include "host/program/arguments/verbs.hpp"

namespace sightline::cli {
namespace {

/// What all pictures of results have.
CLI::App& add_picture(CLI::App& verb, const char* name, const char* words, RenderWhat what,
                      RenderArguments& to) {
  auto& picture = *verb.add_subcommand(name, words);
  picture.callback([&to, what] { to.what = what; });
  const bool camera = what == RenderWhat::camera;
  picture.add_option(camera ? "SCENE" : "RESULT", to.file, camera ? "scene" : "its file")
      ->required()
      ->type_name("");
  picture.add_option("-o,--output", to.output, "file to write; its ending says which kind")
      ->required()
      ->type_name(camera                    ? "P.png|.exr|.ply"
                  : what == RenderWhat::map ? "P.png|.ply"
                                            : "P.png");
  return picture;
}

/// What all maps of results have.
void add_map_options(CLI::App& picture, RenderArguments& to) {
  picture.add_option("--scene", to.scene, "the result's scene")->required()->type_name("SCENE");
  picture.add_option("--links", to.links, "draw the jumps and drops of a map that nav made of it")
      ->type_name("MAP.nav");
  picture
      .add_option("--slice", to.slice,
                  "heights that are shown: points between, shapes that reach between")
      ->delimiter(',')
      ->expected(2)
      ->type_name("LOW,HIGH");
}

void add_result_points(CLI::App& picture, RenderArguments& to) {
  add_map_options(picture, to);
  picture.add_option("--from,--points", to.from, "its viewpoints, or its points")
      ->required()
      ->type_name("A");
}

void add_area_map(CLI::App& picture, RenderArguments& to) {
  add_map_options(picture, to);
  picture.add_option("--areas", to.areas, "its areas")->required()->type_name("AREAS");
  auto* area = picture.add_option("--area", to.area, "number of the area that looks, from 0")
                   ->type_name("I");
  picture
      .add_option("--viewpoint", to.viewpoint,
                  "instead: number of one of its points, where the areas are a file of points")
      ->excludes(area)
      ->type_name("I");
}

void add_camera(CLI::App& verb, RenderArguments& to, CommonArguments& common) {
  auto& camera =
      add_picture(verb, "camera", "what a pinhole camera in a scene sees", RenderWhat::camera, to);
  const auto add_place = [&](const char* name, std::vector<double>& place, const char* words) {
    camera.add_option(name, place, words)
        ->required()
        ->delimiter(',')
        ->expected(3)
        ->check(number(-domain_limit, domain_limit, "a number from -2^40 to 2^40"))
        ->type_name("X,Y,Z");
  };
  add_place("--eye", to.eye, "where it is, in scene units");
  add_place("--target", to.target, "what is in the middle of the picture");
  camera.add_option("--fov", to.field_of_view, "angle of the longer side, 1 to 170 degrees")
      ->check(number(1, 170, "an angle from 1 to 170"))
      ->type_name("DEG")
      ->capture_default_str();
  camera.add_option("--width", to.width, "pixels")
      ->check(CLI::Range(1, 16384).description(""))
      ->type_name("N")
      ->capture_default_str();
  camera.add_option("--height", to.height, "pixels")
      ->check(CLI::Range(1, 16384).description(""))
      ->type_name("N")
      ->capture_default_str();
  camera.add_option("--show", to.show, "PNG: shaded (default), depth or normal")
      ->check(CLI::IsMember({"shaded", "depth", "normal"}).description(""))
      ->type_name("WHAT");
  camera.add_option("--mask", to.mask, "32 bits; a shape is seen when its mask shares one")
      ->type_name("BITS");
  add_device(camera, common);
  add_threads(camera, common);
  add_lanes(camera, common);
  add_max_memory(camera, common);
  add_report(camera, common);
  add_dry_run(camera, common);
}

}  // namespace

void add_verb(CLI::App& app, RenderArguments& to, CommonArguments& common) {
  auto& verb = *app.add_subcommand("render", "pictures of results, and of what a camera sees");
  verb.require_subcommand(1);
  auto& map = add_picture(verb, "map",
                          "points from above, colored by how much they see, by how many see "
                          "them, or by the distance of the nearest shape",
                          RenderWhat::map, to);
  add_result_points(map, to);
  auto& row = add_picture(verb, "row", "targets from above, by whether one viewpoint sees them",
                          RenderWhat::row, to);
  add_result_points(row, to);
  row.add_option("--to", to.to, "its targets, where they are not the viewpoints")->type_name("B");
  row.add_option("--viewpoint", to.viewpoint, "number of the viewpoint, from 0")
      ->required()
      ->type_name("I");
  auto& histogram = add_picture(verb, "histogram",
                                "how many points see how much, are seen by how many, or are how "
                                "far from shapes",
                                RenderWhat::histogram, to);
  auto& areas = add_picture(verb, "areas", "areas from above, by how much of each one area sees",
                            RenderWhat::areas, to);
  add_area_map(areas, to);
  auto& cover = add_picture(verb, "cover", "arrows to the nearest cover, with sides to lean out",
                            RenderWhat::cover, to);
  add_result_points(cover, to);
  auto& nav = add_picture(verb, "nav", "where one can walk, jump and drop, from above",
                          RenderWhat::nav, to);
  nav.add_option("--scene", to.scene, "its scene")->required()->type_name("SCENE");
  for (CLI::App* picture : {&map, &row, &histogram, &areas, &cover, &nav}) {
    add_max_memory(*picture, common);
    add_report(*picture, common);
    add_dry_run(*picture, common);
  }
  add_camera(verb, to, common);
}

}  // namespace sightline::cli
