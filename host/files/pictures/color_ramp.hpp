// Colors for numbers.
#pragma once

#include "host/files/pictures/canvas.hpp"

namespace sightline::io {

/// From dark violet (0) over red to light yellow (1); equal steps look equal, and lightness alone
/// tells the order, so that it also reads without color vision or in grey.
Color ramp_color(double share);

}  // namespace sightline::io
