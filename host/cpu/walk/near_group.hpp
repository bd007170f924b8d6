// Shapes near a group of close points: one traversal collects them, and each point searches their
// boxes, eight at a time.
#pragma once

#include "host/cpu/walk/leaf_shapes.hpp"
#include "host/cpu/walk/near_walk.hpp"

namespace sightline::detail {

class NearGroup {
 public:
  /// Points of a group.
  static constexpr std::uint64_t points = 16;

  /// Collects the places of shapes whose bounds overlap the box; false where there are too many.
  bool collect(const LeafShapes& leaves, const Aabb& box) {
    box_ = box;
    count_ = 0;
    bool all = true;
    walk_all(leaves.bvh, InBox{box}, [&](const WideNode& node, int c, const auto&) {
      all = count_ < most;
      if (all) put(box_of(node, c), leaves.place(node, c));
      return !all;
    });
    // Fills up the last eight with missing children.
    while (count_ % wide_width != 0) put(empty_aabb(), none);
    return all;
  }

  /// Calls leaf(place) for each collected shape whose bounds may be within limit(), which leaf may
  /// lower; the nearest box first. ahead(place) is called some time before.
  template <class Limit, class Leaf, class Ahead>
  void for_each_near(const Vec3& p, const Limit& limit, const Leaf& leaf, const Ahead& ahead) {
    const std::uint32_t eights = count_ / wide_width;
    Float8 nearest = Float8{} + infinity;
    for (std::uint32_t k = 0; k < eights; ++k) {
      squares_[k] = squared_distances(boxes_[k], p);
      nearest = squares_[k] < nearest ? squares_[k] : nearest;
    }
    float least = infinity;
    for (int c = 0; c < wide_width; ++c) least = min(nearest[c], least);
    if (!(least <= squared_limit(limit()) && least < infinity)) return;
    std::uint32_t first = none;
    for (std::uint32_t k = 0; first == none; ++k) {
      const std::uint32_t in = bits_of_lanes(squares_[k] == least);
      if (in != 0) first = boxes_[k].child[__builtin_ctz(in)];
    }
    leaf(first);
    for (std::uint32_t k = 0; k < eights; ++k) {
      const float reach = squared_limit(limit());
      std::uint32_t in = bits_of_lanes((squares_[k] <= reach) & (squares_[k] < infinity));
      for (std::uint32_t rest = in; rest != 0; rest &= rest - 1) {
        ahead(boxes_[k].child[__builtin_ctz(rest)]);
      }
      for (; in != 0; in &= in - 1) {
        const std::uint32_t place = boxes_[k].child[__builtin_ctz(in)];
        if (place != first) leaf(place);
      }
    }
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
  static constexpr std::uint32_t most = 512;

  void put(const Aabb& b, std::uint32_t place) {
    WideNode& to = boxes_[count_ / wide_width];
    const std::uint32_t c = count_++ % wide_width;
    set_box(to, static_cast<int>(c), b);
    to.child[c] = place;
  }

  Aabb box_;
  std::uint32_t count_ = 0;
  WideNode boxes_[most / wide_width];
  Float8 squares_[most / wide_width];
};

}  // namespace sightline::detail
