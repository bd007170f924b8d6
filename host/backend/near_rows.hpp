// A row of nearest shapes while it is found.
#pragma once

#include <sightline/geometry/queries/nearest.hpp>

#include <algorithm>
#include <vector>

namespace sightline::detail {

class NearRow {
 public:
  NearRow(std::uint32_t k, float range) : distance_(k), id_(k), range_(range) {}

  NearList list() {
    return {distance_.data(), id_.data(), static_cast<std::uint32_t>(id_.size()), range_};
  }

  /// Writes it as row i of the outputs; returns how many shapes it has.
  template <class Query, class Out>
  std::uint64_t store(const ShapesView& shapes, const Query& q, std::uint64_t i,
                      const Out& out) const {
    const std::uint64_t k = id_.size(), first = i * k;
    if (out.distance != nullptr) std::copy_n(distance_.data(), k, out.distance + first);
    if (out.id != nullptr) std::copy_n(id_.data(), k, out.id + first);
    for (std::uint64_t j = 0; j < k; ++j) store_places(out, first + j, shapes, q, id_[j]);
    return static_cast<std::uint64_t>(std::find(id_.begin(), id_.end(), none) - id_.begin());
  }

 private:
  std::vector<float> distance_;
  std::vector<std::uint32_t> id_;
  float range_;
};

/// An upper bound of the distance of the k nearest shapes of q: that of the k nearest shapes of the
/// query before, which is close to q. Infinity where those are fewer or do not count for q.
template <class Query>
float reach_of(const ShapesView& shapes, const Query& q, const NearList& before) {
  float reach = -infinity;
  for (std::uint32_t i = 0; i < before.k; ++i) {
    const std::uint32_t id = before.id[i];
    if (id == none || !passes_filter(q, shapes, id)) return infinity;
    const auto distance = [&](const auto& shape) { return distance_to(shape, q); };
    reach = max(reach, shapes.visit(id, distance));
  }
  return reach;
}

}  // namespace sightline::detail
