#include "bench/rivals/embree_cast.hpp"

#include "bench/rivals/ray_columns.hpp"

#include <algorithm>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {
namespace {

constexpr std::uint64_t rays_ahead = 16;

/// Lane k of a field of a packet; that of one ray.
template <class T, std::size_t n>
T& lane(T (&field)[n], unsigned k) {
  return field[k];
}
template <class T>
T& lane(T& field, unsigned) {
  return field;
}

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

  /// Ray i as lane k of one or many.
  template <class Rays>
  void fill(Rays& to, unsigned k, std::uint64_t i) const {
    lane(to.org_x, k) = columns_.ox[i], lane(to.org_y, k) = columns_.oy[i];
    lane(to.org_z, k) = columns_.oz[i], lane(to.tnear, k) = columns_.t_min[i];
    lane(to.dir_x, k) = columns_.dx[i], lane(to.dir_y, k) = columns_.dy[i];
    lane(to.dir_z, k) = columns_.dz[i], lane(to.time, k) = 0;
    lane(to.tfar, k) = columns_.t_max[i], lane(to.mask, k) = ~0u;
    lane(to.id, k) = 0, lane(to.flags, k) = 0;
  }

 private:
  RayColumns columns_;
  const std::uint32_t* order_;
  std::uint64_t end_;
};

struct Closest {
  using One = RTCRayHit;
  using Eight = RTCRayHit8;
  using Sixteen = RTCRayHit16;

  const EmbreeGeometry& geometry;
  float* t;
  std::uint32_t* id;

  void fill(auto& to, unsigned k, const Source& rays, std::uint64_t i) const {
    rays.fill(to.ray, k, i);
    lane(to.hit.geomID, k) = RTC_INVALID_GEOMETRY_ID;
  }
  void put(auto& from, unsigned k, std::uint64_t i) const {
    const unsigned of = lane(from.hit.geomID, k);
    const bool hit = of != RTC_INVALID_GEOMETRY_ID;
    t[i] = hit ? lane(from.ray.tfar, k) : infinity;
    id[i] = hit ? geometry.id(of, lane(from.hit.primID, k)) : none;
  }
};

struct Any {
  using One = RTCRay;
  using Eight = RTCRay8;
  using Sixteen = RTCRay16;

  const EmbreeGeometry& geometry;
  std::uint8_t* blocked;

  void fill(auto& to, unsigned k, const Source& rays, std::uint64_t i) const {
    rays.fill(to, k, i);
  }
  void put(auto& from, unsigned k, std::uint64_t i) const { blocked[i] = lane(from.tfar, k) < 0; }
};

/// Casts `width` rays at a time. Lanes that are left over repeat the last and are not valid.
template <unsigned width, class Packet, class Query>
void packets(const Query& query, const Source& rays, CallOptions& options, std::uint64_t begin,
             std::uint64_t end) {
  Packet packet;
  alignas(64) int valid[width];
  for (std::uint64_t p = begin; p < end; p += width) {
    const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(width, end - p));
    for (unsigned k = 0; k < width; ++k) {
      const std::uint64_t position = p + std::min(k, n - 1);
      rays.prefetch(position);
      query.fill(packet, k, rays, rays.index(position));
      valid[k] = k < n ? -1 : 0;
    }
    cast(query.geometry.scene(), options, valid, packet);
    for (unsigned k = 0; k < n; ++k) query.put(packet, k, rays.index(p + k));
  }
}

template <class Query>
void streams(const Query& query, const Source& rays, CallOptions& options, unsigned step,
             std::uint64_t begin, std::uint64_t end) {
  typename Query::One many[most_stream_rays];
  for (std::uint64_t p = begin; p < end; p += step) {
    const unsigned n = static_cast<unsigned>(std::min<std::uint64_t>(step, end - p));
    for (unsigned k = 0; k < n; ++k) {
      rays.prefetch(p + k);
      query.fill(many[k], 0, rays, rays.index(p + k));
    }
    cast_stream(query.geometry.scene(), options, many, n);
    for (unsigned k = 0; k < n; ++k) query.put(many[k], 0, rays.index(p + k));
  }
}

template <class Query>
void run(const Query& query, const EmbreeBatch& batch, std::uint64_t begin, std::uint64_t end) {
  const Source rays(batch, end);
  CallOptions options(batch.calls);
  switch (batch.calls.calls) {
    case Calls::single:
      return packets<1, typename Query::One>(query, rays, options, begin, end);
    case Calls::packet8:
      return packets<8, typename Query::Eight>(query, rays, options, begin, end);
    case Calls::packet16:
      return packets<16, typename Query::Sixteen>(query, rays, options, begin, end);
    case Calls::stream:
      if constexpr (has_streams) {
        return streams(query, rays, options, batch.calls.stream_rays, begin, end);
      }
  }
}

}  // namespace

void closest_hit(const EmbreeBatch& batch, std::uint64_t begin, std::uint64_t end, float* t,
                 std::uint32_t* id) {
  run(Closest{*batch.geometry, t, id}, batch, begin, end);
}

void any_hit(const EmbreeBatch& batch, std::uint64_t begin, std::uint64_t end,
             std::uint8_t* blocked) {
  run(Any{*batch.geometry, blocked}, batch, begin, end);
}

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
