// Points (viewpoints, targets) in files, and their fields of view.
#pragma once

#include "host/files/core/tensor.hpp"
#include "host/files/formats/rounding.hpp"

#include <sightline/caster.hpp>

namespace sightline::io {

/// Columns [n] of fields of view. Those that a file lacks are empty; see FieldsView for what they
/// then are.
struct Fields {
  std::vector<Vec3> direction;
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

/// In the metadata of points: how high eyes are above them, along `up`.
inline constexpr char eyes_key[] = "eyes";

/// Points [n] in memory; an optional column is empty when the file lacks it.
struct Points {
  std::vector<Vec3> position;
  std::vector<std::uint32_t> mask, exclude, exclude_group;
  std::vector<std::uint32_t> area;  ///< of which each is; see areas_file.hpp
  /// As of shapes: those of text files are the lines of metadata `names`, from 1; 0 is none.
  std::vector<std::uint64_t> label;
  Fields fields;  ///< of view: directions, cosines and sines together, ranges with them or alone
  Metadata metadata;

  std::uint64_t count() const { return position.size(); }
  /// Valid until the points change.
  PointsView view() const;
};

/// Reads `.npy` [n,3]; CSV with a header x,y,z; JSON, which is a list of [x, y, z] or of objects,
/// or has it as "points"; or a container with `point.position` [n,3] and optional `point.mask`,
/// `point.exclude`, `point.group`, `point.area` u32 [n], `point.label` u64 [n], `point.direction`
/// f32 [n,3], `point.cosine`, `point.sine` and `point.range` f32 [n]. What rounding changes goes to
/// `notes`, where given. Throws Error{io}, Error{bad_input}.
Points read_points(const std::string& name, Notes* notes = nullptr);

/// Writes `.npy` when the name ends so (Error{usage} if there are optional columns), else a
/// container.
void write_points(const std::string& name, const Points& points);
/// How many bytes of a container that writes.
std::uint64_t bytes_of_points(const Points& points);

/// The content hash without fields of view and areas, which have their own, and without labels; the
/// same for all forms of file.
std::string points_hash(const Points& points);

}  // namespace sightline::io
