#include "bench/rivals/embree_cast.hpp"

#include <algorithm>

namespace sightline::rivals {
namespace {

constexpr unsigned stream_rays = 256;  // of one call; measured best of 64 to 4096
constexpr std::uint64_t rays_ahead = 16;

/// A column without a look at what it is: a common value lies everywhere.
class Floats {
 public:
  explicit Floats(const Column<float>& c)
      : base_(reinterpret_cast<const char*>(c.data == nullptr ? &c.common : c.data)),
        stride_(c.data == nullptr ? 0 : c.stride) {}
  float operator[](std::uint64_t i) const {
    return *reinterpret_cast<const float*>(base_ + static_cast<std::ptrdiff_t>(i) * stride_);
  }
  void prefetch(std::uint64_t i) const {
    __builtin_prefetch(base_ + static_cast<std::ptrdiff_t>(i) * stride_);
  }

 private:
  const char* base_;
  std::ptrdiff_t stride_;
};

/// The rays of a batch by position.
class Source {
 public:
  Source(const EmbreeBatch& batch, std::uint64_t end)
      : ox_(batch.rays->origin.x),
        oy_(batch.rays->origin.y),
        oz_(batch.rays->origin.z),
        dx_(batch.rays->direction.x),
        dy_(batch.rays->direction.y),
        dz_(batch.rays->direction.z),
        t_min_(batch.rays->t_min),
        t_max_(batch.rays->t_max),
        order_(batch.order),
        end_(end) {}

  std::uint64_t index(std::uint64_t position) const {
    return order_ == nullptr ? position : order_[position];
  }
  /// For rays that are not visited in the order in which they lie.
  void prefetch(std::uint64_t position) const {
    if (order_ == nullptr || position + rays_ahead >= end_) return;
    const std::uint64_t i = order_[position + rays_ahead];
    ox_.prefetch(i);
    dx_.prefetch(i);
  }

  void fill(RTCRay& ray, std::uint64_t i) const {
    ray.org_x = ox_[i], ray.org_y = oy_[i], ray.org_z = oz_[i], ray.tnear = t_min_[i];
    ray.dir_x = dx_[i], ray.dir_y = dy_[i], ray.dir_z = dz_[i], ray.time = 0;
    ray.tfar = t_max_[i], ray.mask = ~0u, ray.id = 0, ray.flags = 0;
  }
  template <class Packet>
  void fill(Packet& ray, unsigned k, std::uint64_t i) const {
    ray.org_x[k] = ox_[i], ray.org_y[k] = oy_[i], ray.org_z[k] = oz_[i], ray.tnear[k] = t_min_[i];
    ray.dir_x[k] = dx_[i], ray.dir_y[k] = dy_[i], ray.dir_z[k] = dz_[i], ray.time[k] = 0;
    ray.tfar[k] = t_max_[i], ray.mask[k] = ~0u, ray.id[k] = 0, ray.flags[k] = 0;
  }

 private:
  Floats ox_, oy_, oz_, dx_, dy_, dz_, t_min_, t_max_;
  const std::uint32_t* order_;
  std::uint64_t end_;
};

RTCIntersectContext context_of(const EmbreeBatch& batch) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags =
      batch.coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  return context;
}

struct Packets8 {
  static constexpr unsigned width = 8;
  using Hits = RTCRayHit8;
  using Rays = RTCRay8;
  static constexpr auto intersect = rtcIntersect8;
  static constexpr auto occluded = rtcOccluded8;
};
struct Packets16 {
  static constexpr unsigned width = 16;
  using Hits = RTCRayHit16;
  using Rays = RTCRay16;
  static constexpr auto intersect = rtcIntersect16;
  static constexpr auto occluded = rtcOccluded16;
};

/// Calls one(i) for the rays of a packet from position p on; returns how many there are. Lanes that
/// are left over repeat the last and are not valid.
template <unsigned Width, class Rays>
unsigned fill_packet(const Source& rays, std::uint64_t p, std::uint64_t end, Rays& packet,
                     int* valid) {
  const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(Width, end - p));
  for (unsigned k = 0; k < Width; ++k) {
    const std::uint64_t position = p + std::min(k, n - 1);
    rays.prefetch(position);
    rays.fill(packet, k, rays.index(position));
    valid[k] = k < n ? -1 : 0;
  }
  return n;
}

struct Closest {
  const EmbreeGeometry& geometry;
  const Source& rays;
  float* t;
  std::uint32_t* id;

  void put(std::uint64_t position, float far, unsigned geometry_id, unsigned primitive) const {
    const std::uint64_t i = rays.index(position);
    const bool hit = geometry_id != RTC_INVALID_GEOMETRY_ID;
    t[i] = hit ? far : infinity;
    id[i] = hit ? geometry.id(geometry_id, primitive) : none;
  }

  void singles(RTCIntersectContext& context, std::uint64_t begin, std::uint64_t end) const {
    RTCRayHit one;
    for (std::uint64_t p = begin; p < end; ++p) {
      rays.prefetch(p);
      rays.fill(one.ray, rays.index(p));
      one.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(geometry.scene(), &context, &one);
      put(p, one.ray.tfar, one.hit.geomID, one.hit.primID);
    }
  }

  template <class Packets>
  void packets(RTCIntersectContext& context, std::uint64_t begin, std::uint64_t end) const {
    typename Packets::Hits many;
    alignas(64) int valid[Packets::width];
    for (std::uint64_t p = begin; p < end; p += Packets::width) {
      const unsigned n = fill_packet<Packets::width>(rays, p, end, many.ray, valid);
      std::fill_n(many.hit.geomID, Packets::width, RTC_INVALID_GEOMETRY_ID);
      Packets::intersect(valid, geometry.scene(), &context, &many);
      for (unsigned k = 0; k < n; ++k) {
        put(p + k, many.ray.tfar[k], many.hit.geomID[k], many.hit.primID[k]);
      }
    }
  }

  void streams(RTCIntersectContext& context, std::uint64_t begin, std::uint64_t end) const {
    RTCRayHit many[stream_rays];
    for (std::uint64_t p = begin; p < end; p += stream_rays) {
      const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(stream_rays, end - p));
      for (unsigned k = 0; k < n; ++k) {
        rays.prefetch(p + k);
        rays.fill(many[k].ray, rays.index(p + k));
        many[k].hit.geomID = RTC_INVALID_GEOMETRY_ID;
      }
      rtcIntersect1M(geometry.scene(), &context, many, n, sizeof(RTCRayHit));
      for (unsigned k = 0; k < n; ++k) {
        put(p + k, many[k].ray.tfar, many[k].hit.geomID, many[k].hit.primID);
      }
    }
  }
};

struct Any {
  const EmbreeGeometry& geometry;
  const Source& rays;
  std::uint8_t* blocked;

  void put(std::uint64_t position, float far) const { blocked[rays.index(position)] = far < 0; }

  void singles(RTCIntersectContext& context, std::uint64_t begin, std::uint64_t end) const {
    RTCRay one;
    for (std::uint64_t p = begin; p < end; ++p) {
      rays.prefetch(p);
      rays.fill(one, rays.index(p));
      rtcOccluded1(geometry.scene(), &context, &one);
      put(p, one.tfar);
    }
  }

  template <class Packets>
  void packets(RTCIntersectContext& context, std::uint64_t begin, std::uint64_t end) const {
    typename Packets::Rays many;
    alignas(64) int valid[Packets::width];
    for (std::uint64_t p = begin; p < end; p += Packets::width) {
      const unsigned n = fill_packet<Packets::width>(rays, p, end, many, valid);
      Packets::occluded(valid, geometry.scene(), &context, &many);
      for (unsigned k = 0; k < n; ++k) put(p + k, many.tfar[k]);
    }
  }

  void streams(RTCIntersectContext& context, std::uint64_t begin, std::uint64_t end) const {
    RTCRay many[stream_rays];
    for (std::uint64_t p = begin; p < end; p += stream_rays) {
      const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(stream_rays, end - p));
      for (unsigned k = 0; k < n; ++k) {
        rays.prefetch(p + k);
        rays.fill(many[k], rays.index(p + k));
      }
      rtcOccluded1M(geometry.scene(), &context, many, n, sizeof(RTCRay));
      for (unsigned k = 0; k < n; ++k) put(p + k, many[k].tfar);
    }
  }
};

template <class Query>
void run(const Query& query, const EmbreeBatch& batch, std::uint64_t begin, std::uint64_t end) {
  RTCIntersectContext context = context_of(batch);
  switch (batch.calls) {
    case Calls::single:
      return query.singles(context, begin, end);
    case Calls::packet8:
      return query.template packets<Packets8>(context, begin, end);
    case Calls::packet16:
      return query.template packets<Packets16>(context, begin, end);
    case Calls::stream:
      return query.streams(context, begin, end);
  }
}

}  // namespace

void closest_hit(const EmbreeBatch& batch, std::uint64_t begin, std::uint64_t end, float* t,
                 std::uint32_t* id) {
  const Source rays(batch, end);
  run(Closest{*batch.geometry, rays, t, id}, batch, begin, end);
}

void any_hit(const EmbreeBatch& batch, std::uint64_t begin, std::uint64_t end,
             std::uint8_t* blocked) {
  const Source rays(batch, end);
  run(Any{*batch.geometry, rays, blocked}, batch, begin, end);
}

}  // namespace sightline::rivals
