// Columns: the solid parts of each vertical line, from all hits of an upward ray.
#include "host/bakes/nav/stages.hpp"

#include <sightline/geometry/base/lane.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::detail {
namespace {

constexpr std::uint64_t columns_per_chunk = 1 << 16;

/// The height at which the rays begin: not above the lowest height, and such that differences to
/// heights of few bits, as on lattices, are exact.
float ray_start(const NavGrid& grid) {
  const double low = grid.lowest(), high = grid.highest();
  const double size = std::max({high - low, std::abs(low), std::abs(high), 0x1p-60});
  const double step = std::ldexp(1.0, std::ilogb(size) - 12);
  return static_cast<float>(std::floor(low / step) * step);
}

struct SolidSpan {
  double bottom, top;
  std::uint32_t shape;
};

/// Merges the hits [begin, end) of a row, sorted by t, into spans with gaps between them.
void merge(const HitRows& rows, std::uint64_t begin, std::uint64_t end, double start, double slack,
           std::vector<SolidSpan>& solids) {
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

void add_column(NavMap& map, double slack, const std::vector<SolidSpan>& solids) {
  const double highest = map.grid.highest() + slack, lowest = map.grid.lowest() - slack;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const SolidSpan& s = solids[k];
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

/// Reserves room for so many more spans, one array at a time.
void make_room(NavBake& bake, std::uint64_t more) {
  NavMap& map = bake.map;
  const std::uint64_t needed = map.spans() + more;
  if (needed <= map.shape.capacity()) return;
  const std::uint64_t n = std::max(needed, map.spans() + map.spans() / 2);
  const auto reserve = [&](auto& column) {
    bake.require(n * sizeof column[0]);
    column.reserve(n);
  };
  reserve(map.bottom);
  reserve(map.top);
  reserve(map.headroom);
  reserve(map.shape);
}

/// Upward rays from the columns [first, first + n).
struct ColumnRays {
  std::vector<Vec3> origins;
  RaysView rays;

  ColumnRays(const NavBake& bake, float start, std::uint64_t first, std::uint64_t n) : origins(n) {
    const NavGrid& grid = bake.map.grid;
    for (std::uint64_t i = 0; i < n; ++i) origins[i] = grid.at(first + i, start);
    rays.origin = Vec3Column::rows(origins);
    const Vec3 direction = upright(Vec3{0, 0, 1}, grid.up);
    rays.direction = direction;
    rays.mask = bake.options.mask;
  }
};

/// How many of these columns have hits that fit into the remaining memory.
std::uint64_t fitting_columns(const NavBake& bake, const RaysView& rays) {
  if (!bake.is_limited()) return rays.size();
  const auto counts = bake.caster.count_hits(rays).counts;
  // Rows of hits exist up to seven times while they are found: an id, and where it begins and ends.
  // Per column an origin, an offset, a count and flags, up to three times.
  return bake.fitting(counts, 96, 7 * 12);
}

}  // namespace

void find_spans(NavBake& bake) {
  NavMap& map = bake.map;
  const std::uint64_t columns = map.grid.columns();
  bake.require((columns + 1) * sizeof(std::uint64_t));
  map.offsets.reserve(columns + 1);
  map.offsets.push_back(0);
  const float start = ray_start(map.grid);
  std::vector<SolidSpan> solids;
  for (std::uint64_t first = 0; first < columns;) {
    bake.report("columns", first, columns);
    ColumnRays chunk(bake, start, first, std::min(columns_per_chunk, columns - first));
    const std::uint64_t n = fitting_columns(bake, chunk.rays);
    const HitRows rows = bake.caster.all_hits(chunk.rays.slice(0, n), {.t_out = true});
    make_room(bake, rows.id.size());
    for (std::uint64_t i = 0; i < n; ++i) {
      merge(rows, rows.offsets[i], rows.offsets[i + 1], start, bake.slack, solids);
      add_column(map, bake.slack, solids);
    }
    first += n;
  }
  const auto fit = [](auto&... column) { (column.shrink_to_fit(), ...); };
  fit(map.bottom, map.top, map.headroom, map.shape);
  bake.require(0);
  bake.report("columns", columns, columns);
}

}  // namespace sightline::detail
