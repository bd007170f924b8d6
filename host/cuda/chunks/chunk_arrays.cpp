#include "host/cuda/chunks/chunk_arrays.hpp"

#include "host/backend/backend.hpp"
#include "host/cuda/all_cores.hpp"
#include "host/cuda/chunks/uncached_writes.hpp"
#include "host/cuda/device/columns.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

namespace sightline::cuda {
namespace {

// Small enough that the rows of a block stay in a core's cache while its columns are extracted.
constexpr std::uint64_t elements_per_task = 1 << 13;
constexpr std::uint64_t bytes_per_task = 1 << 18;

/// Calls f(begin, end) for parts of [0, n), possibly in parallel.
template <class F>
void in_parallel(std::uint64_t n, std::uint64_t grain, F&& f) {
  if (n <= grain) {
    f(std::uint64_t{0}, n);
    return;
  }
  all_cores().run([&] {
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, n, grain),
                      [&](const auto& range) { f(range.begin(), range.end()); });
  });
}

/// Packs elements [begin, end) of one column.
template <class T>
void pack_column(const Column<T>& from, const Column<T>& to, std::uint64_t begin,
                 std::uint64_t end) {
  if (from.data == nullptr) return;
  // The view's type is const; the chunk's memory is not.
  T* const out = const_cast<T*>(to.data);
  if (from.stride == sizeof(T)) {
    write_past_caches(out + begin, from.data + begin, (end - begin) * sizeof(T));
    return;
  }
  T dense[256];
  while (begin < end) {
    const std::uint64_t n = std::min<std::uint64_t>(std::size(dense), end - begin);
    for (std::uint64_t i = 0; i < n; ++i) dense[i] = from[begin + i];
    write_past_caches(out + begin, dense, n * sizeof(T));
    begin += n;
  }
}

void set_count(PointPairsView& pairs, std::uint64_t n) {
  pairs.count = pairs.from.count = pairs.to.count = n;
}
template <class T>
void set_count(Column<T>&, std::uint64_t) {}  // which lay_out() sets
template <class View>
void set_count(View& view, std::uint64_t n) {
  if constexpr (requires { view.count; }) view.count = n;
}

}  // namespace

void add(CastCounts& total, const CastCounts& part) {
  total.hits += part.hits;
  total.bad_rays += part.bad_rays;
  total.first_bad_ray = std::min(total.first_bad_ray, part.first_bad_ray);
}

void add(kernels::PointCounts& total, const kernels::PointCounts& part) {
  total.bad += part.bad;
  total.touching += part.touching;
}

ChunkBytes Chunk::bytes() const {
  ChunkBytes bytes = bytes_;
  bytes.device_end = memory_.end();
  return bytes;
}

template <class View>
void Chunk::to_fill(View& view, std::uint64_t n) {
  for_each_column([&](auto& column) { lay_out(column, n, memory_); }, view);
  bytes_.in_end = memory_.end();
  set_count(view, n);
}

template <class View>
void Chunk::in(View& view, ElementRange range) {
  const View from = view;
  to_fill(view, range.count);
  if (pass_ != Pass::pack) return;
  in_parallel(range.count, elements_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    for_each_column(
        [&](const auto& a, const auto& b) {
          pack_column(a.slice(range.first, range.count), b, begin, end);
        },
        from, view);
    fence_writes();
  });
}

template void Chunk::in(RaysView&, ElementRange);
template void Chunk::in(PointsView&, ElementRange);
template void Chunk::in(PointPairsView&, ElementRange);
template void Chunk::in(FieldsView&, ElementRange);
template void Chunk::in(SegmentsView&, ElementRange);
template void Chunk::in(Column<float>&, ElementRange);
template void Chunk::to_fill(CirclesView&, std::uint64_t);

void Chunk::out(HitsView& hits) { out(hits.t), out(hits.id), out(hits.flags), out(hits.normal); }

void Chunk::out_bits(std::uint32_t*& bits, std::uint64_t* to) {
  bits = reinterpret_cast<std::uint32_t*>(to);
  out(bits, {elements_.first / 32, 2 * bit_words(elements_.count)});
}

void Chunk::out_rows(std::uint32_t*& bits, const BitRows& rows) {
  const ElementRange words = elements_.times(2 * rows.words);
  if (rows.stride == rows.words && rows.order == nullptr) {
    bits = reinterpret_cast<std::uint32_t*>(rows.first);
    out_always(bits, words);
    return;
  }
  bits = nullptr;
  out_always(bits, words);
  unpack([&] {
    const std::uint64_t bytes = rows.words * sizeof(std::uint64_t);
    const std::uint64_t grain = std::max<std::uint64_t>(1, bytes_per_task / (bytes + 1));
    in_parallel(elements_.count, grain, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const std::uint64_t k = elements_.first + i;
        const std::uint64_t row = rows.order == nullptr ? k : rows.order[k];
        std::memcpy(rows.first + row * rows.stride, bits + 2 * i * rows.words, bytes);
      }
    });
  });
}

void Chunk::begin_out() {
  if (!has_out_) bytes_.out_begin = memory_.next();
  has_out_ = true;
}

void pack_bytes(void* to, const void* from, std::uint64_t bytes) {
  in_parallel(bytes, bytes_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    write_past_caches(static_cast<std::byte*>(to) + begin,
                      static_cast<const std::byte*>(from) + begin, end - begin);
    fence_writes();
  });
}

void unpack_bytes(void* to, const void* from, std::uint64_t bytes) {
  in_parallel(bytes, bytes_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                end - begin);
  });
}

}  // namespace sightline::cuda
