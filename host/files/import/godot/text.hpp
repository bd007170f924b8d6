// Godot's text files as sections of named values, whatever they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::io {

/// `name = value`; the value is the text as it stands, over several lines where it has them.
struct GodotField {
  std::string_view name, value;
  std::uint64_t line = 0;
};

/// `[tag name=value ...]` and the fields below it.
struct GodotSection {
  std::string_view tag;
  std::uint64_t line = 0;
  std::vector<GodotField> attributes, fields;

  /// The value of an attribute, or nothing.
  std::optional<std::string_view> attribute(std::string_view name) const;
};

/// Walks over the sections of a text, of which all views are parts.
class GodotText {
 public:
  GodotText(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  /// Reads the next section; false at the end. Throws Error{bad_input} naming file, line, reason.
  bool next(GodotSection& section);

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void step();
  void skip_blanks();
  void skip_string();
  std::string_view value(bool in_header);
  GodotField field();

  std::string file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

// What values mean. Each is nothing where the text is of another form.

/// `"..."` without its quotes and escapes; `&"..."` as well.
std::optional<std::string> godot_string(std::string_view value);
/// The id in `SubResource("id")` or `SubResource( 1 )`, for a function of any name.
std::optional<std::string> godot_reference(std::string_view value, std::string_view function);
/// The numbers in `Vector3(1, 2, 3)`, for a function of any name; finite ones alone.
std::optional<std::vector<double>> godot_numbers(std::string_view value, std::string_view function);

}  // namespace sightline::io
