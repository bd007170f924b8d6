// A navigation map from above.
#pragma once

#include <sightline/nav.hpp>

#include <string>

namespace sightline::io {

/// Writes a PNG: every column by its highest walkable floor, in the colour of its region, or else
/// by why nobody can walk there; whole or not at all. `unit` is of lengths. Throws Error{io}.
void write_nav_picture(const std::string& name, const NavMap& map, const Scene& scene,
                       const std::string& unit);

}  // namespace sightline::io
