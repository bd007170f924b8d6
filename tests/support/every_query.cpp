#include "tests/support/every_query.hpp"

#include "tests/host/door/near_rows.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/flat_sets.hpp"
#include "tests/support/random_fields.hpp"
#include "tests/support/random_queries.hpp"
#include "tests/support/sweeps.hpp"

#include <sightline/nav.hpp>
#include <sightline/visibility.hpp>

namespace sightline::testing {
namespace {

/// Words that no answer leaves as they are.
std::vector<std::uint64_t> words_for(std::uint64_t rows, std::uint64_t columns) {
  return std::vector<std::uint64_t>(rows * bit_words(columns), 0xA5A5A5A5A5A5A5A5u);
}
Inside policy_of(std::uint64_t seed) { return every_policy[seed % 3]; }
Side side_of(std::uint64_t seed) { return every_side[seed / 3 % 3]; }
VisibilityOptions sight_options(std::uint64_t seed) { return {infinity, 0.01f, policy_of(seed)}; }

Bytes rays(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const std::vector<Ray> asked = trouble(c.scene(), n, seed);
  const CastOptions options{policy_of(seed), false, side_of(seed)};
  Answers a(n);
  const CastReport closest = c.closest_hit(rows_of(asked), a.view(), options);
  const CastReport any = c.any_hit(rows_of(asked), a.blocked, options);
  return bytes_of(closest, any, a.t, a.id, a.flags, a.normal, a.blocked);
}

Bytes thick_rays(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const std::vector<Ray> asked = trouble(c.scene(), n, seed);
  const std::vector<float> radii = random_radii(c.scene(), n, seed + 1);
  const Inside inside = policy_of(seed);
  Answers a(n);
  const CastReport closest = c.closest_hit(thick_rows_of(asked, radii), a.view(), {inside, false});
  const CastReport any = c.any_hit(thick_rows_of(asked, radii), a.blocked, {inside, false});
  return bytes_of(closest, any, a.t, a.id, a.flags, a.normal, a.blocked);
}

Bytes sweeps(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const RandomMovers movers(c.scene(), n, seed);
  Answers a(n);
  const SweepOptions options{policy_of(seed), false, seed % 2 == 0 ? infinity : 1.5f};
  const CastReport report = c.sweep(movers.scene, movers.directions, a.view(), options);
  return bytes_of(report, a.t, a.id, a.flags, a.normal);
}

Bytes all_hits(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const std::vector<Ray> asked = random_rays(c.scene(), n, seed);
  std::vector<std::uint32_t> counts(n, 77);
  c.count_hits(rows_of(asked), counts, {Inside::solid, false, side_of(seed)});
  const HitRows all = c.all_hits(rows_of(asked), {Inside::surface, false, none, true});
  const HitRows some = c.all_hits(rows_of(asked), {Inside::solid, false, 2, false, side_of(seed)});
  Bytes bytes = bytes_of(counts);
  for (const HitRows& r : {all, some}) {
    const Bytes more = bytes_of(r.offsets, r.id, r.t, r.t_out, r.count, r.flags);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

Bytes winding(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  std::vector<std::int32_t> numbers(n, 77);
  const WindingReport report = c.winding(rows_of(random_points(c.scene(), n, seed)), numbers);
  return bytes_of(report, numbers);
}

/// A matrix, a set against itself, and pairs.
Bytes visibility(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const std::uint64_t fewer = n - n / 5;
  const auto from = random_points(c.scene(), n, seed), to = random_points(c.scene(), n, seed + 1);
  const VisibilityOptions o = sight_options(seed);
  auto matrix = words_for(fewer, n), self = words_for(n, n), pairs = words_for(1, n);
  const VisibilityReport all = c.visibility(rows_of(from).slice(0, fewer), rows_of(to), matrix, o);
  const VisibilityReport own = c.visibility(rows_of(to), self, o);
  const VisibilityReport each = c.visibility_pairs(rows_of(from), rows_of(to), pairs, o);
  return bytes_of(all, own, each, matrix, self, pairs);
}

Bytes fields(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const auto from = random_points(c.scene(), n, seed), to = random_points(c.scene(), n, seed + 1);
  const std::vector<Field> looks = random_fields(from, seed + 2);
  auto bits = words_for(n, n);
  const FieldsView view = rows_of(looks, every_field_shape[seed % 3]);
  const VisibilityReport report =
      c.visibility(rows_of(from), view, rows_of(to), bits, sight_options(seed));
  return bytes_of(report, bits);
}

Bytes overlaps(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const Scene asked = query_scene_with_triangles(c.scene(), static_cast<int>(n), seed);
  const auto bodies = static_cast<std::uint32_t>(n / 3);
  auto bits = words_for(1, n), of_bodies = words_for(1, bodies);
  std::vector<std::uint32_t> counts(n, 77);
  const OverlapReport any = c.overlap_any(asked, bits), count = c.overlap_count(asked, counts);
  const OverlapReport three = c.overlap_any(asked, of_bodies, {{0, 3 * bodies}, 3});
  const OverlapRows all = c.overlap_all(asked);
  return bytes_of(any, count, three, bits, of_bodies, counts, all.offsets, all.ids);
}

template <class Queries>
Bytes near(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const NearestOptions options{static_cast<std::uint32_t>(1 + seed % 3 * 2),
                               seed % 2 == 0 ? infinity : 4.0f};
  const NearFound f = found_by(c, Queries(c.scene(), n, seed), options);
  return bytes_of(f.report, f.distance, f.t, f.id, f.point, f.direction);
}

Bytes flat(const Caster&, const CasterOptions& options, std::uint64_t n, std::uint64_t seed) {
  const FlatCase asked = flat_case(every_flat_family[seed % 4], 90, static_cast<int>(n), seed);
  const FlatAnswers a(FlatCaster(asked.scene, options), asked, policy_of(seed));
  return bytes_of(a.any, a.count, a.all, a.cast, a.bits, a.counts, a.rows.offsets, a.rows.ids, a.t,
                  a.id, a.flags);
}

/// Exposure of points, and a map for navigation of 48 columns.
Bytes bakes(const Caster& c, const CasterOptions&, std::uint64_t n, std::uint64_t seed) {
  const auto from = random_points(c.scene(), n, seed), to = random_points(c.scene(), n, seed + 1);
  std::vector<std::uint32_t> counts(n, 77);
  const VisibilityReport report =
      exposure(c, rows_of(from), {}, rows_of(to), counts, sight_options(seed));
  NavOptions options;
  options.cell = 1;
  options.bounds = {{0, 0, -1}, {8, 6, 4}};
  const NavMap map = bake_nav(c, options);
  return bytes_of(report, counts, map.offsets, map.bottom, map.top, map.headroom, map.shape,
                  map.clearance, map.border, map.flags, map.region);
}

constexpr EveryQuery table[] = {
    {"rays", false, rays},
    {"thick rays", false, thick_rays, true, false},
    {"sweeps", false, sweeps, true, false},
    {"all hits", false, all_hits},
    {"winding", false, winding},
    {"visibility", true, visibility},
    {"fields", true, fields},
    {"overlaps", false, overlaps, true, false},
    {"nearest", false, near<QueryPoints>, true, false},
    {"clearance", false, near<QuerySegments>, true, false},
    {"2D", false, flat},
    {"bakes", true, bakes, false, false},
};

}  // namespace

std::span<const EveryQuery> every_query() { return table; }

}  // namespace sightline::testing
