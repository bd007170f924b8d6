// What info tells of each kind of file.
#include "host/files/core/npy.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/results_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/formats/scene_tensors.hpp"
#include "host/program/checks/info.hpp"
#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/interrupt.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t chunk = 1 << 18;

/// Calls use(first, n) for consecutive pieces of [0, count).
template <class F>
void for_each_chunk(std::uint64_t count, std::uint64_t size, F use) {
  for (std::uint64_t first = 0; first < count; first += size) {
    poll_interrupt();
    use(first, std::min(size, count - first));
  }
}

struct Bounds {
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  /// NaN changes nothing.
  void add(const Vec3& p) {
    low = {min(p.x, low.x), min(p.y, low.y), min(p.z, low.z)};
    high = {max(p.x, high.x), max(p.y, high.y), max(p.z, high.z)};
  }
};

std::string share(std::uint64_t part, std::uint64_t whole) {
  const auto n = static_cast<double>(std::max<std::uint64_t>(whole, 1));
  return fmt::format("{} of {} ({:.2f}%)", part, whole, 100 * static_cast<double>(part) / n);
}

void tell_hits(const Facts& facts, const io::ResultReader& result) {
  const bool moving = result.parameters().kind == io::ResultKind::sweep;
  const std::uint64_t rays = result.parameters().hits();
  std::uint64_t hits = 0, bad = 0;
  io::HitsBuffer buffer;
  for_each_chunk(rays, chunk, [&](std::uint64_t first, std::uint64_t n) {
    result.read_hits(first, n, buffer);
    for (const std::uint8_t flags : buffer.flags) {
      hits += (flags & hit_flags::hit) != 0 ? 1u : 0u;
      bad += (flags & hit_flags::bad_ray) != 0 ? 1u : 0u;
    }
  });
  facts.job().set("/counts/hits", hits);
  facts.line("hits", share(hits, rays));
  const char* const bad_words = moving                     ? "bad directions"
                                : result.parameters().flat ? "bad segments"
                                                           : "bad rays";
  facts.add(moving ? "/counts/bad_directions" : "/counts/bad_rays", bad_words, bad);
}

void tell_blocked(const Facts& facts, const io::ResultReader& result) {
  std::uint64_t blocked = 0;
  std::vector<std::uint64_t> words;
  for_each_chunk(result.parameters().row_words(), chunk, [&](std::uint64_t first, std::uint64_t n) {
    words.resize(n);
    result.read_blocked(first, words);
    blocked += count_bits(words);
  });
  facts.job().set("/counts/blocked", blocked);
  facts.line("blocked", share(blocked, result.parameters().rays));
}

void tell_bits(const Facts& facts, const io::ResultReader& result) {
  const io::ResultParameters& p = result.parameters();
  std::uint64_t visible = 0;
  std::vector<std::uint64_t> words(std::min(chunk, p.row_words()));
  // Rows of no words take no bytes: a file may claim any number of them.
  const std::uint64_t rows = words.empty() ? 0 : p.viewpoints;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for_each_chunk(p.row_words(), chunk, [&](std::uint64_t first, std::uint64_t n) {
      result.read_bits(row, 1, first, n, words.data(), n);
      visible += count_bits(std::span(words).first(n));
    });
  }
  facts.add("/counts/viewpoints", "viewpoints", p.viewpoints);
  facts.add("/counts/targets", "targets", p.targets);
  facts.job().set("/counts/visible", visible);
  facts.line("visible pairs", share(visible, p.viewpoints * p.targets));
}

void tell_overlaps(const Facts& facts, const io::ResultReader& result) {
  const io::ResultParameters& p = result.parameters();
  facts.add("/counts/asking", p.flat ? "circles" : "shapes that ask", p.asking);
  std::uint64_t overlapping = 0, pairs = p.pairs;
  if (p.kind == io::ResultKind::overlap_any) {
    std::vector<std::uint64_t> words;
    for_each_chunk(p.row_words(), chunk, [&](std::uint64_t first, std::uint64_t n) {
      words.resize(n);
      result.read_overlap_bits(first, words);
      overlapping += count_bits(words);
    });
  } else if (p.kind == io::ResultKind::overlap_count) {
    std::vector<std::uint32_t> counts;
    for_each_chunk(p.asking, chunk, [&](std::uint64_t first, std::uint64_t n) {
      counts.resize(n);
      result.read_counts(first, counts);
      for (const std::uint32_t count : counts) overlapping += count > 0, pairs += count;
    });
  } else {
    std::vector<std::uint64_t> offsets;
    for_each_chunk(p.asking, chunk, [&](std::uint64_t first, std::uint64_t n) {
      offsets.resize(n + 1);
      result.read_offsets(first, offsets);
      for (std::uint64_t i = 0; i < n; ++i) overlapping += offsets[i + 1] != offsets[i];
    });
  }
  facts.job().set("/counts/overlapping", overlapping);
  facts.line("overlap something", share(overlapping, p.asking));
  if (p.kind != io::ResultKind::overlap_any) facts.add("/counts/pairs", "pairs", pairs);
}

void tell_near(const Facts& facts, const io::ResultReader& result) {
  const io::ResultParameters& p = result.parameters();
  std::uint64_t found = 0, with_any = 0;
  io::NearBuffer rows;
  for_each_chunk(p.points, std::max<std::uint64_t>(1, chunk / p.k),
                 [&](std::uint64_t first, std::uint64_t n) {
                   result.read_near(first, n, rows);
                   for (std::uint64_t i = 0; i < n * p.k; ++i) {
                     found += rows.id[i] != none;
                     with_any += i % p.k == 0 && rows.id[i] != none;
                   }
                 });
  facts.add("/counts/points", p.kind == io::ResultKind::distance ? "points" : "segments", p.points);
  facts.add("/query/k", "shapes for each", std::uint64_t{p.k});
  facts.add("/query/range", "range", fmt::format("{}", p.range));
  facts.job().set("/counts/found", found);
  facts.job().set("/counts/with_any", with_any);
  facts.line("with a shape in range", share(with_any, p.points));
}

void tell_hit_rows(const Facts& facts, const io::ResultReader& result) {
  const io::ResultParameters& p = result.parameters();
  const bool rows = p.kind == io::ResultKind::all_hits;
  std::uint64_t hitting = 0, hits = 0, bad = 0, overflowing = 0;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint8_t> flags;
  for_each_chunk(p.rays, chunk, [&](std::uint64_t first, std::uint64_t n) {
    counts.resize(n);
    result.read_counts(first, counts);
    for (const std::uint32_t count : counts) hitting += count > 0, hits += count;
    flags.resize(rows ? n : 0);
    if (rows) result.read_row_flags(first, flags);
    for (const std::uint8_t f : flags) {
      bad += (f & hit_flags::bad_ray) != 0 ? 1u : 0u;
      overflowing += (f & hit_flags::overflow) != 0 ? 1u : 0u;
    }
  });
  facts.job().set("/counts/hitting", hitting);
  facts.line("rays that hit", share(hitting, p.rays));
  facts.add("/counts/hits", "hits", hits);
  if (!rows) return;
  facts.add("/counts/kept", "hits kept", p.kept);
  facts.add("/counts/overflowing", "rows cut short", overflowing);
  facts.add("/counts/bad_rays", "bad rays", bad);
}

}  // namespace

void tell_scene(const Facts& facts, const std::string& file) {
  const Scene scene = io::read_scene(file);
  facts.add("/scene/shapes", "shapes", scene.size());
  for (int k = 0; k < kind_count; ++k) {
    const auto kind = static_cast<Kind>(k);
    const std::string name(io::kind_name(kind));
    facts.job().set("/scene/" + name, std::uint64_t{scene.count(kind)});
    if (scene.count(kind) > 0) facts.line("  " + name, fmt::format("{}", scene.count(kind)));
  }
  const Aabb bounds = scene.bounds();
  if (bounds.min.x <= bounds.max.x) facts.add_bounds(bounds.min, bounds.max);
  facts.add("/scene/hash", "hash", io::scene_hash(scene));
}

void tell_flat_scene(const Facts& facts, const std::string& file) {
  const FlatScene set = io::read_flat_scene(file);
  facts.add("/scene/shapes", "shapes", set.size());
  for (int k = 0; k < flat_kind_count; ++k) {
    const auto kind = static_cast<FlatKind>(k);
    const std::string name(io::kind_name(kind));
    facts.job().set("/scene/" + name, std::uint64_t{set.count(kind)});
    if (set.count(kind) > 0) facts.line("  " + name, fmt::format("{}", set.count(kind)));
  }
  const Aabb2 bounds = set.bounds();
  if (bounds.min.x <= bounds.max.x) {
    facts.line("bounds", fmt::format("({}, {}) to ({}, {})", bounds.min.x, bounds.min.y,
                                     bounds.max.x, bounds.max.y));
  }
  facts.add("/scene/hash", "hash", io::flat_hash(set));
}

void tell_rays(const Facts& facts, const std::string& file) {
  const io::RaysSource rays(file);
  Bounds origins;
  io::RayBuffer buffer;
  for_each_chunk(rays.count(), chunk, [&](std::uint64_t first, std::uint64_t n) {
    const RaysView view = rays.read(first, n, buffer);
    for (std::uint64_t i = 0; i < n; ++i) origins.add(view.origin[i]);
  });
  facts.add("/counts/rays", "rays", rays.count());
  const io::RayColumns& c = rays.columns();
  std::string columns = "origin direction";
  if (c.t_min) columns += " t_min";
  if (c.t_max) columns += " t_max";
  if (c.mask) columns += " mask";
  if (c.exclude) columns += " exclude";
  if (c.exclude_group) columns += " exclude_group";
  if (c.radius) columns += " radius";
  facts.add("/rays/columns", "columns", columns);
  if (rays.count() > 0) facts.add_bounds(origins.low, origins.high);
  facts.add("/rays/hash", "hash", rays.hash());
}

void tell_points(const Facts& facts, const std::string& file) {
  const io::Points points = io::read_points(file);
  const PointsView view = points.view();
  Bounds bounds;
  for (std::uint64_t i = 0; i < view.count; ++i) bounds.add(view.position[i]);
  facts.add("/counts/points", "points", points.count());
  if (points.count() > 0) facts.add_bounds(bounds.low, bounds.high);
  facts.add("/points/hash", "hash", io::points_hash(points));
  if (points.fields.empty()) return;
  facts.add("/fields/hash", "fields of view", io::fields_hash(points.fields, points.count()));
}

void tell_array(const Facts& facts, const std::string& file) {
  const io::NpyReader array(file);
  facts.add("/array/dtype", "dtype", std::string(io::dtype_name(array.dtype())));
  facts.add("/array/shape", "shape", io::to_string(array.shape()));
  if (array.dtype() == io::Dtype::f32 && io::matches(array.shape(), {io::any_size, 3})) {
    facts.add("/file/kind", "holds", std::string("points (or origins, or directions)"));
    tell_points(facts, file);
  } else {
    facts.add("/file/kind", "holds", std::string("an array"));
  }
}

void tell_nav_map(const Facts& facts, const std::string& file) {
  const NavMap map = io::read_nav(file);
  std::uint64_t walkable = 0;
  for (const std::uint8_t flags : map.flags) walkable += (flags & nav_flags::walkable) != 0;
  facts.add("/counts/columns", "columns", map.grid.columns());
  facts.add("/counts/spans", "spans", map.spans());
  facts.add("/counts/walkable", "walkable", walkable);
  facts.add("/counts/regions", "regions", std::uint64_t{map.regions.size()});
}

void tell_result(const Facts& facts, const std::string& file) {
  const io::ResultReader result(file);
  switch (result.parameters().kind) {
    case io::ResultKind::hits:
    case io::ResultKind::sweep:
      return tell_hits(facts, result);
    case io::ResultKind::blocked:
      return tell_blocked(facts, result);
    case io::ResultKind::hit_counts:
    case io::ResultKind::all_hits:
      return tell_hit_rows(facts, result);
    case io::ResultKind::visibility:
      return tell_bits(facts, result);
    case io::ResultKind::overlap_any:
    case io::ResultKind::overlap_count:
    case io::ResultKind::overlap_all:
      return tell_overlaps(facts, result);
    case io::ResultKind::distance:
    case io::ResultKind::clearance:
      return tell_near(facts, result);
  }
}

}  // namespace sightline::cli
