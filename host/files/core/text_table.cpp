#include "host/files/core/text_table.hpp"

#include "host/files/core/tensor.hpp"
#include "host/files/core/text_file.hpp"

#include <cmath>
#include <iterator>

namespace sightline::io {

constexpr std::size_t bytes_at_a_time = 1 << 20;

TextTable::TextTable(const std::string& file, bool json, const std::vector<std::string>& columns,
                     const std::vector<std::string>& comments)
    : file_(file, 0), json_(json) {
  for (const std::string& name : columns) {
    columns_.push_back(json ? json_string(name) + ":" : name);
  }
  if (json) {
    text_ = "[";
  } else {
    for (const std::string& comment : comments) text_ += fmt::format("# {}\n", comment);
    text_ += fmt::format("{}\n", fmt::join(columns_, ","));
  }
}

void TextTable::begin_value() {
  if (json_) {
    text_ += column_ > 0 ? "," : rows_ > 0 ? ",\n{" : "\n{";
    text_ += columns_[column_];
  } else if (column_ > 0) {
    text_ += ',';
  }
  ++column_;
}

void TextTable::put(std::uint64_t value) {
  constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;
  if (json_ && value > most_exact) return put_text(std::to_string(value));
  begin_value();
  fmt::format_to(std::back_inserter(text_), "{}", value);
}

void TextTable::put(float value) {
  if (json_ && !std::isfinite(value)) return put_nothing();
  begin_value();
  fmt::format_to(std::back_inserter(text_), "{}", value);
}

void TextTable::put_text(std::string_view text) {
  begin_value();
  if (json_) {
    text_ += json_string(text);
  } else if (text.find_first_of(",\";\t\r\n") == std::string_view::npos && trimmed(text) == text) {
    text_ += text;
  } else {
    text_ += '"';
    for (const char c : text) text_.append(c == '"' ? 2 : 1, c);
    text_ += '"';
  }
}

void TextTable::put_nothing() {
  begin_value();
  if (json_) text_ += "null";
}

void TextTable::end_row() {
  text_ += json_ ? "}" : "\n";
  column_ = 0;
  ++rows_;
  if (text_.size() < bytes_at_a_time) return;
  file_.append(text_.data(), text_.size());
  text_.clear();
}

void TextTable::commit() {
  if (json_) text_ += "\n]\n";
  file_.append(text_.data(), text_.size());
  file_.commit();
}

}  // namespace sightline::io
