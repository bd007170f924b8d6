// Text files read line by line, with messages that name the file and the line.
#pragma once

#include "host/files/core/file.hpp"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::io {

/// The whole of a text file, or of what it is called in errors. Throws Error{io}, or
/// Error{bad_input} above 2^32 bytes.
std::string read_text(const std::filesystem::path& path, const char* what = "a text file");

/// All that is in a file, read in steps between which poll() is asked.
std::string whole_text(const File& file);

/// The text behind a byte order mark.
std::string_view without_mark(std::string_view text);

/// The lines of a text; the last need not end.
std::vector<std::string_view> lines_of(std::string_view text);

/// The whole text as a number of this type, if it is one.
template <class T>
std::optional<T> number_from(std::string_view text) {
  T value = {};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}
/// The whole text as a number, if it is one, in any locale: one too small is 0, one too large,
/// infinities and NaN are none.
std::optional<double> finite_number(std::string_view text);
/// The same, or "inf" or "infinity", of either case and sign.
std::optional<double> number_or_infinity(std::string_view text);

/// The same without the blanks (spaces, or all of `blanks`) around it.
std::string_view trimmed(std::string_view text, std::string_view blanks = " ");

/// Throws Error{bad_input} naming the file, the line and the reason.
template <class... A>
[[noreturn]] void refuse_line(const std::string& file, std::uint64_t line,
                              fmt::format_string<A...> words, A&&... args) {
  refuse(file, "line {}: {}", line, fmt::format(words, std::forward<A>(args)...));
}

/// Walks over the lines of a text; a carriage return before the line's end is no part of it.
class TextLines {
 public:
  TextLines(std::string file, std::string_view text) : file_(std::move(file)), rest_(text) {}

  /// Goes to the next line; false at the end.
  bool next();
  std::string_view line() const { return line_; }
  std::uint64_t number() const { return number_; }
  /// Throws Error{bad_input} naming the file, this line and the reason.
  template <class... A>
  [[noreturn]] void refuse(fmt::format_string<A...> words, A&&... args) const {
    refuse_line(file_, number_, words, std::forward<A>(args)...);
  }

 private:
  std::string file_;
  std::string_view rest_, line_;
  std::uint64_t number_ = 0;
};

}  // namespace sightline::io
