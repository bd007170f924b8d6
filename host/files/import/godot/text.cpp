#include "host/files/import/godot/text.hpp"

#include "host/files/core/text_file.hpp"

namespace sightline::io {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// What stands between the brackets of `function( ... )`.
std::optional<std::string_view> argument_of(std::string_view value, std::string_view function) {
  if (!value.starts_with(function)) return std::nullopt;
  value = trimmed(value.substr(function.size()), blanks);
  if (!value.starts_with('(') || !value.ends_with(')')) return std::nullopt;
  return trimmed(value.substr(1, value.size() - 2), blanks);
}

}  // namespace

std::optional<std::string_view> GodotSection::attribute(std::string_view name) const {
  for (const GodotField& field : attributes) {
    if (field.name == name) return field.value;
  }
  return std::nullopt;
}

void GodotText::step() {
  if (here() == '\n') ++line_;
  ++at_;
}

/// Comments run from a semicolon to the line's end.
void GodotText::skip_blanks() {
  while (at_ < text_.size()) {
    if (here() == ';') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (blanks.find(here()) == std::string_view::npos) {
      return;
    } else {
      step();
    }
  }
}

void GodotText::skip_string() {
  const std::uint64_t begin = line_;
  for (step(); at_ < text_.size(); step()) {
    if (here() == '"') return step();
    if (here() == '\\') step();
  }
  refuse_line(file_, begin, "a text begins here and does not end");
}

/// Goes on until what ends a value stands outside of texts and brackets.
std::string_view GodotText::value(bool in_header) {
  const std::uint64_t line = line_;
  const std::size_t begin = at_;
  std::uint64_t depth = 0;
  while (at_ < text_.size()) {
    const char c = here();
    const bool closes = c == ')' || c == ']' || c == '}';
    if (depth == 0) {
      if (c == '\n' || (in_header ? c == ']' || c == ' ' || c == '\t' : c == ';')) break;
      if (closes) refuse_line(file_, line_, "a bracket is closed that was not opened");
    }
    if (c == '"') {
      skip_string();
    } else if (c == ';' && depth > 0) {
      skip_blanks();
    } else {
      if (closes) --depth;
      if (c == '(' || c == '[' || c == '{') ++depth;
      step();
    }
  }
  if (depth > 0) refuse_line(file_, line, "a bracket is opened here and not closed");
  return trimmed(text_.substr(begin, at_ - begin), blanks);
}

GodotField GodotText::field() {
  GodotField field;
  field.line = line_;
  const std::size_t end = std::min(text_.find_first_of("=\n", at_), text_.size());
  field.name = trimmed(text_.substr(at_, end - at_), blanks);
  if (end == text_.size() || text_[end] == '\n') {
    refuse_line(file_, line_, "{} has no value", in_quotes(field.name));
  }
  at_ = end + 1;
  while (here() == ' ' || here() == '\t') step();
  return field;
}

bool GodotText::next(GodotSection& section) {
  section = {};
  skip_blanks();
  if (at_ == text_.size()) return false;
  section.line = line_;
  if (here() != '[') refuse_line(file_, line_, "a section begins with '['");
  step();
  const std::size_t end = std::min(text_.find_first_of(" \t\r\n]", at_), text_.size());
  section.tag = text_.substr(at_, end - at_);
  at_ = end;
  for (skip_blanks(); here() != ']'; skip_blanks()) {
    if (at_ == text_.size()) refuse_line(file_, section.line, "a section's head does not end");
    section.attributes.push_back(field());
    section.attributes.back().value = value(true);
  }
  step();
  for (skip_blanks(); at_ < text_.size() && here() != '['; skip_blanks()) {
    section.fields.push_back(field());
    section.fields.back().value = value(false);
  }
  return true;
}

std::optional<std::string> godot_string(std::string_view value) {
  if (value.starts_with('&')) value.remove_prefix(1);
  if (value.size() < 2 || !value.starts_with('"') || !value.ends_with('"')) return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] == '\\' && i + 2 < value.size()) ++i;
    text += value[i];
  }
  return text;
}

std::optional<std::string> godot_reference(std::string_view value, std::string_view function) {
  const std::optional<std::string_view> id = argument_of(value, function);
  if (!id || id->empty()) return std::nullopt;
  const std::optional<std::string> text = godot_string(*id);
  return text ? text : std::string(*id);
}

std::optional<std::vector<double>> godot_numbers(std::string_view value,
                                                 std::string_view function) {
  std::optional<std::string_view> list = argument_of(value, function);
  if (!list) return std::nullopt;
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= list->size();) {
    const std::size_t end = std::min(list->find(',', at), list->size());
    const std::optional<double> number = finite_number(trimmed(list->substr(at, end - at), blanks));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    at = end + 1;
  }
  return numbers;
}

}  // namespace sightline::io
