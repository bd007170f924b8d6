// A build without cuBQL.
#include "bench/drivers/device.hpp"

namespace sightline::bench {

void add_device_rivals(const SceneName&) {}

}  // namespace sightline::bench
