#include "host/cuda/overlap.hpp"

#include "host/cuda/check.hpp"
#include "host/cuda/chunks.hpp"
#include "host/cuda/columns.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

using detail::words_for;

/// Shapes of one kind among those that ask.
struct AskingKind {
  const ShapesView& shapes;
  Kind kind;

  std::uint32_t first() const { return shapes.begin[static_cast<int>(kind)]; }
  std::uint32_t end() const { return shapes.begin[static_cast<int>(kind) + 1]; }
  void put(std::uint32_t i, Aabb& to) const { to = shapes.aabb(i); }
  void put(std::uint32_t i, ObbFrame& to) const { to = shapes.obb(i); }
  void put(std::uint32_t i, Sphere& to) const { to = shapes.sphere(i); }
  void put(std::uint32_t i, Capsule& to) const { to = shapes.capsule(i); }
};

/// Room for n shapes of a kind and their masks.
kernels::Asking cut_asking(const AskingKind& asking, std::uint64_t n, Cutter& memory) {
  kernels::Asking at;
  at.kind = asking.kind;
  at.count = n;
  kernels::with_asking_shape(asking.kind,
                             [&](auto shape) { at.shapes = memory.take<decltype(shape)>(n); });
  if (asking.shapes.mask != nullptr) at.mask = memory.take<std::uint32_t>(n);
  return at;
}

/// Puts the shape of this index within its kind into place k.
void put_asking(const AskingKind& asking, std::uint32_t index, const kernels::Asking& at,
                std::uint64_t k) {
  kernels::with_asking_shape(asking.kind, [&](auto shape) {
    asking.put(index, shape);
    const_cast<decltype(shape)*>(static_cast<const decltype(shape)*>(at.shapes))[k] = shape;
  });
  if (at.mask != nullptr) {
    const_cast<std::uint32_t*>(at.mask)[k] = asking.shapes.mask[asking.first() + index];
  }
}

/// How many each of a kind overlaps, up to `most`: use(id, count) for every one.
template <class Use>
class CountJob final : public ChunkJob {
 public:
  CountJob(const kernels::DeviceScene& scene, const AskingKind& asking, std::uint32_t most,
           const Use& use)
      : scene_(scene), asking_(asking), most_(most), use_(use) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    const Places at = places(n, host);
    for (std::uint64_t k = 0; k < n; ++k) {
      put_asking(asking_, static_cast<std::uint32_t>(first + k), at.asking, k);
    }
  }

  void launch(cudaStream_t stream, std::uint64_t, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    kernels::count_overlaps(stream, {scene_, at.asking, most_, at.counts});
    check_launch("count_overlaps");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    for (std::uint64_t k = 0; k < n; ++k) use_(asking_.first() + first + k, at.counts[k]);
  }

 private:
  struct Places {
    kernels::Asking asking;
    std::uint32_t* counts;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.asking = cut_asking(asking_, n, memory);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<std::uint32_t>(n);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  AskingKind asking_;
  std::uint32_t most_;
  const Use& use_;
};

/// Fetches the ids of a kind's rows. Its elements are ids: a chunk of n has pieces of n rows at
/// most.
class FillJob final : public ChunkJob {
 public:
  FillJob(const kernels::DeviceScene& scene, const AskingKind& asking, OverlapRows& rows)
      : scene_(scene), asking_(asking), rows_(rows) {}

  std::uint64_t ids() const { return rows_.offsets[asking_.end()] - before(); }

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    const Places at = places(n, n, host);
    std::uint64_t k = 0;
    const std::uint64_t end = before() + first + n;
    for (std::uint64_t id = row_of(before() + first); k < n && rows_.offsets[id] < end; ++id) {
      const std::uint64_t from = std::max(rows_.offsets[id], before() + first);
      const std::uint64_t to = std::min(rows_.offsets[id + 1], end);
      if (from == to) continue;
      put_asking(asking_, static_cast<std::uint32_t>(id) - asking_.first(), at.asking, k);
      at.pieces[k++] = {static_cast<std::uint32_t>(from - rows_.offsets[id]),
                        static_cast<std::uint32_t>(to - from), from - before() - first};
      if (to == end) break;
    }
  }

  void launch(cudaStream_t stream, std::uint64_t first, std::uint64_t n,
              std::byte* device) const override {
    Places at = places(n, n, device);
    at.asking.count = pieces_in(first, n);
    kernels::fill_overlaps(stream, {scene_, at.asking, at.pieces, at.ids});
    check_launch("fill_overlaps");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, n, const_cast<std::byte*>(host));
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
    kernels::Asking asking;
    kernels::RowPiece* pieces;
    std::uint32_t* ids;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t pieces, std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.asking = cut_asking(asking_, pieces, memory);
    at.pieces = memory.take<kernels::RowPiece>(pieces);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.ids = memory.take<std::uint32_t>(n);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  AskingKind asking_;
  OverlapRows& rows_;
};

void run(WorkspacePool& pool, ChunkJob& job, std::uint64_t n, std::uint64_t chunk) {
  if (n == 0) return;
  Lease lease(pool);
  run_chunks(lease, job, n, {chunk, 1});
  lease.done();
}

template <class Use>
void count(WorkspacePool& pool, const kernels::DeviceScene& scene, const ShapesView& asking,
           std::uint32_t most, std::uint64_t chunk, const Use& use) {
  for (int k = 0; k < static_cast<int>(Kind::plane); ++k) {
    const AskingKind of_kind = {asking, static_cast<Kind>(k)};
    CountJob<Use> job(scene, of_kind, most, use);
    run(pool, job, of_kind.end() - of_kind.first(), chunk);
  }
}

}  // namespace

OverlapReport overlap_any(WorkspacePool& pool, const kernels::DeviceScene& scene,
                          const ShapesView& asking, std::uint64_t* bits, std::uint64_t chunk) {
  OverlapReport report{asking.size(), 0, 0};
  std::fill_n(bits, words_for(asking.size()), 0);
  count(pool, scene, asking, 1, chunk, [&](std::uint64_t i, std::uint32_t some) {
    bits[i / 64] |= std::uint64_t{some} << i % 64;
    report.overlapping += some;
  });
  return report;
}

OverlapReport overlap_count(WorkspacePool& pool, const kernels::DeviceScene& scene,
                            const ShapesView& asking, std::uint32_t* counts, std::uint64_t chunk) {
  OverlapReport report{asking.size(), 0, 0};
  count(pool, scene, asking, 0xFFFFFFFFu, chunk, [&](std::uint64_t i, std::uint32_t n) {
    counts[i] = n;
    report.overlapping += n > 0;
    report.pairs += n;
  });
  return report;
}

OverlapRows overlap_all(WorkspacePool& pool, const kernels::DeviceScene& scene,
                        const ShapesView& asking, std::uint64_t chunk) {
  OverlapRows rows;
  rows.offsets.assign(asking.size() + 1, 0);
  count(pool, scene, asking, 0xFFFFFFFFu, chunk,
        [&](std::uint64_t i, std::uint32_t n) { rows.offsets[i + 1] = n; });
  for (std::uint64_t i = 0; i < asking.size(); ++i) rows.offsets[i + 1] += rows.offsets[i];
  rows.ids.resize(rows.offsets.back());
  for (int k = 0; k < static_cast<int>(Kind::plane); ++k) {
    FillJob job(scene, {asking, static_cast<Kind>(k)}, rows);
    run(pool, job, job.ids(), chunk);
  }
  const auto id = [&](std::uint64_t at) {
    return rows.ids.begin() + static_cast<std::ptrdiff_t>(at);
  };
  for (std::uint64_t i = 0; i < asking.size(); ++i) {
    std::sort(id(rows.offsets[i]), id(rows.offsets[i + 1]));
  }
  return rows;
}

}  // namespace sightline::cuda
