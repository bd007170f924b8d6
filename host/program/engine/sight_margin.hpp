// Lines of sight that leave out a length of every segment at both its ends.
#pragma once

#include <sightline/caster.hpp>

#include <optional>
#include <span>
#include <vector>

namespace sightline::cli {

/// Whether from[i] and to[i] see each other, as bit i % 64 of bits[i / 64]: by visibility_pairs()
/// of the segment's part that begins and ends `margin` within it, each place computed in binary64
/// and rounded once; of a segment of at most twice the margin, its middle. The options' range is of
/// the whole segment, and their own margin does not count.
void visible_pairs(const Caster& caster, std::vector<SightPoint> from, std::vector<SightPoint> to,
                   std::span<std::uint64_t> bits, const VisibilityOptions& options, float margin);

/// The same for all pairs, within fields of view where there are any: bits [from.count,
/// ceil(to.count / 64)].
void visible_matrix(const Caster& caster, const PointsView& from,
                    const std::optional<FieldsView>& fields, const PointsView& to,
                    std::span<std::uint64_t> bits, const VisibilityOptions& options, float margin);

}  // namespace sightline::cli
