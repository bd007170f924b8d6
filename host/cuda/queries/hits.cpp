#include "host/cuda/queries/hits.hpp"

#include "host/backend/hit_rows.hpp"
#include "host/cuda/device/check.hpp"
#include "host/cuda/device/chunks.hpp"
#include "host/cuda/device/columns.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

// Hits of a chunk: large enough that copies run at the bus's full rate.
constexpr std::uint64_t most_hits = std::uint64_t{1} << 22;

/// How many hits each ray has, and its row's flags: use(i, count, flags) for every one.
template <class Use>
class CountJob final : public ChunkJob {
 public:
  CountJob(const kernels::DeviceScene& scene, const RaysView& rays, Inside inside,
           std::uint32_t first, const Use& use)
      : scene_(scene), rays_(rays), inside_(inside), first_(first), use_(use) {}

  ChunkBytes bytes(std::uint64_t n) const override { return places(n, nullptr).bytes; }

  void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const override {
    cuda::pack(rays_.slice(first, n), places(n, host).rays);
  }

  void launch(cudaStream_t stream, std::uint64_t, std::uint64_t n,
              std::byte* device) const override {
    const Places at = places(n, device);
    kernels::count_hits(stream, {scene_, at.rays, inside_, first_, at.counts, at.flags});
    check_launch("count_hits");
  }

  void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) override {
    const Places at = places(n, const_cast<std::byte*>(host));
    for (std::uint64_t k = 0; k < n; ++k) use_(first + k, at.counts[k], at.flags[k]);
  }

 private:
  struct Places {
    RaysView rays;
    std::uint32_t* counts;
    std::uint8_t* flags;
    ChunkBytes bytes;
  };
  Places places(std::uint64_t n, std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.rays = cut_rays(rays_, n, memory);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.counts = memory.take<std::uint32_t>(n);
    at.flags = memory.take<std::uint8_t>(n);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  RaysView rays_;
  Inside inside_;
  std::uint32_t first_;
  const Use& use_;
};

template <class Use>
HitRowsReport count(WorkspacePool& pool, const kernels::DeviceScene& scene, const RaysView& rays,
                    const HitRowsOptions& options, std::uint32_t most, std::uint64_t chunk,
                    const Use& use) {
  HitRowsReport report;
  const auto add_and_use = [&](std::uint64_t i, std::uint32_t n, std::uint8_t flags) {
    detail::add_ray(report, i, (flags & hit_flags::bad_ray) != 0, n, most);
    use(i, n, flags);
  };
  CountJob job(scene, rays, options.inside, options.first, add_and_use);
  if (rays.count > 0) {
    Lease lease(pool);
    run_chunks(lease, job, rays.count, {chunk, 1});
    lease.done();
  }
  return report;
}

/// Rays whose rows come in one chunk, one after the other; or a part of one ray's row.
struct Batch {
  std::uint64_t first = 0, rays = 0;
  std::uint64_t begin = 0, hits = 0;  ///< among all that are kept
  float after_t = -1;                 ///< of the scaled ray; a part's, else before any hit
};

/// Fetches the rows of batches, a batch a chunk.
class FillJob final : public ChunkJob {
 public:
  FillJob(const kernels::DeviceScene& scene, const RaysView& rays, HitRows& rows,
          const HitRowsOptions& options, std::vector<Batch>& batches)
      : scene_(scene), rays_(rays), rows_(rows), options_(options), batches_(batches) {
    for (const Batch& b : batches) {
      most_rays_ = std::max(most_rays_, b.rays);
      most_hits_ = std::max(most_hits_, b.hits);
    }
  }

  /// Of the largest batch, whichever it is.
  ChunkBytes bytes(std::uint64_t) const override { return places(nullptr).bytes; }

  void pack(std::uint64_t k, std::uint64_t, std::byte* host) const override {
    const Batch& batch = batches_[k];
    Places at = places(host);
    at.rays.count = batch.rays;
    cuda::pack(rays_.slice(batch.first, batch.rays), at.rays);
    std::uint64_t begin = 0;
    const std::uint32_t after_id = batch.after_t < 0 ? 0 : rows_.id[batch.begin - 1];
    for (std::uint64_t i = 0; i < batch.rays; ++i) {
      const std::uint64_t row = batch.first + i;
      const std::uint64_t n =
          batch.rays == 1 ? batch.hits : rows_.offsets[row + 1] - rows_.offsets[row];
      at.pieces[i] = {begin, static_cast<std::uint32_t>(n), after_id, batch.after_t};
      begin += n;
    }
  }

  void launch(cudaStream_t stream, std::uint64_t k, std::uint64_t,
              std::byte* device) const override {
    Places at = places(device);
    at.rays.count = batches_[k].rays;
    kernels::fill_hits(
        stream, {scene_, at.rays, options_.inside, at.pieces, at.t, at.id, at.t_out, at.last_t});
    check_launch("fill_hits");
  }

  void unpack(std::uint64_t k, std::uint64_t, const std::byte* host) override {
    Batch& batch = batches_[k];
    const Places at = places(const_cast<std::byte*>(host));
    copy_bytes(rows_.t.data() + batch.begin, at.t, batch.hits * sizeof(float));
    copy_bytes(rows_.id.data() + batch.begin, at.id, batch.hits * sizeof(std::uint32_t));
    if (at.t_out != nullptr) {
      copy_bytes(rows_.t_out.data() + batch.begin, at.t_out, batch.hits * sizeof(float));
    }
    batch.after_t = at.last_t[0];
  }

 private:
  struct Places {
    RaysView rays;
    kernels::HitPiece* pieces;
    float* last_t;
    float* t;
    std::uint32_t* id;
    float* t_out = nullptr;
    ChunkBytes bytes;
  };
  Places places(std::byte* base) const {
    Cutter memory(base);
    Places at;
    at.rays = cut_rays(rays_, most_rays_, memory);
    at.pieces = memory.take<kernels::HitPiece>(most_rays_);
    at.bytes.in_end = memory.end();
    at.bytes.out_begin = memory.next();
    at.last_t = memory.take<float>(most_rays_);
    at.t = memory.take<float>(most_hits_);
    at.id = memory.take<std::uint32_t>(most_hits_);
    if (options_.t_out) at.t_out = memory.take<float>(most_hits_);
    at.bytes.out_end = at.bytes.device_end = memory.end();
    return at;
  }

  kernels::DeviceScene scene_;
  RaysView rays_;
  HitRows& rows_;
  HitRowsOptions options_;
  std::vector<Batch>& batches_;
  std::uint64_t most_rays_ = 0, most_hits_ = 0;
};

/// The rows of all rays, cut into batches of at most so many rays and hits. Rows that are longer
/// are batches of their own, which come last.
struct Plan {
  std::vector<Batch> whole, too_long;

  Plan(const std::vector<std::uint64_t>& offsets, std::uint64_t most) {
    Batch batch;
    const auto end_batch = [&](std::uint64_t next) {
      if (batch.hits > 0) whole.push_back(batch);
      batch = {next, 0, offsets[next], 0, -1};
    };
    for (std::uint64_t i = 0; i + 1 < offsets.size(); ++i) {
      const std::uint64_t n = offsets[i + 1] - offsets[i];
      if (batch.rays == most || n > most - batch.hits) end_batch(i);
      if (n > most) {
        too_long.push_back({i, 1, offsets[i], n, -1});
        end_batch(i + 1);
        continue;
      }
      ++batch.rays;
      batch.hits += n;
    }
    end_batch(offsets.size() - 1);
  }
};

/// Fetches the rows, at most so many rays and hits at a time.
void fill(const Lease& lease, const kernels::DeviceScene& scene, const RaysView& rays,
          HitRows& rows, const HitRowsOptions& options, std::uint64_t most) {
  Plan plan(rows.offsets, most);
  const auto run = [&](std::vector<Batch>& batches) {
    FillJob job(scene, rays, rows, options, batches);
    run_chunks(lease, job, batches.size(), {1, 1});
  };
  run(plan.whole);
  for (const Batch& row : plan.too_long) {
    std::vector<Batch> part = {row};
    for (std::uint64_t done = 0; done < row.hits; done += part[0].hits) {
      part[0].begin = row.begin + done;
      part[0].hits = std::min(most, row.hits - done);
      run(part);
    }
  }
}

}  // namespace

HitRowsReport count_hits(WorkspacePool& pool, const kernels::DeviceScene& scene,
                         const RaysView& rays, std::uint32_t* counts, Inside inside,
                         std::uint64_t chunk) {
  HitRowsOptions options;
  options.inside = inside;
  return count(pool, scene, rays, options, 0, chunk,
               [&](std::uint64_t i, std::uint32_t n, std::uint8_t) { counts[i] = n; });
}

HitRowsReport all_hits(WorkspacePool& pool, const kernels::DeviceScene& scene, const RaysView& rays,
                       HitRows& rows, const HitRowsOptions& options, std::uint64_t chunk) {
  detail::set_rays(rows, rays.count);
  const HitRowsReport report = count(pool, scene, rays, options, options.first, chunk,
                                     [&](std::uint64_t i, std::uint32_t n, std::uint8_t flags) {
                                       rows.count[i] = n;
                                       rows.flags[i] = flags;
                                     });
  for (std::uint64_t i = 0; i < rays.count; ++i) {
    rows.offsets[i + 1] = rows.offsets[i] + std::min(rows.count[i], options.first);
  }
  rows.t.resize(report.kept);
  rows.id.resize(report.kept);
  rows.t_out.resize(options.t_out ? report.kept : 0);
  if (report.kept == 0) return report;
  for (std::uint64_t most = chunk == 0 ? most_hits : chunk;; most /= 2) {
    try {
      Lease lease(pool);
      fill(lease, scene, rays, rows, options, most);
      lease.done();
      return report;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory || most == 1) throw;
    }
  }
}

}  // namespace sightline::cuda
