// Memory for large arrays that many threads fill and then read at random.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sightline::detail {

/// Allocates whole huge pages for large arrays, and requests them where the system supports it:
/// random reads then avoid page-table walks. resize() leaves new elements uninitialised: pages are
/// placed by the thread that touches them first, which should be the one that fills them.
template <class T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) {}

  T* allocate(std::size_t n) {
    if (n > ~std::size_t{0} / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = n * sizeof(T);
    if (bytes < least_bytes) return static_cast<T*>(::operator new(bytes, small_alignment));
    const std::size_t rounded = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    void* const memory = std::aligned_alloc(page_bytes, rounded);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    madvise(memory, rounded, MADV_HUGEPAGE);  // a hint: may fail
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    if (n * sizeof(T) < least_bytes) {
      ::operator delete(memory, small_alignment);
    } else {
      std::free(memory);
    }
  }

  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }

  friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }

 private:
  static constexpr std::size_t page_bytes = std::size_t{2} << 20, least_bytes = 2 * page_bytes;
  static constexpr std::align_val_t small_alignment{alignof(T) > 64 ? alignof(T) : 64};
};

template <class T>
using PageVector = std::vector<T, PageAllocator<T>>;

}  // namespace sightline::detail
