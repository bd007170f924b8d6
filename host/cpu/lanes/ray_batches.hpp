// Chunks of rays on their way through the tree: collected, put in order, made ready and traced
// batch by batch.
#pragma once

#include "host/common/pages.hpp"
#include "host/cpu/lanes/packets.hpp"
#include "host/cpu/lanes/ray_order.hpp"
#include "host/cpu/lanes/trace.hpp"
#include "host/cpu/threads.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace sightline::detail {

/// Rays that wait, in their order.
struct RayMemory {
  PageVector<RawRay> rays;
  PageVector<std::uint32_t> keys;
  RayOrder order;
  std::vector<RayFilter> filters;
};

/// What one thread needs to trace a batch of rays, whatever the scene.
struct BatchMemory {
  std::vector<RayRecord> records;
  std::vector<RayFilter> filters;
  PageVector<std::byte> scratch;
};

/// Objects that are kept, with their memory, from call to call: getting it anew from the system
/// took up to a fifth of the time of cheap rays. Any thread may take and give.
template <class T>
class ObjectPool {
 public:
  struct Give {
    ObjectPool* to;
    void operator()(T* object) const { to->give(object); }
  };
  using Taken = std::unique_ptr<T, Give>;

  Taken take() {
    std::unique_ptr<T> object;
    {
      const std::lock_guard lock(mutex_);
      if (!at_rest_.empty()) {
        object = std::move(at_rest_.back());
        at_rest_.pop_back();
      }
    }
    if (object == nullptr) {
      object = std::make_unique<T>();
      const std::lock_guard lock(mutex_);
      at_rest_.reserve(made_ + 1);  // give() is called by destructors, which must not throw
      ++made_;
    }
    return Taken(object.release(), Give{this});
  }

 private:
  void give(T* object) {
    const std::lock_guard lock(mutex_);
    at_rest_.emplace_back(object);
  }

  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<T>> at_rest_;  ///< has room for all that were made
};

struct RayMemories {
  ObjectPool<RayMemory> rays;
  ObjectPool<BatchMemory> batches;
};

/// One thread's rays: some are added, then all are traced, with the help of threads that have
/// nothing left to do. Takes 48 bytes a ray (68 where masks or exclusions play a part), and what
/// the tracer asks for.
///
/// In their order by place rays meet in nodes, which pays where they visit many; otherwise, and in
/// small trees, which stay in the caches, fewer rays at a time that come as they come are faster.
/// What the rays before have visited says which.
class RayBatches {
 public:
  /// Rays that are traced at a time, at most.
  static constexpr std::uint32_t most_rays = 1u << 19;

  RayBatches(const TraceScene& scene, const Tracer& tracer, Ask ask, Inside inside,
             RayMemories& memories)
      : scene_(scene),
        tracer_(tracer),
        ask_(ask),
        inside_(inside),
        memories_(memories),
        memory_(memories.rays.take()) {}

  /// Rays whose order comes from this grid.
  void set_grid(const RayGrid& grid) { grid_ = grid; }
  /// Adds all rays of the source. A pair of points without sight whatever the scene becomes a bad
  /// ray.
  template <class Source>
  void add(const Source& source) {
    const std::uint32_t first = size_;
    const std::uint64_t count = source.count;
    grow(static_cast<std::uint32_t>(count));
    source_tracer<Source>(tracer_).collect(source, count, grid_, memory_->rays.data() + first,
                                           memory_->keys.data() + first);
    if (!filtered_ && !is_filtered(scene_, source)) return;
    RayFilter* const filters = new_filters(first, count);
    for (std::uint64_t i = 0; i < count; ++i) filters[i] = filter_of(source, i);
  }
  std::uint32_t size() const { return size_; }
  /// So many more pay before they are traced.
  std::uint32_t room() const { return size_ < worth_ ? worth_ - size_ : 0; }

  /// Calls use(i, record) for every ray in any order, i its place among those that were added, the
  /// first being 0; then there are none. The record of a ray that is not bad says what it hit.
  /// Before that prefetch(i) is called, for some. Other threads may make the calls, never two at
  /// the same time.
  template <class Use, class Prefetch>
  void trace(const Use& use, const Prefetch& prefetch) {
    if (size_ == 0) return;
    const RayOrder& order = memory_->order;
    memory_->order.assign(memory_->keys.data(), size_, by_place_);
    const std::vector<Batch> batches = batches_of(order);
    std::mutex in_use;
    std::uint64_t visits = 0;
    share(
        batches.size(), 1, [&] { return memories_.batches.take(); },
        [&](const ObjectPool<BatchMemory>::Taken& memory, std::uint64_t k, std::uint64_t) {
          const Batch& batch = batches[k];
          const std::uint64_t visited = trace_batch(batch, *memory);
          const std::lock_guard lock(in_use);
          visits += visited;
          for (std::uint32_t i = 0; i < batch.count; ++i) {
            const std::uint32_t at = batch.begin + i;
            if (at + ahead < size_) prefetch(order.index[at + ahead]);
            use(order.index[at], memory->records[i]);
          }
        });
    by_place_ = scene_.node_count > small_tree && visits >= many_visits * std::uint64_t{size_};
    worth_ = by_place_ ? most_rays : few_rays;
    size_ = 0;
    filtered_ = false;
  }
  template <class Use>
  void trace(const Use& use) {
    trace(use, [](std::uint32_t) {});
  }

  /// Adds and traces the rays of these runs of the source, as many at a time as pay: use(i, record)
  /// and prefetch(i) have their places in the source.
  template <class Source, class Use, class Prefetch>
  void trace_runs(const Source& source, const std::vector<RayRun>& runs, const Use& use,
                  const Prefetch& prefetch) {
    std::vector<RayRun> waiting;
    const auto trace_waiting = [&] {
      const RayPlaces places(waiting);
      trace([&](std::uint32_t i, const RayRecord& r) { use(places[i], r); },
            [&](std::uint32_t i) { prefetch(places[i]); });
      waiting.clear();
    };
    for (RayRun run : runs) {
      while (run.count > 0) {
        const std::uint32_t n = std::min(run.count, room());
        add(source.slice(run.first, n));
        waiting.push_back({run.first, n});
        run = {run.first + n, run.count - n};
        if (room() == 0) trace_waiting();
      }
    }
    trace_waiting();
  }
  template <class Source, class Use>
  void trace_runs(const Source& source, const std::vector<RayRun>& runs, const Use& use) {
    trace_runs(source, runs, use, [](std::uint32_t) {});
  }

 private:
  /// Rays that lie in the order of the caller, or of their coming, are fetched so many early.
  static constexpr std::uint32_t ahead = 16;
  /// Found by measuring: docs/performance.md.
  static constexpr std::uint32_t first_rays = 1u << 14, few_rays = 1u << 16, many_visits = 6;
  static constexpr std::size_t small_tree = 1024;

  void grow(std::uint32_t count);
  /// Rays [begin, begin + count) in their order, all of one octant.
  struct Batch {
    std::uint32_t begin, count, octant;
  };
  std::vector<Batch> batches_of(const RayOrder& order) const;
  /// Leaves their records in the memory, and returns how many nodes they visited together.
  std::uint64_t trace_batch(const Batch& batch, BatchMemory& memory) const;
  void meet_unbounded(RayRecord* rays, const RayFilter* filters, std::uint32_t count) const;
  RayFilter* new_filters(std::uint32_t first, std::uint64_t count);

  const TraceScene scene_;
  const Tracer& tracer_;
  const Ask ask_;
  const Inside inside_;
  RayGrid grid_{};
  std::uint32_t size_ = 0;
  bool filtered_ = false, by_place_ = false;
  std::uint32_t worth_ = first_rays;
  RayMemories& memories_;
  ObjectPool<RayMemory>::Taken memory_;
};

}  // namespace sightline::detail
