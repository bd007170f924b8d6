#include "host/files/formats/names.hpp"

#include <algorithm>

namespace sightline::io {

constexpr std::uint64_t most_name_bytes = 32 << 20;  // they share a header with the tensors

std::uint64_t Names::label_of(Entry& in) {
  const std::string name(in.text("name")), id = in.text_or_number("id");
  return name.empty() ? label_of(in, "id", id) : label_of(in, "name", name);
}

std::uint64_t Names::label_of(const Entry& in, const char* key, const std::string& name) {
  if (name.empty()) return 0;
  if (std::ranges::any_of(name, [](char c) { return c >= 0 && c < ' '; })) {
    in.fail("'{}' holds control characters", key);
  }
  const auto [at, added] = label_of_.try_emplace(name, label_of_.size() + 1);
  if (added) lines_ += name + '\n';
  if (lines_.size() > most_name_bytes) in.fail("'{}' is one too many: they take over 32 MiB", key);
  return at->second;
}

void Names::give_to(Metadata& metadata) const {
  if (!empty()) metadata[names_key] = lines_;
}

}  // namespace sightline::io
