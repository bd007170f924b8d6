#include "host/files/core/text_fields.hpp"

#include "host/files/core/spelling.hpp"
#include "host/files/core/text_file.hpp"

#include <sightline/ray.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::io {

constexpr std::size_t most_keys = 64;  // each is compared with all before

void TextFields::begin(std::string_view list, std::uint64_t index, std::uint64_t line) {
  list_ = list;
  index_ = index;
  line_ = line;
  count_ = 0;
  tokens_.clear();
  texts_.clear();
  valid_.clear();
}

namespace {

/// Whether a key may have another standard spelling; most have not.
bool is_spelt_otherwise(std::string_view key) {
  return std::ranges::any_of(key, [](char c) { return (c < 'a' || c > 'z') && c != '_'; }) ||
         key.starts_with("pos") || key == "dir" || key == "half_size";
}

}  // namespace

void TextFields::add_key(std::string_view given) {
  const std::string standard = is_spelt_otherwise(given) ? standard_key(given) : "";
  const std::string_view key = standard.empty() ? given : standard;
  for (std::size_t i = 0; i < count_; ++i) {
    if (fields_[i].key == key) fail("has the key {} twice", in_quotes(given));
  }
  if (count_ == most_keys) fail("has more than {} keys", most_keys);
  if (count_ == fields_.size()) fields_.emplace_back();
  Field& field = fields_[count_++];
  field.key = key;
  field.given = key == given ? std::string_view() : given;
  field.first = tokens_.size();
  field.asked = false;
}

void TextFields::add_text(std::string_view text) {
  tokens_.push_back({Token::is_text, static_cast<std::uint32_t>(text.size()), 0, texts_.size()});
  texts_ += text;
}

std::string TextFields::place() const {
  return line_ == 0 ? file_ + ": " : fmt::format("{}: line {}: ", file_, line_);
}

std::string TextFields::keys() const {
  std::string all;
  for (std::size_t i = 0; i < std::min<std::size_t>(count_, 8); ++i) {
    const Field& field = fields_[i];
    all += (i == 0 ? "" : ", ") + in_quotes(field.given.empty() ? field.key : field.given);
  }
  return all;
}

std::vector<std::string> TextFields::valid_keys() const {
  std::vector<std::string> valid;
  for (const char* key : valid_) {
    if (std::ranges::find(valid, key) == valid.end()) valid.emplace_back(key);
  }
  return valid;
}

void TextFields::refuse_lacking(const std::string& what) const {
  if (count_ == 0) fail("lacks {}", what);
  const std::vector<std::string> valid = valid_keys();
  std::string meant;
  for (std::size_t i = 0; i < count_ && meant.empty(); ++i) {
    if (!fields_[i].asked) meant = did_you_mean(fields_[i].key, valid);
  }
  fail("lacks {}; it has {}{}", what, keys(), meant);
}

TextFields::Field* TextFields::find(const char* key) {
  valid_.push_back(key);
  for (std::size_t i = 0; i < count_; ++i) {
    if (fields_[i].key != key) continue;
    fields_[i].asked = true;
    return &fields_[i];
  }
  return nullptr;
}

const char* TextFields::one_of(std::span<const char* const> keys, const char* words) {
  const char* found = nullptr;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto at = std::ranges::find(keys, fields_[i].key);
    if (at == keys.end()) continue;
    if (found != nullptr) fail("has both '{}' and '{}'", found, *at);
    found = *at;
  }
  if (words != nullptr) {
    valid_.push_back(words);
  } else {
    valid_.insert(valid_.end(), keys.begin(), keys.end());
  }
  return found;
}

TextFields::Tokens TextFields::tokens_of(const Field& field) const {
  const bool last = &field == &fields_[count_ - 1];
  return Tokens(tokens_).subspan(field.first,
                                 (last ? tokens_.size() : (&field + 1)->first) - field.first);
}

TextFields::Tokens TextFields::need(const char* key) {
  const Field* field = find(key);
  if (field == nullptr) refuse_lacking(fmt::format("'{}'", key));
  return tokens_of(*field);
}

const TextFields::Token* TextFields::first_token(const char* key) {
  const Field* field = find(key);
  return field == nullptr ? nullptr : &tokens_of(*field).front();
}

double TextFields::real_of(const char* key, const Token& token, double limit) const {
  if (token.type != Token::is_number && token.type != Token::is_whole) {
    fail("'{}' holds something that is not a number", key);
  }
  // Beyond the range of float a conversion is undefined.
  if (!(std::abs(token.real) <= limit)) {
    const bool is_domain = limit == static_cast<double>(domain_limit);
    fail("'{}' holds {}, beyond {}", key, token.real, is_domain ? "2^40" : "the largest float");
  }
  return token.real;
}

double TextFields::real(const char* key, double limit) {
  return real_of(key, need(key).front(), limit);
}

void TextFields::list_of(const char* key, Tokens from, const char* of, std::span<double> to,
                         double limit) const {
  std::size_t n = 0, depth = 0;
  for (const Token& t : from) {
    if (t.type == Token::is_end) --depth;
    n += depth == 1 && t.type != Token::is_end;
    if (t.type == Token::is_begin) ++depth;
  }
  if (from.front().type != Token::is_begin || n != to.size()) {
    fail("'{}' is not a list of {}{} numbers", key, of, to.size());
  }
  // A list among them is no number, and the first that is met.
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = real_of(key, from[i + 1], limit);
}

bool TextFields::holds_lists(const char* key) {
  const Tokens all = need(key);
  return all.size() > 1 && all[0].type == Token::is_begin && all[1].type == Token::is_begin;
}

std::vector<TextFields::Tokens> TextFields::lists_in(const char* key) {
  const Tokens all = need(key);
  if (all.front().type != Token::is_begin) fail("'{}' is not a list", key);
  std::vector<Tokens> lists;
  std::size_t depth = 0, first = 0;
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    if (depth == 0) first = i;
    if (all[i].type == Token::is_begin) ++depth;
    if (all[i].type == Token::is_end) --depth;
    if (depth == 0) lists.push_back(all.subspan(first, i + 1 - first));
  }
  return lists;
}

std::uint64_t TextFields::whole_of(const char* key, const Token& token, std::uint64_t most) const {
  if (token.type != Token::is_whole || token.value > most) {
    fail("'{}' is not a whole number up to {}", key, most);
  }
  return token.value;
}

std::uint64_t TextFields::whole_up_to(const char* key, std::uint64_t most,
                                      std::uint64_t otherwise) {
  const Token* const token = first_token(key);
  return token == nullptr ? otherwise : whole_of(key, *token, most);
}

std::vector<std::uint64_t> TextFields::wholes_up_to(const char* key, std::uint64_t most,
                                                    std::size_t most_numbers) {
  const Tokens all = need(key);
  if (all.front().type != Token::is_begin || all.size() - 2 > most_numbers) {
    fail("'{}' is not a list of at most {} whole numbers", key, most_numbers);
  }
  std::vector<std::uint64_t> values;
  for (const Token& token : all.subspan(1, all.size() - 2)) {
    values.push_back(whole_of(key, token, most));
  }
  return values;
}

std::string_view TextFields::text(const char* key) {
  const Token* const token = first_token(key);
  if (token == nullptr) return {};
  if (token->type != Token::is_text) fail("'{}' is not text", key);
  return std::string_view(texts_).substr(token->value, token->length);
}

std::string TextFields::text_or_number(const char* key) {
  const Token* const token = first_token(key);
  if (token == nullptr || token->type == Token::is_null) return {};
  if (token->type == Token::is_whole) return std::to_string(token->value);
  if (token->type == Token::is_text) return std::string(text(key));
  if (token->type != Token::is_number) fail("'{}' is neither text nor a number", key);
  constexpr double exact = 0x1p53;
  if (!(std::abs(token->real) <= exact)) {
    fail("'{}' is a number beyond 2^53, which has no exact digits: write it in quotes", key);
  }
  return fmt::format("{}", token->real);
}

bool TextFields::holds_text(const char* key) {
  const Token* const token = first_token(key);
  return token != nullptr && token->type == Token::is_text;
}
bool TextFields::holds_list(const char* key) {
  const Token* const token = first_token(key);
  return token != nullptr && token->type == Token::is_begin;
}
bool TextFields::holds_null(const char* key) {
  const Token* const token = first_token(key);
  return token != nullptr && token->type == Token::is_null;
}

void TextFields::refuse_unknown() const {
  for (std::size_t i = 0; i < count_; ++i) {
    const Field& field = fields_[i];
    if (field.asked) continue;
    const std::vector<std::string> valid = valid_keys();
    fail("has an unknown key {}; valid are {}{}",
         in_quotes(field.given.empty() ? field.key : field.given), fmt::join(valid, ", "),
         did_you_mean(field.key, valid));
  }
}

void check_units(const std::string& file, Metadata& metadata, ErrorKind otherwise) {
  const auto fail = [&](const char* key, const std::string& reason) {
    io::fail(otherwise, "{}: '{}' is {}, {}", file, key, in_quotes(metadata[key]), reason);
  };
  if (const auto up = metadata.find("up"); up != metadata.end()) {
    if (up->second == "Y" || up->second == "Z") up->second[0] = up->second == "Y" ? 'y' : 'z';
    if (up->second != "y" && up->second != "z") fail("up", "not y or z");
  }
  if (const auto unit = metadata.find("unit"); unit != metadata.end()) {
    const std::string& u = unit->second;
    const bool plain = std::none_of(u.begin(), u.end(), [](char c) { return c >= 0 && c < ' '; });
    if (trimmed(u).empty() || u.size() > 40 || !plain) fail("unit", "not a word such as m or cm");
  }
}

Metadata read_units(TextFields& values) {
  Metadata metadata;
  for (const char* key : {"unit", "up"}) {
    if (values.has(key)) metadata[key] = values.text(key);
  }
  check_units(values.file(), metadata);
  return metadata;
}

}  // namespace sightline::io
