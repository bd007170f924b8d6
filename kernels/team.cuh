// Teams of threads that work in step: the policy under which every kernel's body is written once,
// for the device and for its emulation on the host (tests/standin/host_team.hpp).
//
// A body is a template over a team of Team::size lanes. It holds what each lane owns in
// Team::Lanes<T>, and runs code for every lane by team.each([&](int lane) { ... }), between which
// lanes may exchange. On the device a lane is a thread, Lanes<T> is one T in its registers, and
// each() runs the code once; on the host each() loops over the lanes, so that all of them have done
// one step before any does the next.
#pragma once

#include <sightline/macros.hpp>

#include <cstdint>

namespace sightline::kernels {

inline constexpr int warp_size = 32;
inline constexpr int block_size = 128;

#if defined(__CUDACC__)

/// A lane's own value.
template <class T>
struct LaneValue {
  T value;
  SIGHTLINE_HD T& operator[](int) { return value; }
  SIGHTLINE_HD const T& operator[](int) const { return value; }
};

/// Adds to a counter in device memory.
SIGHTLINE_HD void atomic_add(std::uint64_t* to, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(n));
#endif
}
SIGHTLINE_HD void atomic_lower(std::uint64_t* to, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(n));
#endif
}

/// The 32 lanes of a warp, all of them running. Its functions mean nothing on the host, where
/// only the compiler sees them.
class DeviceWarp {
 public:
  static constexpr int size = warp_size;
  template <class T>
  using Lanes = LaneValue<T>;

  template <class F>
  SIGHTLINE_HD void each(F&& f) const {
    f(lane());
  }
  /// Bit i = lane i's.
  SIGHTLINE_HD std::uint32_t ballot(const Lanes<bool>& bit) const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(0xFFFFFFFFu, bit.value);
#else
    return bit.value;
#endif
  }
  /// What the lane whose number differs by the bits of `mask` holds.
  SIGHTLINE_HD Lanes<std::uint32_t> exchange(const Lanes<std::uint32_t>& v, int mask) const {
#if defined(__CUDA_ARCH__)
    return {__shfl_xor_sync(0xFFFFFFFFu, v.value, mask)};
#else
    return v;
#endif
  }
  SIGHTLINE_HD bool is_first(int lane) const { return lane == 0; }

 private:
  SIGHTLINE_HD static int lane() {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(threadIdx.x % warp_size);
#else
    return 0;
#endif
  }
};

/// The block_size threads of a block, all of them running.
class DeviceBlock {
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
  /// Waits until every lane has come here and sees what the others wrote to shared memory.
  SIGHTLINE_HD void sync() const {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }
  /// Word i = the ballot of lanes 32 i to 32 i + 31, in every lane of that warp: calls
  /// f(i, word) once for each.
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
