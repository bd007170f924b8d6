// A warp's traversal of a wide tree: idle lanes get new rays, and leaves are postponed until enough
// lanes have one.
//
// Source: postponing leaves is Aila and Laine, "Understanding the efficiency of ray traversal on
// GPUs" (2009), refilling lanes their addendum with Karras (2012); the rest derived here.
#pragma once

#include "kernels/launch/launch.hpp"
#include "kernels/traverse/leaf_tests.cuh"
#include "kernels/traverse/node_order.cuh"
#include "kernels/traverse/occluder_cache.cuh"
#include "kernels/traverse/records.cuh"
#include "kernels/traverse/team.cuh"

#include <type_traits>

namespace sightline::kernels {

inline constexpr std::uint32_t no_ray = 0xFFFFFFFFu;

/// So many entries of a lane's stack lie in shared memory, those above them in local memory, whose
/// lines few lanes share. A visited node leaves at most one entry, no path has more than
/// bvh_max_depth nodes, of which the last leaves none, and below them is the end of the walk, or
/// where it climbs to.
inline constexpr int low_entries = 6;
struct HighEntries {
  Waiting entry[bvh_max_depth - low_entries];
};

/// What a ray of a batch needs.
enum class Start {
  nothing,  ///< no such ray, or its answer is known
  bad,
  trace,
};

/// Of a walk that climbs: what is below this node is visited, or being visited.
struct Climbed {
  std::uint32_t from = 0;
};
struct FromRoot {};
/// One lane's ray and the state of its traversal.
template <class Beginning>
struct Walk : Beginning {
  std::uint32_t ray = no_ray;    ///< its index in the batch, until its answer is stored
  std::uint32_t node = no_node;  ///< the next to visit
  std::uint32_t leaves = 0;      ///< slots of leaf_node still to test, as bits
  std::uint32_t leaf_node = 0;
  std::uint32_t more_leaves = 0;  ///< the same of more_node; only where `leaves` is not 0
  std::uint32_t more_node = 0;
  Waiting top{};    ///< of the stack; the entries below it are in memory, and none of them is empty
  int entries = 0;  ///< in memory
  ScaledRay scaled{};     ///< but for what ray_of() brings back
  Vec3 push{};            ///< see NodeRay
  NearRows near_rows{};   ///< the same
  std::int32_t last = 0;  ///< what is not before it is not visited: see test_children();
                          ///< of a bad ray -1
  Best best;              ///< of the closest hit
  bool blocked = false;   ///< any hit
};

/// The shared memory of a warp.
template <class Team>
struct WideMemory {
  typename Team::template Bits<> marked, bad;  ///< a bit a ray of the batch, valid after the search
  typename Team::template Stack<Waiting, low_entries> stack;
};
/// The same for tiles (matrix_tile.cuh), which have no bad rays.
template <class Team>
struct TileMemory {
  typename Team::template Bits<most_tile_words> marked;
  typename Team::template Stack<Waiting, low_entries> stack;
  Blockers<Team> blockers;
  typename Team::template Shared<std::uint32_t, most_tile_words> open;  ///< see Tile::place()
};
/// What the batches of a Job need.
template <class Team, class Job>
struct MemoryOf {
  using Type = WideMemory<Team>;
};

/// Bodies that go through the tree in a way of their own, which a Path tells. Any hit ends them,
/// floats are never in doubt, and planes are not asked:
///   Start start(ray, query, path)                     never bad
///   uint32_t children_seen(node, node ray, last, path)  the slots of children that are entered
///   bool test(ray, shape, path)                       whether the shape ends it
///   void finish(ray, hit)
template <class Rays>
concept GoOwnWays = requires {
  typename Rays::Path;
};
struct NoPath {};
/// Rays whose walk begins at a node around one of their ends and climbs from there, so that it
/// meets first what is near that end:
///   uint32_t first_node(ray, blockers_pay)   0, the root, where that does not pay
template <class Rays>
concept Climb = requires(const Rays& rays) {
  rays.first_node(0u, true);
};
template <class Rays>
struct PathOf {
  using Type = NoPath;
};
template <GoOwnWays Rays>
struct PathOf<Rays> {
  using Type = typename Rays::Path;
};

/// Traces rays [0, count) of a batch, as many as its memory has bits. `Rays` makes them, filters
/// shapes and stores the answers:
///   Start start(ray, query)                  makes the ray's query
///   RayPolicy policy()                       the query's, for all rays
///   bool filtered                            whether masks or exclusions matter
///   bool passes_filter(ray, shapes, id)      where they do
///   static Found test(query, shape, nearest, fallback)
///                                            gate included; t is not read where !closest; a hit
///                                            further than `nearest` may be left out; `fallback` is
///                                            asked where floats are in doubt (leaf_tests.cuh)
///   bool marks                               whether hits are marked, or misses
///   bool tiled, column(ray)                  whether the batch is a tile, and where in it the
///                                            ray's target is: see tile_columns
///   void finish(ray, scaled ray, best)       not called for Start::nothing; best.id is not `none`
///                                            if there is a hit, which is all that any hit knows
/// Rays::closest: the search is for the least (t, id), otherwise for any hit.
template <class Team, class Rays>
class WideSearch {
 public:
  template <class T>
  using Lanes = typename Team::template Lanes<T>;
  using Memory = std::conditional_t<Rays::tiled, TileMemory<Team>, WideMemory<Team>>;

  SIGHTLINE_HD WideSearch(const Team& team, const DeviceScene& scene, const Rays& rays,
                          Memory& memory, Lanes<HighEntries>& high)
      : team_(team), scene_(scene), rays_(rays), memory_(memory), high_(high) {}

  SIGHTLINE_HD void run(std::uint32_t count) {
    clear();
    const Schedule& schedule = scene_.schedule;
    Lanes<bool> waits, walks;
    std::uint32_t few_busy = schedule.refill_at < warp_size ? warp_size - schedule.refill_at : 0;
    std::uint32_t leaves_at = schedule.leaves_at;
    for (std::uint32_t next = 0;;) {
      team_.each([&](int lane) {
        const Walk& w = walk_[lane];
        waits[lane] = w.leaves != 0;
        walks[lane] = w.node != no_node && w.more_leaves == 0;
      });
      const std::uint32_t waiting = team_.ballot(waits), walking = team_.ballot(walks);
      const std::uint32_t busy = waiting | walking;
      if (count_ones(busy) <= few_busy) {
        if constexpr (Rays::tiled) worth_ = memory_.blockers.worth(team_);
        refill(~busy, next, count);
        if (next >= count) break;
        next += warp_size - count_ones(busy);
        if (next >= count) few_busy = 0;
        leaves_at = worth_ == Worth::a_wait ? schedule.blockers_at : schedule.leaves_at;
      } else if (walking == 0 || count_ones(waiting) >= leaves_at) {
        team_.note_leaves(waiting);
        team_.each([&](int lane) {
          if (waits[lane]) test_leaf(walk_[lane], path_[lane]);
        });
      } else {
        team_.note_nodes(walking);
        team_.each([&](int lane) {
          if (walks[lane]) visit_node(walk_[lane], path_[lane], lane);
        });
      }
    }
    team_.sync();
  }

 private:
  using Node = QuantisedNode;
  using Order = std::conditional_t<Rays::closest, NearFirst, LargeFirst>;
  using Worth = typename Blockers<Team>::Worth;
  using Path = typename PathOf<Rays>::Type;
  using Walk = kernels::Walk<std::conditional_t<Climb<Rays>, Climbed, FromRoot>>;

  SIGHTLINE_HD const Node* nodes() const { return scene_.wide.nodes; }

  SIGHTLINE_HD void clear() {
    team_.each([&](int lane) {
      Walk& w = walk_[lane];
      w.ray = no_ray;
      end(w);
      if constexpr (Rays::tiled) memory_.blockers.clear(lane);
      memory_.marked.clear(lane);
      if constexpr (!Rays::tiled) memory_.bad.clear(lane);
    });
    team_.sync();
  }

  /// Stores the idle lanes' answers, many at a time and where no traversal's registers are needed,
  /// and gives them the rays from `next` on, in the order of their numbers.
  SIGHTLINE_HD void refill(std::uint32_t idle, std::uint32_t next, std::uint32_t count) {
    team_.each([&](int lane) {
      if ((idle >> lane & 1u) == 0) return;
      Walk& w = walk_[lane];
      if (w.ray != no_ray) finish(w);
      w.ray = no_ray;
      const std::uint32_t k = next + count_ones(idle & ((1u << lane) - 1));
      if (k < count) start(w, k, path_[lane]);
    });
  }

  SIGHTLINE_HD void start(Walk& w, std::uint32_t ray, [[maybe_unused]] Path& path) {
    Query query{};
    Start what;
    if constexpr (GoOwnWays<Rays>) {
      what = rays_.start(ray, query, path);
    } else {
      what = rays_.start(ray, query);
    }
    if (what == Start::nothing) return;
    w.ray = ray;
    const NodeRay node_ray =
        sightline::node_ray(query.ray.line.origin, query.ray.line.inverse, query.ray.t_min);
    w.scaled = query.ray;
    w.scaled.line.inverse = node_ray.inverse;
    w.scaled.t_min = node_ray.t_min;
    w.push = node_ray.push;
    w.near_rows = node_ray.near_rows;
    w.best = Best{};
    w.blocked = false;
    w.last = least_beyond(query.ray.t_max);
    if constexpr (!Rays::tiled) {
      if (what == Start::bad) {
        w.last = -1;
        memory_.bad.set(ray);
        return;
      }
    }
    w.entries = 0;
    w.top = Order::only(no_node);
    w.node = nodes() == nullptr ? no_node : 0;
    if constexpr (Climb<Rays>) {
      w.from = rays_.first_node(ray, worth_ != Worth::nothing);
      if (w.from != 0) {
        w.node = w.from;
        w.top = Order::only(nodes()[w.from].seldom.parent);
      }
    }
    if constexpr (!GoOwnWays<Rays>) {
      const ShapesView& shapes = scene_.shapes;
      for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
        const Plane plane = shapes.get<Plane>(id - shapes.bounded());
        ExactFallback fallback;  // of planes nothing is in doubt
        take(w, Rays::test(query, plane, w.best.t, fallback), [&] { return id; });
        if (w.blocked) return end(w);
      }
    }
    if constexpr (Rays::tiled) {
      const std::uint32_t leaf =
          worth_ == Worth::nothing ? none : memory_.blockers.of(rays_.column(ray));
      if (leaf != none) {
        w.leaf_node = leaf / Node::width;
        w.leaves = 1u << leaf % Node::width;
      }
    }
  }

  SIGHTLINE_HD void finish(const Walk& w) {
    Best best = w.best;
    if (w.blocked) best.id = 0;
    if ((best.id != none) == Rays::marks) memory_.marked.set(w.ray);
    if constexpr (GoOwnWays<Rays>) {
      rays_.finish(w.ray, w.blocked);
    } else {
      rays_.finish(w.ray, ray_of(w), best);
    }
  }
  SIGHTLINE_HD static void end(Walk& w) {
    w.node = no_node;
    w.leaves = w.more_leaves = 0;
  }
  /// The ray as shapes see it; what follows from the rest of it takes no registers of a walk.
  SIGHTLINE_HD static ScaledRay ray_of(const Walk& w) {
    ScaledRay ray = w.scaled;
    ray.bad = w.last < 0;
    ray.line.is_point = ray.line.dd.hi == 0.0f;
    Vec3& inverse = ray.line.inverse;
    if (!(max_abs(inverse) < largest_inverse)) {
      inverse = per_direction(inverse, ray.line.direction);
    }
    return ray;
  }

  /// Takes a shape's answer, whatever its kind; read_id() reads its id, which few need.
  template <class ReadId>
  SIGHTLINE_HD void take(Walk& w, const Found& found, ReadId&& read_id) {
    if (!found.hit || (Rays::closest && found.t > w.best.t)) return;
    const std::uint32_t id = Rays::closest || rays_.filtered ? read_id() : none;
    if (rays_.filtered && !rays_.passes_filter(w.ray, scene_.shapes, id)) return;
    if constexpr (Rays::closest) {
      w.best.offer(found, id);
      w.last = least_beyond(w.best.t);
    } else {
      w.blocked = true;
    }
  }

  SIGHTLINE_HD void test_leaf(Walk& w, [[maybe_unused]] const Path& path) {
    const Node& node = nodes()[w.leaf_node];
    const std::uint32_t slot = lowest_one(w.leaves);
    w.leaves &= w.leaves - 1;
    const LeafRecord at = leaf_of(node, slot);
    const RecordUnit* const record = scene_.wide.records + at.unit;
    if constexpr (GoOwnWays<Rays>) {
      visit_record(record, at.kind,
                   [&](const auto& shape) { w.blocked = rays_.test(w.ray, shape, path); });
    } else {
      const Query query{ray_of(w), rays_.policy(), 0, {none, none}, {none, none}};
      Found found{};
      DeferExact fallback;
      visit_record(record, at.kind, [&](const auto& shape) {
        found = Rays::test(query, shape, w.best.t, fallback);
      });
      if (fallback.open) {
        set_aside(w, [&] { found = test_exactly<Rays>(query, record, at.kind, w.best.t); });
      }
      take(w, found, [&] { return scene_.wide.ids[at.unit]; });
    }
    if constexpr (Rays::tiled) {
      if (w.leaf_node < none / Node::width) {
        memory_.blockers.learn(rays_.column(w.ray), w.leaf_node * Node::width + slot, w.blocked);
      }
    }
    if (w.leaves == 0) {
      w.leaves = w.more_leaves;
      w.leaf_node = w.more_node;
      w.more_leaves = 0;
    }
    if (w.blocked) end(w);
  }

  SIGHTLINE_HD void visit_node(Walk& w, [[maybe_unused]] const Path& path, int lane) {
    const Node node = nodes()[w.node];
    std::uint32_t hit = 0;
    Order order;
    const ScaledRay& ray = w.scaled;
    const NodeRay node_ray = {ray.line.origin, ray.line.inverse, w.push, ray.t_min, w.near_rows};
    if constexpr (GoOwnWays<Rays>) {
      hit = rays_.children_seen(node, node_ray, w.last, path) * Node::seen_bits(0);
    } else {
      test_children(node, node_ray, w.last, [&](auto k, std::int32_t entry, bool seen) {
        if (seen) hit |= Node::seen_bits(k);
        order.add(k, entry);
      });
    }
    const std::uint32_t leaves = node.leaf_slots(hit);
    if (w.leaves == 0) {
      w.leaves = leaves;
      w.leaf_node = w.node;
    } else {
      w.more_leaves = leaves;
      w.more_node = w.node;
    }
    std::uint32_t inner = node.inner_slots(hit);
    if constexpr (Climb<Rays>) {
      if (w.entries == 0 && Order::is_empty(w.top)) {  // this is what lay at the stack's bottom
        inner &= ~(1u << (w.from - node.first_child));
        w.from = w.node;
        w.top = Order::only(nodes()[w.node].seldom.parent);
      }
    }
    go_on(w, lane, order, node.first_child, inner);
  }

  /// Goes on to the first of a node's children in `slots`, or to what waits.
  SIGHTLINE_HD void go_on(Walk& w, int lane, Order& order, std::uint32_t first_child,
                          std::uint32_t slots) {
    if (slots != 0) {
      if (!Order::is_empty(w.top)) push_top(w, lane);
      team_.note_depth(w.entries);
      if constexpr (Rays::closest) {
        return void(w.node = order.take_first(first_child, slots, w.top));
      }
      w.top = {first_child, slots};
    } else if constexpr (Rays::closest) {
      while (Order::is_empty(w.top) || Order::no_nearer_than(w.top) > w.last) {
        pop_top(w, lane);
      }
    } else if (Order::is_empty(w.top)) {
      pop_top(w, lane);
    }
    w.node = Order::take(w.top);
  }
  // Each branch names its memory. A pointer to either would make the device find out which it is at
  // every access; .ci/check_kernels.py refuses that.
  SIGHTLINE_HD void push_top(Walk& w, int lane) {
    const int k = w.entries++;
    if (k < low_entries) {
      memory_.stack.at(k, lane) = w.top;
    } else {
      high_[lane].entry[k - low_entries] = w.top;
    }
  }
  SIGHTLINE_HD void pop_top(Walk& w, int lane) {
    const int k = --w.entries;
    if (k < low_entries) {
      w.top = memory_.stack.at(k, lane);
    } else {
      w.top = high_[lane].entry[k - low_entries];
    }
  }

  const Team& team_;
  const DeviceScene& scene_;
  const Rays& rays_;
  Memory& memory_;
  Lanes<HighEntries>& high_;
  Lanes<Walk> walk_;
  Lanes<Path> path_;
  Worth worth_ = Worth::nothing;  ///< of a tile's blockers, when rays began last
};

/// Searches for rays [0, count); memory's bits are then for all lanes to read.
template <class Team, class Rays>
SIGHTLINE_HD void search_batch(const Team& team, const DeviceScene& scene, const Rays& rays,
                               std::uint32_t count,
                               typename WideSearch<Team, Rays>::Memory& memory) {
  // By itself: what an index chooses from cannot lie in registers, nor what lies beside it.
  typename Team::template Lanes<HighEntries> high;
  WideSearch<Team, Rays>(team, scene, rays, memory, high).run(count);
}

}  // namespace sightline::kernels
