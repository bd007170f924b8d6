// The grid of a navigation bake, and the checks of its options.
#include <sightline/geometry/intersect/line.hpp>
#include <sightline/geometry/shapes/aabb.hpp>
#include <sightline/geometry/shapes/up_axis.hpp>

#include "host/bakes/nav/stages.hpp"
#include "host/common/fp_environment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace sightline {
namespace {

using detail::refuse;

void check_agent(const NavOptions& o) {
  const Agent& a = o.agent;
  const auto positive = [](float x) { return x > 0 && x <= domain_limit; };
  if (!(a.radius >= 0 && a.radius <= domain_limit)) refuse("the agent's radius must be 0 to 2^40");
  if (!positive(a.height)) refuse("the agent's height must be above 0, and at most 2^40");
  if (!(a.climb >= 0 && a.climb < a.height)) {
    refuse("the agent's climb must be at least 0 and less than its height");
  }
  // Otherwise a step and the floor above it could both be one step away.
  if (!(double{a.climb} + double{o.cell_height} / 256 < a.height)) {
    refuse("the agent's climb must be less than its height by a 256th of the cell's height");
  }
  if (!(a.slope >= 0 && a.slope <= 90)) refuse("the steepest slope must be 0 to 90 degrees");
}

void check_side(int side) {
  if (side < 0 || side > 3) refuse("there is no side " + std::to_string(side) + " of a column");
}

void check_jumps(const NavOptions& o) {
  const NavJumpOptions& j = o.jumps;
  const auto in_domain = [](float x) { return x >= 0 && x <= domain_limit; };
  if (!(j.distance >= 0 && j.distance <= 64 * o.cell && in_domain(j.rise) && in_domain(j.drop))) {
    refuse("jumps: the distance must be 0 to 64 cells, rise and drop 0 to 2^40");
  }
}

std::uint32_t cells(float low, float high, float cell, const char* along) {
  const double n = std::ceil((double{high} - double{low}) / double{cell});
  constexpr double most = 1 << 24;
  if (!(n <= most)) {
    std::array<char, 32> count;
    std::snprintf(count.data(), count.size(), "%.12g", n);
    refuse(std::string("the grid would have ") + count.data() + " cells along " + along +
           "; at most 2^24 are possible");
  }
  // Beyond, the centres of neighbouring cells could be the same float.
  const double farthest = std::max(std::abs(double{low}), std::abs(double{high})) / double{cell};
  if (!(farthest < 1 << 23)) {
    refuse("the map lies up to " + std::to_string(farthest) + " cells from the origin along " +
           along + ", and floats tell fewer than 2^23 apart: take larger cells, or move the scene");
  }
  return n < 1 ? 1 : static_cast<std::uint32_t>(n);
}

bool has_nan(const Aabb& box) {
  const auto any = [](const Vec3& p) { return !(p.x == p.x && p.y == p.y && p.z == p.z); };
  return any(box.min) || any(box.max);
}

}  // namespace

void detail::check_column_of(const NavGrid& grid, std::uint64_t column) {
  if (column >= grid.columns()) refuse("the map has no column " + std::to_string(column));
}

float detail::nav_range(const NavOptions& o) {
  return o.range > 0 ? o.range : std::min(4 * o.agent.radius, 64 * o.cell);
}

Vec3 NavGrid::at(std::uint64_t column, float height) const {
  detail::check_column_of(*this, column);
  const Vec3 low = upright(bounds.min, up);
  const auto i = static_cast<double>(column % width), j = static_cast<double>(column / width);
  const double side = cell;
  return upright(
      Vec3{narrowed(low.x + (i + 0.5) * side), narrowed(low.y + (j + 0.5) * side), height}, up);
}

std::optional<std::uint64_t> NavMap::neighbour(std::uint64_t column, int side) const {
  detail::check_column_of(grid, column);
  check_side(side);
  const std::uint64_t i = column % grid.width, j = column / grid.width;
  if (side == 0) return i == 0 ? std::nullopt : std::optional(column - 1);
  if (side == 1) return j + 1 == grid.depth ? std::nullopt : std::optional(column + grid.width);
  if (side == 2) return i + 1 == grid.width ? std::nullopt : std::optional(column + 1);
  return j == 0 ? std::nullopt : std::optional(column - grid.width);
}

std::optional<std::uint64_t> NavMap::linked(std::uint64_t span, std::uint64_t column,
                                            int side) const {
  if (span >= links.size()) refuse("there is no such span");
  check_side(side);
  const std::uint8_t place = links[span][static_cast<std::size_t>(side)];
  const std::optional<std::uint64_t> next = neighbour(column, side);
  if (place == no_link || !next) return std::nullopt;
  if (*next >= offsets.size()) refuse("the map has fewer offsets than columns");
  return offsets[*next] + place;
}

NavGrid nav_grid(const Scene& scene, const NavOptions& o) {
  return detail::in_words([&] {
    const detail::FpEnvironment environment;
    detail::check_choice(o.up, UpAxis::y, "axis for up");
    static_cast<void>(detail::counted(o.from));
    if (!(o.cell > 0 && o.cell <= domain_limit))
      refuse("the cell must be above 0, and at most 2^40");
    if (!(o.cell_height > 0 && o.cell_height <= domain_limit)) {
      refuse("the cell's height must be above 0, and at most 2^40");
    }
    check_agent(o);
    if (!(o.range >= 0 && o.range <= 64 * o.cell)) refuse("the range must be 0 to 64 cells");
    check_jumps(o);
    if (has_nan(o.bounds)) refuse("the bounds must be numbers");
    NavGrid grid;
    grid.up = o.up;
    grid.cell = o.cell;
    grid.cell_height = o.cell_height;
    grid.bounds = is_empty(o.bounds) ? scene.bounds() : o.bounds;
    if (is_empty(grid.bounds)) {
      refuse("nothing says how large the map is: no shape of the scene has bounds; give some");
    }
    const auto in_domain = [](const Vec3& p) { return max_abs(p) <= domain_limit; };
    if (!in_domain(grid.bounds.min) || !in_domain(grid.bounds.max)) {
      refuse("the bounds must be numbers of at most 2^40 in size");
    }
    const Aabb box = upright(grid.bounds, o.up);
    grid.width = cells(box.min.x, box.max.x, o.cell, "x");
    grid.depth = cells(box.min.y, box.max.y, o.cell, o.up == UpAxis::z ? "y" : "z");
    if (o.agent.radius > detail::nav_range(o)) {
      refuse("the agent's radius is beyond the range, of at most 64 cells: take larger cells");
    }
    return grid;
  });
}

}  // namespace sightline
