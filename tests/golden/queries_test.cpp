// The golden answers to every query in 3D: each policy, with and without masks and exclusions.
#include "tests/golden/questions.hpp"
#include "tests/golden/reports.hpp"
#include "tests/golden/table.hpp"

namespace sightline::testing {
namespace {

/// Words that no answer leaves as they are.
std::vector<std::uint64_t> words_for(std::uint64_t rows, std::uint64_t columns) {
  return std::vector<std::uint64_t>(rows * bit_words(columns), 0xA5A5A5A5A5A5A5A5u);
}
VisibilityOptions sight_options(Inside inside) { return {infinity, 0.01f, inside}; }

Bytes bytes_of_hits(const Answers& a, const CastReport& report) {
  return bytes_of(a.t, a.id, a.flags, a.normal, numbers_of(report));
}

Bytes closest(const Caster& c, const Questions& q, Inside inside) {
  Answers a(q.rays.size());
  const CastReport report = c.closest_hit(rows_of(q.rays), a.view(), {inside, false});
  return bytes_of_hits(a, report);
}
Bytes one_by_one(const Caster& c, const Questions& q, Inside inside) {
  Bytes all;
  for (std::size_t i = 0; i < q.rays.size(); i += 5) {
    const Hit hit = c.closest_hit(q.rays[i], {inside, false});
    append(all, bytes_of(std::vector{hit.t}, std::vector{hit.id}, std::vector{hit.flags},
                         std::vector{hit.normal}));
    all.push_back(static_cast<std::byte>(c.any_hit(q.rays[i], {inside, false})));
  }
  return all;
}
Bytes any(const Caster& c, const Questions& q, Inside inside) {
  auto blocked = words_for(1, q.rays.size());
  const CastReport report = c.any_hit(rows_of(q.rays), blocked, {inside, false});
  return bytes_of(blocked, numbers_of(report));
}
Bytes thick_closest(const Caster& c, const Questions& q, Inside inside) {
  Answers a(q.rays.size());
  return bytes_of_hits(a, c.closest_hit(thick_rows_of(q.rays, q.radii), a.view(), {inside, false}));
}
Bytes thick_any(const Caster& c, const Questions& q, Inside inside) {
  auto blocked = words_for(1, q.rays.size());
  const CastReport report = c.any_hit(thick_rows_of(q.rays, q.radii), blocked, {inside, false});
  return bytes_of(blocked, numbers_of(report));
}
Bytes sweep(const Caster& c, const Questions& q, Inside inside) {
  Answers a(q.movers.directions.size());
  return bytes_of_hits(a,
                       c.sweep(q.movers.scene, q.movers.directions, a.view(), {inside, false, 40}));
}

Bytes count_hits(const Caster& c, const Questions& q, Inside inside) {
  std::vector<std::uint32_t> counts(q.rays.size(), 77);
  const HitRowsReport report = c.count_hits(rows_of(q.rays), counts, {inside, false});
  return bytes_of(counts, numbers_of(report));
}
template <std::uint32_t First>
Bytes all_hits(const Caster& c, const Questions& q, Inside inside) {
  const HitRows r = c.all_hits(rows_of(q.rays), {inside, false, First, First == none});
  return bytes_of(r.offsets, r.id, r.t, r.t_out, r.count, r.flags, numbers_of(r.report));
}

Bytes matrix(const Caster& c, const Questions& q, Inside inside) {
  auto bits = words_for(q.from.size(), q.to.size());
  const VisibilityReport report =
      c.visibility(rows_of(q.from), rows_of(q.to), bits, sight_options(inside));
  return bytes_of(bits, numbers_of(report));
}
Bytes self(const Caster& c, const Questions& q, Inside inside) {
  auto bits = words_for(q.from.size(), q.from.size());
  const VisibilityReport report = c.visibility(rows_of(q.from), bits, {15, 0, inside});
  return bytes_of(bits, numbers_of(report));
}
Bytes pairs(const Caster& c, const Questions& q, Inside inside) {
  const PointPairsView ends = q.segments.view();
  auto bits = words_for(1, ends.from.size());
  const VisibilityReport report =
      c.visibility_pairs(ends.from, ends.to, bits, sight_options(inside));
  return bytes_of(bits, numbers_of(report));
}
template <FieldShape Shape>
Bytes fields(const Caster& c, const Questions& q, Inside inside) {
  auto bits = words_for(q.from.size(), q.to.size());
  const VisibilityReport report = c.visibility(rows_of(q.from), rows_of(q.fields, Shape),
                                               rows_of(q.to), bits, sight_options(inside));
  return bytes_of(bits, numbers_of(report));
}

Bytes any_of(const Caster& c, const Scene& shapes, std::uint32_t body) {
  auto bits = words_for(1, shapes.size() / body);
  const OverlapReport report = c.overlap_any(shapes, bits, {.shapes_per_body = body});
  return bytes_of(bits, numbers_of(report));
}
Bytes count_of(const Caster& c, const Scene& shapes) {
  std::vector<std::uint32_t> counts(shapes.size(), 77);
  const OverlapReport report = c.overlap_count(shapes, counts);
  return bytes_of(counts, numbers_of(report));
}
template <std::uint32_t Body>
Bytes overlap_any(const Caster& c, const Questions& q) {
  return any_of(c, q.shapes, Body);
}
template <std::uint32_t Body>
Bytes overlap_any_of_spheres(const Caster& c, const Questions& q) {
  return any_of(c, q.spheres, Body);
}
Bytes overlap_count(const Caster& c, const Questions& q) { return count_of(c, q.shapes); }
Bytes overlap_count_of_spheres(const Caster& c, const Questions& q) {
  return count_of(c, q.spheres);
}
Bytes overlap_all(const Caster& c, const Questions& q) {
  const OverlapRows rows = c.overlap_all(q.shapes);
  const OverlapRows some = c.overlap_all(q.shapes, {.of = {3, 20}});
  return bytes_of(rows.offsets, rows.ids, some.offsets, some.ids);
}

/// Corners at places that are asked about, of which some are bad.
Bytes overlap_all_of_triangles(const Caster& c, const Questions& q) {
  Scene triangles;
  for (std::size_t i = 0; i + 2 < q.from.size(); ++i) {
    const Triangle t = {q.from[i].position, q.from[i + 1].position, q.from[i + 2].position};
    if (!in_domain(t.a) || !in_domain(t.b) || !in_domain(t.c)) continue;
    Attributes a;
    a.mask = q.from[i].mask;
    triangles.add_triangle(t, a);
    triangles.add_triangle({t.a, t.b, t.b}, a);
    triangles.add_triangle({t.a, t.a, t.a}, a);
  }
  const OverlapRows rows = c.overlap_all(triangles);
  return bytes_of(rows.offsets, rows.ids, any_of(c, triangles, 1), any_of(c, triangles, 3),
                  count_of(c, triangles));
}
/// Meshes touch themselves at every edge and corner.
Bytes overlap_all_of_itself(const Caster& c, const Questions& q) {
  const OverlapRows rows = c.overlap_all(
      q.scene, {.of = {0, q.scene.id(Kind::triangle, 0) + q.scene.count(Kind::triangle)}});
  return bytes_of(rows.offsets, rows.ids);
}

Bytes bytes_of_found(const NearFound& f) {
  return bytes_of(f.distance, f.t, f.id, f.point, f.direction, numbers_of(f.report));
}
template <std::uint32_t K>
Bytes nearest(const Caster& c, const Questions& q) {
  return bytes_of_found(found_by(c, q.points, {K, K == 1 ? infinity : 6}));
}
template <std::uint32_t K>
Bytes clearance(const Caster& c, const Questions& q) {
  return bytes_of_found(found_by(c, q.segments, {K, K == 1 ? infinity : 6}));
}
Bytes winding(const Caster& c, const Questions& q) {
  const WindingNumbers w = c.winding(rows_of(q.from));
  return bytes_of(w.numbers, numbers_of(w.report));
}

constexpr struct {
  const char* name;
  Bytes (*ask)(const Caster&, const Questions&, Inside);
  bool takes_cylinders = true;
} queries_with_policies[] = {
    {"closest", closest},
    {"closest and any, ray by ray", one_by_one},
    {"any", any},
    {"thick closest", thick_closest, false},
    {"thick any", thick_any, false},
    {"sweep", sweep, false},
    {"count", count_hits},
    {"all", all_hits<none>},
    {"first 2", all_hits<2>},
    {"matrix", matrix},
    {"self", self},
    {"pairs", pairs},
    {"cones", fields<FieldShape::cone>},
    {"sectors", fields<FieldShape::sector>},
    {"sectors, y up", fields<FieldShape::sector_y_up>},
};
constexpr struct {
  const char* name;
  Bytes (*ask)(const Caster&, const Questions&);
} other_queries[] = {
    {"overlap any", overlap_any<1>},
    {"overlap any of bodies of 3", overlap_any<3>},
    {"overlap any of bodies of 8", overlap_any<8>},
    {"overlap any of spheres", overlap_any_of_spheres<1>},
    {"overlap any of bodies of 8 spheres", overlap_any_of_spheres<8>},
    {"overlap count", overlap_count},
    {"overlap count of spheres", overlap_count_of_spheres},
    {"overlap all", overlap_all},
    {"overlap all of triangles", overlap_all_of_triangles},
    {"nearest", nearest<1>},
    {"nearest 4 within 6", nearest<4>},
    {"clearance", clearance<1>},
    {"clearance 3 within 6", clearance<3>},
    {"winding", winding},
};

void ask_all(const Caster& c, const Questions& q, const char* how, std::vector<GoldenRow>& rows) {
  const bool triangles = q.scene.count(Kind::triangle) > 0;
  const bool cylinders = q.scene.count(Kind::cylinder) > 0;
  for (const auto& query : queries_with_policies) {
    if (cylinders && !query.takes_cylinders) continue;
    rows.push_back(row_of_policies(q.name, query.name + std::string(how),
                                   [&](Inside inside) { return query.ask(c, q, inside); }));
  }
  if (cylinders) return;
  for (const auto& query : other_queries) {
    rows.push_back({q.name, query.name + std::string(how), {hash_of(query.ask(c, q))}});
  }
  if (!triangles) return;
  rows.push_back(
      {q.name, "overlap all of itself" + std::string(how), {hash_of(overlap_all_of_itself(c, q))}});
}

class GoldenQueries : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GoldenQueries, ::testing::ValuesIn(golden_backends()),
                         name_of_backend);

TEST_P(GoldenQueries, AnswerTheGoldenBytes) {
  const bool some = some_golden_scenes_do();
  const std::vector<Questions> all = golden_questions();
  std::vector<GoldenRow> rows;
  for (std::size_t i = 0; i < all.size(); i += some ? 4 : 1) {
    const Caster c = caster(all[i].scene);
    ask_all(c, all[i], ", filtered", rows);
    ask_all(c, without_filters(all[i]), "", rows);
  }
  expect_golden("queries", rows, GetParam(), some);
}

/// Where this fails, other things are asked: not the answers have changed, but what the other
/// tables are about.
TEST(GoldenQuestions, AreTheSameFloats) {
  std::vector<GoldenRow> rows;
  for (const Questions& q : golden_questions()) {
    rows.push_back({q.name, "questions", {hash_of(bytes_of_questions(q))}});
  }
  expect_golden("questions", rows, every_backend[0]);
}

}  // namespace
}  // namespace sightline::testing
