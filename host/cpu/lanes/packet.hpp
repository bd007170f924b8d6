// Rays that run close together, from the caller's columns to answers: a vector of rays against one
// shape or one box at a time, and whole packets against the boxes of a node.
#pragma once

#ifndef SL_WIDEST
#define SL_WIDEST 16.0f
#endif
#include "host/cpu/lanes/leaf_tests.hpp"
#include "host/cpu/lanes/packet_frusta.hpp"
#include "host/cpu/lanes/ready_rays.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// The shape with this index within its kind, in every lane.
template <int N>
HWY_INLINE Vec3T<Lanes<N>> everywhere(const Vec3& v) {
  return {Lanes<N>(v.x), Lanes<N>(v.y), Lanes<N>(v.z)};
}
template <int N>
HWY_INLINE AabbT<Lanes<N>> shape_everywhere(const ShapesView& s, std::uint32_t i, const Aabb*) {
  return {everywhere<N>(s.aabb_min[i]), everywhere<N>(s.aabb_max[i])};
}
template <int N>
HWY_INLINE ObbFrameT<Lanes<N>> shape_everywhere(const ShapesView& s, std::uint32_t i,
                                                const ObbFrame*) {
  return {everywhere<N>(s.obb_center[i]),
          everywhere<N>(s.obb_half_extents[i]),
          {everywhere<N>(s.obb_axis[0][i]), everywhere<N>(s.obb_axis[1][i]),
           everywhere<N>(s.obb_axis[2][i])}};
}
template <int N>
HWY_INLINE SphereT<Lanes<N>> shape_everywhere(const ShapesView& s, std::uint32_t i, const Sphere*) {
  return {everywhere<N>(s.sphere_center[i]), Lanes<N>(s.sphere_radius[i])};
}
template <int N>
HWY_INLINE CapsuleT<Lanes<N>> shape_everywhere(const ShapesView& s, std::uint32_t i,
                                               const Capsule*) {
  return {everywhere<N>(s.capsule_a[i]), everywhere<N>(s.capsule_b[i]),
          Lanes<N>(s.capsule_radius[i])};
}
template <int N>
HWY_INLINE PlaneT<Lanes<N>> shape_everywhere(const ShapesView& s, std::uint32_t i, const Plane*) {
  return {everywhere<N>(s.plane_normal[i]), Lanes<N>(s.plane_offset[i])};
}

template <Ask ask>
class Packet {
 public:
  Packet(const TraceScene& scene, Inside inside) : scene_(scene), inside_(inside) {}

  /// Makes rays [first, first + packet_rays) of the source ready; false where they do not run close
  /// together: see TraceScene.
  template <class Source>
  HWY_INLINE bool fill(const Source& source, std::uint64_t first) {
    const FloatTag<n> d;
    std::uint32_t octant = 0;
    LaneMask<n> fit(true);
    Ints<n> least = hn::Set(IntTag<n>(), 1000), greatest = hn::Neg(least);
    for (int i = 0; i < packet_rays; i += n) {
      const RawRays<n> raw = raw_lanes<n>(source, first + static_cast<std::uint64_t>(i), n);
      const ReadyRays<n> ray = make_ready(raw);
      if (i == 0) octant = octant_of(ray.direction);
      fit = fit & ray.good & runs_into(octant, ray.direction);
      put(raw.origin, origin_, i);
      put(ray.direction, direction_, i);
      put({F(1) / ray.direction.x, F(1) / ray.direction.y, F(1) / ray.direction.z}, inverse_, i);
      hn::Store(ray.t_min.v, d, t_min_ + i);
      hn::Store(ray.t_max.v, d, t_max_ + i);
      hn::Store(min(ray.t_max, F(largest_float)).v, d, reach_ + i);  // a hit's t is finite
      hn::Store(ray.exponent, IntTag<n>(), exponent_ + i);
      least = hn::Min(ray.exponent, least);
      greatest = hn::Max(ray.exponent, greatest);
      hn::Store(hn::Set(words, none), words, best_ + i);
    }
    if (any(!fit)) return false;
    octant_ = octant;
    for (std::uint16_t& inside : started_inside_) inside = 0;
    const IntTag<n> ints;
    const int low = hn::GetLane(hn::MinOfLanes(ints, least));
    common_exponent_ = hn::GetLane(hn::MaxOfLanes(ints, greatest));
    is_mixed_ = low != common_exponent_;
    if (is_mixed_) return low == common_exponent_ - 1 && bound_lifted() && run_close();
    frusta_.assign(origin_, inverse_, t_min_, reach_, octant);
    return run_close();
  }

  /// Finds every ray's hit. `filters` is null where nothing is filtered.
  HWY_INLINE void trace(const RayFilter* filters) {
    filters_ = filters;
    meet_unbounded();
    if (scene_.node_count == 0) return;
    push(0, all_vectors, 0.0f);
    while (frame_count_ > 0) {
      const Frame f = frames_[--frame_count_];
      const std::uint32_t active = f.vectors & frusta_.reaching(f.t_near);
      if (active != 0) enter(scene_.nodes[f.node], active);
    }
  }

  /// The caller's answers.
  template <class Source>
  HWY_INLINE void answer(const Source& source, std::uint64_t first, PacketAnswers& out) const {
    const FloatTag<n> d;
    for (int i = 0; i < packet_rays; i += n) {
      const auto id = hn::Load(words, best_ + i);
      const LaneMask<n> hit = hn::RebindMask(d, hn::Ne(id, hn::Set(words, none)));
      put_bits(bits_of_mask(hit), i, out.hit);
      if constexpr (ask == Ask::closest) {
        hn::StoreU(id, words, out.id + i);
        const LaneMask<n> inside = lanes_of(started_inside_[i / n]);
        const auto flags =
            hn::Or(flag_where(hit, hit_flags::hit), flag_where(inside, hit_flags::started_inside));
        hn::StoreU(hn::TruncateTo(bytes, flags), bytes, out.flags + i);
        const std::uint64_t at = first + static_cast<std::uint64_t>(i);
        const F low = column_lanes<n>(source.t_min, at, n),
                high = column_lanes<n>(source.t_max, at, n);
        const Ints<n> back = hn::Neg(hn::Load(IntTag<n>(), exponent_ + i));
        const F t = min(times_power_of_two(F(hn::Load(d, reach_ + i)), back), F(largest_float));
        const F clamped = min(max(t, low), high) + F(0);  // see unscaled_t()
        hn::StoreU(select(hit, clamped, F(infinity)).v, d, out.t + i);
      }
    }
  }

 private:
  static constexpr int n = native_lanes;
  using F = Lanes<n>;
  static constexpr WordTag<n> words{};
  static constexpr hn::FixedTag<std::uint8_t, n> bytes{};
  static constexpr std::uint32_t all_vectors = (1u << packet_vectors) - 1;
  /// In mean sizes of a leaf's box. Measured: wider packets lose to lists.
  static constexpr float widest_packet = SL_WIDEST;
  /// So few vectors are tested one by one, which says most of each.
  static constexpr int few = 3;

  struct Frame {
    std::uint32_t node, vectors;
    float t_near;
  };
  void push(std::uint32_t node, std::uint32_t vectors, float t_near) {
    frames_[frame_count_++] = {node, vectors, t_near};
  }

  static HWY_INLINE void put(const Vec3T<F>& v, float (&columns)[3][packet_rays], int i) {
    const FloatTag<n> d;
    hn::Store(v.x.v, d, columns[0] + i);
    hn::Store(v.y.v, d, columns[1] + i);
    hn::Store(v.z.v, d, columns[2] + i);
  }
  static HWY_INLINE LaneMask<n> lanes_of(std::uint32_t bits) {
    const std::uint8_t of_lanes[8] = {static_cast<std::uint8_t>(bits),
                                      static_cast<std::uint8_t>(bits >> 8)};
    return hn::LoadMaskBits(FloatTag<n>(), of_lanes);
  }
  static HWY_INLINE void put_bits(std::uint32_t bits, int first, std::uint64_t* out) {
    if (first % 64 == 0) out[first / 64] = 0;
    out[first / 64] |= std::uint64_t{bits} << first % 64;
  }
  /// Of the first ray.
  static HWY_INLINE std::uint32_t octant_of(const Vec3T<F>& v) {
    return (bits_of_mask(v.x < F(0)) & 1) | (bits_of_mask(v.y < F(0)) & 1) << 1 |
           (bits_of_mask(v.z < F(0)) & 1) << 2;
  }
  static HWY_INLINE LaneMask<n> runs_into(std::uint32_t octant, const Vec3T<F>& v) {
    const auto along = [](bool backward, F x) HWY_ATTR { return backward ? x < F(0) : x > F(0); };
    return along((octant & 1) != 0, v.x) & along((octant & 2) != 0, v.y) &
           along((octant & 4) != 0, v.z);
  }

  /// How much further the frusta see the ray's t: as if all rays were scaled by one power of two.
  HWY_INLINE F lift_at(int i) const {
    const IntTag<n> ints;
    const auto smaller = hn::Lt(hn::Load(ints, exponent_ + i), hn::Set(ints, common_exponent_));
    return select(LaneMask<n>(hn::RebindMask(FloatTag<n>(), smaller)), F(2), F(1));
  }

  /// Bounds rays of two exponents, as those of a camera, whose directions have one length and their
  /// largest components around a power of two. Doubling is exact: what it makes infinite is
  /// greater than any reach.
  HWY_NOINLINE bool bound_lifted() {
    const FloatTag<n> d;
    alignas(64) float inverse[3][packet_rays], t_min[packet_rays], reach[packet_rays];
    LaneMask<n> fit(true);
    for (int i = 0; i < packet_rays; i += n) {
      const F lift = lift_at(i);
      for (int axis = 0; axis < 3; ++axis) {
        hn::Store((F(hn::Load(d, inverse_[axis] + i)) * lift).v, d, inverse[axis] + i);
      }
      const F near = F(hn::Load(d, t_min_ + i)) * lift;
      fit = fit & (near <= F(largest_float));
      hn::Store(near.v, d, t_min + i);
      hn::Store((F(hn::Load(d, reach_ + i)) * lift).v, d, reach + i);
    }
    frusta_.assign(origin_, inverse, t_min, reach, octant_);
    return !any(!fit);
  }

  /// Whether the rays stay close together beside the boxes of leaves, as far away as the scene's
  /// centre.
  HWY_INLINE bool run_close() const {
    const float center[3] = {scene_.scale.center.x, scene_.scale.center.y, scene_.scale.center.z};
    float distance = 0, width = 0;
    for (int axis = 0; axis < 3; ++axis) {
      distance =
          sightline::max(sightline::abs(center[axis] - frusta_.whole().origin_low[axis]), distance);
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (!(frusta_.spread(axis) <= 0.5f)) return false;
      width += (frusta_.spread(axis) * distance + frusta_.width(axis)) / 3;
    }
    return width <= widest_packet * scene_.scale.leaf_size;
  }

  HWY_INLINE void enter(const WideNode& node, std::uint32_t active) {
    std::uint32_t vectors[wide_width], enters = 0;
    alignas(32) float t_near[wide_width];
    if (__builtin_popcount(active) <= few) {
      enters = enter_by_vectors(node, active, vectors, t_near);
    } else {
      const ChildrenMet met = frusta_.test(node);
      for (int c = 0; c < wide_width; ++c) t_near[c] = met.t_near[c];
      for (std::uint32_t rest = met.enters; rest != 0; rest &= rest - 1) {
        const int c = __builtin_ctz(rest);
        vectors[c] = (met.large >> c & 1) != 0 ? active : active & frusta_.entering(node, c);
        if (vectors[c] != 0) enters |= 1u << c;
      }
    }
    const int begin = frame_count_;
    for (std::uint32_t rest = enters; rest != 0; rest &= rest - 1) {
      const int c = __builtin_ctz(rest);
      if ((node.child[c] & bvh_leaf_bit) != 0) {
        test_leaf(node, c, vectors[c]);
        continue;
      }
      // The nearest last.
      int j = frame_count_++;
      for (; j > begin && frames_[j - 1].t_near < t_near[c]; --j) frames_[j] = frames_[j - 1];
      frames_[j] = {node.child[c], vectors[c], t_near[c]};
      prefetch(node.child[c]);
    }
  }

  /// Children entered, the vectors that enter each, and where the first does.
  HWY_INLINE std::uint32_t enter_by_vectors(const WideNode& node, std::uint32_t active,
                                            std::uint32_t* vectors, float* t_near) const {
    std::uint32_t enters = 0;
    for (int c = 0; c < wide_width; ++c) vectors[c] = 0, t_near[c] = infinity;
    for (; active != 0; active &= active - 1) {
      const int v = __builtin_ctz(active);
      const ChildrenMet met = frusta_.test(node, v);
      enters |= met.enters;
      for (std::uint32_t rest = met.enters; rest != 0; rest &= rest - 1) {
        const int c = __builtin_ctz(rest);
        vectors[c] |= 1u << v;
        t_near[c] = sightline::min(met.t_near[c], t_near[c]);
      }
    }
    return enters;
  }

  HWY_INLINE void prefetch(std::uint32_t node) const {
    const char* lines = reinterpret_cast<const char*>(scene_.nodes + node);
    for (int k = 0; k < 4; ++k) __builtin_prefetch(lines + 64 * k);
  }

  HWY_INLINE void test_leaf(const WideNode& node, int c, std::uint32_t vectors) {
    const ShapesView& s = scene_.shapes;
    const std::uint32_t id = node.child[c] & ~bvh_leaf_bit;
    if (id < s.begin[1]) return test_shape<Aabb>(node, c, id, id, vectors);
    if (id < s.begin[2]) return test_shape<ObbFrame>(node, c, id, id - s.begin[1], vectors);
    if (id < s.begin[3]) return test_shape<Sphere>(node, c, id, id - s.begin[2], vectors);
    test_shape<Capsule>(node, c, id, id - s.begin[3], vectors);
  }

  template <class Shape>
  HWY_NOINLINE void test_shape(const WideNode& node, int c, std::uint32_t id, std::uint32_t index,
                               std::uint32_t vectors) {
    const FloatTag<n> d;
    const auto shape = shape_everywhere<n>(scene_.shapes, index, static_cast<Shape*>(nullptr));
    for (; vectors != 0; vectors &= vectors - 1) {
      const int v = __builtin_ctz(vectors), at = v * n;
      F t_near = hn::Load(d, t_min_ + at), t_far = hn::Load(d, reach_ + at);
      for (int axis = 0; axis < 3; ++axis) {
        const bool backward = (octant_ >> axis & 1) != 0;
        const F nearer((backward ? node.high : node.low)[axis][c]);
        const F further((backward ? node.low : node.high)[axis][c]);
        const F o = hn::Load(d, origin_[axis] + at), inverse = hn::Load(d, inverse_[axis] + at);
        t_near = max((nearer - o) * inverse, t_near);
        t_far = min((further - o) * inverse, t_far);
      }
      t_near = t_near * F(1.0f - 4 * 0x1p-23f);
      const LaneMask<n> enters = t_near <= t_far;
      if (any(enters)) offer(v, id, shape, t_near, enters);
    }
  }

  /// One shape to some rays of vector v.
  template <class ShapeLanes>
  HWY_INLINE void offer(int v, std::uint32_t id, const ShapeLanes& shape, F gate_near,
                        LaneMask<n> there) {
    const FloatTag<n> d;
    const int at = v * n;
    if (filters_ != nullptr) there = there & passing(at, id);
    const RayLanes<n> r = rays_at(at);
    const FoundT<F> found = find<ask>(r, shape, gate_near, there, inside_);
    if (!any(found.hit)) return;
    const auto best = hn::Load(words, best_ + at);
    if (ask != Ask::closest) {
      const auto hit = hn::RebindMask(words, found.hit.m);
      hn::Store(hn::IfThenElse(hit, hn::Set(words, id), best), words, best_ + at);
      set_reach(v, select(found.hit, F(no_reach), r.reach));
      return;
    }
    const LaneMask<n> lesser_id = hn::RebindMask(d, hn::Lt(hn::Set(words, id), best));
    const LaneMask<n> better =
        found.hit & ((found.t < r.reach) | ((found.t == r.reach) & lesser_id));
    if (!any(better)) return;
    const auto better_words = hn::RebindMask(words, better.m);
    hn::Store(hn::IfThenElse(better_words, hn::Set(words, id), best), words, best_ + at);
    const std::uint32_t changed = bits_of_mask(better);
    started_inside_[v] = static_cast<std::uint16_t>((started_inside_[v] & ~changed) |
                                                    (bits_of_mask(found.started_inside) & changed));
    set_reach(v, select(better, found.t, r.reach));
  }

  HWY_INLINE void set_reach(int v, F reach) {
    const FloatTag<n> d;
    hn::Store(reach.v, d, reach_ + v * n);
    if (is_mixed_) reach = reach * lift_at(v * n);
    frusta_.set_reach(v, hn::GetLane(hn::MaxOfLanes(d, reach.v)));
  }

  HWY_INLINE RayLanes<n> rays_at(int at) const {
    const FloatTag<n> d;
    const auto vec = [&](const float(&columns)[3][packet_rays]) HWY_ATTR {
      return Vec3T<F>{hn::Load(d, columns[0] + at), hn::Load(d, columns[1] + at),
                      hn::Load(d, columns[2] + at)};
    };
    RayLanes<n> r;
    r.line.origin = vec(origin_);
    r.line.direction = vec(direction_);
    r.line.dd = two_dot(r.line.direction, r.line.direction);
    r.line.is_point = LaneMask<n>(false);
    r.t_min = hn::Load(d, t_min_ + at);
    r.t_max = hn::Load(d, t_max_ + at);
    r.reach = hn::Load(d, reach_ + at);
    return r;
  }

  /// Rays whose filters let them see the shape.
  HWY_NOINLINE LaneMask<n> passing(int at, std::uint32_t id) const {
    HWY_ALIGN std::uint32_t pass[n];
    for (int i = 0; i < n; ++i) pass[i] = counts(filters_[at + i], scene_.shapes, id) ? 1 : 0;
    return hn::RebindMask(FloatTag<n>(), hn::Ne(hn::Load(words, pass), hn::Zero(words)));
  }

  /// The shapes without bounds, which are in no tree.
  HWY_INLINE void meet_unbounded() {
    const ShapesView& s = scene_.shapes;
    for (std::uint32_t id = s.bounded(); id < s.size(); ++id) {
      const auto plane = shape_everywhere<n>(s, id - s.bounded(), static_cast<Plane*>(nullptr));
      for (int v = 0; v < packet_vectors; ++v) {
        const F t_min = hn::Load(FloatTag<n>(), t_min_ + v * n);
        const F reach = hn::Load(FloatTag<n>(), reach_ + v * n);
        offer(v, id, plane, t_min, t_min <= reach);
      }
    }
  }

  const TraceScene& scene_;
  const Inside inside_;
  const RayFilter* filters_ = nullptr;
  std::uint32_t octant_ = 0;
  int common_exponent_ = 0;
  bool is_mixed_ = false;  ///< some rays have the exponent below
  int frame_count_ = 0;
  PacketFrusta frusta_;
  alignas(64) float origin_[3][packet_rays];
  alignas(64) float direction_[3][packet_rays];
  alignas(64) float inverse_[3][packet_rays];
  alignas(64) float t_min_[packet_rays];
  alignas(64) float t_max_[packet_rays];
  alignas(64) float reach_[packet_rays];  ///< see RayRecord
  alignas(64) std::uint32_t best_[packet_rays];
  alignas(64) std::int32_t exponent_[packet_rays];
  std::uint16_t started_inside_[packet_vectors];  ///< of the best hits, a bit a ray
  Frame frames_[bvh_max_depth * wide_width];
};

/// See Tracer.
template <Ask ask, class Source>
bool trace_packet(const TraceScene& scene, const Source& source, std::uint64_t first, Inside inside,
                  const RayFilter* filters, PacketAnswers& out) {
  Packet<ask> packet(scene, inside);
  if (!packet.fill(source, first)) return false;
  packet.trace(filters);
  packet.answer(source, first, out);
  return true;
}

}  // namespace sightline::detail::HWY_NAMESPACE
