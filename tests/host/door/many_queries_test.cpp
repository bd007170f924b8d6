// A million queries of each kind: overlaps, nearest shapes and clearances of many small scenes, on
// every backend the bytes of brute force; and the same whatever the order of the shapes.
#include "tests/host/door/near_rows.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_queries.hpp"

namespace sightline::testing {
namespace {

constexpr int queries_per_scene = 1000;
/// The million; where the device is made of host code, by its ways together.
std::uint64_t scenes() { return scaled(on_standin() ? 5000 : 1000); }

SceneFamily family_of(std::uint64_t seed) { return every_family[seed % 4]; }
Scene small_scene(std::uint64_t seed) {
  return make_scene(family_of(seed), 2 + static_cast<int>(seed / 4 % 30), seed);
}
NearestOptions options_of(std::uint64_t seed) {
  return {1 + static_cast<std::uint32_t>(seed % 3) * 2, seed % 5 == 0 ? 1.5f : infinity};
}

template <class Queries>
void expect_rows_of_brute_force(const BackendCase& with, std::uint64_t seed) {
  const Scene scene = small_scene(seed);
  const Queries queries(scene, queries_per_scene, seed + 7);
  const NearestOptions options = options_of(seed);
  const Caster judge(scene, ReferenceOptions{}), some(scene, with.options);
  expect_same(found_by(some, queries, options), found_by(judge, queries, options),
              "seed " + std::to_string(seed));
}

class ManyQueries : public EveryBackend {};

TEST_P(ManyQueries, OfPointsAreAnsweredAsByBruteForce) {
  for (std::uint64_t seed = 1; seed <= scenes() && !HasFatalFailure(); ++seed) {
    expect_rows_of_brute_force<QueryPoints>(GetParam(), seed);
  }
}

TEST_P(ManyQueries, OfSegmentsAreAnsweredAsByBruteForce) {
  for (std::uint64_t seed = 1; seed <= scenes() && !HasFatalFailure(); ++seed) {
    expect_rows_of_brute_force<QuerySegments>(GetParam(), seed);
  }
}

TEST_P(ManyQueries, OfShapesAreAnsweredAsByBruteForce) {
  for (std::uint64_t seed = 1; seed <= scenes(); ++seed) {
    const Scene scene = small_scene(seed);
    const Scene queries = query_scene(scene, queries_per_scene, seed + 7);
    const OverlapRows truth = Caster(scene, ReferenceOptions{}).overlap_all(queries);
    const Caster some = caster(scene);
    const OverlapRows found = some.overlap_all(queries);
    ASSERT_TRUE(same_bytes(found.offsets, truth.offsets)) << "seed " << seed;
    ASSERT_TRUE(same_bytes(found.ids, truth.ids)) << "seed " << seed;
    std::vector<std::uint32_t> counts(queries.size());
    some.overlap_count(queries, counts);
    std::vector<std::uint64_t> bits((queries.size() + 63) / 64);
    some.overlap_any(queries, bits);
    for (std::uint64_t i = 0; i < counts.size(); ++i) {
      ASSERT_EQ(counts[i], truth.offsets[i + 1] - truth.offsets[i]) << "seed " << seed;
      ASSERT_EQ(bits[i / 64] >> i % 64 & 1, counts[i] > 0 ? 1u : 0u) << "seed " << seed;
    }
  }
}

/// Labels 1, 2, 3 ... go with the shapes: ids of one order as those of the other.
std::vector<std::uint64_t> labels_by_id(const Scene& scene) {
  std::vector<std::uint64_t> labels;
  for (std::uint32_t id = 0; id < scene.size(); ++id) labels.push_back(scene.attributes(id).label);
  return labels;
}

/// Distances and labels of a row whose end nothing is cut off from, sorted.
using LabelledRow = std::vector<std::pair<float, std::uint64_t>>;
LabelledRow row_of(const NearFound& found, std::uint64_t i, std::uint32_t k,
                   const std::vector<std::uint64_t>& labels) {
  LabelledRow row;
  for (std::uint64_t at = i * k; at < (i + 1) * k && found.id[at] != none; ++at) {
    row.emplace_back(found.distance[at], labels[found.id[at]]);
  }
  std::sort(row.begin(), row.end());
  return row;
}

void without_ids(QueryPoints& queries) {
  for (SightPoint& p : queries.points) p.exclude = none;
}
void without_ids(QuerySegments& queries) {
  for (SightPoint& p : queries.from) p.exclude = none;
  for (SightPoint& p : queries.to) p.exclude = none;
}

template <class Queries>
void expect_no_order_in_rows(const BackendCase& with, std::uint64_t seed) {
  const Scene scene = small_scene(seed), other = shuffled(scene, seed + 1);
  const std::vector<std::uint64_t> labels = labels_by_id(scene), others = labels_by_id(other);
  Queries queries(scene, 200, seed + 7);
  without_ids(queries);
  const NearestOptions all = {static_cast<std::uint32_t>(scene.size()) + 1, options_of(seed).range};
  const Caster a(scene, with.options), b(other, with.options);
  const NearFound in_a = found_by(a, queries, all), in_b = found_by(b, queries, all);
  ASSERT_TRUE(same_bytes(in_a.distance, in_b.distance)) << "seed " << seed;
  for (std::uint64_t i = 0; i < 200; ++i) {
    ASSERT_EQ(row_of(in_a, i, all.k, labels), row_of(in_b, i, all.k, others)) << "seed " << seed;
  }
  const NearestOptions few = {2, all.range};
  ASSERT_TRUE(same_bytes(found_by(a, queries, few).distance, found_by(b, queries, few).distance))
      << "seed " << seed;
}

TEST_P(ManyQueries, KnowNoOrderOfTheShapes) {
  for (std::uint64_t seed = 1; seed <= scaled(80); ++seed) {
    expect_no_order_in_rows<QueryPoints>(GetParam(), seed);
    expect_no_order_in_rows<QuerySegments>(GetParam(), seed);
    const Scene scene = small_scene(seed), other = shuffled(scene, seed + 1);
    const std::vector<std::uint64_t> labels = labels_by_id(scene), others = labels_by_id(other);
    const Scene queries = query_scene(scene, 300, seed + 7);
    const auto rows_by_label = [&](const Scene& in, const std::vector<std::uint64_t>& label_of) {
      OverlapRows found = caster(in).overlap_all(queries);
      std::vector<std::vector<std::uint64_t>> rows(queries.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::uint64_t at = found.offsets[i]; at < found.offsets[i + 1]; ++at) {
          rows[i].push_back(label_of[found.ids[at]]);
        }
        std::sort(rows[i].begin(), rows[i].end());
      }
      return rows;
    };
    ASSERT_EQ(rows_by_label(scene, labels), rows_by_label(other, others)) << "seed " << seed;
    if (HasFatalFailure()) return;
  }
}

// The host's tree and brute force, and the device in each of its ways; lanes and sorting are for
// rays.
INSTANTIATE_TEST_SUITE_P(Everywhere, ManyQueries,
                         ::testing::Values(every_backend[1], every_backend[4], every_backend[6],
                                           every_backend[7], every_backend[8], every_backend[9]),
                         name_of_backend);

// Parts that threads take, and chunks on their way to the device.
TEST(ManyQueriesAtOnce, AreTheSameByAnyNumberOfThreads) {
  const Scene scene = make_scene(SceneFamily::city, 400, 3);
  const QueryPoints points(scene, 3000, 4);
  const QuerySegments segments(scene, 3000, 5);
  const Scene shapes = query_scene(scene, 3000, 6);
  const NearestOptions options = {4, infinity};
  const Caster judge(scene, ReferenceOptions{});
  const NearFound near_points = found_by(judge, points, options);
  const NearFound near_segments = found_by(judge, segments, options);
  const OverlapRows overlaps = judge.overlap_all(shapes);
  ASSERT_GT(overlaps.ids.size(), 300u);
  for (const int threads : {1, 2, 3, 5, 8}) {
    const Caster some(scene, CpuOptions{threads});
    const std::string what = std::to_string(threads) + " threads";
    expect_same(found_by(some, points, options), near_points, what);
    expect_same(found_by(some, segments, options), near_segments, what);
    const OverlapRows found = some.overlap_all(shapes);
    EXPECT_TRUE(same_bytes(found.offsets, overlaps.offsets)) << what;
    EXPECT_TRUE(same_bytes(found.ids, overlaps.ids)) << what;
  }
}

}  // namespace
}  // namespace sightline::testing
