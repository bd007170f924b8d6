// Names of things in text files, as labels.
#pragma once

#include "host/files/core/entry.hpp"

#include <unordered_map>

namespace sightline::io {

/// In the metadata of scenes and points: names, a line each; label 1 is the first line's.
inline constexpr char names_key[] = "names";

/// Numbers names from 1 as they come; equal names are one label.
class Names {
 public:
  /// The label of the entry's `name` or, without one, of its `id`; 0 of none. Throws as below.
  std::uint64_t label_of(Entry& in);
  /// The label of the name that the entry has under `key`; 0 of none. Throws Error{bad_input} for
  /// control characters, and for too many names.
  std::uint64_t label_of(const Entry& in, const char* key, const std::string& name);
  bool empty() const { return label_of_.empty(); }
  /// Puts them into the metadata, where there are any.
  void give_to(Metadata& metadata) const;

 private:
  std::unordered_map<std::string, std::uint64_t> label_of_;
  std::string lines_;
};

}  // namespace sightline::io
