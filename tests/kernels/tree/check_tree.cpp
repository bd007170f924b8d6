#include "tests/kernels/tree/check_tree.hpp"

#include "tests/support/answers.hpp"
#include "tests/support/validate_bvh.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace sightline::testing {
namespace {

/// What is wrong with the record of the rounds; empty when a refit by rounds is right.
std::string problem_of_rounds(const Tree& tree) {
  const kernels::TreeRounds& rounds = tree.rounds;
  const auto& nodes = tree.bvh.nodes;
  if (rounds.count < 0 || rounds.count > bvh_max_depth) return "no such number of rounds";
  if (rounds.begin[0] != nodes.size()) return "the first round does not begin at the end";
  if (rounds.begin[rounds.count] != 0) return "the last round does not end at the root";
  for (int r = 0; r < rounds.count; ++r) {
    if (rounds.begin[r + 1] >= rounds.begin[r]) return "a round without nodes";
    for (std::uint32_t i = rounds.begin[r + 1]; i < rounds.begin[r]; ++i) {
      for (const BvhChild child : nodes[i].child) {
        if (!(child & bvh_leaf_bit) && child < rounds.begin[r]) {
          return "node " + std::to_string(i) + " has a child of no earlier round";
        }
      }
    }
  }
  return {};
}

bool padding_is_zero(const detail::Bvh& bvh) {
  for (const BvhNode& node : bvh.nodes) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&node);
    for (std::size_t i = 56; i < sizeof(BvhNode); ++i) {
      if (bytes[i] != 0) return false;
    }
  }
  return true;
}

}  // namespace

bool same_tree(const Tree& a, const Tree& b) {
  return a.was_too_deep == b.was_too_deep && same_bytes(a.bvh.nodes, b.bvh.nodes) &&
         a.rounds.count == b.rounds.count &&
         std::memcmp(a.rounds.begin, b.rounds.begin, sizeof(a.rounds.begin)) == 0;
}

std::string problem_of(const Tree& tree, const ShapesView& shapes) {
  std::string problem = detail::problem_of(tree.bvh.view(), shapes);
  if (problem.empty()) problem = problem_of_rounds(tree);
  if (problem.empty() && !padding_is_zero(tree.bvh)) problem = "padding is not 0";
  return problem;
}

Tree check_trees(const Scene& scene, const std::string& name) {
  const ShapesView shapes = scene.view();
  Tree tree = build_tree(shapes);
  if (!tree.was_too_deep) {
    EXPECT_EQ(problem_of(tree, shapes), "") << name;
  }
  for (const Thrust* thrust : every_thrust()) {
    for (const System system : every_system) {
      CountedScratch scratch;
      EXPECT_TRUE(same_tree(tree, thrust->build_tree(system, shapes, scratch.get(), {})))
          << name << ", " << name_of(system) << " of Thrust " << thrust->version;
      EXPECT_EQ(scratch.bytes(), 0u) << name << ": memory is kept";
    }
  }
  return tree;
}

}  // namespace sightline::testing
