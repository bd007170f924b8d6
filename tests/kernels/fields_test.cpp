// The kernels of fields of view, emulated, against the host's functions: the same bits, and no work
// for pairs outside.
#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_sight.hpp"
#include "tests/support/random_fields.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <sightline/geometry/queries/field_of_view.hpp>

namespace sightline::testing {
namespace {

using kernels::FieldsJob;
using kernels::SightJob;
using standin::emulate;

/// Viewpoints that look at targets over a scene, and which pairs are in fields and seen.
struct Looking {
  std::uint64_t seed, v, t, row_words;
  TreeScene scene;
  SightOptions options;
  std::vector<SightPoint> from, to;
  std::vector<Field> fields;
  FieldShape shape;
  std::vector<std::uint32_t> order, in, seen;
  std::uint64_t pairs_in = 0;

  Looking(std::uint64_t s, std::uint64_t viewpoints, std::uint64_t targets, bool ordered)
      : seed(s),
        v(viewpoints),
        t(targets),
        row_words(kernels::bit_words32(t) + (seed % 4 == 0 ? 2 : 0)),
        scene(make_scene(ray_family(seed), 40 + static_cast<int>(seed), seed)),
        options{seed % 5 == 0 ? 12.0f : infinity, 0.01f, every_policy[seed % 3]},
        from(random_points(scene.scene, v, seed + 1)),
        to(random_points(scene.scene, t, seed + 2)),
        fields(random_fields(from, seed + 3)),
        shape(every_field_shape[seed % 3]),
        in(v * row_words),
        seen(v * row_words) {
    Random r(seed);
    if (ordered) order = random_order(t, r);
    for (std::uint64_t i = 0; i < v; ++i) {
      const FieldTest field = field_test(fields[i], shape);
      for (std::uint64_t j = 0; j < t; ++j) {
        const SightPoint& q = to[ordered ? order[j] : j];
        if (!in_field(field, from[i], q)) continue;
        ++pairs_in;
        const std::uint64_t word = i * row_words + j / 32;
        in[word] |= 1u << j % 32;
        const bool sees = sightline::sees(scene.tree.view(), scene.shapes, from[i], q, options);
        seen[word] |= std::uint32_t{sees} << j % 32;
      }
    }
  }
  FieldsJob fields_job(std::uint32_t* bits, std::uint64_t* count) const {
    return {rows_of(from),
            rows_of(to),
            rows_of(fields, shape),
            order.empty() ? nullptr : order.data(),
            bits,
            row_words,
            count};
  }
  SightJob sight_job(Way way, std::uint32_t* bits, const std::uint32_t* asked) const {
    return {scene.view(way, seed),
            rows_of(from),
            rows_of(to),
            order.empty() ? nullptr : order.data(),
            options,
            bits,
            row_words,
            asked};
  }
};

constexpr std::uint64_t target_counts[] = {0, 1, 31, 33, 64, 65, 130, 1030, 2080};

TEST(FieldKernels, FindTheFieldsAndSeeWithinThem) {
  std::uint64_t inside = 0, outside = 0;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(4, scaled(12)); ++seed) {
    for (const std::uint64_t t : target_counts) {
      const Looking l(seed, t > 500 ? 2 : 5, t, (seed + t) % 2 == 0);
      const standin::Emulation emulation{nullptr, every_lane_order[seed % 2]};
      Guarded<std::uint32_t> bits(l.in.size());
      std::uint64_t count = 7;
      emulate(l.fields_job(bits.data(), &count), emulation);
      ASSERT_TRUE(bits.is(l.in)) << "seed " << seed << ", " << t << " targets";
      ASSERT_EQ(count, 7 + l.pairs_in);
      inside += l.pairs_in;
      outside += l.v * l.t - l.pairs_in;
      for (const Way way : every_way) {
        Guarded<std::uint32_t> in_place(l.in.size()), apart(l.in.size());
        std::copy(l.in.begin(), l.in.end(), in_place.data());
        emulate(l.sight_job(way, in_place.data(), in_place.data()), emulation);
        ASSERT_TRUE(in_place.is(l.seen)) << "seed " << seed << ", " << name_of(way);
        emulate(l.sight_job(way, apart.data(), l.in.data()), emulation);
        ASSERT_TRUE(apart.is(l.seen)) << "seed " << seed << ", " << name_of(way);
      }
    }
  }
  EXPECT_GT(inside, 1000u);
  EXPECT_GT(outside, 1000u);
}

TEST(FieldKernels, PairsOutsideCostNoRay) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Looking l(seed, 8, 300, seed % 2 == 0);
    std::uint64_t possible = 0, traced = 0;
    for (std::uint64_t k = 0; k < l.v * l.t; ++k) {
      const std::uint64_t i = k / l.t, j = k % l.t;
      if (!bit_of(l.in.data() + i * l.row_words, j)) continue;
      const SightPoint& q = l.to[l.order.empty() ? j : l.order[j]];
      possible += sight_query(l.from[i], q, l.options).possible;
    }
    std::vector<std::uint32_t> bits(l.in.size());
    const SightJob job = l.sight_job(Way::brute_force, bits.data(), l.in.data());
    for (std::uint64_t k = 0; k < l.in.size(); ++k) {
      kernels::sight_word(standin::HostWarp(), CountingSearch{{job.scene}, &traced}, job, k);
    }
    EXPECT_GT(possible, 0u);
    EXPECT_EQ(traced, possible);
  }
}

// When a warp tests leaves decides what its rays visit, so that the sum is near that of all.
TEST(FieldKernels, PairsOutsideVisitNoNodes) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Looking l(seed, 8, 300, false);
    std::vector<std::uint32_t> others(l.in), nobody(l.in.size()), bits(l.in.size());
    for (std::uint32_t& word : others) word = ~word;
    const auto visits = [&](const std::uint32_t* asked) {
      standin::Steps steps;
      emulate(l.sight_job(Way::tree, bits.data(), asked), {&steps});
      return steps.node_lanes + steps.leaf_lanes;
    };
    EXPECT_EQ(visits(nobody.data()), 0u);
    EXPECT_GT(visits(l.in.data()), 0u);
    EXPECT_LT(visits(l.in.data()) + visits(others.data()), visits(nullptr) * 11 / 10);
  }
}

}  // namespace
}  // namespace sightline::testing
