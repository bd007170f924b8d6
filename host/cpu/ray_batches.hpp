// Chunks of rays on their way through the tree: made ready, put in order, traced batch by batch.
#pragma once

#include "host/cpu/lanes/trace.hpp"
#include "host/cpu/ray_filters.hpp"
#include "host/cpu/ray_order.hpp"

#include <memory>
#include <vector>

namespace sightline::detail {

/// One thread's rays: some are added, then all are traced. Takes about 100 bytes a ray (120 where
/// masks or exclusions play a part), and what the tracer asks for.
class RayBatches {
 public:
  RayBatches(const TraceScene& scene, const Tracer& tracer, Ask ask, Inside inside)
      : scene_(scene), tracer_(tracer), ask_(ask), inside_(inside) {}

  /// Rays whose order comes from this grid.
  void set_grid(const RayGrid& grid) { grid_ = grid; }
  /// Makes room for so many rays: adding them one run at a time moves none then.
  void reserve(std::uint64_t count) {
    records_.reserve(count);
    keys_.reserve(count + 16);
  }
  /// Adds all rays of the source. A pair of points without sight whatever the scene becomes a bad
  /// ray.
  template <class Source>
  void add(const Source& source) {
    const std::uint32_t first = size_;
    const std::uint64_t count = source.count;
    grow(static_cast<std::uint32_t>(count));
    source_tracer<Source>(tracer_).set_up(source, count, grid_, records_.data() + first,
                                          keys_.data() + first);
    if (!filtered_ && !is_filtered(scene_.shapes, source)) return;
    RayFilter* const filters = new_filters(first, count);
    for (std::uint64_t i = 0; i < count; ++i) filters[i] = filter_of(source, i);
  }
  std::uint32_t size() const { return size_; }

  /// Calls use(i, record) for every ray in any order, i its place among those that were added, the
  /// first being 0; then there are none. The record of a ray that is not bad says what it hit.
  /// Before that prefetch(i) is called, for some.
  template <class Use, class Prefetch>
  void trace(const Use& use, const Prefetch& prefetch) {
    order_.assign(keys_.data(), size_, orders_by_place());
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
      const std::uint32_t end = order_.octant_begin[octant + 1];
      for (std::uint32_t begin = order_.octant_begin[octant]; begin < end;
           begin += batch_capacity(ask_)) {
        const std::uint32_t count =
            end - begin < batch_capacity(ask_) ? end - begin : batch_capacity(ask_);
        trace_batch(begin, count, octant);
        for (std::uint32_t i = 0; i < count; ++i) {
          if (begin + i + ahead < size_) prefetch(order_.index[begin + i + ahead]);
          use(order_.index[begin + i], batch_[i]);
        }
      }
    }
    size_ = 0;
    filtered_ = false;
  }
  template <class Use>
  void trace(const Use& use) {
    trace(use, [](std::uint32_t) {});
  }

 private:
  /// Rays that lie in the order of the caller, or of their coming, are fetched so many early.
  static constexpr std::uint32_t ahead = 16;
  /// In small trees, which stay in the caches, an order costs more than it brings.
  bool orders_by_place() const { return scene_.node_count > 1024; }
  void trace_ready(const RayBatch& batch);
  void grow(std::uint32_t count);
  void trace_batch(std::uint32_t begin, std::uint32_t count, std::uint32_t octant);
  void meet_unbounded(RayRecord* rays, const RayFilter* filters, std::uint32_t count);
  RayFilter* new_filters(std::uint32_t first, std::uint64_t count);

  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };

  const TraceScene scene_;
  const Tracer& tracer_;
  const Ask ask_;
  const Inside inside_;
  RayGrid grid_{};
  std::uint32_t size_ = 0;
  bool filtered_ = false;
  PageVector<RayRecord> records_, batch_;
  PageVector<std::uint32_t> keys_;
  std::vector<RayFilter> filters_, batch_filters_;
  RayOrder order_;
  std::unique_ptr<std::byte, Free> scratch_;
  std::size_t scratch_rays_ = 0;
};

}  // namespace sightline::detail
