#include "host/cpu/lanes/ray_batches.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

/// The query of a record, as by make_query().
Query query_of(const RayRecord& r, const RayFilter* filter, Inside inside) {
  Query q{};
  q.ray.line.origin = {r.origin[0], r.origin[1], r.origin[2]};
  q.ray.line.direction = {r.direction[0], r.direction[1], r.direction[2]};
  q.ray.line.inverse = {r.inverse[0], r.inverse[1], r.inverse[2]};
  q.ray.line.dd = {r.dd_high, r.dd_low};
  q.ray.line.is_point = (r.flags & record_flags::is_point) != 0;
  q.ray.t_min = r.t_min;
  q.ray.t_max = r.t_max;
  q.ray.exponent = record_flags::exponent_of(r.flags);
  q.inside = inside;
  const RayFilter f = filter != nullptr ? *filter : RayFilter{~0u, {none, none}, {none, none}};
  q.mask = f.mask;
  for (int k = 0; k < 2; ++k) {
    q.exclude[k] = f.exclude[k];
    q.exclude_group[k] = f.exclude_group[k];
  }
  return q;
}

}  // namespace

void RayBatches::grow(std::uint32_t count) {
  size_ += count;
  if (memory_->rays.size() < size_) memory_->rays.resize(size_);
  if (memory_->keys.size() < size_ + 16) memory_->keys.resize(size_ + 16);
}

/// Filters of rays [first, first + count); earlier rays without filters get ones that admit
/// everything.
RayFilter* RayBatches::new_filters(std::uint32_t first, std::uint64_t count) {
  if (!filtered_) {
    memory_->filters.assign(first, {~0u, {none, none}, {none, none}});
    filtered_ = true;
  }
  memory_->filters.resize(first + count);
  return memory_->filters.data() + first;
}

/// Tests the shapes without bounds, which are in no tree.
void RayBatches::test_unbounded(RayRecord* rays, const RayFilter* filters,
                                std::uint32_t count) const {
  const ShapesView& shapes = scene_.shapes;
  if (shapes.bounded() == shapes.size()) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    RayRecord& r = rays[i];
    if ((r.flags & record_flags::bad) != 0) continue;
    const Query q = query_of(r, filters == nullptr ? nullptr : filters + i, inside_);
    Best best;
    for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
      if (!counts(q, shapes, id)) continue;
      if (query_ != RayQuery::sight) {
        best.offer(cast_shape(q, shapes, id), id);
      } else if (blocks(q, shapes, id)) {
        best.id = id;
      }
    }
    if (best.id == none) continue;
    r.best = best.id;
    r.reach = query_ == RayQuery::closest ? best.t : no_reach;
    if (best.started_inside) r.flags |= record_flags::started_inside;
  }
}

std::vector<RayBatches::Batch> RayBatches::batches_of(const RayOrder& order) const {
  const std::uint32_t most = batch_capacity(query_);
  std::vector<Batch> batches;
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    const std::uint32_t end = order.octant_begin[octant + 1];
    for (std::uint32_t begin = order.octant_begin[octant]; begin < end; begin += most) {
      batches.push_back({begin, std::min(end - begin, most), octant});
    }
  }
  return batches;
}

std::uint64_t RayBatches::trace_batch(const Batch& batch, BatchMemory& memory) const {
  const std::uint32_t* const index = memory_->order.index.data() + batch.begin;
  const int rays = static_cast<int>(batch.count);
  if (memory.records.size() < batch.count) memory.records.resize(batch.count);
  RayRecord* const records = memory.records.data();
  tracer_.set_up(memory_->rays.data(), index, rays, records);
  if (filtered_) {
    memory.filters.resize(batch.count);
    for (std::uint32_t i = 0; i < batch.count; ++i) memory.filters[i] = memory_->filters[index[i]];
  }
  const RayFilter* const filters = filtered_ ? memory.filters.data() : nullptr;
  test_unbounded(records, filters, batch.count);
  if (scene_.node_count == 0) return 0;
  const std::size_t scratch = tracer_.scratch_bytes(scene_.depth, rays);
  if (memory.scratch.size() < scratch) memory.scratch.resize(scratch);
  return tracer_.trace(scene_, {records, filters, rays, batch.octant}, query_, inside_,
                       memory.scratch.data());
}

}  // namespace sightline::detail
