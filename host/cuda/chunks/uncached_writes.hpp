// Writes to pinned memory past the caches.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline::cuda {

/// memcpy() to memory that the device reads next and this host does not: on x86 past the caches,
/// which would read each line from memory first, and write it back there later.
void write_past_caches(void* to, const void* from, std::uint64_t bytes);

/// A thread calls it after its writes past the caches, before it tells others that they are
/// written.
void fence_writes();

}  // namespace sightline::cuda
