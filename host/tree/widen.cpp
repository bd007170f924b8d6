#include "host/common/fp_environment.hpp"
#include "host/tree/collapse.hpp"

#include <sightline/error.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <new>
#include <string>

namespace sightline::detail {
namespace {

constexpr std::uint32_t range_size = 1u << 14;  // nodes of the binary tree per task
constexpr std::size_t subtree_count = 256;      // at least so many subtrees for parallel marking

void store(WideNode& node, int slot, const Aabb& box, BvhChild child) {
  set_box(node, slot, box);
  node.child[slot] = child;
}

/// Any-hit rays end sooner with leaves before inner nodes, and large boxes before small ones.
bool comes_first(const WideChild& a, const WideChild& b) {
  if (is_leaf(a.child) != is_leaf(b.child)) return is_leaf(a.child);
  return half_area(a.box) > half_area(b.box);
}

void sort(WideChildren& children) {
  for (int i = 1; i < children.count; ++i) {
    const WideChild moved = children.at[i];
    int to = i;
    for (; to > 0 && comes_first(moved, children.at[to - 1]); --to) {
      children.at[to] = children.at[to - 1];
    }
    children.at[to] = moved;
  }
}

/// A remaining node of the binary tree, and its depth in the wide one.
struct Remaining {
  std::uint32_t node;
  int depth;
};

/// Remaining nodes keep their order, which preserves locality.
class Widening {
 public:
  explicit Widening(const BvhView& bvh)
      : count_(bvh.node_count),
        ranges_(count_ / range_size + (count_ % range_size != 0)),
        collapse_(bvh),
        number_(count_) {}

  SIGHTLINE_NOINLINE void fill(WideBvh& wide) {
    wide.depth = mark_all();
    wide.nodes.resize(number_nodes());
    for_each_range([&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) {
        if (number_[i] != vanishes) fill_node(wide.nodes[number_[i]], i);
      }
    });
  }

 private:
  static constexpr std::uint32_t vanishes = 0xFFFFFFFFu;

  /// Calls task(range, begin, end) for every range of nodes.
  template <class Task>
  void for_each_range(const Task& task) {
    tbb::parallel_for(std::uint32_t{0}, ranges_, [&](std::uint32_t range) {
      const FpEnvironment environment;
      const std::uint32_t begin = range * range_size;
      task(range, begin, begin + std::min(count_ - begin, range_size));
    });
  }

  /// Sets number_ to something other than `vanishes` where a node remains; returns the depth.
  int mark_all() {
    for_each_range([&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
      std::fill(number_.begin() + begin, number_.begin() + end, vanishes);
    });
    std::vector<Remaining> todo = {{0, 1}};
    int deepest = 0;
    for (std::size_t next = 0; next < todo.size() && todo.size() - next < subtree_count; ++next) {
      deepest = std::max(deepest, todo[next].depth);
      mark(todo[next], todo);
      todo[next].depth = 0;
    }
    std::vector<int> depth(todo.size());
    tbb::parallel_for(std::size_t{0}, todo.size(), [&](std::size_t i) {
      const FpEnvironment environment;
      if (todo[i].depth != 0) depth[i] = mark_below(todo[i]);
    });
    return std::max(deepest, *std::max_element(depth.begin(), depth.end()));
  }

  int mark_below(const Remaining& root) {
    std::vector<Remaining> todo = {root};
    int deepest = 0;
    while (!todo.empty()) {
      const Remaining now = todo.back();
      todo.pop_back();
      deepest = std::max(deepest, now.depth);
      mark(now, todo);
    }
    return deepest;
  }

  /// Marks a node, and adds its inner children to the list.
  void mark(Remaining now, std::vector<Remaining>& todo) {
    number_[now.node] = 0;
    const WideChildren children = collapse_.children_of(now.node);
    for (int k = 0; k < children.count; ++k) {
      const BvhChild child = children.at[k].child;
      if (!is_leaf(child)) todo.push_back({child, now.depth + 1});
    }
  }

  /// Numbers the remaining nodes; returns how many there are.
  std::uint32_t number_nodes() {
    std::vector<std::uint32_t> before(ranges_);
    for_each_range([&](std::uint32_t range, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) before[range] += number_[i] != vanishes;
    });
    std::uint32_t total = 0;
    for (std::uint32_t& n : before) {
      const std::uint32_t here = n;
      n = total;
      total += here;
    }
    for_each_range([&](std::uint32_t range, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) {
        if (number_[i] != vanishes) number_[i] = before[range]++;
      }
    });
    return total;
  }

  SIGHTLINE_NOINLINE void fill_node(WideNode& to, std::uint32_t from) {
    WideChildren children = collapse_.children_of(from);
    sort(children);
    for (int k = 0; k < wide_width; ++k) {
      if (k >= children.count) {
        store(to, k, empty_aabb(), bvh_leaf_bit);
      } else {
        const auto& [box, child] = children.at[k];
        store(to, k, box, is_leaf(child) ? child : number_[child]);
      }
    }
  }

  std::uint32_t count_, ranges_;
  Collapse collapse_;
  PageVector<std::uint32_t> number_;  ///< in the wide tree, by number in the binary one
};

}  // namespace

BuildBytes widening_bytes(std::uint64_t binary_nodes, std::uint64_t wide_nodes) {
  const BuildBytes collapse = Collapse::bytes(binary_nodes);
  const std::uint64_t numbers = binary_nodes * sizeof(std::uint32_t);
  const std::uint64_t kept = wide_nodes * sizeof(WideNode);
  return {std::max(collapse.peak, collapse.kept + numbers + kept), kept};
}

WideBvh widen(const BvhView& bvh) {
  WideBvh wide;
  if (bvh.node_count == 0) return wide;
  try {
    const FpEnvironment environment;
    Widening(bvh).fill(wide);
  } catch (const std::bad_alloc&) {
    const std::uint64_t least = bvh.node_count / (wide_width - 1);
    throw Error(ErrorKind::out_of_memory,
                "widening a tree of " + std::to_string(bvh.node_count) + " nodes needs at least " +
                    std::to_string(widening_bytes(bvh.node_count, least).peak) + " bytes");
  }
  return wide;
}

}  // namespace sightline::detail
