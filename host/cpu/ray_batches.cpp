#include "host/cpu/ray_batches.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

/// The query of a record, as make_query has it.
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
  if (records_.size() < size_) records_.resize(size_);
  if (keys_.size() < size_ + 16) keys_.resize(size_ + 16);
}

/// Filters of rays [first, first + count); those before that had none let everything pass.
RayFilter* RayBatches::new_filters(std::uint32_t first, std::uint64_t count) {
  if (!filtered_) {
    filters_.assign(first, {~0u, {none, none}, {none, none}});
    filtered_ = true;
  }
  filters_.resize(first + count);
  return filters_.data() + first;
}

/// The shapes without bounds, which are in no tree.
void RayBatches::meet_unbounded(RayRecord* rays, const RayFilter* filters, std::uint32_t count) {
  const ShapesView& shapes = scene_.shapes;
  if (shapes.bounded() == shapes.size()) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    RayRecord& r = rays[i];
    if ((r.flags & record_flags::bad) != 0) continue;
    const Query q = query_of(r, filters == nullptr ? nullptr : filters + i, inside_);
    Best best;
    for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
      if (!counts(q, shapes, id)) continue;
      if (ask_ != Ask::sight) {
        best.offer(cast_shape(q, shapes, id), id);
      } else if (blocks(q, shapes, id)) {
        best.id = id;
      }
    }
    if (best.id == none) continue;
    r.best = best.id;
    r.reach = ask_ == Ask::closest ? best.t : no_reach;
    if (best.started_inside) r.flags |= record_flags::started_inside;
  }
}

void RayBatches::trace_batch(std::uint32_t begin, std::uint32_t count, std::uint32_t octant) {
  if (batch_.size() < count) batch_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) batch_[i] = records_[order_.index[begin + i]];
  if (filtered_) {
    batch_filters_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      batch_filters_[i] = filters_[order_.index[begin + i]];
    }
  }
  trace_ready({batch_.data(), filtered_ ? batch_filters_.data() : nullptr, static_cast<int>(count),
               octant});
}

void RayBatches::trace_ready(const RayBatch& batch) {
  meet_unbounded(batch.rays, batch.filters, static_cast<std::uint32_t>(batch.count));
  if (scene_.node_count == 0) return;
  if (scratch_rays_ < static_cast<std::size_t>(batch.count)) {
    scratch_rays_ = std::min(size_, batch_capacity(ask_));
    scratch_.reset(static_cast<std::byte*>(
        ::operator new (tracer_.scratch_bytes(scene_.depth, static_cast<int>(scratch_rays_)),
                        std::align_val_t{64})));
  }
  tracer_.trace(scene_, batch, ask_, inside_, scratch_.get());
}

}  // namespace sightline::detail
