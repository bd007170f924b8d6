// The teams of kernels/traverse/team.cuh on the host: every lane does a step before any does the
// next.
//
// What would go unseen in a loop is refused here: a lane that looks at another's registers, a
// ballot inside a lane's step, and shared memory that is read or written again without a sync()
// between.
#pragma once

#include "kernels/traverse/team.cuh"
#include "tests/standin/emulation.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace sightline::standin {

namespace detail {

/// The lane whose step this thread does; -1 between steps.
inline thread_local int current_lane = -1;
/// Counts the syncs of all teams of this thread.
inline thread_local std::uint64_t epoch = 1;

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "a team of lanes is misused: %s\n", what);
  std::abort();
}

}  // namespace detail

/// N lanes; N is a multiple of 32.
template <int N>
class HostTeam {
 public:
  static constexpr int size = N;

  template <class T>
  class Lanes {
   public:
    T& operator[](int lane) { return value_[own(lane)]; }
    const T& operator[](int lane) const { return value_[own(lane)]; }

   private:
    friend class HostTeam;
    static int own(int lane) {
      detail::require(lane == detail::current_lane, "a lane looks at another's registers");
      return lane;
    }
    T value_[N]{};
  };

  template <class T, int n = N>
  class Shared {
   public:
    void write(int i, const T& v) {
      detail::require(read_[i] < detail::epoch, "shared memory is overwritten before a sync");
      value_[i] = v;
      written_[i] = detail::epoch;
    }
    const T& read(int i) const {
      detail::require(written_[i] != 0, "shared memory is read that was never written");
      detail::require(written_[i] < detail::epoch, "shared memory is read before a sync");
      read_[i] = detail::epoch;
      return value_[i];
    }

   private:
    T value_[n];
    std::uint64_t written_[n]{};
    mutable std::uint64_t read_[n]{};
  };

  /// n entries of each lane for its own use.
  template <class T, int n>
  class Stack {
   public:
    T& at(int i, int lane) {
      detail::require(i >= 0 && i < n, "a place beyond the stack");
      return value_[i][Lanes<T>::own(lane)];
    }

   private:
    T value_[n][N]{};
  };

  /// Words that any lane reads and writes at any time; none is read before it is written.
  template <int n>
  class Words {
   public:
    std::uint32_t read(std::uint32_t i) { return at(i, written_[i]); }
    void write(std::uint32_t i, std::uint32_t v) { at(i, true) = v; }
    void add(std::uint32_t i, std::uint32_t v) { at(i, written_[i]) += v; }

   private:
    std::uint32_t& at(std::uint32_t i, bool written) {
      detail::require(i < n, "a word beyond the last");
      detail::require(written, "shared memory is read that was never written");
      written_[i] = true;
      return value_[i];
    }
    std::uint32_t value_[n];
    bool written_[n]{};
  };

  /// n words of bits that lanes set, and read after a sync().
  template <int n = N>
  class Bits {
   public:
    void clear(int lane) {
      detail::require(lane == detail::current_lane, "a lane clears another's bits");
      for (int k = lane; k < n; k += N) word_[k] = 0;
      cleared_ = detail::epoch;
    }
    void set(std::uint32_t bit) {
      detail::require(cleared_ != 0 && cleared_ < detail::epoch, "bits are set before a sync");
      word_[bit / kernels::warp_size] |= 1u << bit % kernels::warp_size;
      set_ = detail::epoch;
    }
    std::uint32_t read(int k) const {
      detail::require(cleared_ < detail::epoch && set_ < detail::epoch,
                      "bits are read before a sync");
      return word_[k];
    }

   private:
    std::uint32_t word_[n]{};
    std::uint64_t cleared_ = 0, set_ = 0;
  };

  explicit HostTeam(Steps* steps = nullptr, LaneOrder order = LaneOrder::upwards)
      : steps_(steps != nullptr ? steps : &own_steps_), order_(order) {}
  HostTeam(const HostTeam&) = delete;
  HostTeam& operator=(const HostTeam&) = delete;

  template <class F>
  void each(F&& f) const {
    begin_step(steps_->each);
    for (int k = 0; k < N; ++k) {
      detail::current_lane = order_ == LaneOrder::upwards ? k : N - 1 - k;
      f(detail::current_lane);
    }
    detail::current_lane = -1;
  }

  template <class F>
  void once(F&& f) const {
    detail::require(detail::current_lane < 0, "a step within a step");
    f();
  }

  std::uint32_t ballot(const Lanes<bool>& bit) const requires(N == kernels::warp_size) {
    begin_step(steps_->ballots);
    return word_of(bit, 0);
  }

  Lanes<std::uint32_t> exchange(const Lanes<std::uint32_t>& v, int mask) const
      requires(N == kernels::warp_size) {
    begin_step(steps_->exchanges);
    Lanes<std::uint32_t> r;
    for (int lane = 0; lane < N; ++lane) r.value_[lane] = v.value_[lane ^ mask];
    return r;
  }

  std::uint32_t broadcast(const Lanes<std::uint32_t>& v, int from) const
      requires(N == kernels::warp_size) {
    begin_step(steps_->exchanges);
    return v.value_[from];
  }

  void sync() const {
    begin_step(steps_->syncs);
    ++detail::epoch;
  }

  template <class F>
  void ballots(const Lanes<bool>& bit, F&& f) const {
    begin_step(steps_->ballots);
    for (int i = 0; i < N / kernels::warp_size; ++i) f(i, word_of(bit, i));
  }

  void note_nodes(std::uint32_t lanes) const { note(lanes, steps_->nodes, steps_->node_lanes); }
  void note_leaves(std::uint32_t lanes) const { note(lanes, steps_->leaves, steps_->leaf_lanes); }
  void note_depth(int entries) const {
    steps_->depth = entries > steps_->depth ? entries : steps_->depth;
  }

  void note_climb(std::uint32_t lanes) const { note(lanes, steps_->climbs, steps_->climb_lanes); }
  void note_round(std::uint32_t clusters) const {
    ++steps_->rounds;
    steps_->round_clusters += clusters;
  }

  static void add(std::uint64_t* to, std::uint64_t n) { std::atomic_ref(*to).fetch_add(n); }
  static void lower(std::uint64_t* to, std::uint64_t n) {
    const std::atomic_ref<std::uint64_t> value(*to);
    std::uint64_t old = value.load();
    while (n < old && !value.compare_exchange_weak(old, n)) {
    }
  }
  static std::uint32_t swap(std::uint32_t* at, std::uint32_t n) {
    return std::atomic_ref(*at).exchange(n, std::memory_order_acq_rel);
  }

 private:
  static void note(std::uint32_t lanes, std::uint64_t& steps, std::uint64_t& of_lanes) {
    detail::require(detail::current_lane < 0, "a step within a step");
    ++steps;
    of_lanes += count_ones(lanes);
  }
  static void begin_step(std::uint64_t& count) {
    detail::require(detail::current_lane < 0, "a step within a step");
    ++count;
  }
  static std::uint32_t word_of(const Lanes<bool>& bit, int i) {
    std::uint32_t word = 0;
    for (int b = 0; b < kernels::warp_size; ++b) {
      word |= std::uint32_t{bit.value_[i * kernels::warp_size + b]} << b;
    }
    return word;
  }

  mutable Steps own_steps_;
  Steps* steps_;
  LaneOrder order_;
};

using HostWarp = HostTeam<kernels::warp_size>;
using HostBlock = HostTeam<kernels::block_size>;

}  // namespace sightline::standin
