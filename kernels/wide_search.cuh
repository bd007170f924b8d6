// A warp's traversal of a wide tree: idle lanes get new rays, and leaves are postponed until enough
// lanes have one.
//
// Source: postponing leaves is Aila and Laine, "Understanding the efficiency of ray traversal on
// GPUs" (2009), refilling lanes their addendum with Karras (2012); the rest derived here.
#pragma once

#include "kernels/blockers.cuh"
#include "kernels/launch.hpp"
#include "kernels/node_order.cuh"
#include "kernels/records.cuh"
#include "kernels/team.cuh"

#include <type_traits>

namespace sightline::kernels {

inline constexpr std::uint32_t no_ray = 0xFFFFFFFFu, no_node = 0xFFFFFFFFu;

/// Entries of a lane's stack in shared memory; the others are in local memory. A visited node
/// leaves at most one entry, and no path has more than bvh_max_depth nodes.
inline constexpr int shared_entries = 8;
struct SpilledEntries {
  Waiting entry[bvh_max_depth - shared_entries];
};

/// What a ray of a batch needs.
enum class Start {
  nothing,  ///< no such ray, or its answer is known
  bad,
  trace,
};

/// One lane's ray and the state of its traversal.
struct Walk {
  std::uint32_t ray = no_ray;    ///< its index in the batch, until its answer is stored
  std::uint32_t node = no_node;  ///< the next to visit
  std::uint32_t leaves = 0;      ///< slots of leaf_node still to test, as bits
  std::uint32_t leaf_node = 0;
  std::uint32_t more_leaves = 0;  ///< the same of more_node; only where `leaves` is not 0
  std::uint32_t more_node = 0;
  int entries = 0;
  ScaledRay scaled{};
  Best best;
};

/// The shared memory of a warp.
template <class Team>
struct WideMemory {
  typename Team::template Stack<Waiting, shared_entries> stack;
  typename Team::Bits marked, bad;  ///< one bit a ray of the batch, valid after the search
};

/// The shared memory of a warp that does the job.
template <class Team, class Job>
struct MemoryOfJob {
  using Type = WideMemory<Team>;
};

/// Traces rays [0, count) of a batch, at most 1024. `Rays` makes them, filters shapes and stores
/// the answers:
///   Start start(ray, query)                  makes the ray's query
///   Inside inside()                          the query's, for all rays
///   bool filtered, counts(ray, shapes, id)   whether shapes may be excluded; whether one counts
///   Found test(query, shape, gate_near, nearest)  t is not read where !closest; a hit further
///                                            than `nearest` may be left out
///   bool marks                               whether hits are marked, or misses
///   void finish(ray, scaled ray, best)       not called for Start::nothing
/// Rays::closest: the search is for the least (t, id), otherwise for any hit. Rays::learns: the
/// rays are some of the batch, whose bits are added to memory.marked (blockers.cuh):
///   ray(k)                                   the k-th
///   void learn(ray, blocker)                 of a ray that a shape of the tree blocked
template <class Team, int N, class Rays>
class WideSearch {
 public:
  template <class T>
  using Lanes = typename Team::template Lanes<T>;

  SIGHTLINE_HD WideSearch(const Team& team, const DeviceScene& scene, const Rays& rays,
                          WideMemory<Team>& memory, Lanes<SpilledEntries>& spilled)
      : team_(team), scene_(scene), rays_(rays), memory_(memory), spilled_(spilled) {}

  SIGHTLINE_HD void run(std::uint32_t count) {
    clear();
    for (std::uint32_t next = 0;;) {
      const std::uint32_t waiting = ballot(waits), walking = ballot(walks);
      const std::uint32_t idle = ~(waiting | walking);
      if (idle == all_lanes || (next < count && count_ones(idle) >= scene_.schedule.refill_at)) {
        refill(idle, next, count);
        if (next >= count) break;
        next += count_ones(idle);
      } else {
        step(waiting, walking);
      }
    }
    team_.sync();
  }

 private:
  using Node = QuantisedNode<N>;
  using Order = std::conditional_t<Rays::closest, NearFirst<N>, LargeFirst>;
  static constexpr bool learns = Rays::learns;
  static constexpr std::uint32_t all_lanes = 0xFFFFFFFFu;

  SIGHTLINE_HD const Node* nodes() const { return static_cast<const Node*>(scene_.wide.nodes); }

  template <class F>
  SIGHTLINE_HD std::uint32_t ballot(F&& f) {
    Lanes<bool> bit;
    team_.each([&](int lane) { bit[lane] = f(walk_[lane]); });
    return team_.ballot(bit);
  }

  SIGHTLINE_HD std::uint32_t ray_of(std::uint32_t k) const {
    if constexpr (learns) {
      return rays_.ray(k);
    } else {
      return k;
    }
  }

  /// Whether a lane waits for the test of a leaf, and whether it can visit a node. It is idle
  /// otherwise: its ray's traversal has ended.
  SIGHTLINE_HD static bool waits(const Walk& w) { return w.leaves != 0; }
  SIGHTLINE_HD static bool walks(const Walk& w) { return w.node != no_node && w.more_leaves == 0; }

  SIGHTLINE_HD void clear() {
    team_.each([&](int lane) {
      Walk& w = walk_[lane];
      w.ray = no_ray;
      end(w);
      if constexpr (learns) return;
      memory_.marked.clear(lane);
      memory_.bad.clear(lane);
    });
    team_.sync();
  }

  /// Stores the idle lanes' answers, many at a time and where no traversal's registers are needed,
  /// and gives them the rays from `next` on, in the order of their numbers.
  SIGHTLINE_HD void refill(std::uint32_t idle, std::uint32_t next, std::uint32_t count) {
    team_.each([&](int lane) {
      Walk& w = walk_[lane];
      if (waits(w) || walks(w)) return;
      if (w.ray != no_ray) finish(w);
      w.ray = no_ray;
      const std::uint32_t k = next + count_ones(idle & ((1u << lane) - 1));
      if (k < count) start(w, ray_of(k));
    });
  }

  /// Tests leaves where enough lanes wait for it, or none can do anything else; else nodes.
  SIGHTLINE_HD void step(std::uint32_t waiting, std::uint32_t walking) {
    if (walking == 0 || count_ones(waiting) >= scene_.schedule.leaves_at) {
      team_.note_leaves(waiting);
      team_.each([&](int lane) {
        if (waits(walk_[lane])) test_leaf(walk_[lane]);
      });
    } else {
      team_.note_nodes(walking);
      team_.each([&](int lane) {
        if (walks(walk_[lane])) visit_node(walk_[lane], lane);
      });
    }
  }

  SIGHTLINE_HD void start(Walk& w, std::uint32_t ray) {
    Query query{};
    const Start what = rays_.start(ray, query);
    if (what == Start::nothing) return;
    w.ray = ray;
    w.scaled = query.ray;
    w.best = Best{};
    if (what == Start::bad) {
      memory_.bad.set(ray);
      return;
    }
    w.entries = 0;
    w.node = nodes() == nullptr ? no_node : 0;
    const ShapesView& shapes = scene_.shapes;
    for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
      const Plane plane = shapes.get<Plane>(id - shapes.bounded());
      take(w, test(w, plane, w.scaled.t_min), [&] { return id; });
      if (!Rays::closest && w.best.id != none) {
        if constexpr (learns) w.best.id = no_blocker;
        return end(w);
      }
    }
  }

  SIGHTLINE_HD void finish(const Walk& w) {
    if ((w.best.id != none) == Rays::marks) memory_.marked.set(w.ray);
    rays_.finish(w.ray, w.scaled, w.best);
    if constexpr (learns) {
      if (w.best.id < no_blocker) rays_.learn(w.ray, w.best.id);
    }
  }
  SIGHTLINE_HD static void end(Walk& w) {
    w.node = no_node;
    w.leaves = w.more_leaves = 0;
  }

  template <class Shape>
  SIGHTLINE_HD Found test(const Walk& w, const Shape& shape, float gate_near) const {
    const Query query{w.scaled, rays_.inside(), 0, {none, none}, {none, none}};
    return rays_.test(query, shape, gate_near, w.best.t);
  }

  /// Takes a shape's answer, whatever its kind; read_id() reads its id, which few need.
  template <class ReadId>
  SIGHTLINE_HD void take(Walk& w, const Found& found, ReadId&& read_id) {
    if (!found.hit || (Rays::closest && found.t > w.best.t)) return;
    const std::uint32_t id = Rays::closest || rays_.filtered ? read_id() : 0;  // any: whichever
    if (rays_.filtered && !rays_.counts(w.ray, scene_.shapes, id)) return;
    if constexpr (Rays::closest) {
      w.best.offer(found, id);
    } else {
      w.best.id = id;
    }
  }

  SIGHTLINE_HD void test_leaf(Walk& w) {
    const Node& node = nodes()[w.leaf_node];
    const std::uint32_t slot = lowest_one(w.leaves);
    w.leaves &= w.leaves - 1;
    const std::uint32_t leaf = node.leaf[slot / 4] >> (8 * (slot % 4)) & 0xFFu;
    const std::uint32_t unit = node.first_record + (leaf & 31u);
    Found found{};
    visit_record(scene_.wide.records + unit, static_cast<Kind>(leaf >> 5), [&](const auto& shape) {
      const ScaledRay& ray = w.scaled;
      const SlabInterval gate = slab(ray.line, ray.t_min, ray.t_max, bounds(shape));
      if (sightline::is_empty(gate) || gate.t_near > w.best.t) return;
      found = test(w, shape, gate.t_near);
    });
    take(w, found, [&] { return scene_.wide.ids[unit]; });
    const bool done = !Rays::closest && w.best.id != none;
    if constexpr (learns) {
      if (done) w.best.id = blocker_of(leaf, unit);
    }
    if (w.leaves == 0) {
      w.leaves = w.more_leaves;
      w.leaf_node = w.more_node;
      w.more_leaves = 0;
    }
    if (done) end(w);
  }

  SIGHTLINE_HD void visit_node(Walk& w, int lane) {
    const Node node = nodes()[w.node];
    const float t_max = w.scaled.t_max;
    std::uint32_t hit = 0;
    Order order;
    test_children(node, node_ray(w.scaled.line.origin, w.scaled.line.inverse, w.scaled.t_min),
                  Rays::closest && w.best.t < t_max ? w.best.t : t_max,
                  [&](auto k, float t_near, bool seen) {
                    if (seen) hit |= 1u << k;
                    order.add(k, t_near);
                  });
    const std::uint32_t leaves = hit & node.leaf_slots();
    if (w.leaves == 0) {
      w.leaves = leaves;
      w.leaf_node = w.node;
    } else {
      w.more_leaves = leaves;
      w.more_node = w.node;
    }
    Waiting waiting{node.first_child, 0};
    if (!order.take_first(hit & node.inner_slots(), w.node, waiting)) {
      pop(w, lane);
    } else if (!Order::is_empty(waiting)) {
      write(w.entries++, lane, waiting);
      team_.note_depth(w.entries);
    }
  }

  /// Pops the next node that is not beyond the best hit.
  SIGHTLINE_HD void pop(Walk& w, int lane) {
    w.node = no_node;
    while (w.entries > 0) {
      Waiting waiting = read(w.entries - 1, lane);
      if (Rays::closest && Order::no_nearer_than(waiting) > w.best.t) {
        --w.entries;
        continue;
      }
      w.node = Order::take(waiting);
      if (Order::is_empty(waiting)) {
        --w.entries;
      } else {
        write(w.entries - 1, lane, waiting);
      }
      return;
    }
  }

  SIGHTLINE_HD Waiting read(int i, int lane) const {
    return i < shared_entries ? memory_.stack.read(i, lane)
                              : spilled_[lane].entry[i - shared_entries];
  }
  SIGHTLINE_HD void write(int i, int lane, const Waiting& w) {
    if (i < shared_entries) {
      memory_.stack.write(i, lane, w);
    } else {
      spilled_[lane].entry[i - shared_entries] = w;
    }
  }

  const Team& team_;
  const DeviceScene& scene_;
  const Rays& rays_;
  WideMemory<Team>& memory_;
  Lanes<SpilledEntries>& spilled_;
  Lanes<Walk> walk_;
};

/// Searches for rays [0, count); memory.marked and .bad are then for all lanes to read.
template <int N, class Team, class Rays>
SIGHTLINE_HD void search_batch(const Team& team, const DeviceScene& scene, const Rays& rays,
                               std::uint32_t count, WideMemory<Team>& memory) {
  // By itself: what an index chooses from cannot lie in registers, nor what lies beside it.
  typename Team::template Lanes<SpilledEntries> spilled;
  WideSearch<Team, N, Rays>(team, scene, rays, memory, spilled).run(count);
}

}  // namespace sightline::kernels
