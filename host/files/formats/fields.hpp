// Fields of view of points, from files and options.
#pragma once

#include "host/files/core/tensor.hpp"

#include <sightline/queries/fields.hpp>

namespace sightline::io {

/// Columns [n] of fields of view. Those that a file lacks are empty; see FieldsView for what they
/// then are.
struct Fields {
  std::vector<float> direction;  ///< rows [n,3]
  std::vector<float> cosine, sine, range;

  bool empty() const {
    return direction.empty() && cosine.empty() && sine.empty() && range.empty();
  }
  /// The same fields, all of the columns there.
  Fields whole(std::uint64_t n) const;
  /// Valid until the fields change.
  FieldsView view(FieldShape shape) const;
};

/// The content hash of n fields, the same however their columns were given.
std::string fields_hash(const Fields& fields, std::uint64_t n);

/// The cosine and sine of an angle of 0 to 180 degrees, of right angles exact.
struct HalfAngle {
  float cosine, sine;
};
HalfAngle half_angle(float degrees);

}  // namespace sightline::io
