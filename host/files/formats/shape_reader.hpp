// Shapes as text files have them, on their way into a scene.
#pragma once

#include "host/files/core/text_fields.hpp"
#include "host/files/formats/names.hpp"
#include "host/files/formats/rotation.hpp"
#include "host/files/formats/rounding.hpp"

#include <sightline/scene.hpp>

namespace sightline::io {

/// Takes boxes by corners, or by center and size or half extents; capsules and cylinders by their
/// segment, or by center, height and axis; rotations as quaternions, matrices or Euler angles;
/// labels as numbers or names. All is worked out in binary64 and rounded once. Errors name file,
/// line, kind and index.
class ShapeReader {
 public:
  /// `up` is the axis of capsules and cylinders that state none: y or z.
  explicit ShapeReader(char up = 'z') : up_(up) {}

  void add(Kind kind, TextFields& in);
  void set_up(char up) { up_ = up; }
  /// Whether a shape has taken its axis from `up`.
  bool has_used_up() const { return has_used_up_; }
  /// The scene; its names go to `metadata`, what was changed to `notes`, where these are given.
  Scene take(const std::string& file, Metadata* metadata, Notes* notes);

 private:
  template <class S>
  Given<S> read(TextFields& in);
  Capsule segment(Kind kind, TextFields& in);
  Capsule segment_by_height(Kind kind, TextFields& in);
  Capsule rounded_segment(Kind kind, const std::array<double, 7>& numbers);
  double segment_height(Kind kind, TextFields& in, double radius) const;
  std::array<double, 3> axis_of(Kind kind, TextFields& in);
  std::optional<Rotation> rotation(TextFields& in, Kind kind);
  Attributes attributes(TextFields& in);
  void check_id(Kind kind, TextFields& in) const;

  Scene scene_;
  char up_;
  bool has_used_up_ = false;
  Names names_;
  RoundingCheck rounding_;
  std::uint64_t normalised_ = 0;
  std::string first_normalised_, first_extents_;
};

}  // namespace sightline::io
