// How often numbers are how large, as a picture.
#pragma once

#include "host/files/pictures/picture.hpp"

#include <string>
#include <vector>

namespace sightline::io {

struct Histogram {
  std::vector<float> values;  ///< those that are not finite are left out
  std::string caption;        ///< of the numbers
  std::string counted;        ///< what there is one number of, such as "viewpoints"
  Quantity quantity;
};

/// Writes a PNG: 40 bars from 0 to a round number that no value is beyond, colored as a map's, with
/// mean and median. Throws Error{io}.
void write_histogram_picture(const std::string& name, const Histogram& histogram);

}  // namespace sightline::io
