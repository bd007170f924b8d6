#include "host/bakes/visibility/at_once.hpp"
#include "host/common/checks.hpp"

#include <sightline/error.hpp>
#include <sightline/visibility.hpp>

#include <algorithm>
#include <bit>

namespace sightline {
namespace {

using detail::block_side;

/// Adds rows, which are targets.
void add_rows(std::span<const std::uint64_t> bits, std::uint64_t words,
              std::span<std::uint32_t> counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (const std::uint64_t word : bits.subspan(i * words, words)) {
      counts[i] += static_cast<std::uint32_t>(std::popcount(word));
    }
  }
}

/// Adds columns, which are targets: fields of view belong to rows.
void add_columns(std::span<const std::uint64_t> bits, std::uint64_t words,
                 std::span<std::uint32_t> counts) {
  for (std::size_t k = 0; k < bits.size(); ++k) {
    const std::size_t first = k % words * 64;
    for (std::uint64_t word = bits[k]; word != 0; word &= word - 1) {
      ++counts[first + static_cast<std::size_t>(std::countr_zero(word))];
    }
  }
}

}  // namespace

Counts<VisibilityReport> exposure(const Caster& caster, const PointsView& viewpoints,
                                  const std::optional<FieldsView>& fields, const PointsView& given,
                                  const VisibilityOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  return detail::in_words([&] {
    const PointsView targets = detail::counted(given);
    Counts<VisibilityReport> counts{std::vector<std::uint32_t>(targets.count)};
    counts.report = exposure(caster, viewpoints, fields, targets, counts.counts, options);
    return counts;
  });
}

VisibilityReport exposure(const Caster& caster, const PointsView& eyes,
                          const std::optional<FieldsView>& fields, const PointsView& given,
                          std::span<std::uint32_t> counts, const VisibilityOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  return detail::in_words([&] {
    const PointsView viewpoints = detail::counted(eyes), targets = detail::counted(given);
    if (fields) detail::check_columns(*fields, viewpoints.count);
    if (counts.size() != targets.count || viewpoints.count > none) {
      throw Error(ErrorKind::usage,
                  "counts are one for each target, of at most 2^32 - 1 viewpoints");
    }
    std::fill(counts.begin(), counts.end(), 0);
    VisibilityReport total;
    std::vector<std::uint64_t> bits;
    // Once where there are none: the points of the other side are counted in any case.
    for (std::uint64_t j = 0; j == 0 || j < targets.count; j += block_side) {
      const std::uint64_t width = std::min(block_side, targets.count - j);
      const PointsView to = targets.slice(j, width);
      const std::span<std::uint32_t> block = counts.subspan(j, width);
      for (std::uint64_t i = 0; i == 0 || i < viewpoints.count; i += block_side) {
        const std::uint64_t height = std::min(block_side, viewpoints.count - i);
        const PointsView from = viewpoints.slice(i, height);
        const std::uint64_t words = bit_words(fields ? width : height);
        bits.assign((fields ? height : width) * words, 0);
        VisibilityReport part;
        if (fields) {
          part = caster.visibility(from, fields->slice(i, height), to, bits, options);
          add_columns(bits, words, block);
        } else {
          part = caster.visibility(to, from, bits, options);
          std::swap(part.bad_viewpoints, part.bad_targets);
          std::swap(part.touching_viewpoints, part.touching_targets);
          add_rows(bits, words, block);
        }
        total.pairs += part.pairs;
        total.visible += part.visible;
        total.in_field += part.in_field;
        // Each point counts once.
        if (j == 0) total.bad_viewpoints += part.bad_viewpoints;
        if (j == 0) total.touching_viewpoints += part.touching_viewpoints;
        if (j == 0) total.bad_fields += part.bad_fields;
        if (i == 0) total.bad_targets += part.bad_targets;
        if (i == 0) total.touching_targets += part.touching_targets;
      }
    }
    return total;
  });
}

}  // namespace sightline
