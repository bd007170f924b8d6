// Batches of circles and segments at sets of 2D shapes, on every backend.
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/flat_sets.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace sightline::testing {
namespace {

const BackendCase flat_backends[] = {
    {"reference", Backend::reference, ReferenceOptions{}},
    {"cpu", Backend::cpu, CpuOptions{2}},
    {"cpu_tree", Backend::cpu, CpuOptions{.threads = 3, .search = by_tree}},
    {"cpu_brute_force", Backend::cpu, CpuOptions{.threads = 2, .search = by_brute_force}},
    {"cuda", Backend::cuda, CudaOptions{}},
    {"cuda_fast_tree", Backend::cuda, CudaOptions{0, by_tree, TreeBuild::fast, 64}},
    {"cuda_careful_tree", Backend::cuda, CudaOptions{0, by_tree, TreeBuild::careful, 100}},
    {"cuda_brute_force", Backend::cuda, CudaOptions{0, by_brute_force, TreeBuild::fast, 1000}},
};

class FlatBatches : public ::testing::TestWithParam<BackendCase> {
 protected:
  void SetUp() override {
    if (GetParam().backend != Backend::cuda) return;
    if (const std::string problem = cuda_problem(); !problem.empty()) GTEST_SKIP() << problem;
  }
  static FlatCaster caster(const FlatScene& scene) { return FlatCaster(scene, GetParam().options); }
};

/// Equal bytes, and a report of each that says what the answers do.
void expect_same(const FlatAnswers& a, const FlatAnswers& truth, const std::string& what) {
  ASSERT_TRUE(same_bytes(a.bits, truth.bits)) << what;
  ASSERT_TRUE(same_bytes(a.counts, truth.counts)) << what;
  ASSERT_TRUE(same_bytes(a.rows.offsets, truth.rows.offsets)) << what;
  ASSERT_TRUE(same_bytes(a.rows.ids, truth.rows.ids)) << what;
  ASSERT_TRUE(same_bytes(a.t, truth.t)) << what;
  ASSERT_TRUE(same_bytes(a.id, truth.id)) << what;
  ASSERT_TRUE(same_bytes(a.flags, truth.flags)) << what;
  for (const auto report : {&FlatAnswers::any, &FlatAnswers::count, &FlatAnswers::all}) {
    ASSERT_EQ(a.*report, truth.*report) << what;
  }
  ASSERT_EQ(a.cast, truth.cast) << what;
}

/// What the plain functions say of every pair: no gate, no tree, no batch.
FlatAnswers plain_answers(const FlatCase& c, Inside inside) {
  FlatAnswers out(FlatCaster(FlatScene(), ReferenceOptions{}), c, inside);
  const FlatShapesView shapes = c.scene.view();
  const auto mask_of = [&](std::uint32_t id) {
    const auto [kind, index] = c.scene.kind_and_index(id);
    return c.scene.mask(kind, index);
  };
  const CirclesView circles = c.circles_view();
  for (std::uint64_t i = 0; i < circles.size(); ++i) {
    for (std::uint32_t id = 0; id < shapes.size(); ++id) {
      if ((mask_of(id) & circles.mask[i]) == 0) continue;
      if (shapes.visit(id, [&](const auto& s) { return overlaps(circles[i], s); })) {
        out.rows.ids.push_back(id);
      }
    }
    out.rows.offsets[i + 1] = out.rows.ids.size();
    out.counts[i] = static_cast<std::uint32_t>(out.rows.offsets[i + 1] - out.rows.offsets[i]);
    if (out.counts[i] > 0) {
      out.bits[i / 64] |= std::uint64_t{1} << i % 64;
      ++out.any.overlapping, ++out.count.overlapping, ++out.all.overlapping;
    }
  }
  out.count.pairs = out.all.pairs = out.rows.ids.size();
  const SegmentsView segments = c.segments_view();
  for (std::uint64_t i = 0; i < segments.size(); ++i) {
    if (out.flags[i] != 0) continue;  // a bad one
    double best = 2;
    for (std::uint32_t id = 0; id < shapes.size(); ++id) {
      if ((mask_of(id) & segments.mask[i]) == 0) continue;
      const FlatHit h =
          shapes.visit(id, [&](const auto& s) { return cast(segments[i], s, inside); });
      if (!h.hit || !(h.t < best)) continue;
      best = h.t;
      out.t[i] = static_cast<float>(h.t);
      out.id[i] = id;
      out.flags[i] = h.started_inside ? 3 : 1;
    }
    out.cast.hits += best < 2;
  }
  return out;
}

TEST_P(FlatBatches, AnswerWhatThePlainFunctionsSay) {
  std::uint64_t pairs = 0, hits = 0;
  for (const FlatFamily family : every_flat_family) {
    for (std::uint64_t seed = 1; seed <= scaled(40); ++seed) {
      const FlatCase c = flat_case(family, seed % 5 == 0 ? 3 : 90, 300, seed);
      const Inside inside = every_policy[seed % 3];
      const FlatAnswers truth = plain_answers(c, inside);
      expect_same(FlatAnswers(caster(c.scene), c, inside), truth,
                  std::to_string(static_cast<int>(family)) + ", seed " + std::to_string(seed));
      if (HasFatalFailure()) return;
      pairs += truth.rows.ids.size();
      hits += truth.cast.hits;
    }
  }
  EXPECT_GT(pairs, scaled(40) * 600) << "there is something to find";
  EXPECT_GT(hits, scaled(40) * 200);
}

// Small sets, each with all kinds: so each circle and each segment is one more for every kind.
TEST_P(FlatBatches, AnswerAsTheReferenceDoes) {
  const int queries = 4000;
  for (std::uint64_t seed = 1; seed <= scaled(80); ++seed) {
    const FlatFamily family = every_flat_family[seed % 4];
    const FlatCase c = flat_case(family, 40, queries, 1000 + seed);
    const Inside inside = every_policy[seed % 3];
    const FlatCaster reference(c.scene, ReferenceOptions{});
    expect_same(FlatAnswers(caster(c.scene), c, inside), FlatAnswers(reference, c, inside),
                "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

// So deep a tree, and rows so long, that each is fetched in many pieces.
TEST_P(FlatBatches, AnswerAboutLargeSets) {
  for (const FlatFamily family : every_flat_family) {
    const FlatCase c = flat_case(family, static_cast<int>(scaled(4000)) + 200, 150, 7);
    const FlatCaster reference(c.scene, ReferenceOptions{});
    expect_same(FlatAnswers(caster(c.scene), c, Inside::solid),
                FlatAnswers(reference, c, Inside::solid), "large");
  }
}

/// The set with its shapes in another order within each kind; new_id[id] is where each went.
FlatScene shuffled_set(const FlatScene& scene, std::uint64_t seed,
                       std::vector<std::uint32_t>& new_id) {
  Random r(seed);
  const FlatShapesView shapes = scene.view();
  std::vector<std::uint32_t> order(shapes.size());
  std::iota(order.begin(), order.end(), 0u);
  for (int k = 0; k < flat_kind_count; ++k) {
    for (std::uint32_t i = shapes.begin[k + 1]; i > shapes.begin[k] + 1; --i) {
      std::swap(order[i - 1], order[shapes.begin[k] + static_cast<std::uint32_t>(r.below(
                                                          static_cast<int>(i - shapes.begin[k])))]);
    }
  }
  FlatScene other;
  new_id.resize(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const auto [kind, index] = scene.kind_and_index(order[i]);
    const std::uint32_t mask = scene.mask(kind, index);
    shapes.visit(order[i], [&](const auto& s) { add_to(other, s, mask); });
    new_id[order[i]] = i;
  }
  return other;
}

TEST_P(FlatBatches, AnswerTheSameWhateverTheOrder) {
  for (std::uint64_t seed = 1; seed <= scaled(40); ++seed) {
    const FlatCase c = flat_case(every_flat_family[seed % 4], 70, 300, 500 + seed);
    std::vector<std::uint32_t> new_id;
    const FlatScene other = shuffled_set(c.scene, seed, new_id);
    const FlatAnswers a(caster(c.scene), c, Inside::solid), b(caster(other), c, Inside::solid);
    ASSERT_TRUE(same_bytes(a.counts, b.counts)) << seed;
    ASSERT_TRUE(same_bytes(a.t, b.t)) << seed;
    ASSERT_EQ(a.rows.offsets, b.rows.offsets) << seed;
    for (std::uint64_t i = 0; i + 1 < a.rows.offsets.size(); ++i) {
      std::vector<std::uint32_t> ids, others;
      for (std::uint64_t k = a.rows.offsets[i]; k < a.rows.offsets[i + 1]; ++k) {
        ids.push_back(new_id[a.rows.ids[k]]);
        others.push_back(b.rows.ids[k]);
      }
      std::sort(ids.begin(), ids.end());
      ASSERT_EQ(ids, others) << seed;
    }
    for (std::uint64_t i = 0; i < a.id.size(); ++i) {
      if (a.id[i] == none) {
        ASSERT_EQ(b.id[i], none) << seed;
        continue;
      }
      // Of shapes that are as near, the least id: each is at most the other's, in its own order.
      ASSERT_LE(b.id[i], new_id[a.id[i]]) << seed << ", segment " << i;
    }
  }
}

TEST_P(FlatBatches, OfNothingAndInNothing) {
  const FlatCase c = flat_case(FlatFamily::random, 30, 20, 3);
  const FlatAnswers in_nothing(caster(FlatScene()), c, Inside::solid);
  EXPECT_EQ(in_nothing.counts, std::vector<std::uint32_t>(20, 0));
  EXPECT_EQ(in_nothing.bits, std::vector<std::uint64_t>(1, 0));
  EXPECT_EQ(in_nothing.id, std::vector<std::uint32_t>(20, none));
  EXPECT_EQ(in_nothing.t, std::vector<float>(20, infinity));
  const FlatAnswers of_nothing(caster(c.scene), CirclesView{}, SegmentsView{}, Inside::solid);
  EXPECT_EQ(of_nothing.rows.offsets, std::vector<std::uint64_t>{0});
  EXPECT_EQ(of_nothing.cast.rays, 0u);
}

TEST_P(FlatBatches, TiesGoToTheLeastId) {
  FlatScene scene;
  for (int i = 0; i < 100; ++i) scene.add_aabb({{4, -1}, {5, static_cast<float>(1 + i % 7)}});
  const float segment[] = {0, 0, 8, 0};
  float t = 0;
  std::uint32_t id = 0;
  caster(scene).cast(SegmentsView::rows(segment), {{&t, 1}, {&id, 1}});
  EXPECT_EQ(t, 0.5f);
  EXPECT_EQ(id, 0u);
  scene.add_circle({{5, 0}, 1});
  caster(scene).cast(SegmentsView::rows(segment), {{&t, 1}, {&id, 1}});
  EXPECT_EQ(t, 0.5f);
  EXPECT_EQ(id, scene.id(FlatKind::circle, 0));  // circles come first
}

TEST_P(FlatBatches, CountWhatIsBad) {
  FlatScene scene;
  scene.add_circle({{0, 0}, 1});
  const float big = 0x1.8p40f;
  const float circles[] = {0, 0, 1,  NAN, 0, 1,   0, infinity, 1,
                           0, 0, -1, big, 0, big, 0, 0,        0x1p40f};
  const float segments[] = {-2, 0, 2, 0, NAN, 0, 0, 0, 0, 0, 0, -infinity, -2, 0, big, 0};
  std::vector<std::uint32_t> counts(6);
  const OverlapReport r = caster(scene).overlap_count(CirclesView::rows(circles), counts);
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(r.bad, 4u);
  EXPECT_EQ(r.first_bad, 1u);
  std::vector<std::uint8_t> flags(4);
  const CastReport s = caster(scene).cast(SegmentsView::rows(segments), {.flags = flags});
  EXPECT_EQ(flags, (std::vector<std::uint8_t>{1, 4, 4, 4}));
  EXPECT_EQ(s.bad_rays, 3u);
  EXPECT_EQ(s.hits, 1u);
}

TEST_P(FlatBatches, RefuseWrongSizesAndNormals) {
  const FlatCaster some = caster(flat_case(FlatFamily::random, 3, 1, 1).scene);
  const float circle[] = {0, 0, 1};
  std::vector<std::uint64_t> two_words(2);
  std::vector<std::uint32_t> none_at_all;
  EXPECT_THROW(some.overlap_any(CirclesView::rows(circle), two_words), Error);
  EXPECT_THROW(some.overlap_count(CirclesView::rows(circle), none_at_all), Error);
  Vec3 normal;
  const float segment[] = {0, 0, 1, 1};
  EXPECT_THROW(some.cast(SegmentsView::rows(segment), {.normal = {&normal, 1}}), Error);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, FlatBatches, ::testing::ValuesIn(flat_backends),
                         name_of_backend);

TEST(FlatBatchesOnTheCpu, AnswerTheSameOnAnyNumberOfThreads) {
  const FlatCase c = flat_case(FlatFamily::random, 300, 3000, 11);
  const FlatAnswers one(FlatCaster(c.scene, CpuOptions{1}), c, Inside::surface);
  for (const int threads : {2, 3, 5, 16}) {
    expect_same(FlatAnswers(FlatCaster(c.scene, CpuOptions{threads}), c, Inside::surface), one,
                std::to_string(threads) + " threads");
  }
}

TEST(FlatBatchesOnTheCpu, AnswerManyThreadsAtOnce) {
  const FlatCase c = flat_case(FlatFamily::crowded, 100, 1000, 12);
  FlatCaster moved(c.scene, CpuOptions{2});
  const FlatCaster caster(std::move(moved));
  EXPECT_EQ(caster.backend(), Backend::cpu);
  EXPECT_GT(caster.memory_bytes(), c.scene.memory_bytes());
  EXPECT_EQ(caster.scene().size(), 100u);
  const FlatAnswers alone(caster, c, Inside::solid);
  std::vector<FlatAnswers> together(4, alone);
  std::vector<std::thread> threads;
  for (FlatAnswers& a : together) {
    threads.emplace_back([&] { a = FlatAnswers(caster, c, Inside::solid); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const FlatAnswers& a : together) expect_same(a, alone, "together");
}

}  // namespace
}  // namespace sightline::testing
