// Names of things in text files, as labels.
#pragma once

#include "host/files/core/entry.hpp"
#include "host/files/formats/rounding.hpp"

#include <unordered_map>

namespace sightline::io {

/// In the metadata of scenes and points: names, a line each; label 1 is the first line's.
inline constexpr char names_key[] = "names";

/// Numbers names from 1 as they come; equal names are one label.
class Names {
 public:
  /// The label of the entry's `name` or, without one, of its `id`, for which there is no room
  /// beside a name; 0 of none. Throws as below.
  std::uint64_t label_of(Entry& in, std::uint64_t index);
  /// The label of the name that the entry has under `key`; 0 of none. Throws Error{bad_input} for
  /// control characters, and for too many names.
  std::uint64_t label_of(const Entry& in, const char* key, const std::string& name);
  /// Of ids that were lost; `one` is what an entry is.
  void add_note(const std::string& file, const char* one, Notes* notes) const;
  bool empty() const { return label_of_.empty(); }
  /// Puts them into the metadata, where there are any.
  void give_to(Metadata& metadata) const;

 private:
  std::unordered_map<std::string, std::uint64_t> label_of_;
  std::string lines_;
  std::uint64_t lost_ids_ = 0, first_lost_ = 0;
};

}  // namespace sightline::io
