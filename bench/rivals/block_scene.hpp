// A rival's scene that is cast in by blocks of a batch, on threads of its own.
#pragma once

#include "bench/duel/rival.hpp"
#include "bench/rivals/ray_batch.hpp"
#include "bench/rivals/ray_order.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <optional>

namespace sightline::rivals {

class BlockScene : public bench::RivalScene {
 public:
  explicit BlockScene(int threads);

  void closest_hit(std::size_t way, const RaysView& rays, float* t, std::uint32_t* id) final;
  void any_hit(std::size_t way, const RaysView& rays, std::uint64_t* blocked) final;

 protected:
  virtual bool is_sorted(std::size_t way) const = 0;
  /// Positions [begin, end) of the batch: t [n], id [n]. Denormals are flushed.
  virtual void closest_block(std::size_t way, const RayBatch& batch, std::uint64_t begin,
                             std::uint64_t end, float* t, std::uint32_t* id) const = 0;
  /// The same: blocked [n], 0 or 1.
  virtual void any_block(std::size_t way, const RayBatch& batch, std::uint64_t begin,
                         std::uint64_t end, std::uint8_t* blocked) const = 0;

 private:
  RayBatch batch_of(std::size_t way, const RaysView& rays) {
    return {&rays, is_sorted(way) ? order_.sort(rays) : nullptr};
  }

  std::optional<tbb::global_control> more_threads_;
  tbb::task_arena arena_;
  RayOrder order_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace sightline::rivals
