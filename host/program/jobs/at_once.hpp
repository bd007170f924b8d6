// Work on threads of the program's own, as many as the system gives.
#pragma once

#include <cstddef>
#include <functional>

namespace sightline::cli {

/// Calls work(0) on this thread and work(1) .. work(n - 1) on others at the same time, as far as
/// the system gives them: work must take up what others leave. Where one throws, stop() is called,
/// and once all have returned the first exception is thrown here. Returns how many were called.
std::size_t at_once(std::size_t n, const std::function<void(std::size_t)>& work,
                    const std::function<void()>& stop);

}  // namespace sightline::cli
