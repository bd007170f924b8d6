// Calls that return their answers give what the same calls write to the caller's arrays; views
// count themselves.
#include "tests/host/door/near_rows.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/flat_sets.hpp"
#include "tests/support/random_queries.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/sweeps.hpp"

#include <sightline/sightline.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

class OwnAnswers : public EveryBackend {
 protected:
  const Scene scene = make_scene(SceneFamily::random, 60, 5);
  const std::vector<Ray> rays = random_rays(scene, 300, 6);
};
INSTANTIATE_TEST_SUITE_P(Everywhere, OwnAnswers, ::testing::ValuesIn(every_backend),
                         name_of_backend);

TEST_P(OwnAnswers, OfRays) {
  const Caster c = caster(scene);
  for (const Column<float>& radius : {Column<float>(0.0f), Column<float>(0.5f)}) {
    const RaysView view = thick_rows_of(rays, radius);
    Answers a(rays.size());
    const CastReport closest = c.closest_hit(view, a.view(), {Inside::surface});
    const CastReport any = c.any_hit(view, a.blocked, {Inside::surface});
    const Hits hits = c.closest_hit(view, {.inside = Inside::surface, .normals = true});
    EXPECT_TRUE(same_bytes(hits.t, a.t) && same_bytes(hits.id, a.id));
    EXPECT_TRUE(same_bytes(hits.flags, a.flags) && same_bytes(hits.normal, a.normal));
    EXPECT_EQ(hits.report, closest);
    EXPECT_EQ(hits.size(), rays.size());
    EXPECT_EQ(hits[7].id, a.id[7]);
    EXPECT_TRUE(c.closest_hit(view).normal.empty());
    const Bits blocked = c.any_hit(view, {.inside = Inside::surface});
    EXPECT_EQ(blocked.words, a.blocked);
    EXPECT_EQ(blocked.report, any);
    EXPECT_EQ(blocked.size(), rays.size());
    for (std::size_t i = 0; i < rays.size(); ++i) ASSERT_EQ(blocked[i], a.id[i] != none) << i;
  }
  std::vector<std::uint32_t> counts(rays.size(), 77);
  const HitRowsReport counted = c.count_hits(rows_of(rays), counts);
  const Counts own = c.count_hits(rows_of(rays));
  EXPECT_EQ(own.counts, counts);
  EXPECT_EQ(own.report, counted);
  EXPECT_EQ(c.all_hits(rows_of(rays)).count, counts);
}

TEST_P(OwnAnswers, OfPoints) {
  const Caster c = caster(scene);
  const auto from = random_points(scene, 70, 1), to = random_points(scene, 130, 2);
  std::vector<std::uint64_t> bits(70 * 3);
  const VisibilityReport report = c.visibility(rows_of(from), rows_of(to), bits);
  const BitMatrix seen = c.visibility(rows_of(from), rows_of(to));
  EXPECT_EQ(seen.words, bits);
  EXPECT_EQ(seen.report, report);
  EXPECT_EQ(seen.rows() * seen.columns(), 70u * 130u);
  EXPECT_EQ(seen(69, 129), (bits[69 * 3 + 2] >> 1 & 1) != 0);
  EXPECT_EQ(seen.row(3)[1], bits[10]);
  EXPECT_EQ(c.visibility(rows_of(from)).words, c.visibility(rows_of(from), rows_of(from)).words);
  const FieldsView all_around;
  EXPECT_EQ(c.visibility(rows_of(from), all_around, rows_of(to)).words, bits);
  const std::vector<SightPoint> some(to.begin(), to.begin() + 70);
  const Bits pairs = c.visibility_pairs(rows_of(from), rows_of(some));
  for (std::size_t i = 0; i < 70; ++i) ASSERT_EQ(pairs[i], seen(i, i)) << i;
  // One point for all of the other side.
  const Bits of_one = c.visibility_pairs(Vec3Column(from[5].position), positions_of(to));
  ASSERT_EQ(of_one.size(), to.size());
  EXPECT_EQ(
      of_one.words,
      c.visibility_pairs(positions_of(std::vector(to.size(), from[5])), positions_of(to)).words);

  const NearFound near = found_by(c, QueryPoints(scene, 90, 3), {3, 9.0f});
  const NearestRows rows = c.nearest(QueryPoints(scene, 90, 3).view(), {3, 9.0f});
  EXPECT_TRUE(same_bytes(rows.distance, near.distance) && same_bytes(rows.id, near.id));
  EXPECT_TRUE(same_bytes(rows.point, near.point) && same_bytes(rows.direction, near.direction));
  EXPECT_EQ(rows.report, near.report);
  EXPECT_EQ(rows.size(), 90u);
}

TEST_P(OwnAnswers, OfShapes) {
  const Caster c = caster(scene);
  const Scene queries = query_scene(scene, 90, 5);
  std::vector<std::uint64_t> bits(1);
  const OverlapReport report = c.overlap_any(queries, bits, {{0, 90}, 3});
  const Bits bodies = c.overlap_any(queries, {.of = {0, 90}, .shapes_per_body = 3});
  EXPECT_EQ(bodies.words, bits);
  EXPECT_EQ(bodies.report, report);
  EXPECT_EQ(bodies.size(), 30u);
  const OverlapRows rows = c.overlap_all(queries);
  const Counts counts = c.overlap_count(queries);
  EXPECT_EQ(rows.report, counts.report);
  for (std::size_t i = 0; i < 90; ++i) ASSERT_EQ(counts[i], rows.row(i).size()) << i;
  const RandomMovers movers(scene, 40, 7);
  Answers a(40);
  const CastReport swept = c.sweep(movers.scene, movers.directions, a.view());
  const Hits hits = c.sweep(movers.scene, movers.directions);
  EXPECT_TRUE(same_bytes(hits.t, a.t) && same_bytes(hits.normal, a.normal));
  EXPECT_EQ(hits.report, swept);
}

TEST(Views, CountThemselves) {
  const std::vector<Vec3> three(3), none_at_all;
  const std::vector<float> radii(3);
  EXPECT_EQ((RaysView{three, three}).size(), 3u);
  EXPECT_EQ((RaysView{.origin = Vec3{}, .direction = Vec3{}, .radius = radii}).size(), 3u);
  EXPECT_EQ((RaysView{none_at_all, three}).size(), 0u);
  EXPECT_EQ((RaysView{Vec3{0, 0, 0}, Vec3{1, 0, 0}}).size(), 1u);
  EXPECT_EQ(RaysView{}.size(), 0u);
  EXPECT_EQ(PointsView(three).slice(1, 9).size(), 9u);
  EXPECT_EQ(PointsView(Vec3Column(Vec3{0, 0, 0})).size(), 1u);
  EXPECT_EQ(PointsView().size(), 0u);
  EXPECT_EQ((CirclesView{Vec2{0, 0}, radii}).size(), 3u);
  EXPECT_EQ((SegmentsView{Vec2{0, 0}, Vec2{0, 1}}).size(), 1u);
}

TEST(OwnAnswersIn2D, AreThoseInArrays) {
  const FlatCase asked = flat_case(every_flat_family[0], 40, 200, 3);
  const FlatCaster c(asked.scene, CpuOptions{1});
  const FlatAnswers a(c, asked, Inside::solid);
  EXPECT_EQ(c.overlap_any(asked.circles_view()).words, a.bits);
  EXPECT_EQ(c.overlap_count(asked.circles_view()).counts, a.counts);
  EXPECT_EQ(c.overlap_all(asked.circles_view()).report, a.count);
  const Hits hits = c.cast(asked.segments_view());
  EXPECT_TRUE(same_bytes(hits.t, a.t) && hits.id == a.id && hits.flags == a.flags);
  EXPECT_EQ(hits.report, a.cast);
}

TEST(OwnAnswersThatDoNotFit, AreRefusedInWords) {
  Scene one;
  one.add_sphere({{0, 0, 0}, 1});
  const Caster c(one, CpuOptions{1});
  PointsView many = PointsView(Vec3Column(Vec3{0, 0, 0}));
  many = many.slice(0, std::uint64_t{1} << 40);
  expect_error(ErrorKind::out_of_memory, {"a matrix of 1099511627776 x 1099511627776 bits"},
               [&] { c.visibility(many); });
}

}  // namespace
}  // namespace sightline::testing
