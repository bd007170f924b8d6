// Traversal of coherent rays: whole packets against the boxes of a node.
#pragma once

#include "host/cpu/rays/packet_leaves.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <RayQuery query>
class Packet {
 public:
  /// `rays` and `frusta`, which bounds them, outlive the packet; `filters` is null where nothing is
  /// filtered.
  Packet(const TraceScene& scene, RayPolicy policy, const RayFilter* filters, PacketRays& rays,
         PacketFrusta& frusta)
      : nodes_(scene.nodes),
        rays_(rays),
        frusta_(frusta),
        leaves_(scene.shapes, policy, filters, rays) {
    leaves_.test_unbounded();
    if (scene.node_count > 0) frames_[frame_count_++] = {0, all_vectors, 0.0f};
  }

  /// Finds every ray's hit.
  HWY_NOINLINE void trace() {
    while (frame_count_ > 0) {
      const Frame f = frames_[--frame_count_];
      rays_.refresh(leaves_.take_touched(), frusta_);
      const std::uint32_t active = f.vectors & frusta_.reaching(f.t_near);
      if (active != 0) enter(nodes_[f.node], active);
    }
    leaves_.finish();
  }

 private:
  static constexpr std::uint32_t all_vectors = (1u << packet_vectors) - 1;
  /// Up to this many vectors are tested one by one, which is tighter.
  static constexpr int few = 3;

  struct Frame {
    std::uint32_t node, vectors;
    float t_near;
  };
  /// The children of a node that some vectors enter, as bits; which vectors enter each, and the
  /// nearest entry.
  struct Entered {
    std::uint32_t children = 0;
    std::uint32_t vectors[wide_width];
    float t_near[wide_width];
  };

  HWY_INLINE void enter(const WideNode& node, std::uint32_t active) {
    Entered in;
    if (__builtin_popcount(active) <= few) {
      test_vectors(node, active, in);
    } else {
      test_packet(node, active, in);
    }
    // Leaves are tested first; the nearest inner child is pushed last.
    const int begin = frame_count_;
    for (std::uint32_t rest = in.children; rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      if (is_leaf(node.child[c])) {
        leaves_.test(node, c, in.vectors[c]);
        continue;
      }
      int j = frame_count_++;
      for (; j > begin && frames_[j - 1].t_near < in.t_near[c]; --j) frames_[j] = frames_[j - 1];
      frames_[j] = {node.child[c], in.vectors[c], in.t_near[c]};
      prefetch(node.child[c]);
    }
  }

  HWY_INLINE void test_packet(const WideNode& node, std::uint32_t active, Entered& in) {
    const ChildrenMet met = frusta_.test(node);
    for (std::uint32_t rest = met.enters; rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      if (is_leaf(node.child[c])) leaves_.prefetch(node.child[c] & ~bvh_leaf_bit);
      in.t_near[c] = met.t_near[c];
      in.vectors[c] = (met.large >> c & 1) != 0 ? active : active & frusta_.entering(node, c);
      if (in.vectors[c] != 0) in.children |= 1u << c;
    }
  }

  HWY_INLINE void test_vectors(const WideNode& node, std::uint32_t active, Entered& in) const {
    for (int c = 0; c < wide_width; ++c) in.vectors[c] = 0, in.t_near[c] = infinity;
    for (; active != 0; active &= active - 1) {
      const int v = __builtin_ctz(active);
      const ChildrenMet met = frusta_.test(node, v);
      in.children |= met.enters;
      for (std::uint32_t rest = met.enters; rest != 0; rest &= rest - 1) {
        const int c = __builtin_ctz(rest);
        if (is_leaf(node.child[c])) leaves_.prefetch(node.child[c] & ~bvh_leaf_bit);
        in.vectors[c] |= 1u << v;
        in.t_near[c] = sightline::min(met.t_near[c], in.t_near[c]);
      }
    }
  }

  HWY_INLINE void prefetch(std::uint32_t node) const {
    const char* lines = reinterpret_cast<const char*>(nodes_ + node);
    for (int k = 0; k < 4; ++k) __builtin_prefetch(lines + 64 * k);
  }

  const WideNode* const nodes_;
  const PacketRays& rays_;
  PacketFrusta& frusta_;
  PacketLeaves<query> leaves_;
  int frame_count_ = 0;
  Frame frames_[bvh_max_depth * wide_width];
};

/// Whether the rays stay close together, relative to the boxes of leaves, up to the distance of the
/// scene's centre.
HWY_INLINE bool is_coherent(const PacketFrusta& frusta, const SceneScale& scale) {
  /// In mean sizes of a leaf's box. Measured: wider packets are slower than lists.
  constexpr float widest_packet = 16.0f;
  const float center[3] = {scale.center.x, scale.center.y, scale.center.z};
  float distance = 0, width = 0;
  for (int axis = 0; axis < 3; ++axis) {
    distance =
        sightline::max(sightline::abs(center[axis] - frusta.whole().origin_low[axis]), distance);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!(frusta.spread(axis) <= 0.5f)) return false;
    width += (frusta.spread(axis) * distance + frusta.width(axis)) / 3;
  }
  return width <= widest_packet * scale.leaf_size;
}

/// See SourceKernels.
template <RayQuery query, class Source>
int trace_packet(const TraceScene& scene, const Source& source, std::uint64_t first,
                 RayPolicy policy, const RayFilter* filters, const PacketAnswers& out) {
  PacketRays rays;
  PacketFrusta frusta;
  if (!rays.load(source, first) || !rays.bound(frusta) || !is_coherent(frusta, scene.scale)) {
    return no_packet;
  }
  Packet<query>(scene, policy, filters, rays, frusta).trace();
  if constexpr (query == RayQuery::closest) {
    if (out.hits.flags != nullptr) rays.find_backs(scene.shapes);
    return rays.answer(source, first, out.hits);
  } else {
    return rays.answer(out.bits);
  }
}

}  // namespace sightline::detail::HWY_NAMESPACE
