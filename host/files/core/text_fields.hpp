// One object of a text file: values by name, from JSON or from a line of CSV.
#pragma once

#include "host/files/core/file.hpp"
#include "host/files/core/tensor.hpp"

#include <sightline/ray.hpp>
#include <sightline/vec.hpp>

#include <array>
#include <functional>
#include <limits>
#include <span>

namespace sightline::io {

/// Filled by a reader and asked by who knows its meaning; every key must be asked for. The memory
/// is used again for the next object. Errors name the file, the place and the reason.
class TextFields {
 public:
  explicit TextFields(std::string file) : file_(std::move(file)) {}

  /// Begins the object `index` of a list; `line` is 0 where lines are not counted.
  void begin(std::string_view list, std::uint64_t index, std::uint64_t line = 0);
  /// Of the value that follows, in any spelling (standard_key). Throws for a key given twice.
  void add_key(std::string_view key);
  void add_number(double value) { tokens_.push_back({Token::is_number, 0, value, 0}); }
  void add_whole(std::uint64_t value) {
    tokens_.push_back({Token::is_whole, 0, static_cast<double>(value), value});
  }
  void add_text(std::string_view text);
  void add_null() { tokens_.push_back({Token::is_null, 0, 0, 0}); }
  void add_other() { tokens_.push_back({Token::is_other, 0, 0, 0}); }
  void begin_list() { tokens_.push_back({Token::is_begin, 0, 0, 0}); }
  void end_list() { tokens_.push_back({Token::is_end, 0, 0, 0}); }

  bool has(const char* key) { return find(key) != nullptr; }
  /// In binary64. More than `limit` in size, by default 2^40, is refused.
  double real(const char* key, double limit = static_cast<double>(domain_limit));
  template <std::size_t n>
  std::array<double, n> reals(const char* key, double limit = static_cast<double>(domain_limit)) {
    std::array<double, n> values;
    list_of(key, need(key), "", values, limit);
    return values;
  }
  /// The same, rounded to binary32.
  float number(const char* key) { return static_cast<float>(real(key)); }
  template <std::size_t n>
  std::array<float, n> floats(const char* key) {
    return narrowed(reals<n>(key));
  }
  Vec3 vec3(const char* key) {
    const auto v = floats<3>(key);
    return {v[0], v[1], v[2]};
  }
  /// A list of lists of n numbers each.
  template <std::size_t n>
  std::vector<std::array<double, n>> real_rows(const char* key) {
    std::vector<std::array<double, n>> all;
    for (const Tokens row : lists_in(key)) list_of(key, row, "lists of ", all.emplace_back());
    return all;
  }
  template <std::size_t n>
  std::vector<std::array<float, n>> rows(const char* key) {
    std::vector<std::array<float, n>> all;
    for (const auto& row : real_rows<n>(key)) all.push_back(narrowed(row));
    return all;
  }
  /// Whether the value is a list whose first is a list.
  bool holds_lists(const char* key);
  template <class T>
  T whole(const char* key, T otherwise) {
    return static_cast<T>(whole_up_to(key, std::numeric_limits<T>::max(), otherwise));
  }
  /// A list of at most `most` whole numbers.
  template <class T>
  std::vector<T> wholes(const char* key, std::size_t most) {
    const auto all = wholes_up_to(key, std::numeric_limits<T>::max(), most);
    return {all.begin(), all.end()};
  }
  /// "" where it is not given.
  std::string_view text(const char* key);
  /// The same of a text or a number, which becomes its shortest digits; of null "".
  std::string text_or_number(const char* key);
  bool holds_text(const char* key);
  bool holds_list(const char* key);
  bool holds_null(const char* key);
  /// Which of these keys is given, at most one; or null. Among the valid keys they may have words
  /// of their own.
  const char* one_of(std::span<const char* const> keys, const char* words = nullptr);

  /// Lists the valid keys, which are those that were asked for.
  void refuse_unknown() const;
  /// Says what is lacking, which keys there are, and which may be misspelt.
  [[noreturn]] void refuse_lacking(const std::string& what) const;
  template <class... A>
  [[noreturn]] void fail(fmt::format_string<A...> words, A&&... args) const {
    const std::string reason = fmt::format(words, std::forward<A>(args)...);
    const std::string of = list_.empty() ? "" : fmt::format("{} {} ", list_, index_);
    throw Error(ErrorKind::bad_input, place() + of + reason);
  }
  /// Calls f(); errors name the file and the line.
  template <class F>
  void naming_place(const F& f) const {
    naming(place(), f);
  }
  const std::string& file() const { return file_; }

 private:
  struct Token {
    enum Type : std::uint8_t {
      is_number,
      is_whole,
      is_text,
      is_null,
      is_other,
      is_begin,
      is_end
    } type;
    std::uint32_t length;  ///< of a text, which begins at `value`
    double real;
    std::uint64_t value;
  };
  using Tokens = std::span<const Token>;
  struct Field {
    std::string key;
    std::string given;  ///< as the file spells it, where that differs
    std::size_t first = 0;
    bool asked = false;
  };

  template <std::size_t n>
  static std::array<float, n> narrowed(const std::array<double, n>& from) {
    std::array<float, n> to;
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
    return to;
  }
  std::string place() const;
  std::string keys() const;
  std::vector<std::string> valid_keys() const;
  Field* find(const char* key);
  Tokens tokens_of(const Field& field) const;
  Tokens need(const char* key);
  const Token* first_token(const char* key);
  double real_of(const char* key, const Token& token,
                 double limit = static_cast<double>(domain_limit)) const;
  void list_of(const char* key, Tokens from, const char* of, std::span<double> to,
               double limit = static_cast<double>(domain_limit)) const;
  std::vector<Tokens> lists_in(const char* key);
  std::uint64_t whole_of(const char* key, const Token& token, std::uint64_t most) const;
  std::vector<std::uint64_t> wholes_up_to(const char* key, std::uint64_t most,
                                          std::size_t most_numbers);
  std::uint64_t whole_up_to(const char* key, std::uint64_t most, std::uint64_t otherwise);

  std::string file_, list_, texts_;
  std::uint64_t index_ = 0, line_ = 0;
  std::vector<Field> fields_;  ///< the first count_ are this object's
  std::size_t count_ = 0;
  std::vector<Token> tokens_;
  std::vector<const char*> valid_;
};

/// What a JSON file may hold beside lists of objects, and what is done with either.
struct JsonReader {
  std::vector<std::string_view> lists, values;
  /// Object of a list.
  std::function<void(std::size_t list, TextFields&)> use;
  /// After each value; the entry holds all that have come.
  std::function<void(TextFields&)> value = {};
  /// Where given, the first list may be all of the file, and its objects lists of numbers: those of
  /// this key.
  const char* row_key = nullptr;
};

/// Reads a text in one pass; returns the values, which have the lists' keys too. Throws
/// Error{bad_input} naming the file, also for unknown keys, keys given twice and more than 5
/// levels.
TextFields read_json(const std::string& file, const std::string& text, const JsonReader& reader);

/// Whether the text has a key of this name somewhere.
bool has_json_key(std::string_view text, std::string_view key);

/// The whole of a JSON file. Throws Error{io}, or Error{bad_input} above 256 MiB.
std::string read_json_text(const std::string& name);

/// The entry's "unit" and "up", checked.
Metadata read_units(TextFields& values);
/// Throws an Error naming the file, or whatever else says so, unless "up" is y or z, of either
/// case, and "unit" a few words; those that are there.
void check_units(const std::string& file, Metadata& metadata,
                 ErrorKind otherwise = ErrorKind::bad_input);

}  // namespace sightline::io
