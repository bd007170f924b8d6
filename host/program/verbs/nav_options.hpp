// Options of nav: lengths that follow the scene's unit, and how large a map is made unasked.
#pragma once

#include "host/files/core/container.hpp"
#include "host/program/jobs/job.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/aabb.hpp>
#include <sightline/nav.hpp>

#include <fmt/ranges.h>

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
     "side of the squares that split regions into areas", true}};

inline Aabb box_of_six(const std::vector<float>& six) {
  if (six.empty()) return empty_aabb();
  const Aabb box = {{six[0], six[1], six[2]}, {six[3], six[4], six[5]}};
  if (is_empty(box)) throw Error(ErrorKind::usage, "--bounds: a minimum is above its maximum");
  return box;
}

/// How many of the unit make a metre; units that are not known are taken as metres.
inline double in_a_metre(const std::string& unit) {
  if (unit == "cm") return 100;
  return unit == "mm" ? 1000 : 1;
}

/// The lengths, those that are not given in the scene's unit. Throws Error{usage} where nobody
/// walks in that unit, naming the options that would have to be given.
inline NavLengths lengths_in(const std::string& unit, NavLengths given) {
  const bool is_doom = unit == "doom map unit", is_atomic = unit == "angstrom" || unit == "nm";
  std::vector<std::string> missing;
  for (const NavLength& l : nav_lengths) {
    if (!std::isnan(given.*l.to)) continue;
    given.*l.to = static_cast<float>(is_doom ? l.doom : l.metres * in_a_metre(unit));
    const bool is_of_jumps = l.to == &NavLengths::rise || l.to == &NavLengths::drop;
    if (is_atomic && !l.is_of_points && !is_of_jumps) missing.push_back(l.option);
  }
  if (missing.empty()) return given;
  io::fail(ErrorKind::usage, "the scene's unit is {}, for which there is no default agent: give {}",
           unit, fmt::join(missing, ", "));
}

/// What is asked of a scene. Throws Error{usage, bad_input}.
inline NavOptions nav_options(const NavArguments& a, const NavLengths& lengths,
                              const io::Metadata& scene) {
  NavOptions o;
  o.agent = {lengths.radius, lengths.height, lengths.climb, a.slope};
  o.cell = lengths.cell;
  o.cell_height = lengths.cell_height;
  const auto said = scene.find("up");
  const std::string up = !a.up.empty() ? a.up : said == scene.end() ? "z" : said->second;
  if (up != "y" && up != "z") {
    io::fail(ErrorKind::bad_input, "the scene's up axis is {}; say --up y or --up z", up);
  }
  o.up = up == "y" ? UpAxis::y : UpAxis::z;
  o.bounds = box_of_six(a.bounds);
  o.range = a.range;
  o.jumps = {a.jump, lengths.rise, lengths.drop};
  o.mask = a.mask.value_or(o.mask);
  return o;
}

/// What a map of the grid takes in memory if each column has a floor; see
/// docs/concepts/navigation.md.
inline std::uint64_t nav_bytes(const NavGrid& grid) { return grid.columns() * 70; }

/// Of its file, if each column has one floor.
inline std::uint64_t nav_file_bytes(const NavGrid& grid) {
  constexpr std::uint64_t header = 2048, offset = 8, span = 38;
  return header + grid.columns() * (offset + span);
}

}  // namespace sightline::cli
