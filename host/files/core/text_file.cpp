#include "host/files/core/text_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace sightline::io {
namespace {

constexpr std::uint64_t largest_text = std::uint64_t{1} << 32;

/// Of a number out of range, whether it is too small: by the place of its first digit.
bool is_tiny(std::string_view number) {
  const std::size_t end = std::min(number.find_first_of("eE"), number.size());
  const std::size_t point = std::min(number.find('.'), end);
  constexpr std::int64_t far = std::int64_t{1} << 62;
  std::int64_t exponent = 0;
  if (end < number.size()) {
    const char sign = number[end + 1];
    const char* const begin = number.data() + end + (sign == '+' ? 2 : 1);
    const auto [stop, error] = std::from_chars(begin, number.data() + number.size(), exponent);
    if (error != std::errc()) exponent = sign == '-' ? -far : far;
  }
  return exponent + static_cast<std::int64_t>(point - number.find_first_of("123456789")) < 0;
}

}  // namespace

std::string read_text(const std::filesystem::path& path, const char* what) {
  const File file(path.string());
  if (file.size() > largest_text) {
    refuse(file.name(), "{} bytes are too many for {}", file.size(), what);
  }
  return whole_text(file);
}

std::string whole_text(const File& file) {
  constexpr std::uint64_t step = 1 << 24;
  std::string text(file.size(), '\0');
  for (std::uint64_t first = 0; first < text.size(); first += step) {
    poll();
    file.read(first, text.data() + first, std::min<std::uint64_t>(step, text.size() - first));
  }
  return text;
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || !std::isfinite(value)) return std::nullopt;
  if (error == std::errc::result_out_of_range && is_tiny(text)) return text[0] == '-' ? -0.0 : 0.0;
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<double> number_or_infinity(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view size = negative || text.starts_with('+') ? text.substr(1) : text;
  for (const std::string_view word : {"inf", "infinity"}) {
    if (!std::ranges::equal(size, word, {}, [](char c) { return c | 0x20; })) continue;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return negative ? -infinite : infinite;
  }
  return finite_number(text);
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> all;
  for (TextLines lines("", text); lines.next();) all.push_back(lines.line());
  return all;
}

bool TextLines::next() {
  constexpr std::uint64_t lines_between_polls = 4096;
  if (rest_.empty()) return false;
  if (number_ % lines_between_polls == 0) poll();
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++number_;
  return true;
}

}  // namespace sightline::io
