// What the command line said: plain structs, one per verb.
#pragma once

#include "host/files/core/journal.hpp"
#include "host/program/engine/nav_points.hpp"

#include <sightline/caster.hpp>
#include <sightline/cover.hpp>
#include <sightline/nav.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sightline::cli {

/// What several verbs share; a verb that lacks an option keeps its default.
struct CommonArguments {
  std::string device = "auto";  ///< auto, reference, cpu, cuda, cuda:i
  int threads = 0;              ///< 0: all cores
  Lanes lanes = Lanes::automatic;
  std::uint64_t max_memory = 0;  ///< bytes; 0: no limit
  std::string json;              ///< "": no report, "-": stdout
  bool quiet = false;
  bool dry_run = false;
};

struct InfoArguments {
  std::string file;  ///< "": about the program
};

struct GenArguments {
  std::string kind;
  std::uint64_t shapes = 0;
  std::uint64_t seed = 1;
  std::string output;
  std::string rays;  ///< a kind of rays, or ""
  std::uint64_t ray_count = 0;
  std::string rays_output;
};

struct ImportArguments {
  std::string file;
  std::string map;
  std::optional<std::uint32_t> grid, floors;
  bool drawn_walls = false;
  std::optional<float> ball;
  std::string copies;
  std::string root;
  bool strict = false;
  std::string output;
  std::string points_output;
};

/// Rays in one file or in two.
struct RaysArguments {
  std::string rays, origins, directions;
};

enum class CastQueryKind { closest, any, count, all };

struct CastArguments {
  std::string scene;
  RaysArguments input;
  std::optional<float> t_min, t_max;
  std::optional<std::uint32_t> mask;
  std::vector<std::string> exclude;  ///< ids, or kind:index
  std::vector<std::uint32_t> exclude_group;
  CastQueryKind query = CastQueryKind::closest;
  std::optional<std::uint32_t> first;  ///< hits that are kept of a ray; none: all
  bool t_out = false;
  Inside inside = Inside::solid;
  bool normals = false;
  bool strict = false;
  std::optional<float> radius;  ///< of all rays
  std::string radii;            ///< or a file of one for each
  std::string output;
  io::ResumeOptions resume;
};

struct SweepArguments {
  std::string scene;
  std::string capsules;  ///< a scene whose spheres and capsules move
  std::string directions;
  float t_max = infinity;
  Inside inside = Inside::solid;
  bool normals = false;
  bool strict = false;
  std::string output;
  io::ResumeOptions resume;
};

/// Fields of view of viewpoints.
struct FieldArguments {
  std::string directions;         ///< .npy
  std::string half_angle, range;  ///< numbers, or .npy
  bool sector = false;
};

struct VisibilityArguments {
  std::string scene;
  std::string from, to;
  FieldArguments fields;
  float range = infinity;
  float margin = 0;
  Inside inside = Inside::solid;
  std::string output;
  std::string picture;
  io::ResumeOptions resume;
};

enum class OverlapQueryKind { any, count, all };

struct OverlapArguments {
  std::string scene;
  std::string with;  ///< a scene whose shapes ask
  OverlapQueryKind query = OverlapQueryKind::any;
  std::string output;
  io::ResumeOptions resume;
};

struct DistanceArguments {
  std::string scene;
  std::string points, to;  ///< to: ends of segments that begin at the points, or ""
  float range = infinity;
  std::uint32_t k = 1;
  std::string output;
  io::ResumeOptions resume;
};

struct FlatArguments {
  std::string scene;  ///< a set of 2D shapes
  std::string circles, segments;
  OverlapQueryKind query = OverlapQueryKind::any;  ///< of circles
  Inside inside = Inside::solid;                   ///< of segments
  std::string output;
  io::ResumeOptions resume;
};

struct AreasArguments {
  std::string scene;
  std::string areas;
  std::optional<std::uint32_t> samples;
  bool classes = false;  ///< without counts
  float range = infinity;
  Inside inside = Inside::solid;
  std::string output;
  std::string picture;
  io::ResumeOptions resume;
};

struct SetsArguments {
  std::string areas;  ///< a result of `areas`
  std::string output;
};

struct ExposureArguments {
  std::string scene;
  std::string from, to;
  FieldArguments fields;
  float range = infinity;
  float margin = 0;
  Inside inside = Inside::solid;
  std::string output;
  std::string picture;
  io::ResumeOptions resume;
};

struct ProbesArguments {
  std::string scene;
  std::string points;
  std::uint32_t grid = 8;
  float range = infinity;
  Inside inside = Inside::solid;
  std::string output;
  io::ResumeOptions resume;
};

struct CoverArguments {
  std::string scene;
  std::string points;       ///< or "": places along the walls of a map
  std::string map, places;  ///< a navigation map, and where the places are written
  float spacing = 1;        ///< of the places
  CoverOptions options;     ///< but for the axis, which is the scene's
  std::string output;
  std::string picture;
  io::ResumeOptions resume;
};

struct NavArguments {
  std::string scene;
  Agent agent;
  float cell = 0.3f, cell_height = 0.2f;
  std::string up;             ///< "y", "z", or "": as the scene says
  std::vector<float> bounds;  ///< minimum and maximum, six numbers, or none
  float range = 0;            ///< 0: four radii
  NavJumpOptions jumps;
  std::string from;  ///< points from which what is kept can be reached, or ""
  std::string output;
  std::string recast, editor, arrays, picture, points;  ///< more outputs, or ""
  NavPointOptions eyes;                                 ///< of the points
};

enum class RenderWhat { map, row, histogram, areas, cover, nav, camera };

struct RenderArguments {
  RenderWhat what = RenderWhat::map;
  std::string file;  ///< a result, or the camera's scene
  std::string scene;
  std::string from, to;  ///< points of the result
  std::string areas;
  std::string links;  ///< a navigation map whose jumps are drawn, or ""
  std::optional<std::uint64_t> viewpoint, area;
  std::vector<double> slice;        ///< lowest and highest, or empty
  std::vector<double> eye, target;  ///< x, y, z
  double field_of_view = 70;
  std::uint64_t width = 1280, height = 720;
  std::string show = "shaded";  ///< or depth, normal
  std::uint32_t mask = 0xFFFFFFFFu;
  std::string output;
};

struct VerifyArguments {
  std::string result;
  std::string scene;
  RaysArguments input;
  std::string from, to;
  std::string points;
  FieldArguments fields;  ///< but for the directions, which are the input's
  std::string areas;
  std::string with;
  std::string capsules;
  std::string radii;
  std::string circles, segments;
  std::uint64_t sample = 20000;
  bool full = false;
  std::uint64_t seed = 1;
  std::vector<std::string> files;  ///< instead of names: what it was computed from, in any order
};

struct StatusArguments {
  std::string file;
};

struct BenchArguments {
  std::vector<std::string> scenes = {"city", "cloud", "mixed"};     ///< standard kinds, or files
  std::vector<std::uint64_t> shapes = {1'000, 100'000, 1'000'000};  ///< of standard kinds
  std::vector<std::string> rays = {"coherent", "incoherent", "los", "matrix"};  ///< or files
  bool any = false;  ///< what files of rays are for
  std::uint64_t count = 1 << 20;
  std::uint64_t seed = 1;
  std::vector<int> threads;  ///< on the CPU; empty: 1 and all cores
  std::vector<Lanes> lanes = {Lanes::automatic};
  int pairs = 5;
  std::string against;  ///< a rival, or ""
  bool wall = false;    ///< rates by the clock on the wall, not by the time of the cores
};

struct Command {
  std::string verb;
  CommonArguments common;
  std::variant<InfoArguments, GenArguments, ImportArguments, CastArguments, VisibilityArguments,
               OverlapArguments, DistanceArguments, SweepArguments, FlatArguments, AreasArguments,
               SetsArguments, ExposureArguments, ProbesArguments, CoverArguments, NavArguments,
               VerifyArguments, RenderArguments, StatusArguments, BenchArguments>
      arguments;
};

/// Reads the command line. Returns an exit code when there is nothing left to do: 0 after --help
/// and --version, 2 after a usage error, which has been told on stderr.
std::optional<int> parse_command_line(int argc, const char* const* argv, Command& command);

}  // namespace sightline::cli
