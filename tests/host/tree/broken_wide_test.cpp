#include "tests/host/tree/validate_wide.hpp"
#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/scene.hpp>

#include <functional>

namespace sightline::testing {
namespace {

using detail::WideNode;

// What the checker must find in a wide tree over 200 spheres.
class BrokenWideTree : public ::testing::Test {
 protected:
  BrokenWideTree() {
    for (int i = 0; i < 200; ++i) scene_.add_sphere({r_.vec(-10, 10), 1});
    bvh_ = detail::widen(detail::build_bvh(scene_.view()).view());
  }
  void expect_problem(const std::string& part) const {
    const std::string problem = problem_of(bvh_, scene_.view());
    EXPECT_NE(problem.find(part), std::string::npos) << "'" << problem << "'";
  }
  struct Place {
    WideNode* node;
    int slot;
    std::uint32_t number;
    BvhChild& child() const { return node->child[slot]; }
  };
  Place find(const std::function<bool(const Place&)>& wanted) {
    for (std::uint32_t i = 0; i < bvh_.nodes.size(); ++i) {
      for (int slot = 0; slot < detail::wide_width; ++slot) {
        const Place place = {&bvh_.nodes[i], slot, i};
        if (wanted(place)) return place;
      }
    }
    throw std::logic_error("no such child");
  }
  static bool is_missing(const Place& p) {
    return p.node->low[0][p.slot] > p.node->high[0][p.slot];
  }
  Place a_leaf() {
    return find([](const Place& p) { return !is_missing(p) && (p.child() & bvh_leaf_bit) != 0; });
  }
  Place an_inner() {
    return find([](const Place& p) { return (p.child() & bvh_leaf_bit) == 0; });
  }
  Place a_missing() { return find(is_missing); }
  static void remove(const Place& p) {
    for (int axis = 0; axis < 3; ++axis) {
      p.node->low[axis][p.slot] = infinity;
      p.node->high[axis][p.slot] = -infinity;
    }
    p.child() = bvh_leaf_bit;
  }

  Random r_{1};
  Scene scene_;
  detail::WideBvh bvh_;
};

TEST_F(BrokenWideTree, TheWholeOneIsGood) { EXPECT_EQ(problem_of(bvh_, scene_.view()), ""); }
TEST_F(BrokenWideTree, AShapeTwice) {
  const Place a = a_leaf();
  const Place b = find([&](const Place& p) {
    return p.child() != a.child() && (p.child() & bvh_leaf_bit) != 0 && !is_missing(p) &&
           p.node != a.node;
  });
  b.child() = a.child();
  for (int axis = 0; axis < 3; ++axis) {
    b.node->low[axis][b.slot] = a.node->low[axis][a.slot];
    b.node->high[axis][b.slot] = a.node->high[axis][a.slot];
  }
  EXPECT_NE(problem_of(bvh_, scene_.view()), "");
}
TEST_F(BrokenWideTree, AMissingShape) {
  const Place last = find([](const Place& p) {
    const bool leaf = !is_missing(p) && (p.child() & bvh_leaf_bit) != 0;
    return leaf && (p.slot == 7 || is_missing({p.node, p.slot + 1, p.number}));
  });
  const std::string id = std::to_string(last.child() & ~bvh_leaf_bit);
  remove(last);
  expect_problem("shape " + id + " is in no leaf");
}
TEST_F(BrokenWideTree, AHole) {
  const Place p = find([](const Place& at) {
    return at.slot < 7 && !is_missing({at.node, at.slot + 1, at.number});
  });
  remove(p);
  expect_problem("has a child after a missing one");
}
TEST_F(BrokenWideTree, AMissingChildWithANumber) {
  a_missing().child() = 3 | bvh_leaf_bit;
  expect_problem("names a child that is missing");
}
TEST_F(BrokenWideTree, AnEmptyBoxThatIsNotTheEmptyBox) {
  const Place p = a_missing();
  p.node->low[1][p.slot] = 0;
  EXPECT_NE(problem_of(bvh_, scene_.view()), "");
}
TEST_F(BrokenWideTree, AShapePastTheEnd) {
  a_leaf().child() = bvh_leaf_bit | 200u;
  expect_problem("shape 200 is past the end");
}
TEST_F(BrokenWideTree, ALooseLeaf) {
  const Place p = a_leaf();
  p.node->high[0][p.slot] = next_up(p.node->high[0][p.slot]);
  expect_problem("has not its bounds");
}
TEST_F(BrokenWideTree, ABoxTooSmallByAFloat) {
  const Place p = an_inner();
  for (int axis = 0; axis < 3; ++axis) {
    for (float* plane : {&p.node->low[axis][p.slot], &p.node->high[axis][p.slot]}) {
      const float good = *plane;
      *plane = plane == &p.node->low[axis][p.slot] ? next_up(good) : next_down(good);
      expect_problem("node " + std::to_string(p.child()) + " reaches out of its box");
      *plane = good;
    }
  }
}
TEST_F(BrokenWideTree, ANaN) {
  const Place p = an_inner();
  p.node->low[1][p.slot] = std::nanf("");
  expect_problem("reaches out of its box");
}
TEST_F(BrokenWideTree, ACycle) {
  an_inner().child() = 0;
  expect_problem("node 0 comes before its parent");
}
TEST_F(BrokenWideTree, ANodeTwice) {
  const Place a = an_inner();
  const Place b = find(
      [&](const Place& p) { return (p.child() & bvh_leaf_bit) == 0 && p.child() != a.child(); });
  b.child() = a.child();
  EXPECT_NE(problem_of(bvh_, scene_.view()), "");
}
TEST_F(BrokenWideTree, ANodePastTheEnd) {
  const auto end = static_cast<BvhChild>(bvh_.nodes.size());
  an_inner().child() = end;
  expect_problem("node " + std::to_string(end) + " is past the end");
}
TEST_F(BrokenWideTree, ANodeToSpare) {
  bvh_.nodes.push_back(bvh_.nodes.back());
  expect_problem("is not reached");
}
TEST_F(BrokenWideTree, AWrongDepth) {
  ++bvh_.depth;
  expect_problem("the tree's depth is " + std::to_string(bvh_.depth - 1));
}
TEST_F(BrokenWideTree, AChainTooDeep) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {1, 1, 1}});
  detail::WideBvh chain;
  for (std::uint32_t i = 0; i < 65; ++i) {
    WideNode node;
    for (int slot = 0; slot < detail::wide_width; ++slot) remove({&node, slot, i});
    for (int axis = 0; axis < 3; ++axis) {
      node.low[axis][0] = 0;
      node.high[axis][0] = 1;
    }
    node.child[0] = i == 64 ? bvh_leaf_bit : i + 1;
    chain.nodes.push_back(node);
  }
  chain.depth = 65;
  EXPECT_EQ(problem_of(chain, scene.view()), "node 64 lies too deep");
  chain.nodes.erase(chain.nodes.begin());
  for (WideNode& node : chain.nodes) {
    if (!(node.child[0] & bvh_leaf_bit)) --node.child[0];
  }
  chain.depth = 64;
  EXPECT_EQ(problem_of(chain, scene.view()), "");
}

}  // namespace
}  // namespace sightline::testing
