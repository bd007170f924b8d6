// JSON as events, in one pass. nlohmann's own takes five times as long over numbers, and tells what
// is wrong with a text that is refused here.
#pragma once

#include "host/files/core/text_file.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <string>
#include <string_view>

namespace sightline::io {

/// Calls what nlohmann::json::sax_parse calls, but parse_error; tests/host/files/core compares
/// both. The handler bounds the depth: it throws at the start of an object or array too deep.
template <class Handler>
class JsonScanner {
 public:
  JsonScanner(const std::string& text, Handler& to)
      : at_(text.c_str()), end_(at_ + text.size()), to_(to) {}

  /// False where the text is not JSON; events up to there have come.
  bool scan() {
    if (std::string_view(at_, end_).starts_with("\xEF\xBB\xBF")) at_ += 3;
    if (!value()) return false;
    skip_blanks();
    return at_ == end_;
  }

 private:
  // The text ends with a zero, which no loop goes past and nothing accepts.
  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  bool value() {
    skip_blanks();
    switch (*at_) {
      case '{':
        to_.start_object(0);
        return items('{', '}') && (to_.end_object(), true);
      case '[':
        to_.start_array(0);
        return items('[', ']') && (to_.end_array(), true);
      case '"':
        return string() && (to_.string(text_), true);
      case 't':
        return word("true") && (to_.boolean(true), true);
      case 'f':
        return word("false") && (to_.boolean(false), true);
      case 'n':
        return word("null") && (to_.null(), true);
      default:
        return number();
    }
  }

  bool items(char begin, char end) {
    ++at_;
    if (accept(end)) return true;
    do {
      if (begin == '{') {
        skip_blanks();
        if (!string()) return false;
        to_.key(text_);
        if (!accept(':')) return false;
      }
      if (!value()) return false;
    } while (accept(','));
    return accept(end);
  }

  bool word(std::string_view expected) {
    if (!std::string_view(at_, end_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  /// Into text_.
  bool string() {
    if (*at_ != '"') return false;
    const char* const begin = ++at_;
    bool plain = true;
    for (; *at_ != '"'; ++at_) {
      if (at_ == end_) return false;
      plain = plain && *at_ >= ' ' && *at_ != '\\';  // no control characters, and ASCII
      if (*at_ == '\\' && ++at_ == end_) return false;
    }
    text_.assign(begin, at_++);
    if (plain) return true;
    const auto parsed = nlohmann::json::parse(begin - 1, at_, nullptr, false);
    if (!parsed.is_string()) return false;
    text_ = parsed.template get_ref<const std::string&>();
    return true;
  }

  bool digits() {
    const char* const begin = at_;
    while (is_digit(*at_)) ++at_;
    return at_ > begin;
  }
  bool number() {
    const char* const begin = at_;
    const bool negative = *at_ == '-';
    if (negative) ++at_;
    const bool zero = *at_ == '0';
    const char* const first = at_;
    if (!digits() || (zero && at_ > first + 1)) return false;
    bool whole = true;
    if (*at_ == '.') {
      whole = false;
      ++at_;
      if (!digits()) return false;
    }
    if (*at_ == 'e' || *at_ == 'E') {
      whole = false;
      ++at_;
      if (*at_ == '+' || *at_ == '-') ++at_;
      if (!digits()) return false;
    }
    if (whole && negative) {
      std::int64_t value = 0;
      if (std::from_chars(begin, at_, value).ec == std::errc()) return to_.number_integer(value);
    } else if (whole) {
      std::uint64_t value = 0;
      if (std::from_chars(begin, at_, value).ec == std::errc()) return to_.number_unsigned(value);
    }
    const auto value = finite_number({begin, at_});
    return value && to_.number_float(*value, text_);
  }

  const char* at_;
  const char* const end_;
  Handler& to_;
  std::string text_;
};

}  // namespace sightline::io
