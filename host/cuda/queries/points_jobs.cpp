#include "host/cuda/queries/points_jobs.hpp"

namespace sightline::cuda {
namespace {

class PointsJob final : public ChunkJob {
 public:
  PointsJob(const kernels::DeviceScene& scene, const PointsView& points, const PointsView* keep)
      : scene_(scene), points_(points), keep_(keep) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    const Places at = places(n, host);
    cuda::pack(points_.slice(first, n), at.points);
    *at.counts = {};
  }

  void launch(cudaStream_t stream, std::uint64_t first, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    if (keep_ != nullptr) {
      const PointsView to = keep_->slice(first, n);
      for_each_point_column(
          [&](const auto& column, const auto& kept) { copy_column(stream, column, kept, n); },
          at.points, to);
    }
    kernels::count_points(stream, {scene_, at.points, at.counts});
    check_launch("count_points");
  }

  void unpack(std::uint64_t, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    total_.bad += at.counts->bad;
    total_.touching += at.counts->touching;
  }

  kernels::PointCounts total() const { return total_; }

 private:
  struct Places {
    PointsView points;
    kernels::PointCounts* counts;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.points = cut_points(points_, n, memory);
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<kernels::PointCounts>(1);
    at.bytes.in_end = at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  template <class T>
  static void copy_column(cudaStream_t stream, const Column<T>& from, const Column<T>& to,
                          std::uint64_t n) {
    if (from.data == nullptr) return;
    check(cudaMemcpyAsync(const_cast<T*>(to.data), from.data, n * sizeof(T),
                          cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
  }

  kernels::DeviceScene scene_;
  PointsView points_;
  const PointsView* keep_;
  kernels::PointCounts total_;
};

}  // namespace

kernels::PointCounts bring_points(const Lease& lease, const kernels::DeviceScene& scene,
                                  const PointsView& points, const PointsView* keep,
                                  std::uint64_t chunk) {
  PointsJob job(scene, points, keep);
  run_chunks(lease, job, points.count, {chunk, 1});
  return job.total();
}

}  // namespace sightline::cuda
