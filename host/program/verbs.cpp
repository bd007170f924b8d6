// All verbs, in the order of the help: files, questions to a scene, bakes, checks, pictures.
#include "host/program/command_line/options.hpp"

namespace sightline::cli {

// Each is in the file of its name, in verbs/ or results/.
void add_info(Verb&), add_export(Verb&), add_gen(Verb&), add_import(Verb&), add_merge(Verb&);
void add_cast(Verb&), add_visibility(Verb&), add_overlap(Verb&), add_distance(Verb&);
void add_sweep(Verb&), add_flat(Verb&);
void add_areas(Verb&), add_pvs(Verb&), add_exposure(Verb&), add_probes(Verb&), add_cover(Verb&);
void add_nav(Verb&), add_verify(Verb&), add_bench(Verb&), add_render(Verb&);
void add_view(Verb&);
void add_map_picture(Verb&), add_row_picture(Verb&), add_area_picture(Verb&);
void add_cover_picture(Verb&), add_nav_picture(Verb&);
using Kinds = std::vector<MakeResult>;
Kinds cast_kinds(), visibility_kinds(), overlap_kinds(), distance_kinds(), sweep_kinds();
Kinds flat_kinds(), areas_kinds(), pvs_kinds(), exposure_kinds(), probes_kinds(), cover_kinds();

namespace {

constexpr VerbRow pictures[] = {
    {"map",
     "points from above, coloured by how much they see, by how many see them, or by the distance "
     "of the nearest shape",
     "howto/pictures.md", add_map_picture},
    {"row", "targets from above, by whether one viewpoint sees them", "howto/pictures.md",
     add_row_picture},
    {"areas", "areas from above, by how much of each one area sees", "howto/pictures.md",
     add_area_picture},
    {"cover", "arrows to the nearest cover, with sides to lean out", "howto/pictures.md",
     add_cover_picture},
    {"nav", "where one can walk, jump and drop, from above", "howto/pictures.md", add_nav_picture}};

constexpr VerbRow verbs[] = {
    {"info", "about the program and its devices, or about a file", "reference/formats.md",
     add_info},
    {"export", "a result, scene, points or a map as a table: CSV, JSON or an array",
     "howto/collisions-and-distances.md", add_export},
    {"gen", "make a standard scene, and rays over it", "reference/scenes.md", add_gen},
    {"import", "read a map, a level or a table of shapes", "howto/import.md", add_import},
    {"merge", "join the shards of a job to its result", "howto/clusters.md", add_merge},
    {"cast", "cast the rays of a file, of any number, at a scene", "concepts/rays-and-hits.md",
     add_cast, cast_kinds},
    {"visibility", "which points see which", "howto/visibility.md", add_visibility,
     visibility_kinds},
    {"overlap", "which shapes of a scene overlap those of another",
     "howto/collisions-and-distances.md", add_overlap, overlap_kinds},
    {"distance", "the shapes nearest to points, or to segments: how clear a path is",
     "howto/collisions-and-distances.md", add_distance, distance_kinds},
    {"sweep", "how far moving spheres and capsules get before they hit the scene",
     "howto/collisions-and-distances.md", add_sweep, sweep_kinds},
    {"flat", "2D queries: which shapes circles overlap and segments hit", "reference/flat.md",
     add_flat, flat_kinds},
    {"areas", "which areas (cells, sectors, polygons, boxes) see which: not, partly, fully",
     "howto/pvs.md", add_areas, areas_kinds},
    {"pvs", "potentially visible sets of what areas wrote: bits, and lists of differences",
     "howto/pvs.md", add_pvs, pvs_kinds},
    {"exposure", "how many viewpoints see each target", "howto/visibility.md", add_exposure,
     exposure_kinds},
    {"probes", "how far one sees from points in every direction", "howto/visibility.md", add_probes,
     probes_kinds},
    {"cover", "where one can take cover, from which directions, and where one can lean out",
     "howto/cover.md", add_cover, cover_kinds},
    {"nav", "where an agent can walk: floors, clearances, regions", "howto/navigation.md", add_nav},
    {"verify", "recompute a result by brute force and compare its bytes", "howto/verify.md",
     add_verify},
    {"bench", "rates of each backend over a scene and its rays", "howto/tuning.md", add_bench},
    {"render", "draw pictures of results", "howto/pictures.md", add_render, nullptr, pictures},
    {"view", "one HTML page that shows a scene and its results in 3D", "howto/view.md", add_view}};

}  // namespace

std::span<const VerbRow> all_verbs() { return verbs; }

std::vector<MakeResult> all_kinds() {
  std::vector<MakeResult> all;
  for (const VerbRow& verb : verbs) {
    if (verb.kinds == nullptr) continue;
    const Kinds kinds = verb.kinds();
    all.insert(all.end(), kinds.begin(), kinds.end());
  }
  return all;
}

}  // namespace sightline::cli
