// One chunk of a query: its arrays, named once for sizes, packing, launch and unpacking.
#pragma once

#include "host/cuda/device/check.hpp"
#include "host/cuda/device/memory.hpp"
#include "kernels/launch.hpp"

namespace sightline::cuda {

/// Elements [first, first + count) of an array.
struct Range {
  std::uint64_t first = 0, count = 0;

  /// Of an array that has k for each.
  Range times(std::uint64_t k) const { return {first * k, count * k}; }
};

/// Rows of bits in the caller's matrix: row i begins at first + i * stride and has `words` 64-bit
/// words.
struct BitRows {
  std::uint64_t* first = nullptr;
  std::uint64_t stride = 0, words = 0;
};

/// How a chunk lies in its memory, the same on both sides: [0, in_end) is copied to the device,
/// [out_begin, out_end) back; what follows up to device_end is only on the device.
struct ChunkBytes {
  std::uint64_t in_end = 0, out_begin = 0, out_end = 0, device_end = 0;
};

// How sums of chunks are added up.
inline void add(std::uint64_t& total, std::uint64_t part) { total += part; }
void add(CastCounts& total, const CastCounts& part);
void add(kernels::PointCounts& total, const kernels::PointCounts& part);

/// A chunk of a query's elements on one of its four walks. On each walk the query names the same
/// arrays in the same order: what goes to the device, sums, what comes back, what stays there. A
/// call takes the caller's array and leaves the chunk's in its place, in the memory of the side
/// where the walk is; the walk that packs copies into it, the one that unpacks out of it.
class Chunk {
 public:
  enum class Walk { measure, pack, launch, unpack };

  /// Walks that measure have no memory, and stand for any chunk of so many elements.
  Chunk(Walk walk, Range elements, std::byte* memory = nullptr, cudaStream_t stream = nullptr)
      : walk_(walk), elements_(elements), memory_(memory), stream_(stream) {}

  const Range& elements() const { return elements_; }
  std::uint64_t first() const { return elements_.first; }
  std::uint64_t count() const { return elements_.count; }
  bool measures() const { return walk_ == Walk::measure; }
  ChunkBytes bytes() const;

  // To the device:
  /// Columns of a view, in parallel; those without data keep their common value.
  template <class View>
  void in(View& view, Range range);
  /// A dense array; null stays null.
  template <class T>
  void in(const T*& array, Range range);
  template <class T>
  void in(T& from) {
    in(from, elements_);
  }
  /// Room for n elements that the query fills in pack(): an array, or those columns that have data.
  template <class T>
  T* to_fill(std::uint64_t n);
  template <class View>
  void to_fill(View& view, std::uint64_t n);

  /// To the device as Counts{}, and back to be added to the caller's.
  template <class Counts>
  void sum(Counts*& counts);

  // Back:
  /// Null stays null.
  template <class T>
  void out(T*& array, Range range) {
    if (array != nullptr) out_always(array, range);
  }
  template <class T>
  void out(T*& array) {
    out(array, elements_);
  }
  void out(HitsView& hits);
  /// What the device writes in any case: where the caller has no array, only unpack() sees it.
  template <class T>
  void out_always(T*& array, Range range);
  /// One bit for each element, in 64-bit words, of which the chunk begins one; null stays null.
  void out_bits(std::uint32_t*& bits, std::uint64_t* to);
  /// A row of bits for each element.
  void out_rows(std::uint32_t*& bits, const BitRows& rows);

  /// Room for n elements on the device alone.
  template <class T>
  T* temporary(std::uint64_t n) {
    return memory_.take<T>(n);
  }

  // What the query does on one of the walks, after it has named the arrays:
  template <class F>
  void pack(F&& f) const {
    if (walk_ == Walk::pack) f();
  }
  /// f(stream) puts work into the stream, and does not wait.
  template <class F>
  void launch(F&& f) const {
    if (walk_ == Walk::launch) f(stream_);
  }
  template <class F>
  void unpack(F&& f) const {
    if (walk_ == Walk::unpack) f();
  }

 private:
  void begin_out();

  Walk walk_;
  Range elements_;
  BumpLayout memory_;
  cudaStream_t stream_;
  bool has_out_ = false;
  ChunkBytes bytes_;
};

/// Copies bytes in parallel.
void copy_bytes(void* to, const void* from, std::uint64_t bytes);

template <class T>
void Chunk::in(const T*& array, Range range) {
  if (array == nullptr) return;
  const T* const from = array + range.first;
  T* const to = to_fill<T>(range.count);
  pack([&] { copy_bytes(to, from, range.count * sizeof(T)); });
  array = to;
}

template <class T>
T* Chunk::to_fill(std::uint64_t n) {
  T* const array = memory_.take<T>(n);
  bytes_.in_end = memory_.end();
  return array;
}

template <class Counts>
void Chunk::sum(Counts*& counts) {
  Counts* const total = counts;
  begin_out();
  counts = to_fill<Counts>(1);
  bytes_.out_end = memory_.end();
  pack([&] { *counts = Counts{}; });
  unpack([&] { add(*total, *counts); });
}

template <class T>
void Chunk::out_always(T*& array, Range range) {
  T* const to = array;
  begin_out();
  array = memory_.take<T>(range.count);
  bytes_.out_end = memory_.end();
  unpack([&] {
    if (to != nullptr) copy_bytes(to + range.first, array, range.count * sizeof(T));
  });
}

}  // namespace sightline::cuda
