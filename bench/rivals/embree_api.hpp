// Embree's interface for the files that are compiled once for Embree 3 and once for Embree 4, each
// in a namespace of its own.
#pragma once

#include <cstdlib>
#include <string>

#ifndef SIGHTLINE_EMBREE_VERSION
#define SIGHTLINE_EMBREE_VERSION 3
#endif

#if SIGHTLINE_EMBREE_VERSION == 3
#include <embree3/rtcore.h>
#define SIGHTLINE_EMBREE_API embree3
#else
#include "bench/rivals/embree4.hpp"
#define SIGHTLINE_EMBREE_API embree4
#endif

namespace sightline::rivals::SIGHTLINE_EMBREE_API {

/// Embree's name of the widest instructions that it may use, from the environment; "": any.
inline std::string widest_instructions() {
  const char* isa = std::getenv("SIGHTLINE_EMBREE_ISA");
  return isa == nullptr ? "" : isa;
}

/// Options of a device, whose threads are limited to so many; 0: not limited.
inline std::string device_options(int threads = 0) {
  const std::string isa = widest_instructions();
  std::string options = isa.empty() ? "" : "isa=" + isa;
  // Embree 4 has a oneTBB of its own; Embree 3 builds on ours, whose threads are limited meanwhile.
  if (SIGHTLINE_EMBREE_VERSION == 4 && threads > 0) {
    options += (options.empty() ? "threads=" : ",threads=") + std::to_string(threads);
  }
  return options;
}

#if SIGHTLINE_EMBREE_VERSION == 3
/// It is linked.
inline std::string problem_of_library() { return ""; }
#else
inline std::string problem_of_library() { return open_library(); }
#endif

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
