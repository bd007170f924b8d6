#include "host/cuda/nearest.hpp"

#include "host/cuda/check.hpp"
#include "host/cuda/chunks.hpp"
#include "host/cuda/columns.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

class NearestJob final : public ChunkJob {
 public:
  NearestJob(const kernels::DeviceScene& scene, const PointsView& points, std::uint32_t k,
             float range, const NearestView& out)
      : scene_(scene), points_(points), k_(k), range_(range), out_(out) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    cuda::pack(points_.slice(first, n), places(n, host).points);
  }

  void launch(cudaStream_t stream, std::uint64_t, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    kernels::nearest(stream, {scene_, at.points, k_, range_, at.out});
    check_launch("nearest");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const NearestView from = places(n, const_cast<std::byte*>(host)).out;
    const NearestView to = out_.from(first * k_);
    const std::uint64_t rows = n * k_;
    if (to.distance != nullptr) copy_bytes(to.distance, from.distance, rows * sizeof(float));
    if (to.id != nullptr) copy_bytes(to.id, from.id, rows * sizeof(std::uint32_t));
    if (to.point != nullptr) copy_bytes(to.point, from.point, rows * sizeof(Vec3));
    if (to.direction != nullptr) copy_bytes(to.direction, from.direction, rows * sizeof(Vec3));
    report_.found += rows - static_cast<std::uint64_t>(std::count(from.id, from.id + rows, none));
    for (std::uint64_t i = 0; i < n; ++i) report_.bad_points += is_bad(points_[first + i]);
  }

  NearestReport report() const { return {points_.count, report_.found, report_.bad_points}; }

 private:
  struct Places {
    PointsView points;
    NearestView out;
    ChunkBytes bytes;
  };
  /// Distances and ids are the device's lists, and come back whether asked for or not.
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.points = cut_points(points_, n, memory);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.out.distance = memory.take<float>(n * k_);
    at.out.id = memory.take<std::uint32_t>(n * k_);
    if (out_.point != nullptr) at.out.point = memory.take<Vec3>(n * k_);
    if (out_.direction != nullptr) at.out.direction = memory.take<Vec3>(n * k_);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  PointsView points_;
  std::uint32_t k_;
  float range_;
  NearestView out_;
  NearestReport report_;
};

}  // namespace

NearestReport nearest(WorkspacePool& pool, const kernels::DeviceScene& scene,
                      const PointsView& points, std::uint32_t k, float range,
                      const NearestView& out, std::uint64_t chunk) {
  NearestJob job(scene, points, k, range, out);
  if (points.count > 0) {
    Lease lease(pool);
    run_chunks(lease, job, points.count, {chunk, 1});
    lease.done();
  }
  return job.report();
}

}  // namespace sightline::cuda
