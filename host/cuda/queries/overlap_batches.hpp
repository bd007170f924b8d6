// Overlaps of a batch of query shapes on the device: queries are uploaded, counts or ids come back.
//
// `QueryBatch` is query shapes of one kind, numbered from first() on:
//   first(), size()
//   room_for(n, chunk)                     room for n of them in a chunk, as columns
//   put(index, columns, k)                 writes query `index`, from 0, to element k
//   count(stream, columns, most, counts)   launches; see CountOverlapsJob
//   fill(stream, columns, pieces, ids)     see FillOverlapsJob
#pragma once

#include "host/cuda/chunks/to_device_and_back.hpp"
#include "host/cuda/queries/queries.hpp"

#include <algorithm>

namespace sightline::cuda {

/// Counts the shapes that each query overlaps, up to `most_overlaps`: calls use(number, count) for
/// every query.
template <class Scene, class QueryBatch, class Use>
void count_on_device(const Context<Scene>& context, const QueryBatch& batch,
                     std::uint32_t most_overlaps, const Use& use) {
  run_query(context.pool, batch.size(), {context.most, 1}, [&](Chunk& chunk) {
    const std::uint64_t first = chunk.first(), n = chunk.count();
    std::uint32_t* counts = nullptr;
    auto columns = batch.room_for(n, chunk);
    chunk.out_always(counts, chunk.elements());
    chunk.pack([&] {
      for (std::uint64_t k = 0; k < n; ++k) batch.put(first + k, columns, k);
    });
    chunk.launch([&](cudaStream_t stream) { batch.count(stream, columns, most_overlaps, counts); });
    chunk.unpack([&] {
      for (std::uint64_t k = 0; k < n; ++k) use(batch.first() + first + k, counts[k]);
    });
  });
}

/// Calls use(row, part) for every row that has ids in `ids`, a part of all rows' ids that is not
/// empty.
template <class Use>
void for_each_piece(const OverlapRows& rows, const ElementRange& ids, const Use& use) {
  const auto& offsets = rows.offsets;
  const std::uint64_t end = ids.first + ids.count;
  const auto after = std::upper_bound(offsets.begin(), offsets.end(), ids.first);
  for (auto row = static_cast<std::uint64_t>(after - offsets.begin()) - 1; offsets[row] < end;
       ++row) {
    const std::uint64_t from = std::max(offsets[row], ids.first);
    const std::uint64_t to = std::min(offsets[row + 1], end);
    if (from < to) use(row, ElementRange{from, to - from});
    if (to == end) break;
  }
}
inline std::uint64_t pieces_in(const OverlapRows& rows, const ElementRange& ids) {
  std::uint64_t pieces = 0;
  if (ids.count > 0)
    for_each_piece(rows, ids, [&](std::uint64_t, const ElementRange&) { ++pieces; });
  return pieces;
}

/// Fetches the ids of the batch's rows. The elements of a chunk are ids; it uploads the queries
/// that these belong to, at most as many as there are ids.
template <class Scene, class QueryBatch>
void fetch_from_device(const Context<Scene>& context, const QueryBatch& batch, OverlapRows& rows) {
  const std::uint64_t before = rows.offsets[batch.first()];
  const std::uint64_t n = rows.offsets[batch.first() + batch.size()] - before;
  const std::uint64_t rows_with_ids = pieces_in(rows, {before, n});
  run_query(context.pool, n, {context.most, 1}, [&](Chunk& chunk) {
    const ElementRange ids = {before + chunk.first(), chunk.count()};
    const std::uint64_t count =
        chunk.measures() ? std::min(ids.count, rows_with_ids) : pieces_in(rows, ids);
    auto columns = batch.room_for(count, chunk);
    auto* const pieces = chunk.to_fill<kernels::RowPiece>(count);
    std::uint32_t* found = rows.ids.data();
    chunk.out(found, ids);
    chunk.pack([&] {
      std::uint64_t k = 0;
      for_each_piece(rows, ids, [&](std::uint64_t row, const ElementRange& piece) {
        batch.put(row - batch.first(), columns, k);
        pieces[k++] = {static_cast<std::uint32_t>(piece.first - rows.offsets[row]),
                       static_cast<std::uint32_t>(piece.count), piece.first - ids.first};
      });
    });
    chunk.launch([&](cudaStream_t stream) { batch.fill(stream, columns, pieces, found); });
  });
}

// for_each_batch(use) calls use(batch) for all batches, n query shapes in all.

/// bits [bit_words(n)].
template <class Scene, class ForEachBatch>
OverlapReport overlap_any_of(const Context<Scene>& context, std::uint64_t n,
                             const ForEachBatch& for_each_batch, std::uint64_t* bits) {
  OverlapReport report{n, 0, 0};
  std::fill_n(bits, bit_words(n), 0);
  for_each_batch([&](const auto& batch) {
    count_on_device(context, batch, 1, [&](std::uint64_t i, std::uint32_t some) {
      bits[i / 64] |= std::uint64_t{some} << i % 64;
      report.overlapping += some;
    });
  });
  return report;
}

/// counts [n].
template <class Scene, class ForEachBatch>
OverlapReport overlap_count_of(const Context<Scene>& context, std::uint64_t n,
                               const ForEachBatch& for_each_batch, std::uint32_t* counts) {
  OverlapReport report{n, 0, 0};
  for_each_batch([&](const auto& batch) {
    count_on_device(context, batch, 0xFFFFFFFFu, [&](std::uint64_t i, std::uint32_t count) {
      counts[i] = count;
      report.overlapping += count > 0;
      report.pairs += count;
    });
  });
  return report;
}

/// Counts first, then fetches the ids, and sorts each row on the host.
template <class Scene, class ForEachBatch>
OverlapRows overlap_all_of(const Context<Scene>& context, std::uint64_t n,
                           const ForEachBatch& for_each_batch) {
  OverlapRows rows;
  rows.offsets.assign(n + 1, 0);
  for_each_batch([&](const auto& batch) {
    count_on_device(context, batch, 0xFFFFFFFFu,
                    [&](std::uint64_t i, std::uint32_t count) { rows.offsets[i + 1] = count; });
  });
  for (std::uint64_t i = 0; i < n; ++i) rows.offsets[i + 1] += rows.offsets[i];
  rows.ids.resize(rows.offsets.back());
  for_each_batch([&](const auto& batch) { fetch_from_device(context, batch, rows); });
  const auto id = [&](std::uint64_t at) {
    return rows.ids.begin() + static_cast<std::ptrdiff_t>(at);
  };
  for (std::uint64_t i = 0; i < n; ++i) std::sort(id(rows.offsets[i]), id(rows.offsets[i + 1]));
  return rows;
}

}  // namespace sightline::cuda
