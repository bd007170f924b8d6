// Turns the results of CUDA calls into typed errors.
#pragma once

#include <sightline/error.hpp>

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sightline::cuda {

/// std::source_location, which not every supported compiler has.
struct Where {
  const char* file;
  unsigned line;

  /// As a default argument: the location of the call.
  static constexpr Where here(const char* file = __builtin_FILE(),
                              unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

/// Whether the error has destroyed the process's context, so that every later call fails too.
bool loses_context(cudaError_t error);

/// Throws the error that `call` returned, naming `bytes` where not 0: Error{out_of_memory} where
/// memory was short, else Error{device}. Clears an error that the runtime can clear, so that the
/// next call starts clean.
[[noreturn]] void fail(cudaError_t error, const char* call, std::uint64_t bytes, Where where);

inline void check(cudaError_t error, const char* call, Where where = Where::here()) {
  if (error != cudaSuccess) fail(error, call, 0, where);
}

/// After each launch: throws where the runtime refused it.
inline void check_launch(const char* launcher, Where where = Where::here()) {
  check(cudaGetLastError(), launcher, where);
}

/// For destructors, which have nobody to report to: clears the error.
inline void ignore(cudaError_t error) noexcept {
  if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
}

}  // namespace sightline::cuda
