#include "tests/ptx/lexer.hpp"

#include <algorithm>
#include <cctype>

namespace sightline::ptx {
namespace {

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

/// Where a word of letters ends: `::` belongs to it, `:` does not.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  for (;;) {
    if (at < text.size() && is_of_name(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "::") {
      at += 2;
    } else {
      return at;
    }
  }
}

/// Where a comment ends that begins here; `at` itself: there is none.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
  const std::string_view start = text.substr(at, 2);
  if (start == "//") return std::min(text.find('\n', at), text.size());
  if (start != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == text.npos ? text.size() : end + 2;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text, std::uint32_t line) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0') {
      line += c == '\n';
      ++at;
      continue;
    }
    if (const std::size_t end = end_of_comment(text, at); end != at) {
      line += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<long>(at),
                                                    text.begin() + static_cast<long>(end), '\n'));
      at = end;
      continue;
    }
    std::size_t end = at + 1;
    if (is_of_name(c)) end = end_of_name(text, at);
    if (c == '"') end = std::min(text.find('"', at + 1), text.size() - 1) + 1;
    tokens.push_back({text.substr(at, end - at), line});
    at = end;
  }
  return tokens;
}

std::uint64_t number_of(std::string_view text) {
  std::string digits(text);
  if (!digits.empty() && digits.back() == 'U') digits.pop_back();
  const bool is_bits = digits.size() > 2 && digits[0] == '0' &&
                       std::string_view("fFdD").find(digits[1]) != std::string_view::npos;
  if (is_bits) digits.erase(0, 2);
  std::size_t used = 0;
  std::uint64_t value = 0;
  try {
    value = std::stoull(digits, &used, is_bits ? 16 : 0);
  } catch (const std::logic_error&) {
  }
  if (used != digits.size() || digits.empty()) throw Error("not a number: " + std::string(text));
  return value;
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = name.find('.');
    parts.push_back(name.substr(0, dot));
    if (dot == name.npos) return parts;
    name.remove_prefix(dot + 1);
  }
}

bool find_type(std::string_view name, Type& type) {
  if (name == "pred") {
    type = {File::predicate, 0, 'p'};
    return true;
  }
  if (name.size() < 2 || std::string_view("busf").find(name[0]) == std::string_view::npos)
    return false;
  const std::string_view bits = name.substr(1);
  const char kind = name[0];
  if (bits == "8" && kind != 'f') {
    type = {File::half, 1, kind};
  } else if (bits == "16" && kind != 'f') {
    type = {File::half, 2, kind};
  } else if (bits == "32") {
    type = {File::word, 4, kind};
  } else if (bits == "64") {
    type = {File::wide, 8, kind};
  } else {
    return false;
  }
  return true;
}

void Reader::fail(const std::string& why) const {
  throw Error(where_ + ":" + std::to_string(line()) + ": " + why + " at '" +
              std::string(at_end() ? "the end" : peek()) + "'");
}

std::string_view Reader::next() {
  if (at_end()) fail("the text ends early");
  return tokens_[at_++].text;
}

void Reader::want(std::string_view text) {
  if (!take(text)) fail("expected '" + std::string(text) + "'");
}

bool Reader::take(std::string_view text) {
  if (!is(text)) return false;
  ++at_;
  return true;
}

void Reader::skip_past(std::string_view text) {
  while (next() != text) {
  }
}

}  // namespace sightline::ptx
