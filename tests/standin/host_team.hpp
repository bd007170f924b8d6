// The teams of kernels/team.cuh on the host: every lane does a step before any does the next.
//
// What would go unseen in a loop is refused here: a lane that looks at another's registers, a
// ballot inside a lane's step, and shared memory that is read or written again without a sync()
// between.
#pragma once

#include "kernels/team.cuh"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace sightline::standin {

/// How often a team did what; a kernel's cost in steps, whatever the machine.
struct Steps {
  std::uint64_t each = 0, ballots = 0, exchanges = 0, syncs = 0;
};

/// In which order the lanes do a step; no answer may depend on it.
enum class LaneOrder { upwards, downwards };

/// How an emulated kernel runs: what it counts, and in which order the lanes do a step.
struct Emulation {
  Steps* steps = nullptr;
  LaneOrder order = LaneOrder::upwards;
};

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

  template <class T>
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
    T value_[N];
    std::uint64_t written_[N]{};
    mutable std::uint64_t read_[N]{};
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

  void sync() const {
    begin_step(steps_->syncs);
    ++detail::epoch;
  }

  bool any(const Lanes<bool>& bit) const {
    sync();
    bool r = false;
    for (const bool b : bit.value_) r = r || b;
    return r;
  }

  template <class F>
  void ballots(const Lanes<bool>& bit, F&& f) const {
    begin_step(steps_->ballots);
    for (int i = 0; i < N / kernels::warp_size; ++i) f(i, word_of(bit, i));
  }

  static void add(std::uint64_t* to, std::uint64_t n) { std::atomic_ref(*to).fetch_add(n); }
  static void lower(std::uint64_t* to, std::uint64_t n) {
    const std::atomic_ref<std::uint64_t> value(*to);
    std::uint64_t old = value.load();
    while (n < old && !value.compare_exchange_weak(old, n)) {
    }
  }

 private:
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
