#include "host/cpu/cpu_backend.hpp"

#include "host/cpu/builder.hpp"
#include "host/cpu/lanes/trace.hpp"
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
  if (query.ray.bad && part.bad_rays++ == 0) part.first_bad_ray = i;
}

class Batch {
 public:
  static constexpr int capacity = 512;
  explicit Batch(const TraceScene& scene) : scene_(scene), rays_(capacity), filters_(capacity) {}

  void add(const Ray& ray, Inside inside) {
    const Query q = make_query(ray, inside);
    RayRecord& r = rays_[static_cast<std::size_t>(count_++)];
    const Line& l = q.ray.line;
    const auto& d = l.direction;
    r = {{l.origin.x, l.origin.y, l.origin.z},
         q.ray.t_min,
         {d.x, d.y, d.z},
         q.ray.t_max,
         {l.inverse.x, l.inverse.y, l.inverse.z},
         none,
         l.dd.hi,
         l.dd.lo,
         largest_float,
         (d.x < 0 ? 1u : 0u) | (d.y < 0 ? 2u : 0u) | (d.z < 0 ? 4u : 0u) |
             (l.is_point ? record_flags::is_point : 0) | (q.ray.bad ? record_flags::bad : 0)};
    RayFilter& f = filters_[static_cast<std::size_t>(count_ - 1)];
    f = {q.mask, {q.exclude[0], q.exclude[1]}, {q.exclude_group[0], q.exclude_group[1]}};
    filtered_ |= scene_.shapes.mask != nullptr || scene_.shapes.group != nullptr || f.mask != ~0u || f.exclude[0] != none || f.exclude[1] != none;
    if (q.ray.bad) return;
    const ShapesView& shapes = scene_.shapes;
    Best best;
    for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
      if (counts(q, shapes, id)) best.offer(cast_shape(q, shapes, id), id);
    }
    r.limit = best.t;
    r.best = best.id;
    if (best.started_inside) r.flags |= record_flags::started_inside;
  }
  void trace(const Tracer& tracer, Ask ask, Inside inside) {
    if (scene_.nodes == nullptr) return;
    if (!scratch_) {
      scratch_.reset(static_cast<std::byte*>(::operator new(
          tracer.scratch_bytes(scene_.depth), std::align_val_t{64})));
    }
    tracer.trace(scene_, {rays_.data(), filtered_ ? filters_.data() : nullptr, count_}, ask, inside, scratch_.get());
  }
  const RayRecord& ray(std::uint64_t i) const { return rays_[i]; }
  void clear() { count_ = 0; filtered_ = false; }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  const TraceScene scene_;
  std::vector<RayRecord> rays_;
  std::vector<RayFilter> filters_;
  bool filtered_ = false;
  std::unique_ptr<std::byte, Free> scratch_;
  int count_ = 0;
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
    const char* want = std::getenv("SIGHTLINE_LANES");
    const std::string w = want ? want : "avx512";
    tracer_ = w == "portable" ? &tracer_portable() : w == "avx2" ? &tracer_avx2() : &tracer_avx512();
  }
  TraceScene trace_scene() const {
    return {wide_.nodes.empty() ? nullptr : wide_.nodes.data(), wide_.depth, shapes_};
  }

  CastReport closest_hit(const RaysView& rays, const HitsView& hits, Inside inside) const override {
    ReportSum sum;
    for_each_word(rays.count, [&](std::uint64_t begin, std::uint64_t end) {
      CastReport part;
      Batch batch(trace_scene());
      for (std::uint64_t first = begin; first < end; first += Batch::capacity) {
        const std::uint64_t n = std::min<std::uint64_t>(Batch::capacity, end - first);
        for (std::uint64_t i = 0; i < n; ++i) batch.add(rays[first + i], inside);
        batch.trace(*tracer_, Ask::closest, inside);
        for (std::uint64_t i = 0; i < n; ++i) {
          const Ray ray = rays[first + i];
          const RayRecord& r = batch.ray(i);
          const Best best = {r.limit, r.best, (r.flags & record_flags::started_inside) != 0};
          Query q{};
          q.ray.bad = (r.flags & record_flags::bad) != 0;
          if (best.id != none) q = make_query(ray, inside);
          hits.store(first + i, hit_of(q, shapes_, best, ray, hits.normal != nullptr));
          count_ray(part, first + i, q, best.id != none);
        }
        batch.clear();
      }
      sum.add(part);
    });
    return sum.total(rays.count);
  }

  CastReport any_hit(const RaysView& rays, std::uint64_t* blocked, Inside inside) const override {
    ReportSum sum;
    for_each_word(rays.count, [&](std::uint64_t begin, std::uint64_t end) {
      CastReport part;
      Batch batch(trace_scene());
      for (std::uint64_t first = begin; first < end; first += Batch::capacity) {
        const std::uint64_t n = std::min<std::uint64_t>(Batch::capacity, end - first);
        for (std::uint64_t i = 0; i < n; ++i) batch.add(rays[first + i], inside);
        batch.trace(*tracer_, Ask::any, inside);
        for (std::uint64_t w = 0; w < n; w += 64) {
          std::uint64_t word = 0;
          for (std::uint64_t i = w; i < std::min(w + 64, n); ++i) {
            const RayRecord& r = batch.ray(i);
            word |= std::uint64_t{r.best != none} << (i - w);
            Query q{};
            q.ray.bad = (r.flags & record_flags::bad) != 0;
            count_ray(part, first + i, q, r.best != none);
          }
          blocked[(first + w) / 64] = word;
        }
        batch.clear();
      }
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
  bvh_ = tree_.bvh.view();
  shapes_ = shapes;
}

}  // namespace

std::unique_ptr<CastBackend> make_cpu_backend(const ShapesView& shapes,
                                              const CasterOptions& options) {
  return std::make_unique<CpuBackend>(shapes, options);
}

}  // namespace sightline::detail
