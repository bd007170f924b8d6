#include "bench/rivals/ray_rivals.hpp"

namespace sightline::bench {

std::vector<std::unique_ptr<Rival>> make_rivals() {
  std::vector<std::unique_ptr<Rival>> all;
#ifdef SIGHTLINE_EMBREE3
  all.push_back(rivals::embree3::make_rival());
#endif
  all.push_back(rivals::embree4::make_rival());
#ifdef SIGHTLINE_TINYBVH
  all.push_back(rivals::tinybvh::make_rival());
#endif
  return all;
}

}  // namespace sightline::bench
