#include "bench/rivals/embree_cast.hpp"

#include "bench/rivals/ray_columns.hpp"

#include <algorithm>

namespace sightline::rivals {
namespace {

constexpr std::uint64_t rays_ahead = 16;

/// The rays of a batch by position.
class Source {
 public:
  Source(const EmbreeBatch& batch, std::uint64_t end)
      : columns_(*batch.rays), order_(batch.order), end_(end) {}

  std::uint64_t index(std::uint64_t position) const {
    return order_ == nullptr ? position : order_[position];
  }
  /// For rays that are not visited in the order in which they lie.
  void prefetch(std::uint64_t position) const {
    if (order_ == nullptr || position + rays_ahead >= end_) return;
    const std::uint64_t i = order_[position + rays_ahead];
    columns_.ox.prefetch(i);
    columns_.dx.prefetch(i);
  }

  void fill(RTCRay& ray, std::uint64_t i) const {
    ray.org_x = columns_.ox[i], ray.org_y = columns_.oy[i], ray.org_z = columns_.oz[i],
    ray.tnear = columns_.t_min[i];
    ray.dir_x = columns_.dx[i], ray.dir_y = columns_.dy[i], ray.dir_z = columns_.dz[i],
    ray.time = 0;
    ray.tfar = columns_.t_max[i], ray.mask = ~0u, ray.id = 0, ray.flags = 0;
  }
  template <class Packet>
  void fill(Packet& ray, unsigned k, std::uint64_t i) const {
    ray.org_x[k] = columns_.ox[i], ray.org_y[k] = columns_.oy[i], ray.org_z[k] = columns_.oz[i],
    ray.tnear[k] = columns_.t_min[i];
    ray.dir_x[k] = columns_.dx[i], ray.dir_y[k] = columns_.dy[i], ray.dir_z[k] = columns_.dz[i],
    ray.time[k] = 0;
    ray.tfar[k] = columns_.t_max[i], ray.mask[k] = ~0u, ray.id[k] = 0, ray.flags[k] = 0;
  }

 private:
  RayColumns columns_;
  const std::uint32_t* order_;
  std::uint64_t end_;
};

RTCIntersectContext context_of(const EmbreeBatch& batch) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = batch.calls.coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                                       : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
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

  void streams(RTCIntersectContext& context, unsigned step, std::uint64_t begin,
               std::uint64_t end) const {
    RTCRayHit many[most_stream_rays];
    for (std::uint64_t p = begin; p < end; p += step) {
      const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(step, end - p));
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

  void streams(RTCIntersectContext& context, unsigned step, std::uint64_t begin,
               std::uint64_t end) const {
    RTCRay many[most_stream_rays];
    for (std::uint64_t p = begin; p < end; p += step) {
      const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(step, end - p));
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
  switch (batch.calls.calls) {
    case Calls::single:
      return query.singles(context, begin, end);
    case Calls::packet8:
      return query.template packets<Packets8>(context, begin, end);
    case Calls::packet16:
      return query.template packets<Packets16>(context, begin, end);
    case Calls::stream:
      return query.streams(context, batch.calls.stream_rays, begin, end);
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
