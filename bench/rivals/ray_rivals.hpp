// The ray casters that a build may have, each in files of its own.
#pragma once

#include "bench/duel/rival.hpp"

namespace sightline::rivals {

namespace embree3 {
std::unique_ptr<bench::Rival> make_rival();
}
namespace embree4 {
std::unique_ptr<bench::Rival> make_rival();
}
namespace tinybvh {
std::unique_ptr<bench::Rival> make_rival();
}

}  // namespace sightline::rivals
