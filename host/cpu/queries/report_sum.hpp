// The report of a cast, gathered from many threads.
#pragma once

#include <sightline/answers.hpp>

#include <atomic>

namespace sightline::detail {

class ReportSum {
 public:
  /// Adds what was seen of the rays of one part.
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

}  // namespace sightline::detail
