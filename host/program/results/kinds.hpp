// The list of all kinds of results.
#pragma once

#include "host/program/arguments/arguments.hpp"
#include "host/program/results/result.hpp"

namespace sightline::cli {

/// An empty result of the kind that the metadata of `file` names. Throws Error{bad_input} where
/// they name none.
std::unique_ptr<Result> new_result(const std::string& file, const io::Metadata& metadata);
/// Whether there is a kind of this name.
bool is_result_kind(std::string_view kind);

// Each in its own file.
std::unique_ptr<Result> new_rays(CastQueryKind query);
std::unique_ptr<Result> new_sweep();
std::unique_ptr<Result> new_overlaps(OverlapQueryKind query);
std::unique_ptr<Result> new_circles(OverlapQueryKind query);
std::unique_ptr<Result> new_segments();
std::unique_ptr<Result> new_distance();
std::unique_ptr<Result> new_clearance();
std::unique_ptr<Result> new_visibility();
std::unique_ptr<Result> new_area_visibility();
std::unique_ptr<Result> new_visible_sets();
std::unique_ptr<Result> new_exposure();
std::unique_ptr<Result> new_probes();
std::unique_ptr<Result> new_cover();

}  // namespace sightline::cli
