// Embree's interface for the files that are compiled once for Embree 3 and once for Embree 4, each
// in a namespace of its own.
#pragma once

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

#if SIGHTLINE_EMBREE_VERSION == 3
/// It is linked.
inline std::string problem_of_library() { return ""; }
/// It builds on our oneTBB, whose threads are limited while it does.
inline std::string device_options(int) { return ""; }
#else
inline std::string problem_of_library() { return open_library(); }
/// It has a oneTBB of its own.
inline std::string device_options(int threads) { return "threads=" + std::to_string(threads); }
#endif

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
