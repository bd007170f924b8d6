// Compiled, not run: 2D goes through nvcc inside a kernel, every kind of it.
#include <sightline/geometry/flat/flat.hpp>
#include <sightline/geometry/overlap/overlaps.hpp>
#include <sightline/geometry/queries/cast.hpp>

namespace {

using namespace sightline;

struct Everything {
  Circle circle;
  Capsule2 capsule;
  Sector sector;
  ConvexPolygon polygon;
  Aabb2 aabb;
  Obb2 obb;
};

__global__ void overlap_flat(Circle agent, Everything e, bool* out) {
  out[0] = overlaps(agent, e.circle);
  out[1] = overlaps(agent, e.capsule);
  out[2] = overlaps(agent, e.sector);
  out[3] = overlaps(agent, e.polygon);
  out[4] = overlaps(agent, e.aabb);
  out[5] = overlaps(e.obb, agent);
}

__global__ void cast_flat(Segment2 s, Everything e, Inside inside, FlatHit* out) {
  out[0] = cast(s, e.circle, inside);
  out[1] = cast(s, e.capsule, inside);
  out[2] = cast(s, e.sector, inside);
  out[3] = cast(s, e.polygon, inside);
  out[4] = cast(s, e.aabb, inside);
  out[5] = cast(s, e.obb, inside);
}

__global__ void cast_columns(Segment3 s, FlatColumn<Circle> agent, FlatColumn<Sector> view,
                             FlatColumn<ConvexPolygon> room, FlatHit* out) {
  out[0] = cast(s, agent);
  out[1] = cast(s, view);
  out[2] = cast(s, room);
  out[3].hit = overlaps(agent, room);
}

__global__ void ask_a_set(FlatShapesView shapes, CirclesView circles, SegmentsView segments,
                          HitsView hits, std::uint32_t* counts) {
  const std::uint64_t i = threadIdx.x;
  const CircleQuery q = circle_query(circles[i], circles.mask[i]);
  SegmentSearch search = segment_search(segments[i], Inside::solid, segments.mask[i]);
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    counts[i] += overlaps_shape(q, shapes, id);
    offer_shape(search, shapes, id);
  }
  hits.store(i, hit_of(search));
}

}  // namespace

// Keeps the kernels from being dropped unseen.
extern const void* const sightline_flat_kernels[];
const void* const sightline_flat_kernels[] = {
    reinterpret_cast<const void*>(&overlap_flat), reinterpret_cast<const void*>(&cast_flat),
    reinterpret_cast<const void*>(&cast_columns), reinterpret_cast<const void*>(&ask_a_set)};
