// The threads that pack chunks and build careful trees.
#pragma once

#include "host/common/workers.hpp"

namespace sightline::cuda {

/// All cores', made at the first call. A job in them runs on any of them: it makes no calls of the
/// runtime, for which a thread's device would have to be set.
inline const detail::Workers& all_cores() {
  static const detail::Workers workers(0);
  return workers;
}

}  // namespace sightline::cuda
