#include "bench/rivals/embree_cast.hpp"

#include <algorithm>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {
namespace {

/// Lane k of a field of a packet; that of one ray.
template <class T, std::size_t n>
T& lane(T (&field)[n], unsigned k) {
  return field[k];
}
template <class T>
T& lane(T& field, unsigned) {
  return field;
}

class Source : public BatchReader {
 public:
  using BatchReader::BatchReader;

  /// Ray i as lane k of one or many.
  template <class Rays>
  void fill(Rays& to, unsigned k, std::uint64_t i) const {
    const RayColumns& from = columns();
    lane(to.org_x, k) = from.ox[i], lane(to.org_y, k) = from.oy[i];
    lane(to.org_z, k) = from.oz[i], lane(to.tnear, k) = from.t_min[i];
    lane(to.dir_x, k) = from.dx[i], lane(to.dir_y, k) = from.dy[i];
    lane(to.dir_z, k) = from.dz[i], lane(to.time, k) = 0;
    lane(to.tfar, k) = from.t_max[i], lane(to.mask, k) = ~0u;
    lane(to.id, k) = 0, lane(to.flags, k) = 0;
  }
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
  const Source rays(batch.rays, end);
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
