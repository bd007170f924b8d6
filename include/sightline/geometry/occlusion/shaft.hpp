// Shafts: the space between a viewpoint and a box of targets. Where no shape's bounds reach into
// it, nothing blocks any of them. Proof: docs/project/proofs/traversal.md, "Empty shafts".
#pragma once

#include <sightline/geometry/occlusion/target_box.hpp>

namespace sightline {

/// The convex hull of a viewpoint and a box, grown by a margin that covers all rounding. Its faces
/// are those of its bounds, and for each axis two through the viewpoint, along which they run.
class Shaft {
 public:
  Shaft() = default;
  SIGHTLINE_HD Shaft(const Vec3& viewpoint, const TargetBox& box)
      : viewpoint_{viewpoint.x, viewpoint.y, viewpoint.z} {
    const float box_low[3] = {box.low.x, box.low.y, box.low.z};
    const float box_high[3] = {box.high.x, box.high.y, box.high.z};
    float low[3], high[3], size = 0;
    bool contains_viewpoint = true;
    for (int i = 0; i < 3; ++i) {
      low[i] = box_low[i] - viewpoint_[i];
      high[i] = box_high[i] - viewpoint_[i];
      size += max(abs(low[i]), abs(high[i]));
      contains_viewpoint = contains_viewpoint && low[i] <= 0 && high[i] >= 0;
    }
    margin_ = 0x1p-17f * size;
    reach_ = 2 * size;
    is_usable_ = size >= 0x1p-40f && size <= 0x1p50f && !contains_viewpoint;  // not NaN either
    for (int i = 0; i < 3; ++i) {
      below_[i] = max(-low[i], 0.0f) + margin_;
      above_[i] = max(high[i], 0.0f) + margin_;
    }
    for (int i = 0; i < 3; ++i) {
      const int x = (i + 1) % 3, y = (i + 2) % 3;
      add_faces(faces_[i], low[x], high[x], low[y], high[y]);
    }
  }

  /// Whether entered_by() says anything.
  SIGHTLINE_HD bool is_usable() const { return is_usable_; }

  /// Whether boxes reach into it; true also where that cannot be said.
  template <class F>
  SIGHTLINE_HD MaskOf<F> entered_by(const F (&box_low)[3], const F (&box_high)[3]) const {
    F low[3], high[3];
    MaskOf<F> in(true);
    for (int i = 0; i < 3; ++i) {
      low[i] = box_low[i] - F(viewpoint_[i]);
      high[i] = box_high[i] - F(viewpoint_[i]);
      in = in & (low[i] <= F(above_[i])) & (-high[i] <= F(below_[i]));
      // What is further away than the shaft reaches is of no account, and would round coarsely.
      low[i] = max(low[i], F(-reach_));
      high[i] = min(high[i], F(reach_));
    }
    for (int i = 0; i < 3; ++i) {
      const int x = (i + 1) % 3, y = (i + 2) % 3;
      for (int k = 0; k < 2; ++k) {
        const Face& face = faces_[i][k];
        // The box's planes that lie furthest inside.
        const F across = face.x < 0 ? high[x] : low[x], up = face.y < 0 ? high[y] : low[y];
        const F outwards = fma(F(face.x), across, F(face.y) * up);
        in = in & (outwards <= F(face.margin));
      }
    }
    return in;
  }

 private:
  /// A face through the viewpoint along an axis: outside are points whose product with the normal,
  /// which the other two axes have, is larger than the margin. None: all zero.
  struct Face {
    float x, y, margin;
  };

  SIGHTLINE_HD Face face(float normal_x, float normal_y) const {
    const float length = abs(normal_x) + abs(normal_y);
    if (length < 0x1p-20f * reach_) return {0, 0, 0};  // along the third axis: the bounds do
    return {normal_x, normal_y, margin_ * length};
  }
  /// The tangents from the viewpoint to the box, as seen along the third axis.
  SIGHTLINE_HD void add_faces(Face (&faces)[2], float low_x, float high_x, float low_y,
                              float high_y) const {
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
    } else {  // the viewpoint is in it
      faces[0] = faces[1] = {0, 0, 0};
      return;
    }
    faces[0] = face(-left[1], left[0]);
    faces[1] = face(right[1], -right[0]);
  }

  float viewpoint_[3];
  float below_[3], above_[3];  ///< how far it reaches from the viewpoint along each axis
  float margin_, reach_;
  bool is_usable_;
  Face faces_[3][2];
};

}  // namespace sightline
