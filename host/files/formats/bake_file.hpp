// Bakes in files: what areas, cells and points see, and everything that it is a function of.
#pragma once

#include "host/files/core/container.hpp"

#include <sightline/cover.hpp>
#include <sightline/queries/fields.hpp>

namespace sightline::io {

enum class BakeKind {
  area_visibility,  ///< class u8 [A,A], samples u32 [A], optional visible u32 [A,A]
  visible_sets,     ///< bits u64 [A, ceil(A/64)], reference u32 [A], offsets u64 [A+1], id [D]
  exposure,         ///< count u32 [T], share f32 [T]
  probes,           ///< distance f32 [n,N,N], direction f32 [N,N,3]
  cover,  ///< height and facing u8 [n], distance f32 [n], crouch, stand, left, right u64 [n]
};
constexpr bool is_of_areas(BakeKind kind) {
  return kind == BakeKind::area_visibility || kind == BakeKind::visible_sets;
}

/// "area visibility", "visible sets", "exposure", "probes", "cover".
std::string_view bake_kind_name(BakeKind kind);
bool is_bake_kind(std::string_view name);

/// Stored as text in the file and read back equal.
struct BakeParameters {
  BakeKind kind = BakeKind::area_visibility;
  std::uint32_t answers = answers_version;
  std::string scene_hash;
  Inside inside = Inside::solid;
  float range = infinity;

  std::string samples_hash;  ///< of areas, those in shapes among them
  std::uint64_t areas = 0;
  std::uint32_t area_samples = 0;  ///< that were asked for; 0: the file had them
  bool counts = false;             ///< area_visibility only: also how many pairs of samples
  std::uint64_t differences = 0;   ///< visible_sets only: ids of all lists

  std::string from_hash;  ///< of exposure: viewpoints
  std::uint64_t viewpoints = 0;
  std::string fields_hash;  ///< "": viewpoints look all around
  FieldShape field_shape = FieldShape::cone;
  float margin = 0;

  std::string points_hash;  ///< of probes and cover; of exposure the targets
  std::uint64_t points = 0;
  std::uint32_t grid = 0;  ///< probes only: N
  CoverOptions cover;      ///< cover only

  /// Of the grid that its work is cut by: areas by areas, or points, each a row of one column.
  std::uint64_t job_rows() const { return is_of_areas(kind) ? areas : points; }
  std::uint64_t job_columns() const { return is_of_areas(kind) ? areas : 1; }
};

Metadata to_metadata(const BakeParameters& parameters);
/// `file` names the file in errors. Throws Error{bad_input}.
BakeParameters parse_bake_parameters(const std::string& file, const Metadata& metadata);

/// Of the ids in visible sets: u16 where the numbers of all areas fit, else u32.
constexpr Dtype area_id_dtype(std::uint64_t areas) {
  return areas <= 1 << 16 ? Dtype::u16 : Dtype::u32;
}

/// A file for these answers, to be written by slices of its tensors. Throws Error{io}.
ContainerWriter create_bake(const std::string& name, const BakeParameters& parameters);
/// As a long job, in the grid of the parameters: see ContainerWriter.
ContainerWriter create_bake(const std::string& name, const BakeParameters& parameters,
                            const Keeping& keeping);

/// Writes elements [first, first + n) of the ids of visible sets. Throws Error{io}.
void write_area_ids(ContainerWriter& writer, std::uint64_t areas, std::uint64_t first,
                    std::span<const std::uint32_t> ids);

/// A bake read by slices. Throws Error{io}, Error{bad_input}: also when sizes and parameters do not
/// fit each other.
class BakeReader {
 public:
  explicit BakeReader(const std::string& name);

  const std::string& name() const { return reader_.name(); }
  const BakeParameters& parameters() const { return parameters_; }
  /// Elements [first, first + count) of a tensor of this kind, in C order.
  void read(std::string_view tensor, std::uint64_t first, std::uint64_t count, void* to) const;
  /// Elements [first, first + n) of the ids of visible sets.
  void read_area_ids(std::uint64_t first, std::span<std::uint32_t> ids) const;

 private:
  ContainerReader reader_;
  BakeParameters parameters_;
};

/// Whether the file is a container that says it is a bake. Throws Error{io}.
bool is_bake(const std::string& name);

}  // namespace sightline::io
