// Shafts: the space between a viewpoint and a box of targets. Where no shape's bounds reach into
// it, nothing blocks any of them.
#pragma once

#include "host/cpu/lanes/one_ray.hpp"
#include "host/cpu/lanes/trace.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// The convex hull of a viewpoint and a box, grown by a margin that covers all rounding:
/// docs/accuracy.md, "Shafts". Its faces are those of its bounds, and two through the viewpoint for
/// each axis, along which they run.
class Shaft {
 public:
  Shaft(const Vec3& viewpoint, const FanBox& box)
      : viewpoint_{viewpoint.x, viewpoint.y, viewpoint.z} {
    using sightline::abs, sightline::max, sightline::min;
    const float box_low[3] = {box.low.x, box.low.y, box.low.z};
    const float box_high[3] = {box.high.x, box.high.y, box.high.z};
    float low[3], high[3], size = 0;
    bool contains_viewpoint = true;
    for (int i = 0; i < 3; ++i) {
      low[i] = box_low[i] - viewpoint_[i];
      high[i] = box_high[i] - viewpoint_[i];
      size += max(abs(low[i]), abs(high[i]));
      contains_viewpoint &= low[i] <= 0 && high[i] >= 0;
    }
    margin_ = 0x1p-17f * size;
    reach_ = 2 * size;
    is_usable_ = size >= 0x1p-40f && size <= 0x1p50f && !contains_viewpoint;  // not NaN either
    for (int i = 0; i < 3; ++i) {
      low_[i] = min(low[i], 0.0f) - margin_;
      high_[i] = max(high[i], 0.0f) + margin_;
    }
    for (int i = 0; i < 3; ++i) {
      const int x = (i + 1) % 3, y = (i + 2) % 3;
      add_faces(x, y, low[x], high[x], low[y], high[y]);
    }
  }

  /// False also where it cannot be said.
  HWY_INLINE bool is_empty(const WideNode* nodes) const {
    const auto enters = [this](const WideNode& node, int part)
                            SIGHTLINE_LAMBDA { return reached(node, part); };
    return is_usable_ &&
           !walk_boxes(nodes, enters, [](std::uint32_t) SIGHTLINE_LAMBDA { return true; });
  }

 private:
  /// A face through the viewpoint: outside are points whose product with the normal is larger than
  /// the margin's.
  struct Face {
    int x, y;
    float normal[2], margin;
    bool high[2];  ///< which of a box's planes lie furthest inside
  };

  void add_face(int x, int y, float normal_x, float normal_y) {
    using sightline::abs;
    const float length = abs(normal_x) + abs(normal_y);
    if (length < 0x1p-20f * reach_) return;  // along the third axis: the bounds do
    faces_[count_++] = {x, y, {normal_x, normal_y}, margin_ * length, {normal_x < 0, normal_y < 0}};
  }
  /// The tangents from the viewpoint to the box, as seen along the third axis.
  void add_faces(int x, int y, float low_x, float high_x, float low_y, float high_y) {
    float left[2], right[2];  // corners: all of the box lies to the right and left of the way there
    if (low_x >= 0) {
      left[0] = high_y > 0 ? low_x : high_x, left[1] = high_y;
      right[0] = low_y < 0 ? low_x : high_x, right[1] = low_y;
    } else if (high_x <= 0) {
      left[0] = low_y < 0 ? high_x : low_x, left[1] = low_y;
      right[0] = high_y > 0 ? high_x : low_x, right[1] = high_y;
    } else if (low_y >= 0) {
      left[0] = low_x, left[1] = low_y;
      right[0] = high_x, right[1] = low_y;
    } else if (high_y <= 0) {
      left[0] = high_x, left[1] = high_y;
      right[0] = low_x, right[1] = high_y;
    } else {
      return;  // the viewpoint is in it
    }
    add_face(x, y, -left[1], left[0]);
    add_face(x, y, right[1], -right[0]);
  }

  /// The children of a node whose boxes reach into it.
  HWY_INLINE LaneMask<child_lanes> reached(const WideNode& node, int part) const {
    using F = ChildVec;
    const FloatTag<child_lanes> d;
    F low[3], high[3];
    LaneMask<child_lanes> in(true);
    for (int i = 0; i < 3; ++i) {
      low[i] = F(hn::Load(d, node.low[i] + part)) - F(viewpoint_[i]);
      high[i] = F(hn::Load(d, node.high[i] + part)) - F(viewpoint_[i]);
      in = in & (low[i] <= F(high_[i])) & (high[i] >= F(low_[i]));
      // What is further away than the shaft reaches is of no account, and would round coarsely.
      low[i] = max(low[i], F(-reach_));
      high[i] = min(high[i], F(reach_));
    }
    for (int k = 0; k < count_; ++k) {
      const Face& f = faces_[k];
      const F x = f.high[0] ? high[f.x] : low[f.x], y = f.high[1] ? high[f.y] : low[f.y];
      in = in & (fma(F(f.normal[0]), x, F(f.normal[1]) * y) <= F(f.margin));
    }
    return in;
  }

  float viewpoint_[3], low_[3], high_[3];
  float margin_, reach_;
  bool is_usable_;
  int count_ = 0;
  Face faces_[6];
};

}  // namespace sightline::detail::HWY_NAMESPACE
