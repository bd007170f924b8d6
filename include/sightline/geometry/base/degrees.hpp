// Cosines and sines of angles in degrees, without the library's functions, which differ between
// systems.
#pragma once

#include <sightline/geometry/base/lane.hpp>

namespace sightline {

namespace degrees_parts {

inline constexpr double radians = 3.14159265358979323846 / 180;

// Taylor series by Horner's rule; the remainder is below 2^-58 for |x| <= pi/4.
SIGHTLINE_HD double cosine(double x) {
  double sum = 1;
  for (int n = 18; n > 0; n -= 2) sum = 1 - x * x / (n * (n - 1)) * sum;
  return sum;
}
SIGHTLINE_HD double sine(double x) {
  double sum = 1;
  for (int n = 17; n > 1; n -= 2) sum = 1 - x * x / (n * (n - 1)) * sum;
  return x * sum;
}

}  // namespace degrees_parts

/// The cosine of an angle of 0 to 180 degrees: exact for 0, 90 and 180, otherwise with a relative
/// error of 2^-51, also near 90, because angles are subtracted in degrees, where that is exact.
SIGHTLINE_HD double cosine_of_degrees(float degrees) {
  using namespace degrees_parts;
  const double d = degrees;
  if (d <= 45) return cosine(d * radians);
  if (d <= 135) return sine((90 - d) * radians);
  return -cosine((180 - d) * radians);
}

/// The sine of an angle of 0 to 180 degrees, as accurate as the cosine.
SIGHTLINE_HD double sine_of_degrees(float degrees) {
  using namespace degrees_parts;
  const double d = degrees;
  if (d <= 45) return sine(d * radians);
  if (d <= 135) return cosine((90 - d) * radians);
  return sine((180 - d) * radians);
}

}  // namespace sightline
