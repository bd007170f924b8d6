// Rays that are sorted, set up and traced batch by batch.
#pragma once

#include "host/common/pages.hpp"
#include "host/cpu/rays/packets.hpp"
#include "host/cpu/rays/ray_order.hpp"
#include "host/cpu/rays/simd_kernels.hpp"
#include "host/cpu/threads.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace sightline::detail {

/// Rays in the order of their buckets, and their answers.
struct RayMemory {
  PageVector<std::uint32_t> keys;  ///< of rays as they came; once they are sorted, their positions
  PageVector<RawRay> rays;         ///< as they came, where their source need not last
  RayBuckets buckets;
  PageVector<RawRay> sorted;
  PageVector<RayAnswer> answers;   ///< of sorted rays, for closest hit
  PageVector<std::uint8_t> flags;  ///< of sorted rays, for any hit and sight
  std::vector<RayFilter> filters, sorted_filters;
};

/// A thread's memory for tracing a batch, in any scene.
struct BatchMemory {
  std::vector<RayRecord> records;
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

/// The answers of rays [first, first + count). Loops over them take it by value, so that it stays
/// in registers: a write through `std::uint8_t*` may change any object in memory.
struct RayAnswers {
  std::uint32_t first, count;
  const std::uint32_t* position;  ///< [count]: of each ray among the answers
  const RayAnswer* answers;       ///< null: `flags` are all there is
  const std::uint8_t* flags;      ///< of hit_flags

  RayAnswer operator[](std::uint32_t i) const {
    if (answers != nullptr) return answers[position[i]];
    const std::uint32_t f = flags[position[i]];
    return {0, (f & hit_flags::hit) != 0 ? some_id : none, f};
  }
};

struct RayPools {
  ObjectPool<RayMemory> rays;
  ObjectPool<BatchMemory> batches;
};

/// One thread's rays: they are added, then all are traced, with the help of idle threads. Takes 48
/// bytes a ray, 32 more where its source does not last, 40 more with masks or exclusions, and the
/// scratch memory of the kernels.
///
/// Sorting rays by place makes them share nodes, which pays where they visit many. Otherwise, and
/// in small trees, which stay in the caches, fewer rays at a time in their original order are
/// faster. The visits of the previous rays decide.
class RayBatches {
 public:
  /// Rays that are traced at a time, at most.
  static constexpr std::uint32_t most_rays = 1u << 20;

  RayBatches(const TraceScene& scene, const SimdKernels& simd, RayQuery query, RayPolicy policy,
             RayPools& pools)
      : scene_(scene),
        simd_(simd),
        query_(query),
        policy_(policy),
        pools_(pools),
        memory_(pools.rays.take()) {}

  /// Later rays are ordered by this grid.
  void set_grid(const RayGrid& grid) { grid_ = grid; }
  /// Adds all rays of the source, which need not last. Pairs of points that cannot see each other
  /// in any scene become bad rays.
  template <class Source>
  void add(const Source& source) {
    const std::uint64_t size = size_ + source.count;
    if (memory_->rays.size() < size) memory_->rays.resize(size);
    collect(source, memory_->rays.data() + size_);
  }
  std::uint32_t size() const { return size_; }
  /// How many more rays to add before trace(), for the best speed.
  std::uint32_t room() const { return size_ < preferred_size_ ? preferred_size_ - size_ : 0; }

  /// Traces and removes all rays, then calls use(answers), or else use(i, answer) for each ray, in
  /// the order in which they were added, with i from 0 on.
  template <class Use>
  void trace(const Use& use) {
    count_buckets();
    move_rays();
    trace_all();
    hand_over({{0, size_}}, use);
  }

  /// Traces the rays of these runs of the source, as many at a time as is fastest; no others may
  /// have been added. `use` is as in trace(), with indices in the source.
  template <class Source, class Use>
  void trace_runs(const Source& source, const std::vector<RayRun>& runs, const Use& use) {
    std::vector<RayRun> added;
    for (RayRun run : runs) {
      while (run.count > 0) {
        const std::uint32_t n = std::min(run.count, room());
        collect(source.slice(run.first, n), nullptr);
        added.push_back({run.first, n});
        run = {run.first + n, run.count - n};
        if (room() > 0) continue;
        trace_added(source, added, use);
        added.clear();
      }
    }
    trace_added(source, added, use);
  }

 private:
  /// Measured: docs/notes/2026-11-cpu.md.
  static constexpr std::uint32_t first_rays = 1u << 14, few_rays = 1u << 16, many_visits = 6;
  static constexpr std::size_t small_tree = 1024;

  /// Adds the rays, and copies them where `copy` is not null.
  template <class Source>
  void collect(const Source& source, RawRay* copy) {
    const std::uint32_t first = size_;
    const std::uint64_t count = source.count;
    size_ += static_cast<std::uint32_t>(count);
    PageVector<std::uint32_t>& keys = memory_->keys;
    if (keys.size() < size_ + 16) keys.resize(size_ + 16);
    source_kernels<Source>(simd_).collect(source, count, by_place_ ? &grid_ : nullptr,
                                          keys.data() + first, copy);
    if (!filtered_ && !is_filtered(scene_, source)) return;
    RayFilter* const filters = new_filters(first, count);
    for (std::uint64_t i = 0; i < count; ++i) filters[i] = filter_of(source, i);
  }
  /// Traces all rays, which are those of the runs, one after the other.
  template <class Source, class Use>
  void trace_added(const Source& source, const std::vector<RayRun>& runs, const Use& use) {
    count_buckets();
    RayMemory& m = *memory_;
    std::uint32_t* keys = m.keys.data();
    for (const RayRun& run : runs) {
      source_kernels<Source>(simd_).place(source.slice(run.first, run.count), run.count,
                                          m.buckets.shift, m.buckets.next.data(), keys,
                                          m.sorted.data());
      keys += run.count;
    }
    trace_all();
    hand_over(runs, use);
  }
  /// Hands over the answers of all rays and removes them.
  template <class Use>
  void hand_over(const std::vector<RayRun>& runs, const Use& use) {
    const std::uint32_t* position = memory_->keys.data();
    for (const RayRun& run : runs) {
      const RayAnswers rays = {run.first, run.count, position,
                               query_ == RayQuery::closest ? memory_->answers.data() : nullptr,
                               memory_->flags.data()};
      if constexpr (std::is_invocable_v<Use, RayAnswers>) {
        use(rays);
      } else {
        for (std::uint32_t i = 0; i < rays.count; ++i) use(rays.first + i, rays[i]);
      }
      position += run.count;
    }
    size_ = 0;
    filtered_ = false;
  }

  void count_buckets();
  void move_rays();
  void trace_all();
  /// Rays [begin, begin + count) of the order, all in one octant.
  struct Batch {
    std::uint32_t begin, count, octant;
  };
  std::vector<Batch> batches() const;
  /// Traces a batch, writes its answers, and returns how many nodes its rays visited in all.
  std::uint64_t trace_batch(const Batch& batch, BatchMemory& memory) const;
  void test_unbounded(RayRecord* rays, const RayFilter* filters, std::uint32_t count) const;
  RayFilter* new_filters(std::uint32_t first, std::uint64_t count);

  const TraceScene scene_;
  const SimdKernels& simd_;
  const RayQuery query_;
  const RayPolicy policy_;
  RayGrid grid_{};
  std::uint32_t size_ = 0;
  bool filtered_ = false, by_place_ = false;
  std::uint32_t preferred_size_ = first_rays;
  RayPools& pools_;
  ObjectPool<RayMemory>::Handle memory_;
};

}  // namespace sightline::detail
