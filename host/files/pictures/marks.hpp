// Marks on maps: rings, arrows, arcs, and how many of them can be told apart.
#pragma once

#include "host/files/pictures/map_view.hpp"

#include <sightline/nav.hpp>

namespace sightline::io {

/// A ring with a cross, to be found among many spots.
void draw_ring(Canvas& canvas, Pixel at);

/// An arrow with its tip at `to`, on a light ground.
void draw_arrow(Canvas& canvas, Pixel from, Pixel to, Color color);

/// Those of the places that come no nearer to one before them than `distance` pixels: their
/// numbers, ascending. Places that are far outside of any picture are left out.
std::vector<std::uint64_t> thinned(const std::vector<Pixel>& places, double distance);

inline constexpr Color jump_blue{20, 60, 160}, drop_red{150, 20, 20};
/// A bow from start to landing with a dot where one lands, for jumps with an end in the slice; of
/// several side by side the first.
void draw_jumps(Canvas& canvas, const MapView& view, const NavJumps& jumps, UpAxis up,
                const Slice& slice = {});
std::vector<ColorClass> jump_classes();

}  // namespace sightline::io
