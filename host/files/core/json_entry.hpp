// Shapes written by hand as JSON: {"sphere": [{"center": [0, 0, 1], "radius": 0.5}], ...}.
#pragma once

#include "host/files/core/tensor.hpp"

#include <sightline/error.hpp>
#include <sightline/math/vec.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <limits>
#include <set>

namespace sightline::io {

/// One object of the file, with its place for errors; every key must be asked for.
class JsonEntry {
 public:
  JsonEntry(const std::string& file, std::string where, const nlohmann::json& object)
      : file_(file), where_(std::move(where)), object_(object) {
    if (!object_.is_object()) fail("is not an object");
  }

  template <std::size_t n>
  std::array<float, n> floats(const char* key) {
    return floats_in<n>(key, need(key), "");
  }
  /// A list of lists of n numbers each.
  template <std::size_t n>
  std::vector<std::array<float, n>> rows(const char* key) {
    const nlohmann::json& value = need(key);
    if (!value.is_array()) fail(fmt::format("'{}' is not a list", key));
    std::vector<std::array<float, n>> all;
    for (const nlohmann::json& row : value) all.push_back(floats_in<n>(key, row, "lists of "));
    return all;
  }
  Vec3 vec3(const char* key) {
    const auto v = floats<3>(key);
    return {v[0], v[1], v[2]};
  }
  float number(const char* key) { return to_float(key, need(key)); }

  template <class T>
  T whole(const char* key, T otherwise) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_number_unsigned() ||
        value->get<std::uint64_t>() > std::numeric_limits<T>::max()) {
      fail(fmt::format("'{}' is not a whole number up to {}", key, std::numeric_limits<T>::max()));
    }
    return value->get<T>();
  }
  bool has(const char* key) const { return object_.contains(key); }

  void refuse_unknown() const {
    for (const auto& item : object_.items()) {
      if (!known_.contains(item.key())) fail("has an unknown key " + quote_name(item.key()));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ErrorKind::bad_input, fmt::format("{}: {} {}", file_, where_, reason));
  }
  const nlohmann::json* find(const char* key) {
    known_.insert(key);
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }
  const nlohmann::json& need(const char* key) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) fail(fmt::format("lacks '{}'", key));
    return *value;
  }
  template <std::size_t n>
  std::array<float, n> floats_in(const char* key, const nlohmann::json& value,
                                 const char* of) const {
    if (!value.is_array() || value.size() != n) {
      fail(fmt::format("'{}' is not a list of {}{} numbers", key, of, n));
    }
    std::array<float, n> numbers;
    for (std::size_t i = 0; i < n; ++i) numbers[i] = to_float(key, value[i]);
    return numbers;
  }
  float to_float(const char* key, const nlohmann::json& value) const;

  const std::string& file_;
  std::string where_;
  const nlohmann::json& object_;
  std::set<std::string, std::less<>> known_;
};

/// The whole of a JSON file. Throws Error{io}, or Error{bad_input} above 256 MiB.
std::string read_json_text(const std::string& name);

/// The text as JSON. Throws Error{bad_input} naming `file` also for a key given twice, which a
/// parsed tree no longer shows, and for more than `deepest` levels, at most 5.
nlohmann::json parse_json(const std::string& file, const std::string& text, int deepest);

/// The object's "unit" and "up", which are text.
void read_json_metadata(const std::string& file, const std::string& key,
                        const nlohmann::json& value, Metadata& metadata);

/// Calls add(entry) with each object of a kind's list. Errors name the file.
template <class Add>
void for_each_json_shape(const std::string& file, std::string_view kind, const nlohmann::json& list,
                         const Add& add) {
  if (!list.is_array()) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: '{}' is not a list", file, kind));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonEntry entry(file, fmt::format("{} {}", kind, i), list[i]);
    try {
      add(entry);
      entry.refuse_unknown();
    } catch (const Error& error) {
      const std::string_view what = error.what();
      if (what.starts_with(file + ": ")) throw;
      throw Error(error.kind(), fmt::format("{}: {}", file, what));
    }
  }
}

}  // namespace sightline::io
