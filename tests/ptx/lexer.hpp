// Text into words.
#pragma once

#include "tests/ptx/program.hpp"

#include <algorithm>

namespace sightline::ptx {

struct Token {
  std::string_view text;
  std::uint32_t line;
};
std::vector<Token> tokens_of(std::string_view text, std::uint32_t first_line);

/// Of an integer or of a float's bits (0f..., 0d...).
std::uint64_t number_of(std::string_view text);

/// The parts of a name between its dots.
std::vector<std::string_view> parts_of(std::string_view name);

struct Type {
  File file = File::none;
  std::uint8_t size = 0;
  char kind = 0;  ///< u, s, b, f, p
};
/// False: no type has this name.
bool find_type(std::string_view name, Type& type);

/// A place in a sequence of words.
class Reader {
 public:
  Reader(std::string where, std::vector<Token> tokens)
      : where_(std::move(where)), tokens_(std::move(tokens)) {}
  [[noreturn]] void fail(const std::string& why) const;
  bool at_end() const { return at_ >= tokens_.size(); }
  bool is(std::string_view text) const { return !at_end() && tokens_[at_].text == text; }
  bool is_next(std::string_view text) const {
    return at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == text;
  }
  /// Empty at the end.
  std::string_view peek() const { return at_end() ? std::string_view() : tokens_[at_].text; }
  /// How often the word occurs in all.
  std::ptrdiff_t count(std::string_view text) const {
    return std::count_if(tokens_.begin(), tokens_.end(),
                         [&](const Token& t) { return t.text == text; });
  }
  std::uint32_t line() const { return at_end() ? 0 : tokens_[at_].line; }
  std::string_view next();
  std::uint64_t next_number() { return number_of(next()); }
  void want(std::string_view text);
  bool take(std::string_view text);
  void skip_past(std::string_view text);
  /// Words up to `{` and `}` and what is between them.
  std::vector<Token> rest() const {
    return {tokens_.begin() + static_cast<long>(at_), tokens_.end()};
  }

 private:
  std::string where_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace sightline::ptx
