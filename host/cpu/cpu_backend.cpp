#include "host/cpu/cpu_backend.hpp"

#include "host/cpu/builder.hpp"
#include "host/cpu/refit.hpp"
#include "host/fp_environment.hpp"
#include "host/visibility/visibility.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
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
  }

  CastReport closest_hit(const RaysView& rays, const HitsView& hits, Inside inside) const override {
    ReportSum sum;
    for_each_word(rays.count, [&](std::uint64_t begin, std::uint64_t end) {
      CastReport part;
      for (std::uint64_t i = begin; i < end; ++i) {
        const Ray ray = rays[i];
        const Query query = make_query(ray, inside);
        const Best best = sightline::closest_hit(bvh_, shapes_, query);
        hits.store(i, hit_of(query, shapes_, best, ray, hits.normal != nullptr));
        count_ray(part, i, query, best.id != none);
      }
      sum.add(part);
    });
    return sum.total(rays.count);
  }

  CastReport any_hit(const RaysView& rays, std::uint64_t* blocked, Inside inside) const override {
    ReportSum sum;
    for_each_word(rays.count, [&](std::uint64_t begin, std::uint64_t end) {
      CastReport part;
      for (std::uint64_t first = begin; first < end; first += 64) {
        std::uint64_t word = 0;
        for (std::uint64_t i = first; i < std::min(first + 64, end); ++i) {
          const Query query = make_query(rays[i], inside);
          const bool hit = sightline::any_hit(bvh_, shapes_, query);
          word |= std::uint64_t{hit} << (i - first);
          count_ray(part, i, query, hit);
        }
        blocked[first / 64] = word;
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
};

// The old tree stays until nothing can throw any more.
void CpuBackend::update(const ShapesView& shapes, Update how) {
  MovingBvh tree;
  arena_.execute([&] { tree = updated(tree_, shapes, how); });
  tree_ = std::move(tree);
  bvh_ = tree_.bvh.view();
  shapes_ = shapes;
}

}  // namespace

std::unique_ptr<CastBackend> make_cpu_backend(const ShapesView& shapes,
                                              const CasterOptions& options) {
  return std::make_unique<CpuBackend>(shapes, options);
}

}  // namespace sightline::detail
