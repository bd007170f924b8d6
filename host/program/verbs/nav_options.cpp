#include "host/program/verbs/nav_options.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

#include <fmt/ranges.h>

#include <cmath>

namespace sightline::cli {
namespace {

Aabb box_of_six(const std::vector<float>& six) {
  if (six.empty()) return empty_aabb();
  const Aabb box = {{six[0], six[1], six[2]}, {six[3], six[4], six[5]}};
  if (is_empty(box)) throw Error(ErrorKind::usage, "--bounds: a minimum is above its maximum");
  return box;
}

/// How many of the unit make a metre; units that are not known are taken as metres.
double in_a_metre(const std::string& unit) {
  if (unit == "cm") return 100;
  return unit == "mm" ? 1000 : 1;
}

}  // namespace

NavLengths lengths_in(const std::string& unit, NavLengths given) {
  const bool is_doom = unit == "doom map unit", is_atomic = unit == "angstrom" || unit == "nm";
  std::vector<std::string> missing;
  for (const NavLength& l : nav_lengths) {
    if (!std::isnan(given.*l.to)) continue;
    given.*l.to = static_cast<float>(is_doom ? l.doom : l.metres * in_a_metre(unit));
    const bool is_of_jumps = l.to == &NavLengths::rise || l.to == &NavLengths::drop;
    if (is_atomic && !l.is_of_points && !is_of_jumps) missing.push_back(l.option);
  }
  if (missing.empty()) return given;
  io::fail(ErrorKind::usage, "the scene's unit is {}, in which nobody walks: say {}", unit,
           fmt::join(missing, ", "));
}

NavOptions nav_options(const NavArguments& a, const NavLengths& lengths,
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

std::uint64_t nav_bytes(const NavGrid& grid) { return grid.columns() * 70; }

std::uint64_t nav_file_bytes(const NavGrid& grid) {
  constexpr std::uint64_t header = 2048, offset = 8, span = 38;
  return header + grid.columns() * (offset + span);
}

}  // namespace sightline::cli
