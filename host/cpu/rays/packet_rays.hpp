// The rays of a packet as columns, from the caller's columns to the caller's answers.
#pragma once

#include "host/cpu/rays/leaf_tests.hpp"
#include "host/cpu/rays/packet_frusta.hpp"
#include "host/cpu/rays/scaled_rays.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// packet_rays rays, scaled, with their best hits so far: the fields of RayRecord as columns. No
/// ray is bad, all run into one octant, and no direction has a component 0.
struct PacketRays {
  static constexpr int n = native_lanes;
  using F = FloatVec<n>;
  static constexpr WordTag<n> words{};
  static constexpr IntTag<n> ints{};

  std::uint32_t octant;
  int highest_exponent;
  bool is_mixed;    ///< some have the exponent below the highest
  bool one_origin;  ///< as from a camera
  alignas(64) float origin[3][packet_rays];
  alignas(64) float direction[3][packet_rays];
  alignas(64) float inverse[3][packet_rays];
  alignas(64) float t_min[packet_rays];
  alignas(64) float t_max[packet_rays];
  alignas(64) float reach[packet_rays];
  alignas(64) std::uint32_t best[packet_rays];
  alignas(64) std::int32_t exponent[packet_rays];
  std::uint16_t started_inside[packet_vectors];  ///< of the best hits, a bit a ray
  std::uint16_t on_back[packet_vectors] = {};    ///< of the best hits: see find_backs()

  /// Loads and scales rays [first, first + packet_rays) of the source; false where they cannot be a
  /// packet.
  template <class Source>
  HWY_NOINLINE bool load(const Source& source, std::uint64_t first) {
    const FloatTag<n> d;
    const Rows rows = rows_of(source);
    hn::Vec<WordTag<n>> signs[3] = {hn::Zero(words), hn::Zero(words), hn::Zero(words)};
    LaneMask<n> fit(true);
    Ints<n> least = hn::Set(ints, 1000), greatest = hn::Neg(least);
    for (int i = 0; i < packet_rays; i += n) {
      const std::uint64_t at = first + static_cast<std::uint64_t>(i);
      prefetch_rays(source, at + packet_rays, n, rows);
      const RawRays<n> raw = raw_lanes<n>(source, at, n, rows);
      const ReadyRays<n> ray = make_ready(raw);
      if (i == 0) {
        octant = octant_of_first(ray.direction);
        for (int axis = 0; axis < 3; ++axis) signs[axis] = hn::Set(words, octant >> axis << 31);
      }
      fit = fit & ray.good & have_signs(ray.direction, signs);
      put(raw.origin, origin, i);
      put(ray.direction, direction, i);
      put({F(1) / ray.direction.x, F(1) / ray.direction.y, F(1) / ray.direction.z}, inverse, i);
      hn::Store(ray.t_min.v, d, t_min + i);
      hn::Store(ray.t_max.v, d, t_max + i);
      hn::Store(min(ray.t_max, F(largest_float)).v, d, reach + i);  // a hit's t is finite
      hn::Store(ray.exponent, ints, exponent + i);
      least = hn::Min(ray.exponent, least);
      greatest = hn::Max(ray.exponent, greatest);
      hn::Store(hn::Set(words, none), words, best + i);
    }
    if (any(!fit)) return false;
    for (std::uint16_t& inside : started_inside) inside = 0;
    const int lowest = hn::GetLane(hn::MinOfLanes(ints, least));
    highest_exponent = hn::GetLane(hn::MaxOfLanes(ints, greatest));
    is_mixed = lowest != highest_exponent;
    return lowest + 1 >= highest_exponent;
  }

  /// Bounds the rays as if all were scaled by one power of two: a camera's directions, of equal
  /// length, may have largest components on both sides of a power of two. What doubling makes
  /// infinite is beyond any reach; for subnormal products see PacketFrusta. False where t_min
  /// overflows.
  HWY_INLINE bool bound(PacketFrusta& frusta) {
    bool fit = true;
    if (is_mixed) {
      fit = bound_mixed(frusta);
    } else {
      frusta.assign(origin, inverse, t_min, reach, octant);
    }
    one_origin = frusta.one_origin();
    return fit;
  }

  /// Updates the bounds with the reach of these vectors' rays.
  HWY_INLINE void refresh(std::uint32_t vectors, PacketFrusta& frusta) const {
    if (vectors == 0) return;
    if (!is_mixed && __builtin_popcount(vectors) > 4) return frusta.set_reach(reach);
    const FloatTag<n> d;
    for (; vectors != 0; vectors &= vectors - 1) {
      const int v = __builtin_ctz(vectors);
      F r = hn::Load(d, reach + v * n);
      if (is_mixed) r = r * lift(v * n);
      frusta.set_reach(v, hn::GetLane(hn::MaxOfLanes(d, r.v)));
    }
  }

  /// Rays [i, i + n).
  HWY_INLINE RayLanes<n> from(int i) const {
    const FloatTag<n> d;
    return lanes_by([&](const float* column) HWY_ATTR { return F(hn::Load(d, column + i)); });
  }
  /// Rays index[0] .. index[n - 1].
  HWY_INLINE RayLanes<n> gathered(const std::uint32_t* index) const {
    const FloatTag<n> d;
    const auto i = hn::BitCast(ints, hn::LoadU(words, index));
    return lanes_by([&](const float* column) HWY_ATTR { return F(hn::GatherIndex(d, column, i)); });
  }

  /// Finds which of the best hits are on the backs of triangles.
  HWY_NOINLINE void find_backs(const ShapesView& shapes) {
    if (shapes.count(Kind::triangle) == 0) return;
    for (int v = 0; v < packet_vectors; ++v) {
      const LaneMask<n> backs =
          HWY_NAMESPACE::find_backs<n>(shapes, from(v * n).line, best + v * n);
      on_back[v] = static_cast<std::uint16_t>(bits_of_mask(backs));
    }
  }

  /// Writes the answers to `hits` from its first element on, and returns how many rays hit. Arrays
  /// that are null, and normals, are not written.
  template <class Source>
  HWY_NOINLINE int answer(const Source& source, std::uint64_t first, const HitsView& hits) const {
    const FloatTag<n> d;
    // One multiplication serves factors of 1/2, 1 and 2.
    const bool is_near_one = highest_exponent <= 1 && highest_exponent - int{is_mixed} >= -1;
    int count = 0;
    for (int i = 0; i < packet_rays; i += n) {
      const auto id = hn::Load(words, best + i);
      const LaneMask<n> hit = hn::RebindMask(d, hn::Ne(id, hn::Set(words, none)));
      count += static_cast<int>(hn::CountTrue(d, hit.m));
      if (hits.id != nullptr) hn::StoreU(id, words, hits.id + i);
      if (hits.flags != nullptr) {
        const hn::FixedTag<std::uint8_t, n> bytes;
        const auto inside = mask_of_bits<n>(started_inside[i / n]);
        const auto backs = mask_of_bits<n>(on_back[i / n]);
        const auto flags =
            hn::Or3(flag_where(hit, hit_flags::hit), flag_where(inside, hit_flags::started_inside),
                    flag_where(backs, hit_flags::back));
        hn::StoreU(hn::TruncateTo(bytes, flags), bytes, hits.flags + i);
      }
      if (hits.t == nullptr) continue;
      // As in unscaled_t().
      const std::uint64_t at = first + static_cast<std::uint64_t>(i);
      const F low = column_lanes<n>(source.t_min, at, n);
      const F high = column_lanes<n>(source.t_max, at, n);
      const Ints<n> back = hn::Neg(hn::Load(ints, exponent + i));
      const F scaled = hn::Load(d, reach + i);
      const F t = is_near_one ? scaled * power_of_two<n>(back) : times_power_of_two(scaled, back);
      const F clamped = min(max(min(t, F(largest_float)), low), high) + F(0);
      hn::StoreU(select(hit, clamped, F(infinity)).v, d, hits.t + i);
    }
    return count;
  }
  /// The same for any hit: one bit a ray.
  HWY_NOINLINE int answer(std::uint64_t* bits) const {
    int count = 0;
    for (int i = 0; i < packet_rays; i += n) {
      const auto hit = hn::Ne(hn::Load(words, best + i), hn::Set(words, none));
      const std::uint64_t some = bits_of_mask<n>(hn::RebindMask(FloatTag<n>(), hit));
      if (i % 64 == 0) bits[i / 64] = 0;
      bits[i / 64] |= some << i % 64;
      count += __builtin_popcountll(some);
    }
    return count;
  }

 private:
  static HWY_INLINE void put(const Vec3T<F>& v, float (&columns)[3][packet_rays], int i) {
    const FloatTag<n> d;
    hn::Store(v.x.v, d, columns[0] + i);
    hn::Store(v.y.v, d, columns[1] + i);
    hn::Store(v.z.v, d, columns[2] + i);
  }
  static HWY_INLINE std::uint32_t octant_of_first(const Vec3T<F>& v) {
    return (bits_of_mask(v.x < F(0)) & 1) | (bits_of_mask(v.y < F(0)) & 1) << 1 |
           (bits_of_mask(v.z < F(0)) & 1) << 2;
  }
  /// Whether no component is 0 and all have these signs.
  static HWY_INLINE LaneMask<n> have_signs(const Vec3T<F>& v,
                                           const hn::Vec<WordTag<n>> (&signs)[3]) {
    const auto has = [](F x, hn::Vec<WordTag<n>> sign) HWY_ATTR {
      const auto size = hn::BitCast(ints, hn::Xor(bits_of(x), sign));
      return LaneMask<n>(hn::RebindMask(FloatTag<n>(), hn::Gt(size, hn::Zero(ints))));
    };
    return has(v.x, signs[0]) & has(v.y, signs[1]) & has(v.z, signs[2]);
  }

  /// The factors that convert t of rays [i, i + n) to the scaling of the highest exponent.
  HWY_INLINE F lift(int i) const {
    const auto lower = hn::Lt(hn::Load(ints, exponent + i), hn::Set(ints, highest_exponent));
    return select(LaneMask<n>(hn::RebindMask(FloatTag<n>(), lower)), F(2), F(1));
  }
  HWY_NOINLINE bool bound_mixed(PacketFrusta& frusta) const {
    const FloatTag<n> d;
    alignas(64) float lifted[3][packet_rays], near[packet_rays], far[packet_rays];
    LaneMask<n> fit(true);
    for (int i = 0; i < packet_rays; i += n) {
      const F by = lift(i);
      for (int axis = 0; axis < 3; ++axis) {
        hn::Store((F(hn::Load(d, inverse[axis] + i)) * by).v, d, lifted[axis] + i);
      }
      const F begin = F(hn::Load(d, t_min + i)) * by;
      fit = fit & (begin <= F(largest_float));
      hn::Store(begin.v, d, near + i);
      hn::Store((F(hn::Load(d, reach + i)) * by).v, d, far + i);
    }
    frusta.assign(origin, lifted, near, far, octant);
    return !any(!fit);
  }

  template <class Column>
  HWY_INLINE RayLanes<n> lanes_by(const Column& lanes) const {
    const auto vec = [&](const float(&columns)[3][packet_rays]) HWY_ATTR {
      return Vec3T<F>{lanes(columns[0]), lanes(columns[1]), lanes(columns[2])};
    };
    RayLanes<n> r;
    r.line.origin = vec(origin);
    r.line.direction = vec(direction);
    r.line.inverse = vec(inverse);
    r.line.dd = two_dot(r.line.direction, r.line.direction);
    r.line.is_point = LaneMask<n>(false);
    r.t_min = lanes(t_min);
    r.t_max = lanes(t_max);
    r.reach = lanes(reach);
    return r;
  }
};

}  // namespace sightline::detail::HWY_NAMESPACE
