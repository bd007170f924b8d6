#include "host/cuda/queries/nearest.hpp"

#include "host/cuda/device/check.hpp"
#include "host/cuda/device/chunks.hpp"
#include "host/cuda/device/columns.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

PointsView cut_asked(const PointsView& like, std::uint64_t n, Cutter& memory) {
  return cut_points(like, n, memory);
}
PointPairsView cut_asked(const PointPairsView& like, std::uint64_t n, Cutter& memory) {
  const PointsView from = cut_points(like.from, n, memory);
  return {n, from, cut_points(like.to, n, memory)};
}
void pack_asked(const PointsView& from, const PointsView& to) { cuda::pack(from, to); }
void pack_asked(const PointPairsView& from, const PointPairsView& to) {
  cuda::pack(from.from, to.from);
  cuda::pack(from.to, to.to);
}

void launch_rows(cudaStream_t stream, const kernels::NearestJob& job) {
  kernels::nearest(stream, job);
  check_launch("nearest");
}
void launch_rows(cudaStream_t stream, const kernels::ClearanceJob& job) {
  kernels::clearance(stream, job);
  check_launch("clearance");
}

/// Calls f with the same column of both, for those beside distances and ids.
template <class F>
void for_each_place(F&& f, const NearestView& a, NearestView& b) {
  f(a.point, b.point), f(a.direction, b.direction);
}
template <class F>
void for_each_place(F&& f, const ClearanceView& a, ClearanceView& b) {
  f(a.t, b.t), f(a.on_segment, b.on_segment), f(a.on_shape, b.on_shape);
}

template <class Asked, class Out>
class NearRowsJob final : public ChunkJob {
 public:
  NearRowsJob(const kernels::DeviceScene& scene, const Asked& asked, std::uint32_t k, float range,
              const Out& out)
      : scene_(scene), asked_(asked), k_(k), range_(range), out_(out) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    pack_asked(asked_.slice(first, n), places(n, host).asked);
  }

  void launch(cudaStream_t stream, std::uint64_t, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    launch_rows(stream, {scene_, at.asked, k_, range_, at.out});
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Out from = places(n, const_cast<std::byte*>(host)).out;
    Out to = out_.from(first * k_);
    const std::uint64_t rows = n * k_;
    const auto copy = [&](const auto* source, auto* target) {
      if (target != nullptr) copy_bytes(target, source, rows * sizeof(*source));
    };
    copy(from.distance, to.distance), copy(from.id, to.id);
    for_each_place(copy, from, to);
    report_.found += rows - static_cast<std::uint64_t>(std::count(from.id, from.id + rows, none));
    for (std::uint64_t i = 0; i < n; ++i) report_.bad_points += is_bad(asked_[first + i]);
  }

  NearestReport report() const { return {asked_.count, report_.found, report_.bad_points}; }

 private:
  struct Places {
    Asked asked;
    Out out;
    ChunkBytes bytes;
  };
  /// Distances and ids are the device's lists, and come back whether asked for or not.
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.asked = cut_asked(asked_, n, memory);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.out.distance = memory.take<float>(n * k_);
    at.out.id = memory.take<std::uint32_t>(n * k_);
    const auto cut = [&]<class T>(const T* asked_for, T*& to) {
      if (asked_for != nullptr) to = memory.take<T>(n * k_);
    };
    for_each_place(cut, out_, at.out);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  Asked asked_;
  std::uint32_t k_;
  float range_;
  Out out_;
  NearestReport report_;
};

template <class Asked, class Out>
NearestReport near_rows(WorkspacePool& pool, const kernels::DeviceScene& scene, const Asked& asked,
                        std::uint32_t k, float range, const Out& out, std::uint64_t chunk) {
  NearRowsJob<Asked, Out> job(scene, asked, k, range, out);
  if (asked.count > 0) {
    Lease lease(pool);
    run_chunks(lease, job, asked.count, {chunk, 1});
    lease.done();
  }
  return job.report();
}

}  // namespace

NearestReport nearest(WorkspacePool& pool, const kernels::DeviceScene& scene,
                      const PointsView& points, std::uint32_t k, float range,
                      const NearestView& out, std::uint64_t chunk) {
  return near_rows(pool, scene, points, k, range, out, chunk);
}

NearestReport clearance(WorkspacePool& pool, const kernels::DeviceScene& scene,
                        const PointPairsView& segments, std::uint32_t k, float range,
                        const ClearanceView& out, std::uint64_t chunk) {
  return near_rows(pool, scene, segments, k, range, out, chunk);
}

}  // namespace sightline::cuda
