// H-PLOC: warps climb the hierarchy that the Morton codes define, and at each of its nodes merge
// the few clusters that are left in either child.
//
// Source: Benthin, Meister, Barczak, Mehalwal, Tsakok and Kensler, "H-PLOC: hierarchical parallel
// locally-ordered clustering for bounding volume hierarchy construction" (2024); the rule by which
// the second lane to arrive climbs on is Apetrei, "Fast and simple agglomerative LBVH construction"
// (2014); the numbering of the nodes derived here.
#pragma once

#include "kernels/build/refit.cuh"
#include "kernels/launch/grid.hpp"
#include "kernels/traverse/team.cuh"

namespace sightline::kernels {

/// A subtree that has no parent yet.
struct alignas(32) Cluster {
  Aabb box;
  BvhChild child;      ///< how its parent will refer to it
  std::uint32_t slot;  ///< none: no cluster here
};

/// How many clusters a node of the hierarchy passes on, at most.
inline constexpr std::uint32_t hploc_list = warp_size / 2;
/// How many clusters to either side are candidates for merging. Measured by rounds of PLOC on trees
/// of 1e5 shapes, nodes visited by incoherent rays relative to the binned SAH tree, for 1 / 2 / 4 /
/// 8 / 16: city 0.99 / 0.95 / 1.00 / 1.04 / 1.11, cloud 1.06 / 1.05 / 1.11 / 1.22 / 1.20, mixed
/// 0.90 / 0.88 / 0.99 / 1.26 / 1.38. A large radius joins the small clusters first and leaves the
/// large ones to overlap above them.
inline constexpr int hploc_radius = 2;

/// Nodes are numbered by slots, so that the numbers do not depend on the order in which warps run.
/// A leaf's slot is its place. A merged cluster keeps the slot of its left part, and its node gets
/// the slot of the right part, less 1: the first leaf's slot is never a right part's, and every
/// other slot is once.
struct HplocJob {
  std::uint32_t count = 0;              ///< shapes, at least 2
  const std::uint64_t* code = nullptr;  ///< [count], in order
  /// [count]: the clusters of a node of the hierarchy, in the first places of its leaves; in all
  /// places where it has at most hploc_list leaves. On entry: the leaves in the order of the codes.
  Cluster* cluster = nullptr;
  /// [count - 1], none on entry: the far end of the first subtree to arrive at the gap between
  /// places i and i + 1.
  std::uint32_t* far_end = nullptr;
  BvhNode* node = nullptr;         ///< [count - 1], by slot
  std::uint8_t* height = nullptr;  ///< [count - 1]: levels of the tree at and below a node
};

/// Greater heights are stored as this.
inline constexpr int most_height = 255;

/// Depth: mutual nearest pairs merge where no new node is higher than `limit`; otherwise all
/// neighbours of the list, (2k, 2k + 1), merge in that round. Below the root of the hierarchy such
/// a round ends a list of at most 2 * hploc_list clusters, so that it costs one level. A node of
/// the hierarchy whose codes have b more bits in common than all codes have lies below at most b
/// others. With the limit 59 - b it passes on clusters at most 60 - b high: those from its
/// children, which have b + 1 bits or more, are at most 59 - b, and so are merged mutual pairs;
/// pairing neighbours adds 1. The root's limit is 64 - levels_for(its clusters): height +
/// levels_for(clusters) is at most 59 + 5 at first, and stays so: a round by mutual pairs is made
/// only below the limit, and one by neighbours halves the clusters. Where many bits are common, few
/// nodes are really above: clusters may always become hploc_always high. A tree that becomes too
/// high by this is not used.
inline constexpr int hploc_always = 16;
inline constexpr int hploc_limit = bvh_max_depth - levels_for(2 * hploc_list);

/// The shared memory of a warp.
template <class Team>
struct HplocMemory {
  typename Team::template Shared<Cluster> cluster;
  typename Team::template Shared<int> nearest;
};

/// One warp, from the leaves in its 32 places: a lane climbs from its leaf, and at each node the
/// second lane to arrive goes on with both children.
template <class Team>
class HplocWarp {
 public:
  template <class T>
  using Lanes = typename Team::template Lanes<T>;

  SIGHTLINE_HD HplocWarp(const Team& team, const HplocJob& job, HplocMemory<Team>& memory)
      : team_(team), job_(job), memory_(memory), bits_of_all_(common_bits(0, job.count - 1)) {}

  SIGHTLINE_HD void run(std::uint32_t first_place) {
    team_.each([&](int lane) {
      first_[lane] = last_[lane] = first_place + static_cast<std::uint32_t>(lane);
      climbs_[lane] = first_[lane] < job_.count;
    });
    for (;;) {
      team_.each([&](int lane) {
        if (climbs_[lane]) climb(lane);
      });
      const std::uint32_t climbing = team_.ballot(climbs_);
      if (climbing == 0) break;
      team_.note_climb(climbing);
      Lanes<bool> merges;
      team_.each([&](int lane) { merges[lane] = climbs_[lane] && is_long(lane); });
      for (std::uint32_t left = team_.ballot(merges); left != 0; left &= left - 1) {
        merge(static_cast<int>(lowest_one(left)));
      }
    }
  }

 private:
  /// Whether a lane's subtree has too many leaves to pass on unmerged.
  SIGHTLINE_HD bool is_long(int lane) const {
    return last_[lane] - first_[lane] >= hploc_list || is_whole(first_[lane], last_[lane]);
  }
  SIGHTLINE_HD bool is_whole(std::uint32_t first, std::uint32_t last) const {
    return first == 0 && last == job_.count - 1;
  }
  /// Whether the codes on both sides of gap a have more bits in common than those of gap b; places
  /// distinguish equal codes.
  SIGHTLINE_HD bool is_closer(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t x = job_.code[a] ^ job_.code[a + 1], y = job_.code[b] ^ job_.code[b + 1];
    return x != y ? x < y : (a ^ (a + 1)) < (b ^ (b + 1));
  }

  /// Climbs to the parent if the other child has arrived there before.
  SIGHTLINE_HD void climb(int lane) {
    const std::uint32_t first = first_[lane], last = last_[lane];
    climbs_[lane] = false;
    if (is_whole(first, last)) return;
    const bool is_left = first == 0 || (last != job_.count - 1 && is_closer(last, first - 1));
    // One call for both sides, since its fences are dear and lanes would take turns.
    const std::uint32_t gap = is_left ? last : first - 1;
    const std::uint32_t far = Team::swap(job_.far_end + gap, is_left ? first : last);
    if (far == none) return;
    climbs_[lane] = true;
    middle_[lane] = is_left ? last + 1 : first;
    (is_left ? last_[lane] : first_[lane]) = far;
  }

  /// Merges the clusters of both children of a lane's node, by all lanes.
  SIGHTLINE_HD void merge(int of_lane) {
    const std::uint32_t first = team_.broadcast(first_, of_lane),
                        middle = team_.broadcast(middle_, of_lane),
                        last = team_.broadcast(last_, of_lane);
    team_.sync();  // all lanes may now read what that lane has seen written
    std::uint32_t count = load(first, middle, last);
    if (is_whole(first, last)) {
      while (count > 1) count = merge_pairs(count, bvh_max_depth - levels_for(count));
    } else {
      const int limit = limit_of(first, last);
      while (count > hploc_list) count = merge_pairs(count, limit);
      store(first, count);
    }
    team_.sync();
  }

  /// How many leading bits the codes of these places share; where codes are equal, those of the
  /// places.
  SIGHTLINE_HD int common_bits(std::uint32_t first, std::uint32_t last) const {
    const std::uint64_t code = job_.code[first] ^ job_.code[last];
    return code != 0 ? leading_zeros(code) : 64 + leading_zeros(first ^ last);
  }
  SIGHTLINE_HD int limit_of(std::uint32_t first, std::uint32_t last) const {
    const int more = common_bits(first, last) - bits_of_all_;
    return hploc_limit - more > hploc_always ? hploc_limit - more : hploc_always;
  }

  /// Loads the clusters and returns their number: cluster k is lane k's, and in shared memory.
  SIGHTLINE_HD std::uint32_t load(std::uint32_t first, std::uint32_t middle, std::uint32_t last) {
    Lanes<bool> is_there;
    team_.each([&](int lane) {
      const auto l = static_cast<std::uint32_t>(lane);
      const std::uint32_t place = l < hploc_list ? first + l : middle + (l - hploc_list);
      const std::uint32_t end = l < hploc_list ? middle : last + 1;
      is_there[lane] = place < end;
      if (is_there[lane]) own_[lane] = job_.cluster[place];
      is_there[lane] = is_there[lane] && own_[lane].slot != none;
    });
    return share(is_there);
  }

  /// Compacts the clusters of the lanes that keep theirs.
  SIGHTLINE_HD std::uint32_t share(const Lanes<bool>& stays) {
    const std::uint32_t staying = team_.ballot(stays);
    team_.each([&](int lane) {
      if (!stays[lane]) return;
      const std::uint32_t before = staying & ((1u << lane) - 1);
      memory_.cluster.write(static_cast<int>(count_ones(before)), own_[lane]);
    });
    team_.sync();
    const std::uint32_t count = count_ones(staying);
    team_.each([&](int lane) {
      if (static_cast<std::uint32_t>(lane) < count) own_[lane] = memory_.cluster.read(lane);
    });
    return count;
  }

  SIGHTLINE_HD void store(std::uint32_t first, std::uint32_t count) {
    team_.each([&](int lane) {
      const auto l = static_cast<std::uint32_t>(lane);
      if (l >= hploc_list) return;
      if (l >= count) own_[lane].slot = none;
      job_.cluster[first + l] = own_[lane];
    });
  }

  /// A round of PLOC: merges mutual nearest pairs, of which there is at least one (see nearest()),
  /// or all neighbours where a node would be too high. Returns how many clusters are
  /// left.
  SIGHTLINE_HD std::uint32_t merge_pairs(std::uint32_t clusters, int limit) {
    const int count = static_cast<int>(clusters);
    team_.note_round(clusters);
    team_.each([&](int lane) {
      if (lane < count) memory_.nearest.write(lane, nearest(lane, count));
    });
    team_.sync();
    Lanes<bool> is_too_high;
    team_.each([&](int lane) {
      partner_[lane] = lane;
      if (lane < count) {
        const int other = memory_.nearest.read(lane);
        if (memory_.nearest.read(other) == lane) partner_[lane] = other;
      }
      is_too_high[lane] = false;
      if (partner_[lane] <= lane) return;
      height_[lane] = height_over(lane);
      is_too_high[lane] = height_[lane] > limit;
    });
    if (team_.ballot(is_too_high) != 0) {
      team_.each([&](int lane) {
        partner_[lane] = lane < count && (lane ^ 1) < count ? lane ^ 1 : lane;
        if (partner_[lane] > lane) height_[lane] = height_over(lane);
      });
    }
    Lanes<bool> stays;
    team_.each([&](int lane) {
      stays[lane] = lane < count && partner_[lane] >= lane;
      if (partner_[lane] > lane) join(lane);
    });
    team_.sync();
    return share(stays);
  }

  /// The cluster within the radius whose union with the lane's has the smallest box.
  ///
  /// Ties are broken by lane ^ k, which is symmetric and distinct for all neighbours of one
  /// cluster. So every chain of nearest neighbours ends in a mutual pair, and where all boxes are
  /// equal the pairs are (2k, 2k + 1), which halves the clusters.
  SIGHTLINE_HD int nearest(int lane, int count) const {
    const int begin = lane < hploc_radius ? 0 : lane - hploc_radius;
    const int end = count - lane > hploc_radius ? lane + hploc_radius + 1 : count;
    int best = lane;
    float least = infinity;
    for (int k = begin; k < end; ++k) {
      if (k == lane) continue;
      const float area = half_area(unite(own_[lane].box, memory_.cluster.read(k).box));
      if (area < least || (area == least && (lane ^ k) < (lane ^ best))) {
        least = area;
        best = k;
      }
    }
    return best;
  }

  SIGHTLINE_HD int height_of(BvhChild child) const {
    return child & bvh_leaf_bit ? 0 : job_.height[child];
  }
  /// The height of the node over a lane's cluster and its partner.
  SIGHTLINE_HD int height_over(int lane) const {
    const int a = height_of(own_[lane].child),
              b = height_of(memory_.cluster.read(partner_[lane]).child);
    return 1 + (a < b ? b : a);
  }
  /// Writes the node, and replaces the lane's cluster by the merged one.
  SIGHTLINE_HD void join(int lane) {
    Cluster& left = own_[lane];
    const Cluster right = memory_.cluster.read(partner_[lane]);
    const BvhChild node = right.slot - 1;
    write_node(job_.node[node], left.box, left.child, right.box, right.child);
    const int height = height_[lane];
    job_.height[node] = static_cast<std::uint8_t>(height < most_height ? height : most_height);
    left = {unite(left.box, right.box), node, left.slot};
  }

  const Team& team_;
  const HplocJob& job_;
  HplocMemory<Team>& memory_;
  const int bits_of_all_;  ///< that all codes have in common
  Lanes<bool> climbs_;
  Lanes<std::uint32_t> first_, middle_, last_;  ///< places of a lane's subtree
  Lanes<Cluster> own_;
  Lanes<int> partner_;  ///< the partner of a lane's cluster; itself: none
  Lanes<int> height_;   ///< of the node over both
};

}  // namespace sightline::kernels
