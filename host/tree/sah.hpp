// The surface area heuristic for all three axes at once.
#pragma once

#include "host/tree/box8.hpp"

#include <cstdint>

namespace sightline::detail {

/// The cost of a range per ray that meets its box, by the number of its shapes: a node, and another
/// for about every four shapes.
inline Float4 sah_weight(const Int4& count) { return __builtin_convertvector(count + 4, Float4); }

/// A cut across an axis: the first `place` bins, or sorted shapes, go left.
struct SahChoice {
  float cost = infinity;
  std::int32_t imbalance = 0;  ///< breaks ties, since flat boxes cost nothing
  int axis = -1, place = 0;    ///< axis -1: no cut
};

/// The best cut so far on each axis. Places begin at 1.
class SahBest {
 public:
  /// On an axis without shapes on one side the cost is NaN, which is never better.
  void offer(const Float4& cost, const Int4& left, const Int4& right, int place) {
    const Int4 d = left - right, imbalance = d < 0 ? -d : d;
    const Int4 better = (cost < cost_) | ((cost == cost_) & (imbalance < imbalance_));
    cost_ = better ? cost : cost_;
    imbalance_ = better ? imbalance : imbalance_;
    place_ = better ? Int4{} + place : place_;
  }

  SahChoice choice() const {
    SahChoice best;
    for (int axis = 0; axis < 3; ++axis) {
      if (place_[axis] == 0) continue;
      if (cost_[axis] < best.cost ||
          (cost_[axis] == best.cost && imbalance_[axis] < best.imbalance)) {
        best = {cost_[axis], imbalance_[axis], axis, place_[axis]};
      }
    }
    return best;
  }

 private:
  Float4 cost_ = Float4{} + infinity;
  Int4 imbalance_ = {}, place_ = {};
};

}  // namespace sightline::detail
