#include "host/cpu/cpu_backend.hpp"

#include "host/cpu/builder.hpp"
#include "host/cpu/lanes/trace.hpp"
#include "host/cpu/ray_order.hpp"
#include "host/cpu/refit.hpp"
#include "host/fp_environment.hpp"
#include "host/visibility/visibility.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>

namespace sightline::detail {
namespace {

int thread_count(const CasterOptions& options) {
  if (options.threads < 0) throw Error(ErrorKind::usage, "the number of threads is negative");
  return options.threads > 0 ? options.threads : tbb::info::default_concurrency();
}

/// Sums of a report, gathered from many threads.
class ReportSum {
 public:
  /// Adds what was seen of the rays of one range.
  void add(const CastReport& part) {
    hits_ += part.hits;
    if (part.bad_rays == 0) return;
    bad_ += part.bad_rays;
    std::uint64_t first = first_bad_;
    while (part.first_bad_ray < first &&
           !first_bad_.compare_exchange_weak(first, part.first_bad_ray)) {
    }
  }
  CastReport total(std::uint64_t rays) const {
    return {rays, hits_, bad_, bad_ == 0 ? 0 : first_bad_.load()};
  }

 private:
  std::atomic<std::uint64_t> hits_{0}, bad_{0}, first_bad_{~std::uint64_t{0}};
};

void count_ray(CastReport& part, std::uint64_t i, const Query& query, bool hit) {
  if (hit) ++part.hits;
  if (query.ray.bad && (part.bad_rays++ == 0 || i < part.first_bad_ray)) part.first_bad_ray = i;
}

/// Memory of one thread's batches.
class Batches {
 public:
  Batches(const TraceScene& scene, const Tracer& tracer, std::size_t nodes)
      : scene_(scene), tracer_(tracer), most_(0), by_place_(nodes > 1024) {}

  /// Traces rays [first, first + count), and calls use(index, record) for each.
  template <class Use>
  void trace(const RaysView& rays, std::uint64_t first, std::uint32_t count, Ask ask,
             Inside inside, Use&& use) {
    most_ = std::min<std::uint32_t>(count, batch_capacity);
    rays_.resize(most_);
    const RaysView here = rays.slice(first, count);
    records_.resize(count);
    keys_.resize(count + 16);
    tracer_.set_up(here, grid_over(here, ask != Ask::closest), records_.data(), keys_.data());
    order_.assign(keys_.data(), count, by_place_);
    const bool filtered = is_filtered(rays);
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
      const std::uint32_t end = order_.octant_begin[octant + 1];
      for (std::uint32_t begin = order_.octant_begin[octant]; begin < end;
           begin += batch_capacity) {
        const int n = static_cast<int>(std::min<std::uint32_t>(batch_capacity, end - begin));
        trace_batch(here, begin, n, octant, filtered, ask, inside);
        for (int i = 0; i < n; ++i) use(first + order_.index[begin + static_cast<std::uint32_t>(i)], rays_[static_cast<std::size_t>(i)]);
      }
    }
  }

 private:
  bool is_filtered(const RaysView& rays) const {
    const auto plain = [](const auto& column, std::uint32_t value) {
      return column.data == nullptr && column.common == value;
    };
    return scene_.shapes.mask != nullptr || scene_.shapes.group != nullptr ||
           !plain(rays.mask, ~0u) || !plain(rays.exclude[0], none) || !plain(rays.exclude[1], none);
  }
  void trace_batch(const RaysView& rays, std::uint32_t begin, int n, std::uint32_t octant,
                   bool filtered, Ask ask, Inside inside) {
    for (int i = 0; i < n; ++i) rays_[static_cast<std::size_t>(i)] = records_[order_.index[begin + static_cast<std::uint32_t>(i)]];
    if (filtered) {
      filters_.resize(most_);
      for (int i = 0; i < n; ++i) {
        const std::uint32_t k = order_.index[begin + static_cast<std::uint32_t>(i)];
        filters_[static_cast<std::size_t>(i)] = {rays.mask[k],
                       {rays.exclude[0][k], rays.exclude[1][k]},
                       {rays.exclude_group[0][k], rays.exclude_group[1][k]}};
      }
    }
    const ShapesView& shapes = scene_.shapes;
    if (shapes.bounded() != shapes.size()) {
      for (int i = 0; i < n; ++i) {
        RayRecord& r = rays_[static_cast<std::size_t>(i)];
        if (r.flags & record_flags::bad) continue;
        const Query q = make_query(rays[order_.index[begin + static_cast<std::uint32_t>(i)]], inside);
        Best best;
        for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
          if (counts(q, shapes, id)) best.offer(cast_shape(q, shapes, id), id);
        }
        if (best.id == none) continue;
        r.reach = ask == Ask::closest ? best.t : no_reach;
        r.best = best.id;
        if (best.started_inside) r.flags |= record_flags::started_inside;
      }
    }
    if (scene_.nodes == nullptr) return;
    if (!scratch_) {
      scratch_.reset(static_cast<std::byte*>(
          ::operator new(tracer_.scratch_bytes(scene_.depth, static_cast<int>(most_)), std::align_val_t{64})));
    }
    tracer_.trace(scene_, {rays_.data(), filtered ? filters_.data() : nullptr, n, octant}, ask,
                  inside, scratch_.get());
  }
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  const TraceScene scene_;
  const Tracer& tracer_;
  std::uint32_t most_;
  RayOrder order_;
  std::vector<RayRecord> rays_, records_;
  std::vector<std::uint32_t> keys_;
  const bool by_place_;
  std::vector<RayFilter> filters_;
  std::unique_ptr<std::byte, Free> scratch_;
};

class CpuBackend final : public PairwiseBackend {
 public:
  CpuBackend(const ShapesView& shapes, const CasterOptions& options)
      : shapes_(shapes), threads_(thread_count(options)), arena_(threads_) {
    // Without this, more threads than cores would quietly be fewer.
    if (threads_ > tbb::info::default_concurrency()) {
      more_threads_.emplace(tbb::global_control::max_allowed_parallelism,
                            static_cast<std::size_t>(threads_));
    }
    arena_.execute([&] { tree_.bvh = build_bvh(shapes_); });
    bvh_ = tree_.bvh.view();
    wide_ = widen(bvh_);
    leaves_last();
    const char* want = std::getenv("SIGHTLINE_LANES");
    const std::string w = want ? want : "avx512";
    tracer_ = w == "portable" ? &tracer_portable() : w == "avx2" ? &tracer_avx2() : &tracer_avx512();
  }
  void leaves_last() {
    for (WideNode& node : wide_.nodes) {
      const WideNode old = node;
      int n = 0;
      for (int pass = 0; pass < 3; ++pass) {
        for (int c = 0; c < wide_width; ++c) {
          const bool missing = old.low[0][c] > old.high[0][c];
          const int kind = missing ? 2 : (old.child[c] & bvh_leaf_bit) ? 1 : 0;
          if (kind != pass) continue;
          for (int a = 0; a < 3; ++a) node.low[a][n] = old.low[a][c], node.high[a][n] = old.high[a][c];
          node.child[n++] = old.child[c];
        }
      }
    }
  }
  TraceScene trace_scene() const {
    return {wide_.nodes.empty() ? nullptr : wide_.nodes.data(), wide_.depth, shapes_};
  }

  CastReport closest_hit(const RaysView& rays, const HitsView& hits, Inside inside) const override {
    ReportSum sum;
    for_each_chunk(rays.count, [&](std::uint64_t begin, std::uint64_t end) {
      CastReport part;
      Batches batches(trace_scene(), *tracer_, wide_.nodes.size());
      batches.trace(rays, begin, static_cast<std::uint32_t>(end - begin), Ask::closest, inside,
                    [&](std::uint64_t i, const RayRecord& r) {
                      const bool hit = r.best != none;
                      Query q{};
                      q.ray.bad = (r.flags & record_flags::bad) != 0;
                      q.ray.exponent = record_flags::exponent_of(r.flags);
                      const Best best = {hit ? r.reach : largest_float, r.best,
                                         (r.flags & record_flags::started_inside) != 0};
                      Hit h = hit_of(q, best, rays.t_min[i], rays.t_max[i]);
                      if (hit && hits.normal != nullptr) {
                        q = make_query(rays[i], inside);
                        h = hit_of(q, shapes_, best, rays[i], true);
                      }
                      hits.store(i, h);
                      count_ray(part, i, q, hit);
                    });
      sum.add(part);
    });
    return sum.total(rays.count);
  }

  CastReport any_hit(const RaysView& rays, std::uint64_t* blocked, Inside inside) const override {
    ReportSum sum;
    for_each_chunk(rays.count, [&](std::uint64_t begin, std::uint64_t end) {
      CastReport part;
      Batches batches(trace_scene(), *tracer_, wide_.nodes.size());
      std::fill(blocked + begin / 64, blocked + words_for(end), 0);
      batches.trace(rays, begin, static_cast<std::uint32_t>(end - begin), Ask::any, inside,
                    [&](std::uint64_t i, const RayRecord& r) {
                      Query q{};
                      q.ray.bad = (r.flags & record_flags::bad) != 0;
                      blocked[i / 64] |= std::uint64_t{r.best != none} << i % 64;
                      count_ray(part, i, q, r.best != none);
                    });
      sum.add(part);
    });
    return sum.total(rays.count);
  }

  void update(const ShapesView& shapes, Update how) override;

  std::string description() const override {
    return "cpu: binary tree, " + std::to_string(threads_) +
           (threads_ == 1 ? " thread" : " threads");
  }
  std::uint64_t memory_bytes() const override { return tree_.bvh.nodes.size() * sizeof(BvhNode); }

 private:
  bool sees(const SightPoint& p, const SightPoint& q, const SightOptions& options) const override {
    return sightline::sees(bvh_, shapes_, p, q, options);
  }
  bool touches(const SightPoint& p) const override {
    return sightline::any_hit(bvh_, shapes_, touch_query(p));
  }

  void for_each_range(std::uint64_t n, const RangeTask& task) const override {
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, n), [&](const auto& range) {
        // Whatever environment the pool gives its threads, this one is ours.
        const FpEnvironment environment;
        task(range.begin(), range.end());
      });
    });
  }

  void for_each_chunk(std::uint64_t n, const RangeTask& task) const {
    const std::uint64_t most = std::clamp<std::uint64_t>(wide_.nodes.size() * 16, 1u << 14, 1u << 18);
    const std::uint64_t chunk = std::clamp<std::uint64_t>(n / (static_cast<std::uint64_t>(threads_) * 4), 4096, most) / 64 * 64;
    const std::uint64_t chunks = (n + chunk - 1) / chunk;
    arena_.execute([&] {
      tbb::parallel_for(std::uint64_t{0}, chunks, [&](std::uint64_t c) {
        const FpEnvironment environment;
        task(c * chunk, std::min(n, (c + 1) * chunk));
      });
    });
  }

  /// Ranges of elements that begin at multiples of 64, so that words of bits are written whole.
  void for_each_word(std::uint64_t n, const RangeTask& task) const {
    for_each_range(words_for(n), [&](std::uint64_t begin, std::uint64_t end) {
      task(begin * 64, std::min(end * 64, n));
    });
  }

  ShapesView shapes_;
  int threads_;
  std::optional<tbb::global_control> more_threads_;
  mutable tbb::task_arena arena_;
  MovingBvh tree_;
  BvhView bvh_;
  WideBvh wide_;
  const Tracer* tracer_;
};

// The old tree stays until nothing can throw any more.
void CpuBackend::update(const ShapesView& shapes, Update how) {
  MovingBvh tree;
  arena_.execute([&] { tree = updated(tree_, shapes, how); });
  tree_ = std::move(tree);
  wide_ = widen(tree_.bvh.view());
  leaves_last();
  bvh_ = tree_.bvh.view();
  shapes_ = shapes;
}

}  // namespace

std::unique_ptr<CastBackend> make_cpu_backend(const ShapesView& shapes,
                                              const CasterOptions& options) {
  return std::make_unique<CpuBackend>(shapes, options);
}

}  // namespace sightline::detail
