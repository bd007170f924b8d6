#include "host/cuda/queries/flat.hpp"

#include "host/cuda/device/check.hpp"
#include "host/cuda/queries/overlap_jobs.hpp"

namespace sightline::cuda {
namespace {

/// See overlap_jobs.hpp.
struct AskingCircles {
  const kernels::FlatDeviceScene& scene;
  const CirclesView& circles;

  using Columns = CirclesView;

  std::uint64_t first() const { return 0; }
  std::uint64_t size() const { return circles.count; }
  Columns cut(std::uint64_t n, Cutter& memory) const { return cut_circles(circles, n, memory); }

  void put(std::uint64_t index, const Columns& at, std::uint64_t k) const {
    for_each_circle_column(
        [&](const auto& from, const auto& to) {
          using T = std::remove_cvref_t<decltype(from[0])>;
          if (to.data != nullptr) const_cast<T*>(to.data)[k] = from[index];
        },
        circles, at);
  }

  void count(cudaStream_t stream, Columns at, std::uint64_t n, std::uint32_t most,
             std::uint32_t* counts) const {
    at.count = n;
    kernels::count_flat(stream, {scene, at, most, counts});
    check_launch("count_flat");
  }
  void fill(cudaStream_t stream, Columns at, std::uint64_t n, const kernels::RowPiece* pieces,
            std::uint32_t* ids) const {
    at.count = n;
    kernels::fill_flat(stream, {scene, at, pieces, ids});
    check_launch("fill_flat");
  }
};

auto all_of(const kernels::FlatDeviceScene& scene, const CirclesView& circles) {
  return [&](const auto& use) { use(AskingCircles{scene, circles}); };
}

class CastJob final : public ChunkJob {
 public:
  CastJob(const kernels::FlatDeviceScene& scene, const SegmentsView& segments, const HitsView& hits,
          Inside inside)
      : scene_(scene), segments_(segments), hits_(hits), inside_(inside) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    cuda::pack(segments_.slice(first, n), places(n, host).segments);
  }

  void launch(cudaStream_t stream, std::uint64_t, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    kernels::cast_flat(stream, {scene_, at.segments, at.hits, inside_});
    check_launch("cast_flat");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const HitsView from = places(n, const_cast<std::byte*>(host)).hits, to = hits_.from(first);
    if (to.t != nullptr) copy_bytes(to.t, from.t, n * sizeof(*from.t));
    if (to.id != nullptr) copy_bytes(to.id, from.id, n * sizeof(*from.id));
    if (to.flags != nullptr) copy_bytes(to.flags, from.flags, n * sizeof(*from.flags));
    found_ += n - static_cast<std::uint64_t>(std::count(from.id, from.id + n, none));
  }

  std::uint64_t found() const { return found_; }

 private:
  struct Places {
    SegmentsView segments;
    HitsView hits;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.segments = cut_segments(segments_, n, memory);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.hits.t = memory.take<float>(n);
    at.hits.id = memory.take<std::uint32_t>(n);
    at.hits.flags = memory.take<std::uint8_t>(n);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::FlatDeviceScene scene_;
  SegmentsView segments_;
  HitsView hits_;
  Inside inside_;
  std::uint64_t found_ = 0;
};

}  // namespace

OverlapReport flat_overlap_any(WorkspacePool& pool, const kernels::FlatDeviceScene& scene,
                               const CirclesView& circles, std::uint64_t* bits,
                               std::uint64_t chunk) {
  return overlap_any_of(pool, circles.count, chunk, all_of(scene, circles), bits);
}

OverlapReport flat_overlap_count(WorkspacePool& pool, const kernels::FlatDeviceScene& scene,
                                 const CirclesView& circles, std::uint32_t* counts,
                                 std::uint64_t chunk) {
  return overlap_count_of(pool, circles.count, chunk, all_of(scene, circles), counts);
}

OverlapRows flat_overlap_all(WorkspacePool& pool, const kernels::FlatDeviceScene& scene,
                             const CirclesView& circles, std::uint64_t chunk) {
  return overlap_all_of(pool, circles.count, chunk, all_of(scene, circles));
}

std::uint64_t flat_cast(WorkspacePool& pool, const kernels::FlatDeviceScene& scene,
                        const SegmentsView& segments, const HitsView& hits, Inside inside,
                        std::uint64_t chunk) {
  CastJob job(scene, segments, hits, inside);
  run_job(pool, job, segments.count, chunk);
  return job.found();
}

}  // namespace sightline::cuda
