// Jobs for the cuda backend that use every part of it, and the bytes they must give.
#pragma once

#include "tests/support/every_query.hpp"

#include <functional>
#include <string_view>

namespace sightline::testing {

/// A scene and what is done with its caster. May be done again and again.
struct Job {
  const char* name;
  Scene scene;
  CudaOptions options;  ///< of the cuda backend: chunks small enough that there are many
  std::function<Bytes(const CasterOptions&, Caster&)> work;

  Caster caster() const { return Caster(scene, options); }
  Bytes run(Caster& caster) const { return work(options, caster); }
  /// What run() gives on the reference backend.
  Bytes truth() const {
    Caster reference(scene, ReferenceOptions{});
    return work(ReferenceOptions{}, reference);
  }
};

/// A query of the table, by its name: n of what asks.
Job query_job(std::string_view name, const CudaOptions& options, std::uint64_t n);
/// A tree built, refitted and rebuilt, and cast in each time.
Job update_job(const CudaOptions& options);

/// Closest hit and any hit of some rays.
Bytes cast_all(const Caster& caster);

}  // namespace sightline::testing
