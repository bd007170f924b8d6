// Shapes as text files have them, on their way into a scene.
#pragma once

#include "host/files/core/entry.hpp"

#include <sightline/scene.hpp>

#include <unordered_map>

namespace sightline::io {

/// What is told of a file that was read otherwise than as it stands; a sentence each.
using Notes = std::vector<std::string>;

/// Takes boxes by corners, or by center and size or half extents; rotations as quaternions,
/// matrices or Euler angles; labels as numbers or names. All is worked out in binary64 and rounded
/// once. Errors name file, line, kind and index.
class ShapeReader {
 public:
  void add(Kind kind, Entry& in);
  /// The scene; its names go to `metadata`, what was normalised to `notes`, where these are given.
  Scene take(const std::string& file, Metadata* metadata, Notes* notes);

 private:
  template <class Shape>
  Shape read(Entry& in);
  Quat rotation(Entry& in);
  Attributes attributes(Entry& in);
  std::uint64_t label_of(Entry& in, std::string_view name);

  Scene scene_;
  bool labels_ = false;
  std::unordered_map<std::string, std::uint64_t> label_of_;
  std::string names_;
  std::uint64_t normalised_ = 0, first_normalised_ = 0;
};

/// In the metadata of a scene: its shapes' names, a line each; label 1 is the first line's.
inline constexpr char names_key[] = "names";

}  // namespace sightline::io
