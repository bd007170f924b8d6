// The list of all kinds of results.
#pragma once

#include "host/cli/results/result.hpp"

namespace sightline::cli {

/// An empty result of the kind that the metadata of `file` names. Throws Error{bad_input} where
/// they name none.
std::unique_ptr<Result> new_result(const std::string& file, const io::Metadata& metadata);
/// Whether there is a kind of this name.
bool is_result_kind(std::string_view kind);

// Each in its own file.
std::unique_ptr<Result> new_distance();
std::unique_ptr<Result> new_clearance();
std::unique_ptr<Result> new_visibility();

}  // namespace sightline::cli
