// One chunk of a query: its arrays, listed once for sizes, packing, launch and unpacking.
#pragma once

#include "host/cuda/device/check.hpp"
#include "host/cuda/device/memory.hpp"
#include "kernels/launch/launch.hpp"

namespace sightline::cuda {

/// Elements [first, first + count) of an array.
struct ElementRange {
  std::uint64_t first = 0, count = 0;

  /// The range of an array with k values an element.
  ElementRange times(std::uint64_t k) const { return {first * k, count * k}; }
};

/// Rows of bits in the caller's matrix: row i begins at first + i * stride and has `words` 64-bit
/// words. The query's row i is order[i] there, or i where that is null.
struct BitRows {
  std::uint64_t* first = nullptr;
  std::uint64_t stride = 0, words = 0;
  const std::uint32_t* order = nullptr;
};

/// The layout of a chunk, the same on both sides: [0, in_end) is copied to the device, [out_begin,
/// out_end) back; the rest up to device_end exists only on the device.
struct ChunkBytes {
  std::uint64_t in_end = 0, out_begin = 0, out_end = 0, device_end = 0;
};

// Adds the sums of a chunk to the total.
inline void add(std::uint64_t& total, std::uint64_t part) { total += part; }
void add(CastCounts& total, const CastCounts& part);
void add(kernels::PointCounts& total, const kernels::PointCounts& part);

/// A chunk of a query's elements, in one of four passes. In each pass the query lists the same
/// arrays in the same order: inputs, sums, outputs, temporaries. Each call takes the caller's array
/// and replaces it by the chunk's, in the memory of the pass's side; `pack` copies into it,
/// `unpack` out of it.
class Chunk {
 public:
  enum class Pass { measure, pack, launch, unpack };

  /// The pass `measure` has no memory, and stands for any chunk of so many elements.
  Chunk(Pass pass, ElementRange elements, std::byte* memory = nullptr,
        cudaStream_t stream = nullptr)
      : pass_(pass), elements_(elements), memory_(memory), stream_(stream) {}

  const ElementRange& elements() const { return elements_; }
  std::uint64_t first() const { return elements_.first; }
  std::uint64_t count() const { return elements_.count; }
  bool measures() const { return pass_ == Pass::measure; }
  ChunkBytes bytes() const;

  // Inputs:
  /// Columns of a view, copied in parallel; those without data keep their common value.
  template <class View>
  void in(View& view, ElementRange range);
  /// A dense array; null stays null.
  template <class T>
  void in(const T*& array, ElementRange range);
  template <class T>
  void in(T& from) {
    in(from, elements_);
  }
  /// Room for n elements that the query fills in pack(): an array, or the columns that have data.
  template <class T>
  T* to_fill(std::uint64_t n);
  template <class View>
  void to_fill(View& view, std::uint64_t n);

  /// A sum: Counts{} on the device, whose result is added to the caller's.
  template <class Counts>
  void sum(Counts*& counts);

  // Outputs:
  /// Null stays null.
  template <class T>
  void out(T*& array, ElementRange range) {
    if (array != nullptr) out_always(array, range);
  }
  template <class T>
  void out(T*& array) {
    out(array, elements_);
  }
  void out(HitsView& hits);
  /// Written by the device in any case; without an array of the caller, visible in unpack() only.
  template <class T>
  void out_always(T*& array, ElementRange range);
  /// One bit an element, in 64-bit words; the chunk begins at a word. Null stays null.
  void out_bits(std::uint32_t*& bits, std::uint64_t* to);
  /// A row of bits an element.
  void out_rows(std::uint32_t*& bits, const BitRows& rows);

  /// Room for n elements on the device only.
  template <class T>
  T* temporary(std::uint64_t n) {
    return memory_.take<T>(n);
  }

  // What the query does in one pass, after it has listed the arrays:
  template <class F>
  void pack(F&& f) const {
    if (pass_ == Pass::pack) f();
  }
  /// f(stream) enqueues work in the stream, and does not wait.
  template <class F>
  void launch(F&& f) const {
    if (pass_ == Pass::launch) f(stream_);
  }
  template <class F>
  void unpack(F&& f) const {
    if (pass_ == Pass::unpack) f();
  }

 private:
  void begin_out();

  Pass pass_;
  ElementRange elements_;
  BumpLayout memory_;
  cudaStream_t stream_;
  bool has_out_ = false;
  ChunkBytes bytes_;
};

/// Copy bytes in parallel, to pinned memory and out of it.
void pack_bytes(void* to, const void* from, std::uint64_t bytes);
void unpack_bytes(void* to, const void* from, std::uint64_t bytes);

template <class T>
void Chunk::in(const T*& array, ElementRange range) {
  if (array == nullptr) return;
  const T* const from = array + range.first;
  T* const to = to_fill<T>(range.count);
  pack([&] { pack_bytes(to, from, range.count * sizeof(T)); });
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
void Chunk::out_always(T*& array, ElementRange range) {
  T* const to = array;
  begin_out();
  array = memory_.take<T>(range.count);
  bytes_.out_end = memory_.end();
  unpack([&] {
    if (to != nullptr) unpack_bytes(to + range.first, array, range.count * sizeof(T));
  });
}

}  // namespace sightline::cuda
