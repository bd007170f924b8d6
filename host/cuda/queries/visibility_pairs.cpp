#include "host/cuda/device/chunks.hpp"
#include "host/cuda/device/columns.hpp"
#include "host/cuda/queries/visibility.hpp"

namespace sightline::cuda {
namespace {

using detail::words_for;

struct PairCounts {
  std::uint64_t visible = 0;
  kernels::PointCounts from, to;
};

void add(kernels::PointCounts& sum, const kernels::PointCounts& part) {
  sum.bad += part.bad;
  sum.touching += part.touching;
}

class PairsJob final : public ChunkJob {
 public:
  PairsJob(const kernels::DeviceScene& scene, const PointsView& from, const PointsView& to,
           std::uint64_t* bits, const SightOptions& options)
      : scene_(scene), from_(from), to_(to), bits_(bits), options_(options) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    const Places at = places(n, host);
    cuda::pack(from_.slice(first, n), at.from);
    cuda::pack(to_.slice(first, n), at.to);
    *at.counts = {};
  }

  void launch(cudaStream_t stream, std::uint64_t, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    kernels::sight_pairs(stream, {scene_, at.from, at.to, options_, at.bits, &at.counts->visible});
    check_launch("sight_pairs");
    kernels::count_points(stream, {scene_, at.from, &at.counts->from});
    check_launch("count_points");
    kernels::count_points(stream, {scene_, at.to, &at.counts->to});
    check_launch("count_points");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    copy_bytes(bits_ + first / 64, at.bits, words_for(n) * sizeof(std::uint64_t));
    total_.visible += at.counts->visible;
    add(total_.from, at.counts->from);
    add(total_.to, at.counts->to);
  }

  VisibilityReport report() const {
    return {from_.count,   total_.visible,       total_.from.bad,
            total_.to.bad, total_.from.touching, total_.to.touching};
  }

 private:
  struct Places {
    PointsView from, to;
    PairCounts* counts;
    std::uint32_t* bits;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.from = cut_points(from_, n, memory);
    at.to = cut_points(to_, n, memory);
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<PairCounts>(1);
    at.bytes.in_end = memory.end();
    at.bits = memory.take<std::uint32_t>(2 * words_for(n));
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  PointsView from_, to_;
  std::uint64_t* bits_;
  SightOptions options_;
  PairCounts total_;
};

}  // namespace

VisibilityReport visibility_pairs(WorkspacePool& pool, const kernels::DeviceScene& scene,
                                  const PointsView& from, const PointsView& to, std::uint64_t* bits,
                                  const SightOptions& options, std::uint64_t chunk) {
  PairsJob job(scene, from, to, bits, options);
  if (from.count > 0) {
    Lease lease(pool);
    run_chunks(lease, job, from.count, {chunk, 64});
    lease.done();
  }
  return job.report();
}

}  // namespace sightline::cuda
