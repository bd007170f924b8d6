#include "host/cpu/rays/ray_batches.hpp"

#include <algorithm>
#include <atomic>

namespace sightline::detail {
namespace {

/// The query of a record, as by make_query().
Query query_of(const RayRecord& r, const RayFilter* filter, RayPolicy policy) {
  Query q{};
  q.ray.line.origin = {r.origin[0], r.origin[1], r.origin[2]};
  q.ray.line.direction = {r.direction[0], r.direction[1], r.direction[2]};
  q.ray.line.inverse = {r.inverse[0], r.inverse[1], r.inverse[2]};
  q.ray.line.dd = {r.dd_high, r.dd_low};
  q.ray.line.is_point = (r.flags & record_flags::is_point) != 0;
  q.ray.t_min = r.t_min;
  q.ray.t_max = r.t_max;
  q.ray.exponent = record_flags::exponent_of(r.flags);
  q.policy = policy;
  const RayFilter f = filter != nullptr ? *filter : RayFilter{~0u, {none, none}, {none, none}};
  q.mask = f.mask;
  for (int k = 0; k < 2; ++k) {
    q.exclude[k] = f.exclude[k];
    q.exclude_group[k] = f.exclude_group[k];
  }
  return q;
}

/// The t of a record's hit, as by unscaled_t(). The caller's interval clamps it only where scaling
/// may have rounded.
float unscaled_t(const RayRecord& r, const RawRay& raw) {
  constexpr std::uint32_t low = 27u << 23, high = 227u << 23;  // 2^-100 and 2^100
  ScaledRay ray{};
  ray.exponent = record_flags::exponent_of(r.flags);
  const std::uint32_t scaled = bits_of(r.reach);
  const std::uint32_t exact = scaled - (static_cast<std::uint32_t>(ray.exponent) << 23);
  if (scaled - low <= high - low && exact - low <= high - low) return float_of(exact);
  return unscaled_t(ray, r.reach, raw.t_min, raw.t_max);
}

std::uint32_t bad_ray_flag(const RayRecord& r) {
  return std::uint32_t{(r.flags & record_flags::bad) != 0} * hit_flags::bad_ray;
}

/// The answer to closest hit. Without branches: which rays hit is unpredictable.
RayAnswer closest_of(const RayRecord& r, const RawRay& raw) {
  const std::uint32_t is_hit = r.best != none;
  const std::uint32_t inside = (r.flags & record_flags::started_inside) != 0;
  const std::uint32_t back = (r.flags & record_flags::back) != 0;
  const float t = unscaled_t(r, raw);
  return {float_of(is_hit != 0 ? bits_of(t) : bits_of(infinity)), r.best,
          is_hit * hit_flags::hit | (is_hit & inside) * hit_flags::started_inside |
              back * hit_flags::back | bad_ray_flag(r)};
}

}  // namespace

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
    const Query q = query_of(r, filters == nullptr ? nullptr : filters + i, policy_);
    Best best;
    for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
      if (!passes_filter(q, shapes, id)) continue;
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

std::vector<RayBatches::Batch> RayBatches::batches() const {
  const RayBuckets& rays = memory_->buckets;
  const std::uint32_t most = batch_capacity(query_);
  std::vector<Batch> batches;
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    const std::uint32_t end = rays.octant_begin[octant + 1];
    for (std::uint32_t begin = rays.octant_begin[octant]; begin < end; begin += most) {
      batches.push_back({begin, std::min(end - begin, most), octant});
    }
  }
  return batches;
}

void RayBatches::count_buckets() {
  RayMemory& m = *memory_;
  m.buckets.count(m.keys.data(), size_, by_place_);
  if (m.sorted.size() < size_) m.sorted.resize(size_);
}

/// Moves the rays as they came to their buckets.
void RayBatches::move_rays() {
  RayMemory& m = *memory_;
  constexpr std::uint32_t ahead = 16;  // rays whose positions are fetched early
  std::uint32_t* const next = m.buckets.next.data();
  for (std::uint32_t i = 0; i < size_; ++i) {
    __builtin_prefetch(&m.sorted[next[m.keys[std::min(i + ahead, size_ - 1)] >> m.buckets.shift]],
                       1);
    const std::uint32_t position = next[m.keys[i] >> m.buckets.shift]++;
    m.sorted[position] = m.rays[i];
    m.keys[i] = position;
  }
}

void RayBatches::trace_all() {
  if (size_ == 0) return;
  RayMemory& m = *memory_;
  if (query_ != RayQuery::closest) {
    if (m.flags.size() < size_) m.flags.resize(size_);
  } else if (m.answers.size() < size_) {
    m.answers.resize(size_);
  }
  if (filtered_) {
    m.sorted_filters.resize(size_);
    for (std::uint32_t i = 0; i < size_; ++i) m.sorted_filters[m.keys[i]] = m.filters[i];
  }
  const std::vector<Batch> all = batches();
  std::atomic<std::uint64_t> visits{0};
  nested_parallel_for(
      all.size(), 1, [&] { return pools_.batches.take(); },
      [&](const ObjectPool<BatchMemory>::Handle& memory, std::uint64_t k, std::uint64_t) {
        visits += trace_batch(all[k], *memory);
      });
  by_place_ = scene_.node_count > small_tree && visits >= many_visits * std::uint64_t{size_};
  preferred_size_ = by_place_ ? most_rays : few_rays;
}

std::uint64_t RayBatches::trace_batch(const Batch& batch, BatchMemory& memory) const {
  const int rays = static_cast<int>(batch.count);
  if (memory.records.size() < batch.count) memory.records.resize(batch.count);
  RayRecord* const records = memory.records.data();
  const RawRay* const raw = memory_->sorted.data() + batch.begin;
  simd_.set_up(raw, rays, records);
  const RayFilter* const filters =
      filtered_ ? memory_->sorted_filters.data() + batch.begin : nullptr;
  test_unbounded(records, filters, batch.count);
  std::uint64_t visits = 0;
  if (scene_.node_count != 0) {
    const std::size_t scratch = simd_.scratch_bytes(scene_.depth, rays);
    if (memory.scratch.size() < scratch) memory.scratch.resize(scratch);
    visits = simd_.trace(scene_, {records, filters, rays, batch.octant}, query_, policy_,
                         memory.scratch.data());
  }
  if (query_ == RayQuery::closest) {
    RayAnswer* const answers = memory_->answers.data() + batch.begin;
    for (std::uint32_t k = 0; k < batch.count; ++k) answers[k] = closest_of(records[k], raw[k]);
  } else {
    // A byte a ray: handed over from the cache, in whatever order.
    std::uint8_t* const flags = memory_->flags.data() + batch.begin;
    for (std::uint32_t k = 0; k < batch.count; ++k) {
      const std::uint32_t is_hit = records[k].best != none;
      flags[k] = static_cast<std::uint8_t>(is_hit * hit_flags::hit | bad_ray_flag(records[k]));
    }
  }
  return visits;
}

}  // namespace sightline::detail
