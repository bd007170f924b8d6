// The bounded shapes of a scene as records, kind by kind.
#pragma once

#include "bench/rivals/records.hpp"
#include "host/common/pages.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <array>
#include <vector>

namespace sightline::rivals {

/// Throws Error{usage} where there are planes, which `rival` has not.
void refuse_planes(const ShapesView& shapes, const char* rival);

struct ShapeRecords {
  template <class T>
  using Array = detail::PageVector<T>;  ///< in huge pages, as ours and the rivals' own

  /// In the Morton order of the bounds' centres, or in the scene's; of boxes, of what is round, or
  /// of both.
  ShapeRecords(const ShapesView& shapes, bool in_morton_order, bool boxes, bool round);

  /// Positions are numbers of shapes, kind after kind, in the records' order.
  std::uint32_t id(std::uint32_t position) const {
    return order.empty() ? position : order[position];
  }
  std::uint64_t memory_bytes() const;

  std::array<std::uint32_t, kind_count + 1> first;  ///< position of each kind's first
  std::vector<std::uint32_t> order;                 ///< position -> id; empty: the same
  Array<AabbRecord> aabbs;
  Array<ObbRecord> obbs;
  Array<SphereRecord> spheres;
  Array<CapsuleRecord> capsules;
};

}  // namespace sightline::rivals
