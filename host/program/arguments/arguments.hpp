// What the command line said: plain structs, one per verb.
#pragma once

#include "host/files/core/journal.hpp"
#include "host/files/pictures/camera.hpp"

#include <sightline/caster.hpp>
#include <sightline/cover.hpp>
#include <sightline/nav.hpp>
#include <sightline/probes.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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

/// An input file, or a value that stands for one, and the option that named it; "" where none did.
struct NamedFile {
  std::string option, file;
  bool used = false;
};

/// What all verbs that write results share.
struct ResultArguments {
  std::vector<NamedFile> inputs;
  std::string output;
  std::string picture;      ///< or ""
  std::optional<bool> yes;  ///< of bakes: whether a large one is wanted
  io::ResumeOptions resume;
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
  std::string kind;      ///< of the shapes of an .npy, or of CSV without kinds, or ""
  std::string unit, up;  ///< instead of what the file says, or ""
  std::string output;
  std::string points_output;
};

enum class CastQueryKind { closest, any, count, all };

struct CastArguments : ResultArguments {
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
  std::optional<float> radius;  ///< of all rays; a file of radii is an input
};

struct SweepArguments : ResultArguments {
  SweepOptions options;  ///< not strict: the program names the bad direction itself
  bool normals = false;
  bool strict = false;
};

/// Of visibility and exposure.
struct SightArguments : ResultArguments {
  VisibilityOptions options;
  float margin_length = 0;  ///< of every segment at both ends; else options.margin, a share
};

enum class OverlapQueryKind { any, count, all };

struct OverlapArguments : ResultArguments {
  OverlapQueryKind query = OverlapQueryKind::any;
};

struct DistanceArguments : ResultArguments {
  NearestOptions options;
};

struct FlatArguments : ResultArguments {
  OverlapQueryKind query = OverlapQueryKind::any;  ///< of circles
  Inside inside = Inside::solid;                   ///< of segments
};

struct AreasArguments : ResultArguments {
  VisibilityOptions options;
  std::optional<std::uint32_t> samples;
  bool classes = false;  ///< without counts
};

struct SetsArguments {
  std::string areas;         ///< a result of `areas`
  bool unknown_seen = true;  ///< areas without samples see all, and are seen by all
  std::string output;
};

struct ProbesArguments : ResultArguments {
  ProbeOptions options;
  std::uint32_t grid = 8;
};

struct CoverArguments : ResultArguments {
  CoverOptions options;  ///< but for the axis, which is the scene's
  std::string places;    ///< where places along a map's walls are written
  float spacing = 1;     ///< of the places
};

/// Lengths of nav in scene units. NaN: not given, so that the default of the scene's unit counts
/// (nav_options.hpp).
struct NavLengths {
  float radius = NAN, height = NAN, climb = NAN, cell = NAN, cell_height = NAN;
  float rise = NAN, drop = NAN;                     ///< of jumps
  float eye = NAN, spacing = NAN, area_side = NAN;  ///< of points over the floors
};

struct NavArguments {
  std::string scene;
  NavLengths lengths;
  float slope = Agent().slope;
  float jump = 0;
  std::string up;             ///< "y", "z", or "": as the scene says
  std::vector<float> bounds;  ///< minimum and maximum, six numbers, or none
  float range = 0;            ///< 0: four radii
  std::optional<std::uint32_t> mask;
  std::string from;  ///< points from which what is kept can be reached, or ""
  std::string output;
  std::string recast, editor, arrays, picture, points;  ///< more outputs, or ""
  std::optional<bool> yes;                              ///< whether a large bake is wanted
};

class Job;

struct RenderArguments {
  void (*draw)(Job&, const RenderArguments&) = nullptr;
  std::string file;  ///< a result, or the camera's scene
  std::vector<NamedFile> inputs;
  std::optional<std::uint64_t> viewpoint, area;
  std::vector<double> slice;        ///< lowest and highest, or empty
  std::vector<double> eye, target;  ///< x, y, z
  double field_of_view = 70;
  std::uint64_t width = 1280, height = 720;
  io::CameraShow show = io::CameraShow::shaded;
  std::uint32_t mask = 0xFFFFFFFFu;
  std::string output;
};

struct VerifyArguments {
  std::string result;
  std::vector<NamedFile> inputs;
  std::uint64_t sample = 20000;
  bool full = false;
  std::uint64_t seed = 1;
};

struct ExportArguments {
  std::string result;
  std::string scene;                 ///< whose labels are told instead of ids, or ""
  std::vector<std::string> columns;  ///< empty: all that fit into one table
  std::string output;
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
  std::function<int(Job&)> run;  ///< the verb with its arguments; returns the exit code
  std::string resumable;         ///< the output, where a stopped run can be resumed; else ""
};

/// Reads the command line. Returns an exit code when there is nothing left to do: 0 after --help
/// and --version, 2 after a usage error, which has been reported.
std::optional<int> parse_command_line(int argc, const char* const* argv, Command& command);

}  // namespace sightline::cli
