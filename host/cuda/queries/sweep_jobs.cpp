#include "host/cuda/queries/sweep_jobs.hpp"

#include "host/cuda/device/check.hpp"
#include "host/cuda/device/chunks.hpp"
#include "host/cuda/device/columns.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

using detail::words_for;

/// Closest hits into `hits`, or any hits where there is `blocked`.
class SweepsJob final : public ChunkJob {
 public:
  SweepsJob(const kernels::DeviceScene& scene, const SweepsView& sweeps, const HitsView& hits,
            std::uint64_t* blocked, Inside inside)
      : scene_(scene), sweeps_(sweeps), hits_(hits), blocked_(blocked), inside_(inside) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    const Places at = places(n, host);
    const SweepsView from = sweeps_.slice(first, n);
    cuda::pack(from.rays, at.sweeps.rays);
    cuda::pack(from.radius, at.sweeps.radius, n);
    if (from.b != nullptr) {
      copy_bytes(const_cast<Vec3*>(at.sweeps.b), from.b, n * sizeof(Vec3));
    }
    *at.counts = CastCounts{};
  }

  void launch(cudaStream_t stream, std::uint64_t first, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    kernels::sweep(stream, {scene_, at.sweeps, at.hits, at.blocked, inside_, at.counts, first});
    check_launch("sweep");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    if (blocked_ != nullptr) {
      copy_bytes(blocked_ + first / 64, at.blocked, words_for(n) * sizeof(std::uint64_t));
    } else {
      copy_hits(at.hits, hits_.from(first), n);
    }
    total_.hits += at.counts->hits;
    total_.bad_rays += at.counts->bad_rays;
    total_.first_bad_ray = std::min(total_.first_bad_ray, at.counts->first_bad_ray);
  }

  CastReport report() const {
    return {sweeps_.rays.count, total_.hits, total_.bad_rays,
            total_.bad_rays == 0 ? 0 : total_.first_bad_ray};
  }

 private:
  struct Places {
    SweepsView sweeps;
    CastCounts* counts;
    HitsView hits;
    std::uint32_t* blocked = nullptr;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.sweeps.rays = cut_rays(sweeps_.rays, n, memory);
    at.sweeps.radius = cut_column(sweeps_.radius, n, memory);
    if (sweeps_.b != nullptr) at.sweeps.b = memory.take<Vec3>(n);
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<CastCounts>(1);
    at.bytes.in_end = memory.end();
    if (blocked_ != nullptr) {
      at.blocked = memory.take<std::uint32_t>(2 * words_for(n));
    } else {
      at.hits = cut_hits(hits_, n, memory);
    }
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  SweepsView sweeps_;
  HitsView hits_;
  std::uint64_t* blocked_;
  Inside inside_;
  CastCounts total_;
};

CastReport run(WorkspacePool& pool, SweepsJob& job, std::uint64_t n, const ChunkLimits& limits) {
  if (n > 0) {
    Lease lease(pool);
    run_chunks(lease, job, n, limits);
    lease.done();
  }
  return job.report();
}

}  // namespace

CastReport closest_hit(WorkspacePool& pool, const kernels::DeviceScene& scene,
                       const SweepsView& sweeps, const HitsView& hits, Inside inside,
                       std::uint64_t chunk) {
  SweepsJob job(scene, sweeps, hits, nullptr, inside);
  return run(pool, job, sweeps.rays.count, {chunk, 1});
}

CastReport any_hit(WorkspacePool& pool, const kernels::DeviceScene& scene, const SweepsView& sweeps,
                   std::uint64_t* blocked, Inside inside, std::uint64_t chunk) {
  SweepsJob job(scene, sweeps, {}, blocked, inside);
  return run(pool, job, sweeps.rays.count, {chunk, 64});
}

}  // namespace sightline::cuda
