// Exact integer geometry over a Doom map. Points come in half map units ("doubled"), so that the
// middles of lines and of grid cells are integers.
#pragma once

#include "host/files/import/doom/wad.hpp"

namespace sightline::io {

struct DoubledPoint {
  std::int64_t x, y;
};

/// A row of points: (first + k * step, y), 0 <= k < count; doubled.
struct DoubledRow {
  std::int64_t y, first, step;
  std::uint64_t count;
};

/// The middles of the cells of a grid of so many map units, ((i + 1/2) grid, (j + 1/2) grid), that
/// lie within the map: rows by y.
std::vector<DoubledRow> rows_of_cells(const DoomMap& map, std::uint32_t grid);

/// The sector each point of a row lies in: the one whose own lines (those with it on just one side)
/// a ray to the right crosses an odd number of times. doom_none where there is no such sector, and
/// where there are several; those are added to `several`. A point on a line belongs to its right.
std::vector<std::uint32_t> sectors_along(const DoomMap& map, const DoubledRow& row,
                                         std::uint64_t& several);

/// The sector that the map's BSP names, doom_none when the map has none.
/// Throws Error{bad_input} when the nodes loop.
std::uint32_t sector_by_nodes(const DoomMap& map, DoubledPoint p);

/// Whether the point is closer to the line (a segment, ends included) than `radius` map units.
bool is_closer(const DoomMap& map, std::uint32_t line, DoubledPoint p, std::int32_t radius);

}  // namespace sightline::io
