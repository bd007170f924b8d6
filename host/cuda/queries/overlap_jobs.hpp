// What those that ask overlap, on the device: they go there, counts or ids come back.
//
// `Asking` is some of those that ask, numbered on from first(), all of one kind:
//   Columns                                  what they are on the device
//   std::uint64_t first(), size()
//   Columns cut(n, memory)                   room for n of them
//   void put(index, columns, k)              puts the one of this index, from 0, into place k
//   void count(stream, columns, n, most, counts)          launches; see CountOverlapsJob
//   void fill(stream, columns, n, pieces, ids)            see FillOverlapsJob
#pragma once

#include "host/backend/backend.hpp"
#include "host/cuda/device/chunks.hpp"
#include "host/cuda/device/columns.hpp"
#include "kernels/launch.hpp"

#include <algorithm>

namespace sightline::cuda {

/// How many each of them overlaps, up to `most`: use(number, count) for every one.
template <class Asking, class Use>
class CountJob final : public ChunkJob {
 public:
  CountJob(const Asking& asking, std::uint32_t most, const Use& use)
      : asking_(asking), most_(most), use_(use) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    const Places at = places(n, host);
    for (std::uint64_t k = 0; k < n; ++k) asking_.put(first + k, at.asking, k);
  }

  void launch(cudaStream_t stream, std::uint64_t, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    asking_.count(stream, at.asking, n, most_, at.counts);
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    for (std::uint64_t k = 0; k < n; ++k) use_(asking_.first() + first + k, at.counts[k]);
  }

 private:
  struct Places {
    typename Asking::Columns asking;
    std::uint32_t* counts;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.asking = asking_.cut(n, memory);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<std::uint32_t>(n);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  Asking asking_;
  std::uint32_t most_;
  const Use& use_;
};

/// Fetches the ids of their rows. Its elements are ids; only those go to the device whose ids come
/// back, a chunk having pieces of as many rows at most as it has ids.
template <class Asking>
class FillJob final : public ChunkJob {
 public:
  FillJob(const Asking& asking, OverlapRows& rows)
      : asking_(asking), rows_(rows), rows_with_ids_(ids() == 0 ? 0 : pieces_in(0, ids())) {}

  std::uint64_t ids() const { return rows_.offsets[asking_.first() + asking_.size()] - before(); }

  ChunkBytes bytes(std::uint64_t n) const override {
    return places(std::min(n, rows_with_ids_), n, nullptr).bytes;
  }
  ChunkBytes bytes_of(std::uint64_t first, std::uint64_t n) const override {
    return places(pieces_in(first, n), n, nullptr).bytes;
  }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    const Places at = places(pieces_in(first, n), n, host);
    std::uint64_t k = 0;
    const std::uint64_t end = before() + first + n;
    for (std::uint64_t id = row_of(before() + first); rows_.offsets[id] < end; ++id) {
      const std::uint64_t from = std::max(rows_.offsets[id], before() + first);
      const std::uint64_t to = std::min(rows_.offsets[id + 1], end);
      if (from == to) continue;
      asking_.put(id - asking_.first(), at.asking, k);
      at.pieces[k++] = {static_cast<std::uint32_t>(from - rows_.offsets[id]),
                        static_cast<std::uint32_t>(to - from), from - before() - first};
      if (to == end) break;
    }
  }

  void launch(cudaStream_t stream, std::uint64_t first, std::uint64_t n,
              std::byte* device) const override {
    const std::uint64_t pieces = pieces_in(first, n);
    const Places at = places(pieces, n, device);
    asking_.fill(stream, at.asking, pieces, at.pieces, at.ids);
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(pieces_in(first, n), n, const_cast<std::byte*>(host));
    copy_bytes(rows_.ids.data() + before() + first, at.ids, n * sizeof(std::uint32_t));
  }

 private:
  std::uint64_t before() const { return rows_.offsets[asking_.first()]; }
  /// The row that holds the id of this number.
  std::uint64_t row_of(std::uint64_t number) const {
    const auto& offsets = rows_.offsets;
    const auto after = std::upper_bound(offsets.begin(), offsets.end(), number);
    return static_cast<std::uint64_t>(after - offsets.begin()) - 1;
  }
  /// Rows that have ids among these.
  std::uint64_t pieces_in(std::uint64_t first, std::uint64_t n) const {
    std::uint64_t k = 0;
    const std::uint64_t end = before() + first + n;
    for (std::uint64_t id = row_of(before() + first); rows_.offsets[id] < end; ++id) {
      if (rows_.offsets[id + 1] > rows_.offsets[id]) ++k;
      if (rows_.offsets[id + 1] >= end) break;
    }
    return k;
  }

  struct Places {
    typename Asking::Columns asking;
    kernels::RowPiece* pieces;
    std::uint32_t* ids;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t pieces, std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.asking = asking_.cut(pieces, memory);
    at.pieces = memory.take<kernels::RowPiece>(pieces);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.ids = memory.take<std::uint32_t>(n);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  Asking asking_;
  OverlapRows& rows_;
  std::uint64_t rows_with_ids_;
};

inline void run_job(WorkspacePool& pool, ChunkJob& job, std::uint64_t n, std::uint64_t chunk) {
  if (n == 0) return;
  Lease lease(pool);
  run_chunks(lease, job, n, {chunk, 1});
  lease.done();
}

template <class Asking, class Use>
void count_on_device(WorkspacePool& pool, const Asking& asking, std::uint32_t most,
                     std::uint64_t chunk, const Use& use) {
  CountJob<Asking, Use> job(asking, most, use);
  run_job(pool, job, asking.size(), chunk);
}

// for_each_part(use) calls use(asking) for one part after the other of those that ask, n in all.
// `chunk` caps what goes at a time; 0 = chosen.

/// bits [words_for(n)].
template <class ForEachPart>
OverlapReport overlap_any_of(WorkspacePool& pool, std::uint64_t n, std::uint64_t chunk,
                             const ForEachPart& for_each_part, std::uint64_t* bits) {
  OverlapReport report{n, 0, 0};
  std::fill_n(bits, detail::words_for(n), 0);
  for_each_part([&](const auto& asking) {
    count_on_device(pool, asking, 1, chunk, [&](std::uint64_t i, std::uint32_t some) {
      bits[i / 64] |= std::uint64_t{some} << i % 64;
      report.overlapping += some;
    });
  });
  return report;
}

/// counts [n].
template <class ForEachPart>
OverlapReport overlap_count_of(WorkspacePool& pool, std::uint64_t n, std::uint64_t chunk,
                               const ForEachPart& for_each_part, std::uint32_t* counts) {
  OverlapReport report{n, 0, 0};
  for_each_part([&](const auto& asking) {
    count_on_device(pool, asking, 0xFFFFFFFFu, chunk, [&](std::uint64_t i, std::uint32_t count) {
      counts[i] = count;
      report.overlapping += count > 0;
      report.pairs += count;
    });
  });
  return report;
}

/// Counts first, then fetches the ids, at most `chunk` at a time, and sorts each row on the host.
template <class ForEachPart>
OverlapRows overlap_all_of(WorkspacePool& pool, std::uint64_t n, std::uint64_t chunk,
                           const ForEachPart& for_each_part) {
  OverlapRows rows;
  rows.offsets.assign(n + 1, 0);
  for_each_part([&](const auto& asking) {
    count_on_device(pool, asking, 0xFFFFFFFFu, chunk,
                    [&](std::uint64_t i, std::uint32_t count) { rows.offsets[i + 1] = count; });
  });
  for (std::uint64_t i = 0; i < n; ++i) rows.offsets[i + 1] += rows.offsets[i];
  rows.ids.resize(rows.offsets.back());
  for_each_part([&](const auto& asking) {
    FillJob job(asking, rows);
    run_job(pool, job, job.ids(), chunk);
  });
  const auto id = [&](std::uint64_t at) {
    return rows.ids.begin() + static_cast<std::ptrdiff_t>(at);
  };
  for (std::uint64_t i = 0; i < n; ++i) std::sort(id(rows.offsets[i]), id(rows.offsets[i + 1]));
  return rows;
}

}  // namespace sightline::cuda
