#include "bench/rivals/embree_callback_bodies.hpp"

namespace sightline::rivals::SIGHTLINE_EMBREE_API {

AllCallbacks callbacks_for_avx2() { return all_callbacks; }

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
