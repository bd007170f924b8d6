// Shapes near a group of close points: one traversal collects them, and the points search them,
// eight points at a time.
#pragma once

#include "host/cpu/walk/leaf_shapes.hpp"
#include "host/cpu/walk/near_set.hpp"
#include "host/cpu/walk/near_walk.hpp"

namespace sightline::detail {

class NearGroup {
 public:
  /// Points of a group.
  static constexpr std::uint32_t points = 16;

  /// Collects the shapes whose bounds overlap the box; false where there are more than `most`.
  bool collect(const LeafShapes& leaves, const Aabb& box, std::uint32_t most = NearSet::most) {
    box_ = box;
    std::uint32_t places[NearSet::most], count = 0;
    bool all = true;
    walk_all(leaves.bvh, InBox{box}, [&](const WideNode& node, int c, const auto&) {
      all = count < most;
      if (all) places[count++] = leaves.prefetch_leaf(node, c);
      return !all;
    });
    if (!all) return false;
    set_.clear();
    for (auto& of_kind : places_) of_kind.clear();
    for (std::uint32_t k = 0; k < count; ++k) {
      leaves.visit_at(places[k], [&]<class S>(const S& s, std::uint32_t) {
        set_.add(s);
        places_[static_cast<int>(kind_for<S>)].push_back(places[k]);
      });
    }
    return true;
  }

  /// NearSet::search() of what is collected: offer(lane, place).
  template <class Offer>
  void search(const Balls8& eight, std::uint32_t lanes, const float* limit,
              const Offer& offer) const {
    set_.search(eight, lanes, limit, [&](std::uint32_t lane, std::uint32_t number) {
      const auto* of_kind = places_;
      for (; number >= of_kind->size(); ++of_kind) {
        number -= static_cast<std::uint32_t>(of_kind->size());
      }
      offer(lane, (*of_kind)[number]);
    });
  }

  /// Whether no other shape can be within the limit of this point.
  bool holds_all(const Vec3& p, float limit) const {
    const float x = min(p.x - box_.min.x, box_.max.x - p.x);
    const float y = min(p.y - box_.min.y, box_.max.y - p.y);
    const float z = min(p.z - box_.min.z, box_.max.z - p.z);
    const float clear = min(min(x, y), z);
    return clear > 0 && clear * clear > squared_limit(limit);
  }

 private:
  Aabb box_;
  NearSet set_;
  std::vector<std::uint32_t> places_[4];  ///< of the shapes of each kind
};

}  // namespace sightline::detail
