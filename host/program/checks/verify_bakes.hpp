// verify: bakes, a sample of their elements.
#pragma once

#include "host/program/checks/verify.hpp"
#include "host/program/engine/bakes.hpp"

namespace sightline::cli {

struct BakeVerification {
  Job& job;
  const VerifyArguments& arguments;
  const io::BakeReader& result;
  const Caster& judge;  ///< the reference
  const io::Metadata& scene;
};

/// What of a bake is recomputed, one by one.
struct BakeElements {
  std::uint64_t count;
  const char* unit;
};
BakeElements bake_elements(const io::BakeParameters& parameters);

/// Throws Error{usage} where what the bake was computed from is not named, or something else is.
void require_bake_arguments(const VerifyArguments& arguments, const io::BakeParameters& parameters);

/// Recomputes the sample's elements. Throws Error{bad_input} for other inputs than the bake's.
void verify_bake(const BakeVerification& v, Differences& differences);

/// Calls check(i) for each element of the sample, on many threads.
void for_each_element(const BakeVerification& v, Differences& differences,
                      const std::function<void(std::uint64_t)>& check);

/// Recomputes pairs of areas: classes and counts, or whether they are in each other's sets.
void verify_areas(const BakeVerification& v, Differences& differences);

/// Recomputes targets of an exposure, and points of probes or of cover.
void verify_points(const BakeVerification& v, Differences& differences);

}  // namespace sightline::cli
