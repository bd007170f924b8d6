// What the device's memory and its link to the host can do, measured.
#pragma once

#include "bench/rate_table.hpp"

namespace sightline::bench {

/// Copies within the device (bytes read and written are counted), and with pinned memory to it,
/// from it and both ways at once. Within the device `device_bytes` are copied, over the link a
/// quarter of them.
void measure_ceilings(Table& table, std::uint64_t device_bytes);

}  // namespace sightline::bench
