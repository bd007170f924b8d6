// Jobs for the cuda backend that use every part of it, and the bytes they must give.
#pragma once

#include <sightline/caster.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sightline::testing {

using Bytes = std::vector<std::byte>;

/// A scene and what is done with its caster. May be done again and again.
struct Job {
  const char* name;
  Scene scene;
  CasterOptions options;  ///< of the cuda backend: chunks small enough that there are many
  std::function<Bytes(Caster&)> run;

  Caster caster() const { return Caster(scene, Backend::cuda, options); }
  /// What run() gives on the reference backend.
  Bytes truth() const {
    Caster reference(scene, Backend::reference);
    return run(reference);
  }
};

/// Closest hit and any hit of several chunks.
Job cast_job(const CasterOptions& options, std::uint64_t rays = 300);
/// All hits and their counts, of several chunks, and of rows longer than chunks of a few.
Job rows_job(const CasterOptions& options, std::uint64_t rays = 150);
/// A matrix, a set against itself, and pairs.
Job visibility_job(const CasterOptions& options, std::uint64_t points = 90);
/// A tree built, refitted and rebuilt, and cast in each time.
Job update_job(const CasterOptions& options);

/// Closest hit and any hit of the rays that the jobs cast.
Bytes cast_all(const Caster& caster, std::uint64_t rays = 150);

}  // namespace sightline::testing
