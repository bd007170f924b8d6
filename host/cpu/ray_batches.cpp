#include "host/cpu/ray_batches.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

/// In mean sizes of a leaf's box. Measured: wider packets lose to lists.
constexpr float widest_packet = 4.0f;

bool is_always(const Column<std::uint32_t>& column, std::uint32_t value) {
  return column.data == nullptr && column.common == value;
}

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

bool is_filtered(const ShapesView& shapes, const RaysView& rays) {
  return shapes.mask != nullptr || shapes.group != nullptr || !is_always(rays.mask, ~0u) ||
         !is_always(rays.exclude[0], none) || !is_always(rays.exclude[1], none);
}

bool is_filtered(const ShapesView& shapes, const PointsView& points) {
  return shapes.mask != nullptr || shapes.group != nullptr || !is_always(points.mask, ~0u) ||
         !is_always(points.exclude, none);
}

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

void RayBatches::add(const RaysView& rays) {
  const std::uint32_t first = size_;
  grow(static_cast<std::uint32_t>(rays.count));
  tracer_.set_up(rays, grid_, records_.data() + first, keys_.data() + first);
  if (!filtered_ && !is_filtered(scene_.shapes, rays)) return;
  RayFilter* const filter = new_filters(first, rays.count);
  for (std::uint64_t i = 0; i < rays.count; ++i) {
    filter[i] = {rays.mask[i],
                 {rays.exclude[0][i], rays.exclude[1][i]},
                 {rays.exclude_group[0][i], rays.exclude_group[1][i]}};
  }
}

void RayBatches::add_sights(const PointsView& from, const PointsView& to,
                            const SightOptions& options) {
  const std::uint32_t first = size_;
  grow(static_cast<std::uint32_t>(from.count));
  tracer_.set_up_sights(from, to, options, grid_, records_.data() + first, keys_.data() + first);
  const ShapesView& shapes = scene_.shapes;
  if (!filtered_ && !is_filtered(shapes, from) && !is_filtered(shapes, to)) return;
  RayFilter* const filter = new_filters(first, from.count);
  for (std::uint64_t i = 0; i < from.count; ++i) {
    filter[i] = {from.mask[i] & to.mask[i],
                 {from.exclude[i], to.exclude[i]},
                 {from.exclude_group[i], to.exclude_group[i]}};
  }
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
               octant, false});
}

void RayBatches::trace_packets(std::uint32_t first, std::uint32_t count) {
  const std::uint32_t octant = records_[first].flags & record_flags::octant;
  trace_ready({records_.data() + first, filtered_ ? filters_.data() + first : nullptr,
               static_cast<int>(count), octant, true});
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

/// Whether rays [first, first + packet_size) of one octant stay close together beside the boxes of
/// leaves, as far away as the scene's centre: judged by a sample of the rays.
bool RayBatches::runs_close(std::uint32_t first) const {
  float width = 0, distance = 0;
  const float center[3] = {scene_.scale.center.x, scene_.scale.center.y, scene_.scale.center.z};
  float spread[3], size[3];
  for (int axis = 0; axis < 3; ++axis) {
    float low = infinity, high = -infinity, from = infinity, to = -infinity;
    for (std::uint32_t i = first; i < first + packet_size; i += 9) {
      low = min(records_[i].direction[axis], low);
      high = max(records_[i].direction[axis], high);
      from = min(records_[i].origin[axis], from);
      to = max(records_[i].origin[axis], to);
    }
    spread[axis] = high - low;
    size[axis] = to - from;
    distance = max(abs(center[axis] - from), distance);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!(spread[axis] <= 0.25f)) return false;
    width += fma(spread[axis], distance, size[axis]) / 3;
  }
  return width <= widest_packet * scene_.scale.leaf_size;
}

std::vector<bool> RayBatches::find_packets() const {
  const std::uint32_t groups = size_ / packet_size;
  std::vector<bool> packets(groups);
  std::uint32_t found = 0;
  for (std::uint32_t g = 0; g < groups; ++g) {
    const std::uint32_t first = g * packet_size;
    const std::uint32_t octant = keys_[first] >> (3 * grid_bits);
    bool close = (keys_[first] & irregular_key) == 0;
    for (std::uint32_t i = first; close && i < first + packet_size; ++i) {
      close = keys_[i] >> (3 * grid_bits) == octant;
    }
    packets[g] = close && runs_close(first);
    found += packets[g];
  }
  if (found < groups / 2) packets.clear();
  return packets;
}

std::uint32_t RayBatches::packet_run(const std::vector<bool>& packets, std::uint32_t first) const {
  std::uint32_t g = first / packet_size;
  const std::uint32_t octant = keys_[first] >> (3 * grid_bits);
  std::uint32_t count = 0;
  while (g < packets.size() && packets[g] && count < batch_capacity(ask_) &&
         keys_[g * packet_size] >> (3 * grid_bits) == octant) {
    count += packet_size;
    ++g;
  }
  return count;
}

}  // namespace sightline::detail
