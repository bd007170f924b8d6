// Temporary device memory of the builders, released on every path.
#pragma once

#include "kernels/launch/launch.hpp"

#include <cstdint>

namespace sightline::kernels {

/// An uninitialised array [count] of temporary memory; throws what Scratch::allocate throws.
template <class T>
class ScratchArray {
 public:
  ScratchArray(const Scratch& scratch, std::uint64_t count)
      : scratch_(scratch),
        bytes_(count * sizeof(T)),
        data_(static_cast<T*>(scratch.allocate(scratch.context, bytes_))) {}
  ~ScratchArray() { scratch_.release(scratch_.context, data_, bytes_); }
  ScratchArray(const ScratchArray&) = delete;
  ScratchArray& operator=(const ScratchArray&) = delete;

  T* data() const { return data_; }

 private:
  Scratch scratch_;
  std::size_t bytes_;
  T* data_;
};

/// The allocator of Thrust's own temporaries.
class ScratchBytes {
 public:
  using value_type = char;

  explicit ScratchBytes(const Scratch& scratch) : scratch_(scratch) {}
  char* allocate(std::ptrdiff_t bytes) {
    return static_cast<char*>(scratch_.allocate(scratch_.context, static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t bytes) {
    scratch_.release(scratch_.context, memory, bytes);
  }

 private:
  Scratch scratch_;
};

}  // namespace sightline::kernels
