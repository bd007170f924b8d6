// Rays in files, read and written in slices.
#pragma once

#include "host/files/core/hash.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/rounding.hpp"

#include <sightline/ray.hpp>

#include <memory>

namespace sightline::io {

/// What rays have where their file lacks the column.
struct RayDefaults {
  float t_min = 0;
  float t_max = infinity;
  std::uint32_t mask = 0xFFFFFFFFu;
  TwoIds<std::uint32_t> exclude = {};
  TwoIds<std::uint32_t> exclude_group = {};
  float radius = 0;

  bool operator==(const RayDefaults&) const = default;
};

/// Which optional columns a file of rays has.
struct RayColumns {
  bool t_min = false;
  bool t_max = false;
  bool mask = false;
  bool exclude = false;        ///< [n,2]
  bool exclude_group = false;  ///< [n,2]
  bool radius = false;         ///< of thick rays

  bool operator==(const RayColumns&) const = default;
  /// In a file, origin and direction included.
  std::uint64_t bytes_per_ray() const;
};

/// Memory for a slice of rays; give the same one again to have its memory used again.
struct RayBuffer {
  std::vector<float> origin, direction, t_min, t_max, radius;
  std::vector<std::uint32_t> mask, exclude, exclude_group;
};

/// Rays of a text file, all in memory.
struct RayTable {
  std::uint64_t count = 0;
  RayBuffer columns;
  RayColumns has;
};

/// Rays in a file, or in two; read by slices, from many threads at once if need be.
class RaysSource {
 public:
  /// A container with `origin` and `direction`, or CSV or JSON (ray_table.hpp), of which all is
  /// read. Throws Error{io}, Error{bad_input}.
  explicit RaysSource(const std::string& name, const RayDefaults& defaults = {});
  /// Two .npy files [n,3] f32; one of them may have one vector for all: [1,3] or [3].
  RaysSource(const std::string& origins, const std::string& directions,
             const RayDefaults& defaults);

  /// "rays.st", or "o.npy and d.npy".
  const std::string& name() const { return name_; }
  std::uint64_t count() const { return count_; }
  /// Gives the rays, which have no radii, those of an .npy file [n] f32: as if their file had them,
  /// its hash included. Throws Error{io}, Error{bad_input}.
  void add_radii(const std::string& file);
  /// Which columns the file has; the defaults do not touch these.
  const RayColumns& columns() const { return columns_; }
  /// Of a RayBuffer, in bytes.
  std::uint64_t bytes_per_ray() const { return columns().bytes_per_ray(); }
  /// "" when absent, and for .npy files.
  std::string metadata(const std::string& key) const {
    return container_ ? container_->metadata(key) : "";
  }
  /// Rays [first, first + n), in `buffer`; the view is valid until the buffer changes.
  RaysView read(std::uint64_t first, std::uint64_t n, RayBuffer& buffer) const;
  /// Sentences on what rounding changes, of which one is said for each reader; reads what is not
  /// binary32 in the files, in bounded memory.
  Notes notes() const;
  /// The content hash; reads the whole file in bounded memory.
  std::string hash() const;

 private:
  std::string name_;
  std::uint64_t count_ = 0;
  RayColumns columns_;
  RayDefaults defaults_;
  std::vector<TensorSource> tensors_;  ///< of these, which they must outlive:
  std::shared_ptr<const ContainerReader> container_;
  std::shared_ptr<const RayTable> table_;
  std::vector<std::shared_ptr<const NpyReader>> arrays_;  ///< origins, directions, radii
  Notes table_notes_;
};

/// A container of rays, written by slices in any order; whole at commit(). Throws Error{io}.
class RaysWriter {
 public:
  /// Of the file that is written.
  static std::uint64_t bytes(std::uint64_t count, const RayColumns& columns,
                             const Metadata& metadata);

  RaysWriter(const std::string& name, std::uint64_t count, const RayColumns& columns = {},
             const Metadata& metadata = {});

  /// Rays [first, first + rays.count).
  void write(std::uint64_t first, const RaysView& rays);
  std::uint64_t file_bytes() const { return file_.file_bytes(); }
  void commit() { file_.commit(); }

 private:
  RayColumns columns_;
  std::uint64_t count_;
  ContainerWriter file_;
};

}  // namespace sightline::io
