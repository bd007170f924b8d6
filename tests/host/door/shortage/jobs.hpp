// Calls of the library whose arrays exist before the call. Only the library allocates in them.
#pragma once

#include <sightline/caster.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace sightline::testing {

struct ShortageJob {
  const char* name;
  /// A sum over all that it answers.
  std::function<std::uint64_t()> run;
};
/// Each call of the public door, on a caster of so many threads.
std::vector<ShortageJob> shortage_jobs(int threads);

/// A scene of every kind.
Scene shortage_scene(int shapes);

}  // namespace sightline::testing
