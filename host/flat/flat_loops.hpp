// Circles and segments at every shape of a set, one after the other.
#pragma once

#include <sightline/flat/columns.hpp>
#include <sightline/flat/query.hpp>

namespace sightline::detail {

/// Calls leaf(id) for every shape that the circle overlaps, until it says true.
template <class Leaf>
void for_each_overlap_of_all(const FlatShapesView& shapes, const CircleQuery& q, const Leaf& leaf) {
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    if (overlaps_shape(q, shapes, id) && leaf(id)) return;
  }
}

inline void offer_every_shape(const FlatShapesView& shapes, SegmentSearch& s) {
  for (std::uint32_t id = 0; id < shapes.size(); ++id) offer_shape(s, shapes, id);
}

/// Writes hits [begin, end), which search(s) finds; returns how many there are.
template <class Search>
std::uint64_t cast_segments(const SegmentsView& segments, std::uint64_t begin, std::uint64_t end,
                            Inside inside, const HitsView& hits, const Search& search) {
  std::uint64_t found = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    const Segment2 segment = segments[i];
    if (is_bad(segment)) {
      hits.store(i, hit_of_bad_segment());
      continue;
    }
    SegmentSearch s = segment_search(segment, inside, segments.mask[i]);
    search(s);
    hits.store(i, hit_of(s));
    found += s.id != none;
  }
  return found;
}

}  // namespace sightline::detail
