// Fields of view: the matrix within them is the matrix of all pairs, less what lies outside.
#include "tests/support/backends.hpp"
#include "tests/support/random_fields.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

#include <sightline/geometry/queries/field_of_view.hpp>

namespace sightline::testing {
namespace {

using FieldBits = std::vector<std::uint64_t>;

std::uint64_t field_words(std::uint64_t n) { return (n + 63) / 64; }

VisibilityOptions field_options(std::uint64_t seed) {
  return {seed % 4 == 0 ? 25.0f : infinity, seed % 2 == 0 ? 0.01f : 0.0f, every_policy[seed % 3]};
}

/// Viewpoints that look, and targets, over a scene.
struct Lookers {
  std::vector<SightPoint> from, to;
  std::vector<Field> fields;
  FieldShape shape;

  Lookers(const Scene& scene, std::uint64_t v, std::uint64_t t, std::uint64_t seed)
      : from(random_points(scene, v, seed + 1)),
        to(random_points(scene, t, seed + 2)),
        fields(random_fields(from, seed + 3)),
        shape(every_field_shape[seed % 3]) {}
  FieldsView view() const { return rows_of(fields, shape); }
  FieldBits run(const Caster& c, const VisibilityOptions& o, VisibilityReport& report) const {
    FieldBits bits(from.size() * field_words(to.size()), ~std::uint64_t{0});
    report = c.visibility(rows_of(from), view(), rows_of(to), bits, o);
    return bits;
  }
};

class Fields : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, Fields, ::testing::ValuesIn(every_backend), name_of_backend);

// Rays are made for pairs in fields alone: on the cpu backend in_field counts these rays.
TEST_P(Fields, AreTheWholeMatrixLessWhatLiesOutside) {
  std::uint64_t in_fields = 0, outside = 0, bad = 0;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(6, scaled(30)); ++seed) {
    const Caster c = caster(make_scene(ray_family(seed), 60, seed));
    const std::uint64_t v = 1 + 29 * seed % 90, t = 1 + 37 * seed % 170, words = field_words(t);
    const Lookers looking(c.scene(), v, t, seed);
    const VisibilityOptions o = field_options(seed);
    FieldBits all(v * words);
    const VisibilityReport plain = c.visibility(rows_of(looking.from), rows_of(looking.to), all, o);
    EXPECT_EQ(plain.in_field, v * t);
    EXPECT_EQ(plain.bad_fields, 0u);
    VisibilityReport expected = plain;
    expected.visible = expected.in_field = expected.bad_fields = 0;
    for (std::uint64_t i = 0; i < v; ++i) {
      expected.bad_fields += !is_sound(looking.fields[i], looking.shape);
      const FieldTest field = field_test(looking.fields[i], looking.shape);
      for (std::uint64_t j = 0; j < t; ++j) {
        std::uint64_t& word = all[i * words + j / 64];
        const std::uint64_t bit = std::uint64_t{1} << j % 64;
        if (in_field(field, looking.from[i], looking.to[j])) {
          ++expected.in_field;
        } else {
          word &= ~bit;
        }
        expected.visible += (word & bit) != 0;
      }
    }
    VisibilityReport report;
    ASSERT_EQ(looking.run(c, o, report), all) << "seed " << seed;
    EXPECT_EQ(report, expected);
    in_fields += report.in_field;
    outside += report.pairs - report.in_field;
    bad += report.bad_fields;
  }
  EXPECT_GT(in_fields, 100u);
  EXPECT_GT(outside, 100u);
  EXPECT_GT(bad, 0u);
}

TEST_P(Fields, AllAroundAreNoFields) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Caster c = caster(make_scene(ray_family(seed), 60, seed));
    Lookers looking(c.scene(), 70, 90, seed);
    for (Field& f : looking.fields) f = {f.direction, -2, seed % 2 ? 0.0f : -1e-7f, infinity};
    for (Field& f : looking.fields) {
      if (!is_sound(f, looking.shape)) f.direction = {1, -1, 1};
    }
    const VisibilityOptions o = field_options(seed);
    FieldBits plain(70 * 2), common(70 * 2);
    const auto from = rows_of(looking.from), to = rows_of(looking.to);
    const VisibilityReport expected = c.visibility(from, to, plain, o);
    VisibilityReport report;
    EXPECT_EQ(looking.run(c, o, report), plain) << "seed " << seed;
    EXPECT_EQ(report.in_field, (70 - expected.bad_viewpoints) * (90 - expected.bad_targets));
    c.visibility(from, FieldsView{}, to, common, o);
    EXPECT_EQ(common, plain) << "seed " << seed;
  }
}

TEST_P(Fields, GiveTheReferencesBits) {
  std::uint64_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(5, scaled(40)); ++seed) {
    const Scene scene = make_scene(ray_family(seed), 40, seed);
    const Lookers looking(scene, 130, 200, seed);
    VisibilityReport expected, report;
    const VisibilityOptions o = field_options(seed);
    const FieldBits truth = looking.run(Caster(scene, ReferenceOptions{}), o, expected);
    ASSERT_EQ(looking.run(caster(scene), o, report), truth) << "seed " << seed;
    EXPECT_EQ(report, expected);
    pairs += report.pairs;
  }
  EXPECT_GE(pairs, scaled(1'000'000));
}

// Targets on a grid and few shapes, so that rays of a row run as packets; parts and rows of any
// size, by any number of threads.
TEST_P(Fields, RowsOfPacketsPartsAndThreadsChangeNothing) {
  const Scene scene = make_scene(SceneFamily::city, 12, 5);
  const auto side = static_cast<int>(std::max<std::uint64_t>(40, scaled(96)));
  Lookers looking(scene, 24, 1, 7);
  looking.to.clear();
  for (int k = 0; k < side * side; ++k) {
    const float step = 40.0f / static_cast<float>(side);
    looking.to.push_back({{step * static_cast<float>(k % side) - 20,
                           step * static_cast<float>(k / side) - 20, 1.5f}});
  }
  VisibilityReport expected, report;
  const FieldBits truth = looking.run(Caster(scene, ReferenceOptions{}), {}, expected);
  EXPECT_GT(expected.in_field, expected.pairs / 20);
  EXPECT_EQ(looking.run(caster(scene), {}, report), truth);
  EXPECT_EQ(report, expected);
  EXPECT_EQ(looking.run(caster(shuffled(scene, 3)), {}, report), truth);
  if (GetParam().backend != Backend::cpu) return;
  for (const int threads : {1, 2, 5}) {
    CpuOptions options = std::get<CpuOptions>(GetParam().options);
    options.threads = threads;
    EXPECT_EQ(looking.run(Caster(scene, options), {}, report), truth);
    EXPECT_EQ(report, expected);
  }
}

TEST_P(Fields, RowsAndColumnsInPiecesEqualTheWhole) {
  const Caster c = caster(make_scene(SceneFamily::random, 60, 3));
  const Lookers looking(c.scene(), 50, 192, 5);
  VisibilityReport report;
  const FieldBits whole = looking.run(c, {}, report);
  const auto from = rows_of(looking.from), to = rows_of(looking.to);
  FieldBits rows(whole.size()), piece(50);
  for (std::uint64_t i = 0; i < 50; i += 7) {
    const std::uint64_t n = std::min<std::uint64_t>(7, 50 - i);
    c.visibility(from.slice(i, n), looking.view().slice(i, n), to,
                 std::span(rows).subspan(3 * i, 3 * n));
  }
  EXPECT_EQ(rows, whole);
  for (std::uint64_t w = 0; w < 3; ++w) {
    c.visibility(from, looking.view(), to.slice(64 * w, 64), piece);
    for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(piece[i], whole[3 * i + w]);
  }
}

TEST_P(Fields, BadPointsAreInNone) {
  const Caster c = caster(Scene{});
  const std::vector<SightPoint> points = {
      {{2 * domain_limit, 0, 0}}, {{1, 0, 0}}, {{0, 0, std::nanf("")}}};
  FieldBits bits(3);
  const VisibilityReport report =
      c.visibility(rows_of(points), FieldsView{}, rows_of(points), bits);
  EXPECT_EQ(bits, (FieldBits{0, 2, 0}));
  EXPECT_EQ(report.in_field, 1u);
  EXPECT_EQ(report.bad_viewpoints, 2u);
  EXPECT_EQ(report.bad_targets, 2u);
  EXPECT_EQ(report.bad_fields, 0u);
}

TEST_P(Fields, OfNobodyAndOfNothing) {
  const Caster c = caster(Scene{});
  const std::vector<SightPoint> points(70, SightPoint{{1, 2, 3}});
  const std::vector<Field> fields(70);
  const FieldsView view = rows_of(fields, FieldShape::cone);
  EXPECT_EQ(c.visibility(rows_of(points), view, PointsView{}).report.pairs, 0u);
  EXPECT_EQ(c.visibility(PointsView{}, view.slice(0, 0), rows_of(points)).report.pairs, 0u);
  FieldBits bits(70 * 2);
  EXPECT_EQ(c.visibility(rows_of(points), view, rows_of(points), bits).visible, 4900u);
  FieldsView bad = view;
  bad.range = -1.0f;
  const VisibilityReport report = c.visibility(rows_of(points), bad, rows_of(points), bits);
  EXPECT_EQ(report.visible, 0u);
  EXPECT_EQ(report.in_field, 0u);
  EXPECT_EQ(report.bad_fields, 70u);
  EXPECT_EQ(report.bad_viewpoints, 0u);
  EXPECT_EQ(bits, FieldBits(70 * 2));
  expect_error(ErrorKind::usage, {}, [&] {
    c.visibility(rows_of(points), view, rows_of(points), std::span(bits).first(69));
  });
}

}  // namespace
}  // namespace sightline::testing
