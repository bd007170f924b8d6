// The list that a lane keeps of a ray's hits, against all of them sorted.
#include "kernels/queries/hit_list.cuh"
#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sightline::testing {
namespace {

TEST(HitList, KeepsWhatComesFirstInOrder) {
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    const auto n = static_cast<std::uint32_t>(r.below(r.one_in(20) ? 500 : 12));
    const auto room = static_cast<std::uint32_t>(r.between(1, r.one_in(3) ? 3 : 40));
    std::vector<Crossing> all;
    for (std::uint32_t k = 0; k < n; ++k) {
      const float t = static_cast<float>(r.below(r.one_in(2) ? 3 : 1000));  // often ties
      all.push_back({t, k, t + static_cast<float>(r.below(5)), false});
    }
    for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[r.bits() % k]);
    std::vector<float> t(room, 77), t_out(room, 77);
    std::vector<std::uint32_t> id(room, 77);
    const bool with_out = r.one_in(2);
    kernels::HitList list(t.data(), id.data(), with_out ? t_out.data() : nullptr, room);
    for (const Crossing& c : all) list.offer(c);
    list.sort();
    std::sort(all.begin(), all.end(), [](const Crossing& a, const Crossing& b) {
      return a.t < b.t || (a.t == b.t && a.id < b.id);
    });
    const std::size_t kept = std::min<std::size_t>(n, room);
    for (std::size_t k = 0; k < kept; ++k) {
      ASSERT_EQ(t[k], all[k].t) << "seed " << seed;
      ASSERT_EQ(id[k], all[k].id) << "seed " << seed;
      ASSERT_EQ(t_out[k], with_out ? all[k].t_out : 77) << "seed " << seed;
    }
    for (std::size_t k = kept; k < room; ++k) ASSERT_EQ(id[k], 77u) << "nothing past the end";
  }
}

}  // namespace
}  // namespace sightline::testing
