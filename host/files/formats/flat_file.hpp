// Sets of 2D shapes in files (a container, and JSON written by hand), and what asks about them.
#pragma once

#include "host/files/core/npy.hpp"
#include "host/files/core/tensor.hpp"
#include "host/files/formats/rounding.hpp"

#include <sightline/flat.hpp>

#include <vector>

namespace sightline::io {

using sightline::kind_name;

/// Reads a container, or JSON when the name ends in ".json". Metadata of the file goes to
/// `metadata` when given. Throws Error{io}, or Error{bad_input} naming file, kind, index and
/// reason.
FlatScene read_flat_scene(const std::string& name, Metadata* metadata = nullptr,
                          Notes* notes = nullptr);

/// Reads a set from JSON text; `file` names it in errors.
FlatScene parse_flat_json(const std::string& file, const std::string& text,
                          Metadata* metadata = nullptr, Notes* notes = nullptr);
/// Whether a JSON file of this text is meant as a set of 2D shapes; false also of what is no JSON.
bool is_flat_json(const std::string& name, const std::string& text);

/// Writes a container; `metadata` may say "unit" ("m" unless given).
void write_flat_scene(const std::string& name, const FlatScene& scene,
                      const Metadata& metadata = {});

/// The content hash of a set: shapes and masks; the same in memory and in any file.
std::string flat_hash(const FlatScene& scene);

/// Rows of an .npy file [n, width] of f32, read by slices: circles (x, y, radius) or segments (two
/// ends). Throws Error{io}, Error{bad_input}.
class RowsFile {
 public:
  RowsFile(const std::string& name, std::uint64_t width);

  const std::string& name() const { return file_.name(); }
  std::uint64_t count() const { return file_.shape()[0]; }
  std::uint64_t width() const { return width_; }
  /// Sentences on what rounding changes of circles or segments.
  Notes notes() const;
  /// Rows [first, first + n), in `rows`.
  void read(std::uint64_t first, std::uint64_t n, std::vector<float>& rows) const;
  /// The content hash, as a tensor of this name; reads the whole file in bounded memory.
  std::string hash(const char* tensor) const;

 private:
  NpyReader file_;
  std::uint64_t width_;
};

}  // namespace sightline::io
