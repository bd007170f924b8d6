// Batches of rays through an Embree scene, by one of its ways.
#pragma once

#include "bench/rivals/embree_calls.hpp"
#include "bench/rivals/ray_batch.hpp"

namespace sightline::rivals::SIGHTLINE_EMBREE_API {

struct EmbreeBatch {
  const EmbreeGeometry* geometry;
  RayBatch rays;
  EmbreeCalls calls;
};

/// Positions [begin, end) of the batch: t [n], id [n].
void closest_hit(const EmbreeBatch& batch, std::uint64_t begin, std::uint64_t end, float* t,
                 std::uint32_t* id);
/// The same: blocked [n], 0 or 1.
void any_hit(const EmbreeBatch& batch, std::uint64_t begin, std::uint64_t end,
             std::uint8_t* blocked);

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
