#include "host/cuda/queries/cast_jobs.hpp"

#include "host/cuda/device/chunks.hpp"
#include "host/cuda/device/columns.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

using detail::words_for;

/// What both queries share: rays in, counts in and out.
class RaysJob : public ChunkJob {
 public:
  RaysJob(const CastScene& scene, const RaysView& rays, Inside inside)
      : scene_(scene), rays_(rays), inside_(inside) {}

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const final {
    Cutter memory(host);
    cuda::pack(rays_.slice(first, n), cut_rays(rays_, n, memory));
    *memory.take<CastCounts>(1) = CastCounts{};
  }

  CastReport report() const {
    return {rays_.count, total_.hits, total_.bad_rays,
            total_.bad_rays == 0 ? 0 : total_.first_bad_ray};
  }

 protected:
  void add(const CastCounts& part) {
    total_.hits += part.hits;
    total_.bad_rays += part.bad_rays;
    total_.first_bad_ray = std::min(total_.first_bad_ray, part.first_bad_ray);
  }

  /// Of a chunk, in its stream.
  RayOrder order_of(const RaysView& chunk, cudaStream_t stream) const {
    return scene_.sorter.order(chunk, RaysAre::on_host, stream);
  }

  CastScene scene_;
  RaysView rays_;
  Inside inside_;

 private:
  CastCounts total_;
};

class ClosestHitJob final : public RaysJob {
 public:
  ClosestHitJob(const CastScene& scene, const RaysView& rays, const HitsView& hits, Inside inside)
      : RaysJob(scene, rays, inside), hits_(hits) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void launch(cudaStream_t stream, std::uint64_t first, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    const RayOrder order = order_of(at.rays, stream);
    kernels::closest_hit(stream,
                         {scene_.view, at.rays, at.hits, inside_, at.counts, first, order.get()});
    check_launch("closest_hit");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    copy_hits(at.hits, hits_.from(first), n);
    add(*at.counts);
  }

 private:
  struct Places {
    RaysView rays;
    CastCounts* counts;
    HitsView hits;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.rays = cut_rays(rays_, n, memory);
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<CastCounts>(1);
    at.bytes.in_end = memory.end();
    at.hits = cut_hits(hits_, n, memory);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  HitsView hits_;
};

class AnyHitJob final : public RaysJob {
 public:
  AnyHitJob(const CastScene& scene, const RaysView& rays, std::uint64_t* blocked, Inside inside)
      : RaysJob(scene, rays, inside), blocked_(blocked) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void launch(cudaStream_t stream, std::uint64_t first, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    const RayOrder order = order_of(at.rays, stream);
    kernels::any_hit(stream,
                     {scene_.view, at.rays, at.blocked, inside_, at.counts, first, order.get()});
    check_launch("any_hit");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    copy_bytes(blocked_ + first / 64, at.blocked, words_for(n) * sizeof(std::uint64_t));
    add(*at.counts);
  }

 private:
  struct Places {
    RaysView rays;
    CastCounts* counts;
    std::uint32_t* blocked;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.rays = cut_rays(rays_, n, memory);
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<CastCounts>(1);
    at.bytes.in_end = memory.end();
    at.blocked = memory.take<std::uint32_t>(2 * words_for(n));
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  std::uint64_t* blocked_;
};

CastReport run(WorkspacePool& pool, RaysJob& job, std::uint64_t rays, const ChunkLimits& limits) {
  if (rays > 0) {
    Lease lease(pool);
    run_chunks(lease, job, rays, limits);
    lease.done();
  }
  return job.report();
}

}  // namespace

CastReport closest_hit(WorkspacePool& pool, const CastScene& scene, const RaysView& rays,
                       const HitsView& hits, Inside inside, std::uint64_t chunk) {
  ClosestHitJob job(scene, rays, hits, inside);
  return run(pool, job, rays.count, {chunk, 1});
}

CastReport any_hit(WorkspacePool& pool, const CastScene& scene, const RaysView& rays,
                   std::uint64_t* blocked, Inside inside, std::uint64_t chunk) {
  AnyHitJob job(scene, rays, blocked, inside);
  return run(pool, job, rays.count, {chunk, 64});
}

}  // namespace sightline::cuda
