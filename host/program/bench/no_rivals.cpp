// In place of bench/rivals: the program as people install it has only itself to measure.
#include "host/program/bench/rival.hpp"

namespace sightline::cli {

std::vector<std::unique_ptr<Rival>> make_rivals() { return {}; }

}  // namespace sightline::cli
