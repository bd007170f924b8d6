// cast: hits counted, and all hits in rows.
#pragma once

#include "host/files/formats/results_file.hpp"
#include "host/program/engine/inputs.hpp"

namespace sightline::cli {

// Large enough that threads do not wait for each other, small enough to be interrupted soon.
inline constexpr std::uint64_t most_rays_per_chunk = 1 << 20;

/// Counts the hits of all rays, and for all_hits finds them in a second pass, which is cut by the
/// counts so that it keeps to the job's memory. Throws Error{out_of_memory} for a row that by
/// itself does not.
void run_rows(Job& job, const CastArguments& arguments, const Caster& caster,
              const io::RaysSource& rays, io::ResultParameters parameters);

/// Says and reports what has been written.
void tell_result(Job& job, const std::string& file, std::uint64_t bytes);

}  // namespace sightline::cli
