#include "host/reference/visibility.hpp"

#include <sightline/queries/field_of_view.hpp>

#include <algorithm>
#include <atomic>
#include <bit>

namespace sightline::detail {
namespace {

using Counter = std::atomic<std::uint64_t>;

std::uint64_t bit(std::uint64_t i) { return std::uint64_t{1} << i; }

/// The points of one word's bits; at most 64.
struct Block {
  SightPoint point[64];
  std::uint64_t count;

  Block(const PointsView& points, std::uint64_t block) {
    const std::uint64_t first = block * 64;
    count = std::min<std::uint64_t>(64, points.count - first);
    for (std::uint64_t k = 0; k < count; ++k) point[k] = points[first + k];
  }
};

}  // namespace

PairwiseBackend::PointCounts PairwiseBackend::count_points(const PointsView& points) const {
  Counter bad{0}, touching{0};
  for_each_range(points.count, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t bad_here = 0, touching_here = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      const SightPoint p = points[i];
      if (is_bad(p)) {
        ++bad_here;
      } else if (touches(p)) {
        ++touching_here;
      }
    }
    bad += bad_here;
    touching += touching_here;
  });
  return {bad, touching};
}

VisibilityReport PairwiseBackend::matrix(const PointsView& viewpoints, const FieldsView* fields,
                                         const PointsView& targets, std::uint64_t* bits,
                                         const SightOptions& options) const {
  const std::uint64_t words = words_for(targets.count);
  Counter visible{0}, in_fields{0};
  for_each_range(viewpoints.count * words, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t visible_here = 0, in_fields_here = 0;
    for (std::uint64_t k = begin; k < end; ++k) {
      const SightPoint p = viewpoints[k / words];
      FieldTest field{};
      if (fields != nullptr) field = field_test((*fields)[k / words], fields->shape);
      const std::uint64_t first = k % words * 64;
      const std::uint64_t last = std::min(first + 64, targets.count);
      std::uint64_t word = 0;
      for (std::uint64_t j = first; j < last; ++j) {
        if (fields != nullptr && !in_field(field, p, targets[j])) continue;
        ++in_fields_here;
        if (sees(p, targets[j], options)) word |= bit(j - first);
      }
      bits[k] = word;
      visible_here += static_cast<std::uint64_t>(std::popcount(word));
    }
    visible += visible_here;
    in_fields += in_fields_here;
  });
  const PointCounts from = count_points(viewpoints), to = count_points(targets);
  return {viewpoints.count * targets.count,
          visible,
          from.bad,
          to.bad,
          from.touching,
          to.touching,
          in_fields,
          0};
}

VisibilityReport PairwiseBackend::visibility(const PointsView& viewpoints,
                                             const PointsView& targets, std::uint64_t* bits,
                                             const SightOptions& options) const {
  return matrix(viewpoints, nullptr, targets, bits, options);
}

VisibilityReport PairwiseBackend::visibility(const PointsView& viewpoints, const FieldsView& fields,
                                             const PointsView& targets, std::uint64_t* bits,
                                             const SightOptions& options) const {
  return matrix(viewpoints, &fields, targets, bits, options);
}

// Blocks of 64 x 64 pairs on and above the diagonal; each is written as it stands and mirrored, so
// that every word of the matrix belongs to exactly one block.
VisibilityReport PairwiseBackend::visibility(const PointsView& points, std::uint64_t* bits,
                                             const SightOptions& options) const {
  const std::uint64_t words = words_for(points.count);
  Counter visible{0};
  for_each_range(words * words, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t visible_here = 0;
    for (std::uint64_t k = begin; k < end; ++k) {
      const std::uint64_t bi = k / words, bj = k % words;
      if (bj < bi) continue;
      const Block rows(points, bi), columns(points, bj);
      std::uint64_t row_word[64] = {}, column_word[64] = {};
      for (std::uint64_t i = 0; i < rows.count; ++i) {
        for (std::uint64_t j = bi == bj ? i : 0; j < columns.count; ++j) {
          if (!sees(rows.point[i], columns.point[j], options)) continue;
          row_word[i] |= bit(j);
          column_word[j] |= bit(i);
        }
      }
      for (std::uint64_t i = 0; i < rows.count; ++i) {
        if (bi == bj) row_word[i] |= column_word[i];
        bits[(bi * 64 + i) * words + bj] = row_word[i];
        visible_here += static_cast<std::uint64_t>(std::popcount(row_word[i]));
      }
      for (std::uint64_t j = 0; bi != bj && j < columns.count; ++j) {
        bits[(bj * 64 + j) * words + bi] = column_word[j];
        visible_here += static_cast<std::uint64_t>(std::popcount(column_word[j]));
      }
    }
    visible += visible_here;
  });
  const PointCounts both = count_points(points);
  return {points.count * points.count, visible, both.bad, both.bad, both.touching, both.touching};
}

VisibilityReport PairwiseBackend::visibility_pairs(const PointsView& from, const PointsView& to,
                                                   std::uint64_t* bits,
                                                   const SightOptions& options) const {
  Counter visible{0};
  for_each_range(words_for(from.count), [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t visible_here = 0;
    for (std::uint64_t k = begin; k < end; ++k) {
      const std::uint64_t first = k * 64, last = std::min(first + 64, from.count);
      std::uint64_t word = 0;
      for (std::uint64_t i = first; i < last; ++i) {
        if (sees(from[i], to[i], options)) word |= bit(i - first);
      }
      bits[k] = word;
      visible_here += static_cast<std::uint64_t>(std::popcount(word));
    }
    visible += visible_here;
  });
  const PointCounts a = count_points(from), b = count_points(to);
  return {from.count, visible, a.bad, b.bad, a.touching, b.touching};
}

}  // namespace sightline::detail
