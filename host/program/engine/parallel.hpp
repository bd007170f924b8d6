// Independent pieces of a job on several threads, with progress and interruption.
#pragma once

#include "host/program/engine/progress.hpp"

#include <functional>

namespace sightline::cli {

/// Calls work(i) once for every i in [0, count), on `threads` threads (0 = all cores), and shows
/// what they return, summed, as progress. The first exception of a piece, or an interruption, ends
/// the rest and is thrown here.
void for_each_piece(std::uint64_t count, int threads, Progress& progress,
                    const std::function<std::uint64_t(std::uint64_t)>& work);

}  // namespace sightline::cli
