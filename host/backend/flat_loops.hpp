// A 2D backend on the host, for any way to search the set.
#pragma once

#include "host/backend/flat_backend.hpp"
#include "host/backend/overlap_rows.hpp"

#include <sightline/flat_shapes.hpp>
#include <sightline/geometry/flat/flat_query.hpp>

namespace sightline::detail {

/// Circles; bad ones overlap nothing.
template <class Search, class Asked>
typename Asked::Report answer_flat_by_search(const Search& search, const Asked& asked) {
  const CirclesView& circles = asked.queries;
  const auto find_one = [&](std::uint64_t i, const auto& leaf) {
    if (is_bad(circles[i])) return;
    const CircleQuery q = circle_query(circles[i], circles.mask[i]);
    search.candidates(
        q, [&](std::uint32_t id) { return overlaps_shape(q, search.shapes, id) && leaf(id); });
  };
  return answer_overlaps(QueriesInTurn<Search, decltype(find_one)>{search, circles.count, find_one},
                         asked);
}
template <class Search>
std::uint64_t answer_flat_by_search(const Search& search, const SegmentHits& asked) {
  ReportSum<std::uint64_t> found;
  search.for_each_part(asked.segments.count, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t here = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      const Segment2 segment = asked.segments[i];
      if (is_bad(segment)) {
        asked.hits.store(i, hit_of_bad_segment());
        continue;
      }
      SegmentSearch s = segment_search(segment, asked.inside, asked.segments.mask[i]);
      search.find(s);
      asked.hits.store(i, hit_of(s));
      here += s.id != none;
    }
    found += here;
  });
  return found.total();
}

/// A `Search` has the shapes, a description and
///   candidates(q, leaf)    calls leaf(id) for at least every shape whose bounds overlap those of a
///                          circle, until leaf returns true
///   find(s)                offers every shape that may come first to a segment's search
///   for_each_part(n, use)  calls use(begin, end) for all parts, which begin at multiples of 64,
///                          possibly in parallel
template <class Search>
class FlatLoops final : public FlatBackend {
 public:
  template <class... Arguments>
  explicit FlatLoops(const Arguments&... arguments) : search_(arguments...) {}

#define SIGHTLINE_ANSWER(Query)                             \
  Query::Report answer(const Query& query) const override { \
    return answer_flat_by_search(search_, query);           \
  }
  SIGHTLINE_FOR_EACH_FLAT_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

  std::string description() const override { return search_.description(); }
  std::uint64_t memory_bytes() const override { return search_.memory_bytes(); }

 private:
  Search search_;
};

}  // namespace sightline::detail
