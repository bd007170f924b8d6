// Columns: what of each vertical line is solid, by all hits of a ray that looks up.
#include "host/nav/stages.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::detail {
namespace {

constexpr std::uint64_t columns_per_chunk = 1 << 16;

/// Where the rays begin: not above the lowest height, and such that differences to heights of few
/// bits are exact, as those of lattices are.
float ray_start(const NavGrid& grid) {
  const double low = grid.lowest(), high = grid.highest();
  const double size = std::max({high - low, std::abs(low), std::abs(high), 0x1p-60});
  const double step = std::ldexp(1.0, std::ilogb(size) - 12);
  return static_cast<float>(std::floor(low / step) * step);
}

struct Solid {
  double bottom, top;
  std::uint32_t shape;
};

/// The hits [begin, end) of a row, which come by t, as spans with gaps between them.
void merge(const HitRows& rows, std::uint64_t begin, std::uint64_t end, double start, double slack,
           std::vector<Solid>& solids) {
  solids.clear();
  for (std::uint64_t k = begin; k < end; ++k) {
    const double bottom = start + rows.t[k], top = start + rows.t_out[k];
    if (solids.empty() || bottom > solids.back().top + slack) {
      solids.push_back({bottom, top, rows.id[k]});
    } else if (top > solids.back().top) {
      solids.back().top = top;
      solids.back().shape = rows.id[k];
    }
  }
}

void add_column(NavMap& map, double slack, const std::vector<Solid>& solids) {
  const double highest = map.grid.highest() + slack, lowest = map.grid.lowest() - slack;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const Solid& s = solids[k];
    if (s.bottom > highest) break;
    if (s.top < lowest) continue;
    const double above = k + 1 < solids.size() ? solids[k + 1].bottom : double{infinity};
    map.bottom.push_back(narrowed(s.bottom));
    map.top.push_back(narrowed(s.top));
    map.headroom.push_back(s.top == infinity ? 0.0f : narrowed(above - s.top));
    map.shape.push_back(s.shape);
  }
  map.offsets.push_back(map.top.size());
}

}  // namespace

void find_spans(NavBake& bake) {
  NavMap& map = bake.map;
  const std::uint64_t columns = map.grid.columns();
  bake.require(columns * sizeof(std::uint64_t));
  map.offsets.reserve(columns + 1);
  map.offsets.push_back(0);
  const float start = ray_start(map.grid);
  std::vector<Vec3> origins(std::min(columns, columns_per_chunk));
  HitRows rows;
  std::vector<Solid> solids;
  for (std::uint64_t first = 0; first < columns; first += columns_per_chunk) {
    bake.tell("columns", first, columns);
    const std::uint64_t n = std::min(columns_per_chunk, columns - first);
    for (std::uint64_t i = 0; i < n; ++i) origins[i] = map.grid.at(first + i, start);
    RaysView rays;
    rays.count = n;
    rays.origin = Vec3Column::rows(origins.data());
    const Vec3 direction = upright(Vec3{0, 0, 1}, map.grid.up);
    rays.direction.x.common = direction.x;
    rays.direction.y.common = direction.y;
    rays.direction.z.common = direction.z;
    rays.mask.common = bake.options.mask;
    bake.caster.all_hits(rays, rows, {.t_out = true});
    for (std::uint64_t i = 0; i < n; ++i) {
      merge(rows, rows.offsets[i], rows.offsets[i + 1], start, bake.slack, solids);
      add_column(map, bake.slack, solids);
    }
    bake.require(rows.id.size() * 4 * sizeof(float));
  }
  bake.tell("columns", columns, columns);
}

}  // namespace sightline::detail
