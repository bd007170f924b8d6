// Teams of threads in lockstep: the policy under which every kernel's body is written once, for the
// device and for its emulation on the host (tests/standin/host_team.hpp).
//
// A body is a template over a team of Team::size lanes. Per-lane values are Team::Lanes<T>, shared
// ones Team::Shared<T>. Code for every lane runs in team.each([&](int lane) { ... }); everything
// else is uniform. On the device a lane is a thread, Lanes<T> is one T in its registers, and each()
// runs the code once. On the host each() loops over the lanes, so that all of them finish one step
// before any begins the next.
#pragma once

#include <sightline/geometry/bvh/quantised_node.hpp>

#include <cstdint>

namespace sightline::kernels {

inline constexpr int warp_size = 32;
inline constexpr int block_size = 128;

/// The index of the lowest set bit; word != 0.
SIGHTLINE_HD std::uint32_t lowest_one(std::uint32_t word) {
  return count_ones(~word & (word - 1u));
}

/// The number of leading zeros; 64 for 0.
SIGHTLINE_HD int leading_zeros(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(word));
#else
  return word == 0 ? 64 : __builtin_clzll(word);
#endif
}

#if defined(__CUDACC__)

/// A lane's own value.
template <class T>
struct LaneValue {
  T value;
  SIGHTLINE_HD T& operator[](int) { return value; }
  SIGHTLINE_HD const T& operator[](int) const { return value; }
};

/// Shared memory of a team; any lane may read it after a sync().
template <class T, int n>
struct TeamArray {
  T value[n];
  SIGHTLINE_HD void write(int i, const T& v) { value[i] = v; }
  SIGHTLINE_HD const T& read(int i) const { return value[i]; }
};

/// Words of a warp's shared memory that any lane reads and writes at any time. Of lanes that do so
/// at once, any may be first.
template <int n>
struct WarpWords {
  std::uint32_t value[n];
  SIGHTLINE_HD std::uint32_t read(std::uint32_t i) {
#if defined(__CUDA_ARCH__)
    return atomicOr(&value[i], 0u);
#else
    return value[i];
#endif
  }
  SIGHTLINE_HD void write(std::uint32_t i, std::uint32_t v) {
#if defined(__CUDA_ARCH__)
    atomicExch(&value[i], v);
#else
    value[i] = v;
#endif
  }
  SIGHTLINE_HD void add(std::uint32_t i, std::uint32_t v) {
#if defined(__CUDA_ARCH__)
    atomicAdd(&value[i], v);
#else
    value[i] += v;
#endif
  }
};

/// Shared memory of a warp, n entries of each lane for its own use.
template <class T, int n>
struct WarpStack {
  T value[n][warp_size];
  SIGHTLINE_HD T& at(int i, int lane) { return value[i][lane]; }
};

/// n words of bits in a warp's shared memory.
template <int n>
struct WarpBits {
  std::uint32_t word[n];
  SIGHTLINE_HD void clear(int lane) {
    for (int k = lane; k < n; k += warp_size) word[k] = 0;
  }
  SIGHTLINE_HD void set(std::uint32_t bit) {
#if defined(__CUDA_ARCH__)
    atomicOr(&word[bit / warp_size], 1u << bit % warp_size);
#else
    word[bit / warp_size] |= 1u << bit % warp_size;
#endif
  }
  SIGHTLINE_HD std::uint32_t read(int k) const { return word[k]; }
};

#if defined(__CUDA_ARCH__)
/// Orders what threads of the device see before and after. __threadfence() also puts all fences in
/// one order, which takes longer and is of no use here.
__device__ inline void device_fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
#endif

/// Atomic counters in device memory.
struct DeviceCounters {
  SIGHTLINE_HD static void add(std::uint64_t* to, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(n));
#endif
  }
  SIGHTLINE_HD static void lower(std::uint64_t* to, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
    atomicMin(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(n));
#endif
  }
  /// Exchanges the value. Whoever swaps next sees what was written before this swap.
  SIGHTLINE_HD static std::uint32_t swap(std::uint32_t* at, std::uint32_t n) {
#if defined(__CUDA_ARCH__)
    device_fence();
    const std::uint32_t old = atomicExch(at, n);
    device_fence();
    return old;
#else
    const std::uint32_t old = *at;
    *at = n;
    return old;
#endif
  }
};

/// The 32 lanes of a warp, all active. On the host its functions are only compiled.
class DeviceWarp : public DeviceCounters {
 public:
  static constexpr int size = warp_size;
  template <class T>
  using Lanes = LaneValue<T>;
  template <class T, int n = warp_size>
  using Shared = TeamArray<T, n>;
  template <class T, int n>
  using Stack = WarpStack<T, n>;
  template <int n>
  using Words = WarpWords<n>;
  template <int n = warp_size>
  using Bits = WarpBits<n>;

  template <class F>
  SIGHTLINE_HD void each(F&& f) const {
    f(lane());
  }
  /// Waits for every lane, and makes their writes to shared memory visible.
  SIGHTLINE_HD void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#endif
  }
  /// Counted by the emulation: traversal steps in which these lanes take part.
  SIGHTLINE_HD void note_nodes(std::uint32_t) const {}
  SIGHTLINE_HD void note_leaves(std::uint32_t) const {}
  SIGHTLINE_HD void note_depth(int) const {}
  SIGHTLINE_HD void note_climb(std::uint32_t) const {}
  SIGHTLINE_HD void note_round(std::uint32_t) const {}
  /// Calls f() in one lane.
  template <class F>
  SIGHTLINE_HD void once(F&& f) const {
    if (lane() == 0) f();
  }
  /// Bit i = lane i's bit; in all lanes.
  SIGHTLINE_HD std::uint32_t ballot(const Lanes<bool>& bit) const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(0xFFFFFFFFu, bit.value);
#else
    return bit.value;
#endif
  }
  /// The value of the lane whose index is this lane's ^ mask.
  SIGHTLINE_HD Lanes<std::uint32_t> exchange(const Lanes<std::uint32_t>& v, int mask) const {
#if defined(__CUDA_ARCH__)
    return {__shfl_xor_sync(0xFFFFFFFFu, v.value, mask)};
#else
    return v;
#endif
  }
  /// The value of lane `from`, in all lanes.
  SIGHTLINE_HD std::uint32_t broadcast(const Lanes<std::uint32_t>& v, int from) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(0xFFFFFFFFu, v.value, from);
#else
    return v.value;
#endif
  }

 private:
  SIGHTLINE_HD static int lane() {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(threadIdx.x % warp_size);
#else
    return 0;
#endif
  }
};

/// The block_size threads of a block, all active.
class DeviceBlock : public DeviceCounters {
 public:
  static constexpr int size = block_size;
  template <class T>
  using Lanes = LaneValue<T>;

  template <class F>
  SIGHTLINE_HD void each(F&& f) const {
#if defined(__CUDA_ARCH__)
    f(static_cast<int>(threadIdx.x));
#else
    f(0);
#endif
  }
  /// Calls f(i, word) in one lane of every warp i: bit b of word is lane 32 i + b's.
  template <class F>
  SIGHTLINE_HD void ballots(const Lanes<bool>& bit, F&& f) const {
#if defined(__CUDA_ARCH__)
    const std::uint32_t word = __ballot_sync(0xFFFFFFFFu, bit.value);
    if (threadIdx.x % warp_size == 0) f(static_cast<int>(threadIdx.x / warp_size), word);
#endif
  }
};

#endif  // __CUDACC__

}  // namespace sightline::kernels
