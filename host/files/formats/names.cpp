#include "host/files/formats/names.hpp"

#include <algorithm>

namespace sightline::io {

constexpr std::uint64_t most_name_bytes = 32 << 20;  // they share a header with the tensors

std::uint64_t Names::label_of(Entry& in, std::uint64_t index) {
  const std::string name = in.text_or_number("name"), id = in.text_or_number("id");
  if (name.empty()) return label_of(in, "id", id);
  if (!id.empty() && name != id && lost_ids_++ == 0) first_lost_ = index;
  return label_of(in, "name", name);
}

std::uint64_t Names::label_of(const Entry& in, const char* key, const std::string& name) {
  if (name.empty()) return 0;
  if (std::ranges::any_of(name, [](char c) { return c >= 0 && c < ' '; })) {
    in.fail("'{}' holds control characters", key);
  }
  const auto [at, added] = label_of_.try_emplace(name, label_of_.size() + 1);
  if (added) lines_ += name + '\n';
  if (lines_.size() > most_name_bytes) {
    in.fail(
        "'{}' is one too many: names of a file take at most 32 MiB; shorten them, or leave '{}' "
        "out",
        key, key);
  }
  return at->second;
}

void Names::add_note(const std::string& file, const char* one, Notes* notes) const {
  if (lost_ids_ == 0 || notes == nullptr) return;
  notes->push_back(fmt::format(
      "{}: {} {}{} a name and an id, the first {} {}: names are kept, ids are not; leave "
      "out 'name' to keep the ids",
      file, lost_ids_, one, lost_ids_ == 1 ? " has" : "s have", one, first_lost_));
}

void Names::give_to(Metadata& metadata) const {
  if (!empty()) metadata[names_key] = lines_;
}

}  // namespace sightline::io
