// The searches by brute force, where there is no tree.
#pragma once

#include "kernels/launch.hpp"
#include "kernels/team.cuh"

namespace sightline::kernels {

/// A single lane, over every shape.
struct LaneBruteSearch {
  const DeviceScene& scene;

  template <class Test>
  SIGHTLINE_HD bool any_shape(const Query& q, Test&& test) const {
    const ShapesView& shapes = scene.shapes;
    for (std::uint32_t id = 0; id < shapes.size(); ++id) {
      float gate_near = q.ray.t_min;
      if (id < shapes.bounded()) {
        const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, shapes.bounds[id]);
        if (is_empty(gate)) continue;
        gate_near = gate.t_near;
      }
      if (counts(q, shapes, id) &&
          shapes.visit(id, [&](const auto& s) { return test(s, gate_near); })) {
        return true;
      }
    }
    return false;
  }
};

/// All rays of a team against every shape: tiles of Team::size shapes are loaded into shared
/// memory, one shape a lane, and then tested by every lane in the order of ids.
template <class Team>
class TeamBruteSearch {
 public:
  struct Memory {
    typename Team::template Shared<Aabb> bounds;
    typename Team::template Shared<std::uint32_t> mask, group;
  };
  SIGHTLINE_HD TeamBruteSearch(const DeviceScene& scene, Memory& tile)
      : shapes_(scene.shapes), tile_(tile) {}

  template <class T>
  using Lanes = typename Team::template Lanes<T>;

  SIGHTLINE_HD void closest(const Team& team, const Lanes<Query>& query, Lanes<Best>& best) const {
    search<false>(team, query, best);
  }
  SIGHTLINE_HD void any(const Team& team, const Lanes<Query>& query, Lanes<bool>& hit) const {
    Lanes<Best> first;
    search<true>(team, query, first);
    team.each([&](int lane) { hit[lane] = first[lane].id != none; });
  }

 private:
  /// The least (t, id) of each lane or, with `stop_at_first`, any hit. Ends when no lane searches.
  template <bool stop_at_first>
  SIGHTLINE_HD void search(const Team& team, const Lanes<Query>& query, Lanes<Best>& best) const {
    Lanes<bool> searching;
    team.each([&](int lane) {
      best[lane] = Best{};
      searching[lane] = !query[lane].ray.bad;
    });
    // any() waits for all lanes, so that nobody still reads the previous tile.
    for (std::uint64_t first = 0; first < shapes_.size() && team.any(searching);
         first += Team::size) {
      const auto first_id = static_cast<std::uint32_t>(first);
      load(team, first_id);
      team.sync();
      team.each([&](int lane) {
        if (!searching[lane]) return;
        test_tile<stop_at_first>(query[lane], first_id, best[lane]);
        if (stop_at_first && best[lane].id != none) searching[lane] = false;
      });
    }
  }

  SIGHTLINE_HD void load(const Team& team, std::uint32_t first) const {
    team.each([&](int lane) {
      if (shapes_.size() - first <= static_cast<std::uint32_t>(lane)) return;
      const std::uint32_t id = first + static_cast<std::uint32_t>(lane);
      if (id < shapes_.bounded()) tile_.bounds.write(lane, shapes_.bounds[id]);
      tile_.mask.write(lane, shapes_.mask_of(id));
      tile_.group.write(lane, shapes_.group_of(id));
    });
  }

  template <bool stop_at_first>
  SIGHTLINE_HD void test_tile(const Query& q, std::uint32_t first, Best& best) const {
    for (int k = 0; k < Team::size; ++k) {
      if (shapes_.size() - first <= static_cast<std::uint32_t>(k)) return;
      const std::uint32_t id = first + static_cast<std::uint32_t>(k);
      float gate_near = q.ray.t_min;
      if (id < shapes_.bounded()) {
        const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, tile_.bounds.read(k));
        // No hit is nearer than its gate; a gate that begins at the best hit may still tie.
        if (is_empty(gate) || gate.t_near > best.t) continue;
        gate_near = gate.t_near;
      }
      if (!counts(q, id, tile_.mask.read(k), tile_.group.read(k))) continue;
      best.offer(shapes_.visit(id, [&](const auto& s) { return cast_past_gate(q, s, gate_near); }),
                 id);
      if (stop_at_first && best.id != none) return;
    }
  }

  const ShapesView& shapes_;
  Memory& tile_;
};

}  // namespace sightline::kernels
