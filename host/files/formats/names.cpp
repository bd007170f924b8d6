#include "host/files/formats/names.hpp"

#include <algorithm>

namespace sightline::io {

constexpr std::uint64_t most_name_bytes = 32 << 20;  // they share a header with the tensors
constexpr std::uint64_t most_named_label = 1 << 20;  // each label up to the last takes a line

std::uint64_t Names::read_label(TextFields& in, std::uint64_t index, bool with_id) {
  const bool labelled = in.has("label");
  const auto label = in.whole<std::uint64_t>("label", 0);
  const std::string name = in.text_or_number("name");
  const std::string id = with_id ? in.text_or_number("id") : "";
  labels_ = labels_ || labelled;
  std::uint64_t found = label;
  if (labelled && !name.empty()) {
    give_name(in, label, name);
  } else if (!(name + id).empty()) {
    found = name.empty() ? number_of(in, "id", id) : number_of(in, "name", name);
  }
  if (!name.empty() && !id.empty() && name != id && lost_ids_++ == 0) first_lost_ = index;
  if (labels_ && !label_of_.empty()) {
    in.fail("has a name without a label, where others have labels: give all of them one, or none");
  }
  return found;
}

void Names::give_name(const TextFields& in, std::uint64_t label, const std::string& name) {
  check_name(in, "name", name);
  if (label == 0 || label > most_named_label) {
    in.fail("has label {} and a name: labels from 1 to {} can have names", label, most_named_label);
  }
  const auto [at, added] = given_.try_emplace(label, name);
  if (!added && at->second != name) {
    in.fail("calls label {} {}, and another before {}", label, in_quotes(name),
            in_quotes(at->second));
  }
  if (added) count_bytes(in, "name", name);
}

void Names::check_name(const TextFields& in, const char* key, const std::string& name) {
  if (std::ranges::any_of(name, [](char c) { return c >= 0 && c < ' '; })) {
    in.fail("'{}' holds control characters", key);
  }
}

void Names::count_bytes(const TextFields& in, const char* key, const std::string& name) {
  bytes_ += name.size() + 1;
  if (bytes_ > most_name_bytes) {
    in.fail(
        "'{}' is one too many: names of a file take at most 32 MiB; shorten them, or leave '{}' "
        "out",
        key, key);
  }
}

std::uint64_t Names::number_of(const TextFields& in, const char* key, const std::string& name) {
  check_name(in, key, name);
  const auto [at, added] = label_of_.try_emplace(name, label_of_.size() + 1);
  if (added) {
    lines_ += name + '\n';
    count_bytes(in, key, name);
  }
  return at->second;
}

void Names::add_note(const std::string& file, const char* one, Notes* notes) const {
  if (lost_ids_ == 0 || notes == nullptr) return;
  notes->push_back(
      fmt::format("{}: {} {}{} a name and an id, the first {} {}: names are kept, ids are not; "
                  "leave out 'name' to keep the ids",
                  file, lost_ids_, one, lost_ids_ == 1 ? " has" : "s have", one, first_lost_));
}

void Names::give_to(Metadata& metadata) const {
  std::string lines = lines_;
  if (!given_.empty()) {
    for (std::uint64_t label = 1; label <= given_.rbegin()->first; ++label) {
      const auto at = given_.find(label);
      lines += (at == given_.end() ? "" : at->second) + '\n';
    }
  }
  if (!lines.empty()) metadata[names_key] = lines;
}

}  // namespace sightline::io
