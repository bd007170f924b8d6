#include "host/cuda/queries/queries.hpp"

#include "host/backend/hit_rows.hpp"
#include "host/cuda/chunks/to_device_and_back.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

// Hits of a chunk: large enough that copies run at the bus's full rate.
constexpr std::uint64_t most_hits = std::uint64_t{1} << 22;

/// Counts the hits of all rays, and reports their rows, which keep at most `most` hits each.
/// counts, flags [rays.count]; null: not wanted.
HitRowsReport count(const QueryContext& context, const RaysView& rays,
                    const HitRowsOptions& options, std::uint32_t most, std::uint32_t* counts,
                    std::uint8_t* flags) {
  HitRowsReport report;
  run_query(context.pool, rays.count, {context.most, 1}, [&](Chunk& chunk) {
    kernels::CountHitsJob job = {context.scene, rays,   detail::policy_of(options),
                                 options.first, counts, flags};
    chunk.in(job.rays);
    chunk.out(job.counts);
    chunk.out_always(job.flags, chunk.elements());
    chunk.launch([&](cudaStream_t stream) {
      kernels::count_hits(stream, job);
      check_launch("count_hits");
    });
    chunk.unpack([&] {
      for (std::uint64_t k = 0; k < chunk.count(); ++k) {
        const bool bad = (job.flags[k] & hit_flags::bad_ray) != 0;
        detail::add_ray(report, chunk.first() + k, bad, job.counts[k], most);
      }
    });
  });
  return report;
}

/// Rays whose rows come in one chunk, contiguously; or a part of one ray's row.
struct RowBatch {
  std::uint64_t first = 0, rays = 0;
  std::uint64_t begin = 0, hits = 0;  ///< among all kept hits
  float after_t = -1;  ///< t of the scaled ray before a part of a row; else before any hit
};

/// Sets which hits of each ray the batch fetches.
void set_pieces(const RowBatch& batch, const HitRows& rows, kernels::HitPiece* pieces) {
  const std::uint32_t after_id = batch.after_t < 0 ? 0 : rows.id[batch.begin - 1];
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < batch.rays; ++i) {
    const std::uint64_t row = batch.first + i;
    const std::uint64_t n =
        batch.rays == 1 ? batch.hits : rows.offsets[row + 1] - rows.offsets[row];
    pieces[i] = {begin, static_cast<std::uint32_t>(n), after_id, batch.after_t};
    begin += n;
  }
}

/// Fetches the rows of batches, one chunk a batch.
void fetch(const Lease& lease, const QueryContext& context, const RaysView& rays, HitRows& rows,
           const HitRowsOptions& options, std::vector<RowBatch>& batches) {
  RowBatch largest;
  for (const RowBatch& batch : batches) {
    largest.rays = std::max(largest.rays, batch.rays);
    largest.hits = std::max(largest.hits, batch.hits);
  }
  run_chunks(lease, batches.size(), {1, 1}, [&](Chunk& chunk) {
    RowBatch& batch = chunk.measures() ? largest : batches[chunk.first()];
    const ElementRange hits = {batch.begin, batch.hits};
    kernels::FillHitsJob job = {context.scene, rays, detail::policy_of(options)};
    job.t = rows.t.data();
    job.id = rows.id.data();
    if (options.t_out) job.t_out = rows.t_out.data();
    chunk.in(job.rays, {batch.first, batch.rays});
    auto* const pieces = chunk.to_fill<kernels::HitPiece>(batch.rays);
    job.pieces = pieces;
    chunk.out_always(job.last_t, {0, batch.rays});
    chunk.out(job.t, hits);
    chunk.out(job.id, hits);
    chunk.out(job.t_out, hits);
    chunk.pack([&] { set_pieces(batch, rows, pieces); });
    chunk.launch([&](cudaStream_t stream) {
      kernels::fill_hits(stream, job);
      check_launch("fill_hits");
    });
    chunk.unpack([&] { batch.after_t = job.last_t[0]; });
  });
}

/// The rows of all rays in batches of at most `most` rays and hits. Longer rows are batches of
/// their own, which come last.
struct BatchPlan {
  std::vector<RowBatch> whole, too_long;

  BatchPlan(const std::vector<std::uint64_t>& offsets, std::uint64_t most) {
    RowBatch batch;
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

/// Fetches the rows, at most `most` rays and hits at a time.
void fill(const Lease& lease, const QueryContext& context, const RaysView& rays, HitRows& rows,
          const HitRowsOptions& options, std::uint64_t most) {
  BatchPlan plan(rows.offsets, most);
  fetch(lease, context, rays, rows, options, plan.whole);
  for (const RowBatch& row : plan.too_long) {
    std::vector<RowBatch> part = {row};
    for (std::uint64_t done = 0; done < row.hits; done += part[0].hits) {
      part[0].begin = row.begin + done;
      part[0].hits = std::min(most, row.hits - done);
      fetch(lease, context, rays, rows, options, part);
    }
  }
}

}  // namespace

HitRowsReport answer_query(const QueryContext& context, const detail::CountHits& asked) {
  HitRowsOptions options;
  options.inside = asked.policy.inside, options.side = asked.policy.side;
  return count(context, asked.rays, options, 0, asked.counts, nullptr);
}

HitRowsReport answer_query(const QueryContext& context, const detail::AllHits& asked) {
  const auto& [rays, rows, options] = asked;
  detail::set_rays(rows, rays.count);
  const HitRowsReport report =
      count(context, rays, options, options.first, rows.count.data(), rows.flags.data());
  for (std::uint64_t i = 0; i < rays.count; ++i) {
    rows.offsets[i + 1] = rows.offsets[i] + std::min(rows.count[i], options.first);
  }
  rows.t.resize(report.kept);
  rows.id.resize(report.kept);
  rows.t_out.resize(options.t_out ? report.kept : 0);
  if (report.kept == 0) return report;
  for (std::uint64_t most = context.most == 0 ? most_hits : context.most;; most /= 2) {
    try {
      Lease lease(context.pool);
      fill(lease, context, rays, rows, options, most);
      lease.done();
      return report;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory || most == 1) throw;
    }
  }
}

}  // namespace sightline::cuda
