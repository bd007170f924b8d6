#include "host/files/core/json_entry.hpp"

#include "host/files/core/file.hpp"

#include <sightline/queries/ray.hpp>

#include <cmath>

namespace sightline::io {

using nlohmann::json;

namespace {

/// Refuses keys given twice and deep nesting.
class Guard {
 public:
  Guard(const std::string& file, int deepest) : file_(file), deepest_(deepest) {}

  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    if (depth > deepest_) fail("is nested too deeply");
    const auto level = static_cast<std::size_t>(depth);
    if (event == json::parse_event_t::object_start) keys_[level + 1].clear();
    if (event == json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_[level].insert(key).second) fail("has the key " + quote_name(key) + " twice");
    }
    return true;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ErrorKind::bad_input, file_ + ": " + reason);
  }
  const std::string& file_;
  int deepest_;
  std::array<std::set<std::string>, 7> keys_;
};

}  // namespace

float JsonEntry::to_float(const char* key, const json& value) const {
  if (!value.is_number()) fail(fmt::format("'{}' holds something that is not a number", key));
  const double number = value.get<double>();
  // Beyond the range of float the conversion is undefined.
  if (!(std::abs(number) <= static_cast<double>(domain_limit))) {
    fail(fmt::format("'{}' holds {}, beyond 2^40", key, number));
  }
  return static_cast<float>(number);
}

json parse_json(const std::string& file, const std::string& text, int deepest) {
  try {
    return json::parse(text, Guard(file, deepest));
  } catch (const json::exception& error) {
    const std::string_view what = error.what();
    const std::size_t end = what.find("] ");  // after the library's own name for the error
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: not JSON: {}", file,
                            end == std::string_view::npos ? what : what.substr(end + 2)));
  }
}

std::string read_json_text(const std::string& name) {
  const File file(name);
  constexpr std::uint64_t longest = 256 << 20;
  if (file.size() > longest) {
    throw Error(ErrorKind::bad_input, name + ": JSON files of more than 256 MiB are not read");
  }
  std::string text(file.size(), '\0');
  file.read(0, text.data(), text.size());
  return text;
}

void read_json_metadata(const std::string& file, const std::string& key, const json& value,
                        Metadata& metadata) {
  if (!value.is_string()) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: '{}' is not text", file, key));
  }
  metadata[key] = value.get<std::string>();
}

}  // namespace sightline::io
