#include "host/files/formats/recast_file.hpp"

#include <sightline/geometry/base/lane.hpp>

#include "host/files/core/hash.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr int highest_cell = (1 << 13) - 1;  // RC_SPAN_MAX_HEIGHT
constexpr std::uint8_t walkable_area = 63;   // RC_WALKABLE_AREA

void add_column(RecastSpans& spans, const NavMap& map, std::uint64_t column) {
  const double low = map.grid.lowest(), ch = map.grid.cell_height;
  const std::uint64_t begin = spans.smin.size();
  for (std::uint64_t i = map.offsets[column]; i < map.offsets[column + 1]; ++i) {
    const double from = std::floor((map.bottom[i] - low) / ch);
    const double to = std::ceil((std::min(map.top[i], map.grid.highest()) - low) / ch);
    const int smin = static_cast<int>(std::clamp(from, 0.0, double{highest_cell - 1}));
    const int smax = std::clamp(static_cast<int>(to), smin + 1, highest_cell);
    const bool walkable = (map.flags[i] & nav_flags::walkable) != 0;
    if (spans.smin.size() > begin && smin <= spans.smax.back()) {
      spans.smax.back() = std::max(spans.smax.back(), static_cast<std::uint16_t>(smax));
      spans.area.back() = walkable ? walkable_area : 0;
      continue;
    }
    spans.smin.push_back(static_cast<std::uint16_t>(smin));
    spans.smax.push_back(static_cast<std::uint16_t>(smax));
    spans.area.push_back(walkable ? walkable_area : 0);
  }
  spans.offsets.push_back(spans.smin.size());
}

std::string three(const std::array<float, 3>& v) {
  return fmt::format("{} {} {}", v[0], v[1], v[2]);
}

}  // namespace

std::array<float, 3> to_recast(const Vec3& p, UpAxis up) {
  if (up == UpAxis::y) return {p.x, p.y, p.z};
  return {p.x, p.z, -p.y + 0.0f};
}

void check_recast(const NavGrid& grid) {
  const double cells = std::ceil((double{grid.highest()} - grid.lowest()) / grid.cell_height);
  if (!(cells <= highest_cell)) {
    fail(ErrorKind::usage,
         "the map is {} cells high, and Recast counts to {}: take a larger cell height", cells,
         highest_cell);
  }
}

RecastSpans recast_spans(const NavMap& map) {
  const NavGrid& grid = map.grid;
  check_recast(grid);
  RecastSpans spans;
  spans.width = grid.width;
  spans.height = grid.depth;
  spans.cs = grid.cell;
  spans.ch = grid.cell_height;
  const bool z_up = grid.up == UpAxis::z;
  const Vec3 low = upright(grid.bounds.min, grid.up);
  const auto end = [&](float from, std::uint32_t n) {
    return narrowed(double{from} + double{grid.cell} * n);
  };
  const float far = end(low.y, grid.depth);
  const std::array<float, 2> z = z_up ? std::array{-far, -low.y} : std::array{low.y, far};
  spans.bmin = {low.x, grid.lowest(), z[0]};
  spans.bmax = {end(low.x, grid.width), grid.highest(), z[1]};
  spans.offsets.reserve(grid.columns() + 1);
  spans.smin.reserve(map.spans());
  spans.smax.reserve(map.spans());
  spans.area.reserve(map.spans());
  spans.offsets.push_back(0);
  for (std::uint64_t row = 0; row < grid.depth; ++row) {
    poll();
    const std::uint64_t j = z_up ? grid.depth - 1 - row : row;
    for (std::uint64_t i = 0; i < grid.width; ++i) add_column(spans, map, j * grid.width + i);
  }
  return spans;
}

RecastConnections recast_connections(const NavMap& map) {
  RecastConnections c;
  for (std::uint64_t k = 0; k < map.jumps.size(); ++k) {
    for (const Vec3& p : {map.jumps.from[k], map.jumps.to[k]}) {
      const std::array<float, 3> at = to_recast(p, map.grid.up);
      c.verts.insert(c.verts.end(), at.begin(), at.end());
    }
    const std::uint8_t both = map.jumps.both_ways[k];
    c.rad.push_back(map.agent.radius);
    c.flags.push_back(1);
    c.areas.push_back(both != 0 ? 1 : 2);
    c.dir.push_back(both);  // DT_OFFMESH_CON_BIDIR
    c.user_id.push_back(static_cast<std::uint32_t>(k));
  }
  return c;
}

void write_recast(const std::string& name, const NavMap& map, const Metadata& more) {
  const RecastSpans s = recast_spans(map);
  Metadata metadata = more;
  metadata["recast.bmin"] = three(s.bmin);
  metadata["recast.bmax"] = three(s.bmax);
  metadata["recast.cs"] = fmt::format("{}", s.cs);
  metadata["recast.ch"] = fmt::format("{}", s.ch);
  metadata["recast.width"] = fmt::format("{}", s.width);
  metadata["recast.height"] = fmt::format("{}", s.height);
  const std::uint64_t n = s.smin.size();
  const RecastConnections c = recast_connections(map);
  const std::uint64_t m = c.rad.size();
  write_tensors(
      name, "recast",
      {stored("span.offsets", {s.offsets.size()}, s.offsets.data()),
       stored("span.smin", {n}, s.smin.data()), stored("span.smax", {n}, s.smax.data()),
       stored("span.area", {n}, s.area.data()), stored("offmesh.verts", {m, 6}, c.verts.data()),
       stored("offmesh.rad", {m}, c.rad.data()), stored("offmesh.flags", {m}, c.flags.data()),
       stored("offmesh.areas", {m}, c.areas.data()), stored("offmesh.dir", {m}, c.dir.data()),
       stored("offmesh.user_id", {m}, c.user_id.data())},
      metadata);
}

}  // namespace sightline::io
