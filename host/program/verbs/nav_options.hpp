// Options of nav: lengths that follow the scene's unit, and how large a map is made unasked.
#pragma once

#include "host/files/core/container.hpp"
#include "host/program/jobs/job.hpp"

#include <sightline/nav.hpp>

#include <cmath>

namespace sightline::cli {

/// Lengths of nav in scene units. NaN: not given, so that the default of the scene's unit counts.
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
};

/// A length with its defaults: in metres, and of Doom's player in map units.
struct NavLength {
  const char* option;
  float NavLengths::*to;
  double metres, doom;
  const char* words;
  bool is_of_points = false;
};
inline constexpr NavLength nav_lengths[] = {
    {"--radius", &NavLengths::radius, 0.6, 16, "the agent's, in scene units"},
    {"--height", &NavLengths::height, 2, 56, "the agent's"},
    {"--climb", &NavLengths::climb, 0.9, 24, "its highest step"},
    {"--cell", &NavLengths::cell, 0.3, 8, "side of a column"},
    {"--cell-height", &NavLengths::cell_height, 0.2, 8, "of spans for Recast"},
    {"--rise", &NavLengths::rise, 1, 24, "how far up it jumps"},
    {"--drop", &NavLengths::drop, 3, 128, "how far down"},
    {"--eye", &NavLengths::eye, 1.6, 41, "how far above the floor the points are", true},
    {"--spacing", &NavLengths::spacing, 1, 32, "how far apart, in whole cells", true},
    {"--area-side", &NavLengths::area_side, 8, 256,
     "areas are what a square of this side holds of a region", true}};

/// The lengths, those that are not given in the scene's unit. Throws Error{usage} where nobody
/// walks in that unit, naming the options that would have to be given.
NavLengths lengths_in(const std::string& unit, NavLengths given);

/// What is asked of a scene. Throws Error{usage, bad_input}.
NavOptions nav_options(const NavArguments& a, const NavLengths& lengths, const io::Metadata& scene);

/// What a map of the grid takes in memory if each column has a floor; see docs/nav.md.
std::uint64_t nav_bytes(const NavGrid& grid);
/// Of its file, if each column has one floor.
std::uint64_t nav_file_bytes(const NavGrid& grid);

}  // namespace sightline::cli
