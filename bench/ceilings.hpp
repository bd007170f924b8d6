// What the device's memory and its link to the host can do, measured.
#pragma once

#include "bench/rate_table.hpp"

namespace sightline::bench {

/// Copies within the device (bytes read and written are counted), and with pinned memory to it,
/// from it and both ways at once.
void measure_ceilings(Table& table);

}  // namespace sightline::bench
