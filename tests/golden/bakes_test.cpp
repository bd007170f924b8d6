// The golden bytes of every bake: areas and their visible sets, exposure, probes, cover,
// navigation.
#include "host/files/formats/visible_sets.hpp"
#include "host/gen/scenes.hpp"
#include "tests/golden/reports.hpp"
#include "tests/golden/table.hpp"
#include "tests/support/random_fields.hpp"

#include <sightline/cover.hpp>
#include <sightline/visibility.hpp>

namespace sightline::testing {
namespace {

/// A ground with walls, steps, a bridge, a ramp, pillars and an island to jump to.
Scene level() {
  Scene s;
  s.add_aabb({{0, 0, -1}, {24, 24, 0}});
  s.add_aabb({{8, 0, 0}, {16, 9, 3}});
  s.add_aabb({{8, 12, 0}, {9, 24, 1.5f}});
  s.add_aabb({{16, 0, 0}, {18, 9, 2}});
  s.add_aabb({{18, 0, 0}, {19, 9, 0.8f}});
  s.add_aabb({{27, 4, -1}, {36, 20, 0.4f}});
  s.add_aabb({{2, 8, 2.6f}, {9, 10, 2.9f}});
  s.add_aabb({{20, 15, 0}, {22, 17, 1.1f}}, {.mask = 2});
  s.add_obb({{4, 13, 1}, {3, 1.2f, 0.2f}, {0, 0.25f, 0, 0.96824584f}});
  s.add_obb({{13, 18, 0.75f}, {2.5f, 0.3f, 1.75f}, {0, 0, 0.5f, 0.8660254f}});
  s.add_capsule({{4, 4, 0}, {4, 4, 3}, 0.4f});
  s.add_capsule({{20, 12, 0.5f}, {23, 13, 2.5f}, 0.3f}, {.mask = 5, .group = 1});
  s.add_sphere({{4, 18, 0}, 1.5f});
  s.add_sphere({{31, 12, 0}, 2}, {.group = 1});
  s.add_plane({{0, 0.6f, 0.8f}, -6});
  return s;
}

/// The level with y up.
Scene level_y_up() {
  Scene s;
  s.add_aabb({{0, -1, 0}, {20, 0, 20}});
  s.add_aabb({{8, 0, 2}, {11, 3, 12}});
  s.add_aabb({{11, 0, 2}, {13, 0.7f, 12}});
  s.add_obb({{4, 1, 14}, {3, 0.2f, 1.5f}, {0, 0, 0.25f, 0.96824584f}});
  s.add_capsule({{15, 0, 15}, {15, 4, 15}, 0.5f});
  return s;
}

/// Points at heights of people, in a grid; some lie in walls, one is bad.
std::vector<SightPoint> places() {
  std::vector<SightPoint> all;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 8; ++j) {
      all.push_back({{1.25f + 3 * static_cast<float>(i), 0.75f + 3 * static_cast<float>(j),
                      0.5f + 0.4f * static_cast<float>((i + j) % 4)},
                     (i + j) % 5 == 0 ? 4u : ~0u,
                     j % 4 == 1 ? 3u : none,
                     i % 4 == 1 ? 1u : none});
    }
  }
  all[50].position.y = infinity;
  return all;
}

Areas areas() {
  Areas all;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 4; ++j) {
      const float x = 7 * static_cast<float>(i), y = 6 * static_cast<float>(j);
      const Vec3 corners[] = {
          {x, y, 0.2f}, {x + 6, y, 0.2f}, {x + 6, y + 5, 0.2f}, {x, y + 5, 0.2f}};
      all.add(std::span(corners, i == j ? 3 : 4), 1.5f, static_cast<std::uint32_t>(j) * 3);
    }
  }
  return all;
}

Bytes bytes_of_visible_sets(const std::vector<AreaClass>& classes, std::uint64_t areas) {
  Bytes all;
  io::RowEncoder encoder(bit_words(areas));
  for (std::uint64_t i = 0; i < areas; ++i) {
    std::vector<std::uint64_t> row(bit_words(areas), 0);
    for (std::uint64_t j = 0; j < areas; ++j) {
      if (classes[i * areas + j] != AreaClass::hidden) row[j / 64] |= std::uint64_t{1} << j % 64;
    }
    const io::RowDifferences d = encoder.next(row);
    append(all, bytes_of(row, std::vector{d.reference}, d.id));
  }
  return all;
}

void bake_areas(const Caster& c, std::vector<GoldenRow>& rows) {
  const AreaSamples samples = sample_areas(areas(), 10);
  const std::uint64_t n = samples.size();
  rows.push_back({"level", "areas: samples", {hash_of(bytes_of(samples.offsets, samples.point))}});
  rows.push_back(row_of_policies("level", "areas: free samples", [&](Inside inside) {
    const AreaSamples free = free_samples(c, samples, inside);
    return bytes_of(free.offsets, free.point);
  }));
  rows.push_back(row_of_policies("level", "areas: visible pairs", [&](Inside inside) {
    std::vector<std::uint32_t> visible(n * n, 77);
    area_counts(c, samples, {}, {}, visible, {30, 0.01f, inside});
    return bytes_of(visible);
  }));
  std::vector<AreaClass> classes(n * n);
  const auto classify = [&](Inside inside) {
    area_classes(c, free_samples(c, samples, inside), {}, {}, classes, {30, 0.01f, inside});
    return bytes_of(classes);
  };
  rows.push_back(row_of_policies("level", "areas: classes", classify));
  rows.push_back(row_of_policies("level", "visible sets", [&](Inside inside) {
    classify(inside);
    return bytes_of_visible_sets(classes, n);
  }));
}

void bake_sight(const Caster& c, const std::string& scene, const std::vector<SightPoint>& from,
                const std::vector<SightPoint>& to, std::vector<GoldenRow>& rows) {
  const std::vector<Field> looks = random_fields(from, 3);
  const auto expose = [&](const std::optional<FieldsView>& fields, Inside inside) {
    std::vector<std::uint32_t> counts(to.size(), 77);
    const VisibilityReport report =
        exposure(c, rows_of(from), fields, rows_of(to), counts, {25, 0.01f, inside});
    return bytes_of(counts, numbers_of(report));
  };
  rows.push_back(row_of_policies(scene, "exposure",
                                 [&](Inside inside) { return expose(std::nullopt, inside); }));
  rows.push_back(row_of_policies(scene, "exposure in cones", [&](Inside inside) {
    return expose(rows_of(looks, FieldShape::cone), inside);
  }));
  rows.push_back(row_of_policies(scene, "probes", [&](Inside inside) {
    std::vector<float> distance(from.size() * 7 * 7, 77);
    const CastReport report = probe_distances(c, rows_of(from), 7, distance, {20, inside});
    return bytes_of(distance, numbers_of(report));
  }));
}

Bytes bytes_of_cover(const CoverRows& r) {
  return bytes_of(r.height, r.facing, r.distance, r.crouch, r.stand, r.left, r.right);
}
Bytes bytes_of_cover_at(const Caster& c, const std::vector<SightPoint>& points,
                        const CoverOptions& options) {
  CoverRows found;
  found.resize(points.size());
  const CoverReport report = cover(c, rows_of(points), found.view(), options);
  return bytes_of(bytes_of_cover(found), numbers_of(report));
}

Bytes bytes_of_map(const NavMap& m) {
  Bytes all = bytes_of(m.offsets, m.bottom, m.top, m.headroom, m.shape, m.slope_cosine, m.clearance,
                       m.border, m.flags, m.ledges, m.links, m.region, m.jumps.from, m.jumps.to,
                       m.jumps.spans, m.jumps.both_ways);
  for (const NavRegion& r : m.regions) {
    append(all, bytes_of(std::vector{r.spans}, std::vector{r.area}, std::vector{r.min, r.max}));
  }
  append(all, Numbers{m.grid.width, m.grid.depth});
  return all;
}

void bake_level(const Caster& c, std::vector<GoldenRow>& rows) {
  const auto add = [&](const char* query, const Bytes& bytes) {
    rows.push_back({"level", query, {hash_of(bytes)}});
  };
  NavOptions options;
  options.agent = {0.45f, 1.8f, 0.9f, 40};
  options.cell = 0.4f;
  options.jumps = {4, 1.2f, 3};
  const NavMap map = bake_nav(c, options);
  add("nav", bytes_of_map(map));
  add("nav: along walls", bytes_of(spans_along_walls(map)));
  const std::vector<SightPoint> from = {{{2, 2, 1}}, {{33, 8, 1}}};
  options.jumps = {}, options.from = rows_of(from), options.mask = 5, options.range = 2;
  options.bounds = {{1, 0, -0.5f}, {35, 22, 6}};
  add("nav, masked, from points", bytes_of_map(bake_nav(c, options)));
  CoverPlaceOptions thinned;
  thinned.spacing = 1.5f;
  const CoverPlaces found = find_cover_places(c, map, thinned);
  add("cover places", bytes_of(found.span, found.position, bytes_of_cover(found.cover),
                               Numbers{found.along_walls, found.covered}));
  add("cover", bytes_of_cover_at(c, places(), {.reach = 3, .lean = 0.8f, .view = 6}));
  add("cover of 8 directions",
      bytes_of_cover_at(c, places(), {.directions = 8, .at = 0.5f, .radius = 0.2f, .reach = 5}));
}

class GoldenBakes : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GoldenBakes, ::testing::ValuesIn(golden_backends()),
                         name_of_backend);

TEST_P(GoldenBakes, AreTheGoldenBytes) {
  std::vector<GoldenRow> rows;
  const Caster c = caster(level());
  const std::vector<SightPoint> some = places();
  bake_areas(c, rows);
  bake_sight(c, "level", some, some, rows);
  bake_level(c, rows);
  const Scene mixed = gen::make_scene(gen::SceneKind::mixed, 200, 9);
  bake_sight(caster(mixed), "mixed", random_points(mixed, 60, 1), random_points(mixed, 150, 2),
             rows);
  NavOptions y_up;
  y_up.up = UpAxis::y, y_up.cell = 0.5f;
  y_up.jumps.distance = 3;
  rows.push_back({"y up", "nav", {hash_of(bytes_of_map(bake_nav(caster(level_y_up()), y_up)))}});
  expect_golden("bakes", rows, GetParam());
}

}  // namespace
}  // namespace sightline::testing
