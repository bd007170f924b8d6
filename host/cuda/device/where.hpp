// The place in the source that a message names.
#pragma once

namespace sightline::cuda {

/// What std::source_location is, which not every compiler of ours has.
struct Where {
  const char* file;
  unsigned line;

  /// As a default argument: the place of the call.
  static constexpr Where here(const char* file = __builtin_FILE(),
                              unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace sightline::cuda
