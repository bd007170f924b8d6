// Where the tests find what is not theirs: the sources they read data from, and the program. Both
// are known from the build; the environment, by the same names, overrides them elsewhere. Tests on
// the stand-in device have a program of their own, SIGHTLINE_PROGRAM_ON_STANDIN.
#pragma once

#include "tests/support/scale.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace sightline::testing {

/// The root of the source tree.
inline std::filesystem::path source_folder() {
  const char* set = std::getenv("SIGHTLINE_SOURCE_DIR");
  return set != nullptr ? set : SIGHTLINE_SOURCE_DIR;
}

/// The program `sightline`, on the device that the test is on.
inline std::string program_path() {
  const char* set =
      std::getenv(on_standin() ? "SIGHTLINE_PROGRAM_ON_STANDIN" : "SIGHTLINE_PROGRAM");
  if (set != nullptr) return set;
  return on_standin() ? SIGHTLINE_PROGRAM_ON_STANDIN : SIGHTLINE_PROGRAM;
}

/// Data that is no part of the repository: SIGHTLINE_SHARED, or beside the sources.
inline std::filesystem::path shared_folder() {
  const char* set = std::getenv("SIGHTLINE_SHARED");
  return set != nullptr ? std::filesystem::path(set) : source_folder() / ".." / "shared";
}

}  // namespace sightline::testing
