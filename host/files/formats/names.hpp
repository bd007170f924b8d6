// Names of things in text files, as labels.
#pragma once

#include "host/files/core/text_fields.hpp"
#include "host/files/formats/rounding.hpp"

#include <map>
#include <unordered_map>

namespace sightline::io {

/// In the metadata of scenes and points: names, a line each; label 1 is the first line's.
inline constexpr char names_key[] = "names";

/// Numbers names from 1 as they come, or by the labels that they have; equal names are one label.
class Names {
 public:
  /// The entry's `label`, or that of its `name` or, `with_id` and without a name, of its `id`; 0
  /// where it has none. `index` is the entry's. There is no room for an id beside a name. Throws
  /// Error{bad_input} for control characters, for too many names, and where names have labels in
  /// some entries and in others not.
  std::uint64_t read_label(TextFields& in, std::uint64_t index, bool with_id);
  /// Tells of ids that were lost; `one` is what an entry is.
  void add_note(const std::string& file, const char* one, Notes* notes) const;
  /// Whether no entry had a label or a name.
  bool empty() const { return label_of_.empty() && !labels_; }
  /// Puts the names into the metadata, where there are any.
  void give_to(Metadata& metadata) const;

 private:
  static void check_name(const TextFields& in, const char* key, const std::string& name);
  void count_bytes(const TextFields& in, const char* key, const std::string& name);
  void give_name(const TextFields& in, std::uint64_t label, const std::string& name);
  std::uint64_t number_of(const TextFields& in, const char* key, const std::string& name);

  std::unordered_map<std::string, std::uint64_t> label_of_;
  std::string lines_;                           ///< of these, in their order
  std::map<std::uint64_t, std::string> given_;  ///< names of labels that the file has
  bool labels_ = false;                         ///< an entry has one
  std::uint64_t bytes_ = 0, lost_ids_ = 0, first_lost_ = 0;
};

}  // namespace sightline::io
