#include "host/tree/bottom_up.hpp"

#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace sightline::testing {
namespace {

/// The children of each node, whose numbers are greater: near ones, or anywhere.
std::vector<std::vector<std::uint32_t>> random_tree(Random& r, std::uint32_t count, int reach) {
  std::vector<std::vector<std::uint32_t>> children(count);
  for (std::uint32_t i = 1; i < count; ++i) {
    const auto back = static_cast<std::uint32_t>(1 + r.below(reach));
    children[back > i ? 0 : i - back].push_back(i);
  }
  return children;
}

TEST(BottomUp, VisitsEveryNodeOnceAfterItsChildren) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  for (const std::uint32_t count : {0u, 1u, 2u, 16384u, 16385u, 70000u}) {
    for (const int reach : {1, 3, 100, 1 << 30}) {
      for (const int threads : {1, 4}) {
        Random r(count + static_cast<std::uint32_t>(reach));
        const auto children = random_tree(r, count, reach);
        std::vector<std::uint32_t> size(count), visits(count);
        tbb::task_arena(threads).execute([&] {
          detail::for_each_bottom_up(
              count,
              [&](std::uint32_t i, const auto& ready) {
                return !std::all_of(children[i].begin(), children[i].end(), ready);
              },
              [&](std::uint32_t i) {
                ++visits[i];
                size[i] = 1;
                for (const std::uint32_t child : children[i]) size[i] += size[child];
              });
        });
        ASSERT_EQ(std::count(visits.begin(), visits.end(), 1u), count) << "reach " << reach;
        if (count > 0) {
          ASSERT_EQ(size[0], count) << "reach " << reach << ", " << threads << " threads";
        }
      }
    }
  }
}

}  // namespace
}  // namespace sightline::testing
