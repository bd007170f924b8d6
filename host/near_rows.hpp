// A row of nearest shapes while it is found.
#pragma once

#include <sightline/nearest_query.hpp>

#include <algorithm>
#include <vector>

namespace sightline::detail {

class NearRow {
 public:
  NearRow(std::uint32_t k, float range) : distance_(k), id_(k), range_(range) {}

  NearList list() {
    return {distance_.data(), id_.data(), static_cast<std::uint32_t>(id_.size()), range_};
  }

  /// Writes it as row i of what was asked for; returns how many it has.
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

}  // namespace sightline::detail
