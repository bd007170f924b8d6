// What a result's metadata say, read strictly.
#pragma once

#include "host/files/core/tensor.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace sightline::io {

/// Reads the entries of a result's metadata, each of which must be there and be whole.
class ParameterReader {
 public:
  ParameterReader(const std::string& file, const Metadata& metadata)
      : file_(file), metadata_(metadata) {}

  const std::string& text(const char* key) const {
    const auto at = metadata_.find(key);
    if (at == metadata_.end()) {
      throw Error(ErrorKind::bad_input, fmt::format("{}: lacks the metadata '{}'", file_, key));
    }
    return at->second;
  }

  bool has(const char* key) const { return metadata_.contains(key); }

  template <class T>
  T number(const char* key) const {
    return number_in<T>(key, text(key));
  }

  float real(const char* key) const {
    const float value = number<float>(key);
    if (std::isnan(value)) fail(key);
    return value;
  }

  void pair(const char* key, std::uint32_t (&to)[2]) const {
    const std::string_view both = text(key);
    const std::size_t space = both.find(' ');
    if (space == std::string_view::npos) fail(key);
    to[0] = number_in<std::uint32_t>(key, both.substr(0, space));
    to[1] = number_in<std::uint32_t>(key, both.substr(space + 1));
  }

  std::string hash(const char* key) const {
    const std::string& value = text(key);
    if (value.size() != 32 || value.find_first_not_of("0123456789abcdef") != std::string::npos) {
      fail(key);
    }
    return value;
  }

  template <std::size_t n>
  std::size_t choice(const char* key, const std::array<std::string_view, n>& names) const {
    const std::string& value = text(key);
    for (std::size_t i = 0; i < n; ++i) {
      if (names[i] == value) return i;
    }
    fail(key);
  }

  [[noreturn]] void fail(const char* key) const {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: bad metadata: '{}' is {}", file_, key, quote_name(text(key))));
  }

 private:
  template <class T>
  T number_in(const char* key, std::string_view value) const {
    T number{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size()) fail(key);
    return number;
  }

  const std::string& file_;
  const Metadata& metadata_;
};

}  // namespace sightline::io
