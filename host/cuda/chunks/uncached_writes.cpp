#include "host/cuda/chunks/uncached_writes.hpp"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sightline::cuda {

#if defined(__SSE2__)

void write_past_caches(void* to, const void* from, std::uint64_t bytes) {
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  const auto copy = [&](std::uint64_t n) {
    std::memcpy(out, in, n);
    out += n, in += n, bytes -= n;
  };
  copy(std::min<std::uint64_t>(bytes, -reinterpret_cast<std::uintptr_t>(to) % 16));
  for (; bytes >= 16; out += 16, in += 16, bytes -= 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(out),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
  }
  copy(bytes);
}

void fence_writes() { _mm_sfence(); }

#else

void write_past_caches(void* to, const void* from, std::uint64_t bytes) {
  std::memcpy(to, from, bytes);
}
void fence_writes() {}

#endif

}  // namespace sightline::cuda
