// How many viewpoints see each target: exposure, or the cumulative viewshed.
#pragma once

#include <sightline/caster.hpp>

#include <optional>
#include <span>

namespace sightline {

/// counts [targets.count]: how many of the viewpoints, which are below 2^32, see each target;
/// within their fields of view where there are any. Bits are not kept: takes some 4 MB whatever the
/// numbers. A point that is both counts itself where it sees itself. Throws Error{usage} for
/// another size.
VisibilityReport exposure(const Caster& caster, const PointsView& viewpoints,
                          const std::optional<FieldsView>& fields, const PointsView& targets,
                          std::span<std::uint32_t> counts, const VisibilityOptions& options = {});

}  // namespace sightline
