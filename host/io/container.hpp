// Containers: the safetensors layout (u64 header length, JSON header, raw little-endian tensors).
#pragma once

#include "host/io/container_header.hpp"
#include "host/io/file.hpp"

#include <span>

namespace sightline::io {

/// A container opened for reading by slices; nothing of its tensors is kept in memory.
/// Everything the header claims is checked against the file's size first.
/// Throws Error{bad_input} for a malformed file, Error{io} when it cannot be read.
class ContainerReader {
 public:
  explicit ContainerReader(const std::string& name);

  const std::string& name() const { return file_.name(); }
  std::uint64_t file_bytes() const { return file_.size(); }
  const Metadata& metadata() const { return header_.metadata; }
  /// "" when absent.
  std::string metadata(const std::string& key) const;
  /// In the order of their names.
  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }
  /// Null when absent.
  const TensorInfo* find(std::string_view tensor) const;
  /// The tensor, or nothing when absent; Error{bad_input} when its dtype or shape is another.
  const TensorInfo* find(std::string_view tensor, Dtype dtype, const Shape& expected) const;
  /// As find, but Error{bad_input} when absent.
  const TensorInfo& expect(std::string_view tensor, Dtype dtype, const Shape& expected) const;
  /// Error{bad_input} naming the first tensor that is not in `known`.
  void refuse_unknown(std::span<const std::string_view> known) const;
  /// Error{bad_input} when the file says that it is of another kind ("scene", "hits", ...) or of
  /// a later format; with `required` also when it says nothing.
  void expect_kind(std::string_view kind, bool required) const;

  /// Elements [first, first + count) in C order, into `to`.
  void read(const TensorInfo& tensor, std::uint64_t first, std::uint64_t count, void* to) const;

 private:
  File file_;
  std::uint64_t data_begin_ = 0;
  ContainerHeader header_;
};

/// What a container will hold.
struct TensorSpec {
  std::string name;
  Dtype dtype = Dtype::f32;
  Shape shape;
};

/// A container of known shapes, written by slices in any order; whole at commit().
/// Throws Error{io}.
class ContainerWriter {
 public:
  ContainerWriter(const std::string& name, const std::vector<TensorSpec>& tensors,
                  const Metadata& metadata);

  const std::string& name() const { return file_.name(); }
  std::uint64_t file_bytes() const { return file_.size(); }
  /// Elements [first, first + count) in C order.
  void write(std::string_view tensor, std::uint64_t first, std::uint64_t count, const void* from);
  void commit() { file_.commit(); }

 private:
  struct Plan;
  explicit ContainerWriter(const std::string& name, const Plan& plan);
  static Plan plan(const std::vector<TensorSpec>& tensors, const Metadata& metadata);

  ContainerHeader header_;
  std::uint64_t data_begin_ = 0;
  PartialFile file_;
};

/// Keys that every file of this project carries.
inline constexpr char kind_key[] = "sightline.file";
inline constexpr char format_key[] = "sightline.format";
inline constexpr char format_version[] = "1";

}  // namespace sightline::io
