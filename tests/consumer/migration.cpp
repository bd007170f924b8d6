// The 0.3 columns of docs/project/migration-0.3.md, line by line: .ci/check_docs.py compares them
// with the page.
#include <sightline/sightline.hpp>

#include <cstdio>
#include <vector>

using namespace sightline;

namespace {

constexpr std::uint64_t n = 3;
const std::vector<Vec3> origins = {{0, 0, 0}, {0, 5, 0}, {0, 0, 1}},
                        directions = {{1, 0, 0}, {1, 0, 0}, {2, 0, 0}}, eyes = origins,
                        goals = {{9, 0, 0}, {0, 6, 0}, {9, 0, 0}}, moves = directions;
const std::vector<Vec2> centers = {{0, 0}, {4, 0}, {9, 9}}, ends = {{9, 0}, {4, 1}, {9, 8}};
const std::vector<float> radii = {0, 0.5f, 0.25f};

Scene wall() {
  Scene scene;
  scene.add_aabb({{4, -1, -2}, {5, 1, 2}});
  return scene;
}
Scene three_spheres() {
  Scene agents;
  for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{-3, 0, 0}}) agents.add_sphere({at, 1});
  return agents;
}
FlatScene square() {
  FlatScene flat;
  flat.add_aabb({{3, -1}, {5, 1}});
  return flat;
}

int wrong = 0;
void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++wrong;
}

const AreaSamples samples{{0, 1, 2}, {{0, 0, 0}, {9, 0, 0}}};

void build(const Scene& scene, const FlatScene& flat, Backend backend) {
  Caster a(scene);
  Caster b(scene, CpuOptions{.threads = 2, .lanes = Lanes::portable});
  Caster c(scene, ReferenceOptions{});
  const auto on_a_device = [&] {
    Caster d(
        scene,
        CudaOptions{
            .device = 0, .search = Search::tree, .tree = TreeBuild::careful, .chunk = 1 << 20});
  };
  if (cuda_devices().problem.empty()) on_a_device();
  Caster e(scene, AutomaticOptions{.cpu = {.threads = 2}});
  Caster f(scene, default_options(backend));
  FlatCaster g(flat, CpuOptions{.threads = 2});
  expect(c.backend() == Backend::reference && f.backend() == backend, "backends");
  expect(g.backend() == Backend::cpu, "backends in 2D");
}

void own(const Caster& caster, const FlatCaster& squares, const Scene& agents) {
  RaysView rays{origins, directions};
  PointsView points = eyes;
  CirclesView circles{centers, 0.5f};
  SegmentsView segments{centers, centers};
  expect(rays.size() == n && points.size() == n, "sizes");
  expect(circles.size() == n && segments.size() == n, "sizes in 2D");
  FieldsView fields;
  const Hits hits = caster.closest_hit({origins, directions}, {.normals = true});
  expect(hits.t[0] == 4 && hits.id[1] == none && hits.normal[2].x == -1, "closest_hit");
  expect(hits.report.hits == 2 && hits.size() == n, "its report");
  const Bits blocked = caster.any_hit({origins, directions});
  expect(blocked[0] && !blocked[1] && blocked[2], "any_hit");
  const Hits thick =
      caster.closest_hit({.origin = origins, .direction = directions, .radius = 0.5f});
  expect(thick.t[0] == 3.5f, "thick rays");
  const Bits touched =
      caster.any_hit({.origin = origins, .direction = directions, .radius = radii});
  expect(touched.report.hits == 2, "any_hit of thick rays");
  const Counts many = caster.count_hits(rays);
  expect(many[0] == 1 && many[1] == 0, "count_hits");
  const HitRows rows = caster.all_hits(rays, {.first = 2});
  expect(rows.size() == n && rows.report.kept == 2, "all_hits");
  const Hits swept = caster.sweep(agents, moves, {.of = {0, 3}});
  expect(swept.t[0] == 3 && swept.normal[0].x == -1, "sweep");
  const BitMatrix seen = caster.visibility(eyes);
  expect(seen(0, 1) && seen.rows() == n, "visibility");
  const BitMatrix near = caster.visibility(eyes, eyes, {.range = 9});
  expect(near.words == seen.words, "visibility of two sets");
  const BitMatrix watched = caster.visibility(eyes, fields, eyes);
  expect(watched.report.in_field == n * n, "visibility in fields");
  const Bits met = caster.visibility_pairs(eyes, goals);
  expect(!met[0] && met[1], "visibility_pairs");
  const Bits collides = caster.overlap_any(agents);
  expect(!collides[0] && collides[1], "overlap_any");
  const Bits first = caster.overlap_any(agents, {.of = {0, 2}});
  expect(first.size() == 2 && first[1], "overlap_any of a range");
  const Bits bodies = caster.overlap_any(agents, {.of = {0, 2}, .shapes_per_body = 2});
  expect(bodies.size() == 1 && bodies[0], "overlap_any of bodies");
  const Counts overlaps = caster.overlap_count(agents, {.of = {0, 3}});
  expect(overlaps[1] == 1, "overlap_count");
  const OverlapRows all = caster.overlap_all(agents, {.of = {0, 3}});
  expect(all.row(1).size() == 1 && all.report.pairs == 1, "overlap_all");
  const NearestRows nearest = caster.nearest(eyes, {.k = 1});
  expect(nearest.distance[0] == 4 && nearest.point[0].x == 4, "nearest");
  const ClearanceRows clear = caster.clearance(eyes, goals);
  expect(clear.distance[0] == 0 && clear.size() == n, "clearance");
  const Counts exposed = exposure(caster, eyes, {}, goals);
  expect(exposed.report.pairs == n * n, "exposure");
  const ProbeDistances probes = probe_distances(caster, eyes, 2);
  expect(probes.distance.size() == 12, "probe_distances");
  const AreaCounts seen_pairs = area_counts(caster, samples);
  expect(seen_pairs(0, 0) == 1 && seen_pairs(0, 1) == 0, "area_counts");
  const AreaClasses areas = area_classes(caster, samples);
  expect(areas(1, 1) == AreaClass::fully && areas(1, 0) == AreaClass::hidden, "area_classes");
  const CoverRows safe = cover(caster, eyes);
  expect(safe.report.points == n, "cover");
  const Bits any = squares.overlap_any({centers, 0.5f});
  expect(any[1] && !any[2], "overlap_any in 2D");
  const Counts some = squares.overlap_count({centers, 0.5f});
  expect(some[1] == 1, "overlap_count in 2D");
  const OverlapRows flat_rows = squares.overlap_all({centers, 0.5f});
  expect(flat_rows.ids.size() == 1, "overlap_all in 2D");
  const Hits crossed = squares.cast({centers, ends}, Inside::ignore);
  expect(crossed.id[0] == 0 && crossed.id[1] == none, "cast");
}

void fill(const Caster& caster, const FlatCaster& squares, const Scene& agents) {
  const RaysView rays{origins, directions};
  const FieldsView fields;
  std::vector<float> t(n), distance(n), far(n * 4);
  std::vector<std::uint32_t> id(n), counts(n), pairs(4);
  std::vector<AreaClass> kinds(4);
  std::vector<Vec3> normal(n);
  std::vector<std::uint64_t> words(n);
  const std::span<std::uint64_t> matrix = words;
  CoverRows room;
  room.resize(n);
  {
    const std::span<std::uint64_t> bits = matrix;
    caster.visibility(eyes, bits);
    caster.visibility(eyes, eyes, bits, {.range = 9});
    caster.visibility(eyes, fields, eyes, bits);
    expect(words[0] == 7, "visibility into words");
  }
  const std::span<std::uint64_t> bits = matrix.first(1);
  caster.closest_hit({origins, directions}, {t, id, {}, normal});
  expect(t[0] == 4 && normal[0].x == -1, "closest_hit into arrays");
  caster.any_hit({origins, directions}, bits);
  expect(bits[0] == 5, "any_hit into bits");
  caster.closest_hit({.origin = origins, .direction = directions, .radius = radii}, {.t = t});
  expect(t[2] == 1.875f, "thick rays into arrays");
  caster.any_hit({.origin = origins, .direction = directions, .radius = radii}, bits);
  caster.count_hits(rays, counts);
  expect(counts[0] == 1, "count_hits into counts");
  caster.sweep(agents, moves, {.t = t}, {.of = {0, 3}});
  expect(t[0] == 3, "sweep into arrays");
  caster.visibility_pairs(eyes, goals, bits);
  expect(bits[0] == 2 || bits[0] == 6, "pairs into bits");
  caster.overlap_any(agents, bits);
  expect(bits[0] == 2, "overlap_any into bits");
  caster.overlap_any(agents, bits, {.of = {0, 2}});
  caster.overlap_any(agents, bits, {.of = {0, 2}, .shapes_per_body = 2});
  expect(bits[0] == 1, "bodies into bits");
  caster.overlap_count(agents, counts, {.of = {0, 3}});
  caster.nearest(eyes, {distance, id}, {.k = 1});
  expect(distance[0] == 4, "nearest into arrays");
  caster.clearance(eyes, goals, {distance, id});
  exposure(caster, eyes, {}, goals, counts);
  probe_distances(caster, eyes, 2, far);
  area_counts(caster, samples, {}, {}, pairs);
  expect(pairs[3] == 1 && pairs[1] == 0, "area_counts into counts");
  area_classes(caster, samples, {}, {}, kinds);
  expect(kinds[2] == AreaClass::hidden, "area_classes into classes");
  cover(caster, eyes, room.view());
  squares.overlap_any({centers, 0.5f}, bits);
  squares.overlap_count({centers, 0.5f}, counts);
  squares.cast({centers, ends}, {.t = t, .id = id}, Inside::ignore);
  expect(t[0] == 1.0f / 3, "cast into arrays");
}

}  // namespace

int main() {
  build(wall(), square(), Backend::cpu);
  const Caster caster(wall(), CpuOptions{.threads = 1});
  const FlatCaster squares(square(), CpuOptions{.threads = 1});
  own(caster, squares, three_spheres());
  fill(caster, squares, three_spheres());
  return wrong == 0 ? 0 : 1;
}
