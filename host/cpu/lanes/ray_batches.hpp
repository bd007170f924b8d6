// Rays that are collected, sorted, set up and traced batch by batch.
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

/// Collected rays with their order.
struct RayMemory {
  PageVector<RawRay> rays;
  PageVector<std::uint32_t> keys;
  RayOrder order;
  std::vector<RayFilter> filters;
};

/// A thread's memory for tracing a batch, in any scene.
struct BatchMemory {
  std::vector<RayRecord> records;
  std::vector<RayFilter> filters;
  PageVector<std::byte> scratch;
};

/// Objects that are kept, with their memory, from call to call: allocating it each time took up to
/// a fifth of the time of cheap rays. Thread-safe.
template <class T>
class ObjectPool {
 public:
  struct Returner {
    ObjectPool* to;
    void operator()(T* object) const { to->give(object); }
  };
  using Handle = std::unique_ptr<T, Returner>;

  Handle take() {
    std::unique_ptr<T> object;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        object = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (object == nullptr) {
      object = std::make_unique<T>();
      const std::lock_guard lock(mutex_);
      idle_.reserve(made_ + 1);  // so that give(), called by destructors, never throws
      ++made_;
    }
    return Handle(object.release(), Returner{this});
  }

 private:
  void give(T* object) {
    const std::lock_guard lock(mutex_);
    idle_.emplace_back(object);
  }

  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<T>> idle_;  ///< has room for all that were made
};

/// Rays of a batch after it was traced. Loops that write answers take it by value, so that it stays
/// in registers: a write through `std::uint8_t*` may change any object in memory.
struct TracedRays {
  const RayRecord* records;  ///< [count]; the record of a ray that is not bad says what it hit
  std::uint32_t count;
  const std::uint32_t* index;  ///< [count]: which of the added rays each is
  /// The place of each added ray in its source; null where they follow each other from `first` on.
  const std::uint32_t* places = nullptr;
  std::uint32_t first = 0;

  std::uint32_t place(std::uint32_t k) const {
    return places == nullptr ? first + index[k] : places[index[k]];
  }
};

struct RayPools {
  ObjectPool<RayMemory> rays;
  ObjectPool<BatchMemory> batches;
};

/// One thread's rays: they are added, then all are traced, with the help of idle threads. Takes 48
/// bytes a ray (68 with masks or exclusions), and the tracer's scratch memory.
///
/// Sorting rays by place makes them share nodes, which pays where they visit many. Otherwise, and
/// in small trees, which stay in the caches, fewer rays at a time in their original order are
/// faster. The visits of the previous rays decide.
class RayBatches {
 public:
  /// Rays that are traced at a time, at most.
  static constexpr std::uint32_t most_rays = 1u << 20;

  RayBatches(const TraceScene& scene, const Tracer& tracer, RayQuery query, Inside inside,
             RayPools& pools)
      : scene_(scene),
        tracer_(tracer),
        query_(query),
        inside_(inside),
        pools_(pools),
        memory_(pools.rays.take()) {}

  /// Later rays are ordered by this grid.
  void set_grid(const RayGrid& grid) { grid_ = grid; }
  /// Adds all rays of the source. Pairs of points that cannot see each other in any scene become
  /// bad rays.
  template <class Source>
  void add(const Source& source) {
    const std::uint32_t first = size_;
    const std::uint64_t count = source.count;
    grow(static_cast<std::uint32_t>(count));
    source_tracer<Source>(tracer_).collect(source, count, by_place_ ? &grid_ : nullptr,
                                           memory_->rays.data() + first,
                                           memory_->keys.data() + first);
    if (!filtered_ && !is_filtered(scene_, source)) return;
    RayFilter* const filters = new_filters(first, count);
    for (std::uint64_t i = 0; i < count; ++i) filters[i] = filter_of(source, i);
  }
  std::uint32_t size() const { return size_; }
  /// How many more rays to add before trace(), for the best speed.
  std::uint32_t room() const { return size_ < preferred_size_ ? preferred_size_ - size_ : 0; }

  /// Traces all rays, calls use(traced) for each batch of them, or else use(i, record) for each
  /// ray, in any order, where i counts added rays from 0, and removes them. Calls may come from
  /// other threads, but never two at a time.
  template <class Use>
  void trace(const Use& use) {
    if (size_ == 0) return;
    const RayOrder& order = memory_->order;
    memory_->order.assign(memory_->keys.data(), size_, by_place_);
    const std::vector<Batch> batches = batches_of(order);
    std::mutex in_use;
    std::uint64_t visits = 0;
    share(
        batches.size(), 1, [&] { return pools_.batches.take(); },
        [&](const ObjectPool<BatchMemory>::Handle& memory, std::uint64_t k, std::uint64_t) {
          const Batch& batch = batches[k];
          const std::uint64_t visited = trace_batch(batch, *memory);
          const std::lock_guard lock(in_use);
          visits += visited;
          hand_over({memory->records.data(), batch.count, order.index.data() + batch.begin}, use);
        });
    by_place_ = scene_.node_count > small_tree && visits >= many_visits * std::uint64_t{size_};
    preferred_size_ = by_place_ ? most_rays : few_rays;
    size_ = 0;
    filtered_ = false;
  }

  /// Adds and traces the rays of these runs of the source, as many at a time as is fastest. `use`
  /// is as in trace(), with indices in the source.
  template <class Source, class Use>
  void trace_runs(const Source& source, const std::vector<RayRun>& runs, const Use& use) {
    std::vector<RayRun> waiting;
    const auto trace_waiting = [&] {
      const RayPlaces places(waiting);
      trace([&](TracedRays traced) {
        traced.places = places.data();
        traced.first = places.first();
        hand_over(traced, use);
      });
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

 private:
  /// Measured: docs/performance.md.
  static constexpr std::uint32_t first_rays = 1u << 14, few_rays = 1u << 16, many_visits = 6;
  static constexpr std::size_t small_tree = 1024;

  template <class Use>
  static void hand_over(const TracedRays& traced, const Use& use) {
    if constexpr (std::is_invocable_v<Use, const TracedRays&>) {
      use(traced);
    } else {
      for (std::uint32_t k = 0; k < traced.count; ++k) use(traced.place(k), traced.records[k]);
    }
  }

  void grow(std::uint32_t count);
  /// Rays [begin, begin + count) of the order, all in one octant.
  struct Batch {
    std::uint32_t begin, count, octant;
  };
  std::vector<Batch> batches_of(const RayOrder& order) const;
  /// Traces a batch, leaves its records in the memory, and returns how many nodes its rays visited
  /// in all.
  std::uint64_t trace_batch(const Batch& batch, BatchMemory& memory) const;
  void test_unbounded(RayRecord* rays, const RayFilter* filters, std::uint32_t count) const;
  RayFilter* new_filters(std::uint32_t first, std::uint64_t count);

  const TraceScene scene_;
  const Tracer& tracer_;
  const RayQuery query_;
  const Inside inside_;
  RayGrid grid_{};
  std::uint32_t size_ = 0;
  bool filtered_ = false, by_place_ = false;
  std::uint32_t preferred_size_ = first_rays;
  RayPools& pools_;
  ObjectPool<RayMemory>::Handle memory_;
};

}  // namespace sightline::detail
