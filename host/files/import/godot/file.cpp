#include "host/files/import/godot/file.hpp"

#include "host/files/core/text_file.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

/// Names are compared and joined for every instance of a scene, of which there may be very many.
constexpr std::size_t longest_name = 4096;

// The text as sections of named values, whatever they mean.

constexpr std::string_view blanks = " \t\r\n";

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
  std::optional<std::string_view> attribute(std::string_view name) const {
    const auto at = std::ranges::find(attributes, name, &GodotField::name);
    return at == attributes.end() ? std::nullopt : std::optional(at->value);
  }
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

/// What stands between the brackets of `function( ... )`.
std::optional<std::string_view> argument_of(std::string_view value, std::string_view function) {
  if (!value.starts_with(function)) return std::nullopt;
  value = trimmed(value.substr(function.size()), blanks);
  if (!value.starts_with('(') || !value.ends_with(')')) return std::nullopt;
  return trimmed(value.substr(1, value.size() - 2), blanks);
}

// What values mean. Each is nothing where the text is of another form.

/// `"..."` without its quotes and escapes; `&"..."` as well.
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

/// The id in `SubResource("id")` or `SubResource( 1 )`, for a function of any name.
std::optional<std::string> godot_reference(std::string_view value, std::string_view function) {
  const std::optional<std::string_view> id = argument_of(value, function);
  if (!id || id->empty()) return std::nullopt;
  const std::optional<std::string> text = godot_string(*id);
  return text ? text : std::string(*id);
}

/// The numbers in `Vector3(1, 2, 3)`, for a function of any name; finite ones alone.
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

/// An attribute without its quotes, which Godot 3 leaves out of numbers; empty if there is none.
std::string text_of(const GodotSection& section, std::string_view name) {
  const std::optional<std::string_view> value = section.attribute(name);
  if (!value) return {};
  const std::optional<std::string> inner = godot_string(*value);
  return inner ? *inner : std::string(*value);
}

bool is_shape(const std::string& type) { return type.find("Shape") != std::string::npos; }

/// Twelve numbers: the rows of the basis, then the origin.
Affine affine_of(const std::array<double, 12>& n) {
  Affine map;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t k = 0; k < 3; ++k) map.column[k][row] = n[3 * row + k];
    map.origin[row] = n[9 + row];
  }
  return map;
}

/// Reads the fields of one file. Scripts may add properties of any type to a node, so a value of
/// another type than Godot's own is passed over; one that is damaged is refused.
class SectionFields {
 public:
  explicit SectionFields(const std::string& file) : file_(file) {}

  GodotShape shape(std::string type, const GodotSection& section) const {
    GodotShape shape;
    shape.type = std::move(type);
    for (const GodotField& field : section.fields) {
      if (field.name == "size") shape.size = vector(field);
      if (field.name == "extents") shape.extents = vector(field);
      if (field.name == "radius") shape.radius = length(field);
      if (field.name == "height") shape.height = length(field);
      if (field.name == "plane") shape.plane = numbers<4>(field, {"Plane"});
    }
    return shape;
  }

  GodotNode node(const GodotSection& section) const {
    GodotNode node;
    node.line = section.line;
    node.name = name_of(section, "name");
    node.type = name_of(section, "type");
    if (section.attribute("parent")) node.parent = text_of(section, "parent");
    if (const auto instance = section.attribute("instance")) {
      node.instance = godot_reference(*instance, "ExtResource");
      if (!node.instance) refuse_line(file_, section.line, "instance is no ExtResource(...)");
    }
    node.placeholder = section.attribute("instance_placeholder").has_value();
    for (const GodotField& field : section.fields) {
      read_place(node.properties, field);
      read_collision(node.properties, field);
    }
    return node;
  }

  /// An attribute that names something.
  std::string name_of(const GodotSection& section, std::string_view attribute) const {
    std::string name = text_of(section, attribute);
    if (name.size() > longest_name) {
      refuse_line(file_, section.line, "{} has more than {} characters", attribute, longest_name);
    }
    return name;
  }

 private:
  double length(const GodotField& field) const {
    const std::optional<double> value = finite_number(field.value);
    if (!value || *value < 0) {
      refuse_line(file_, field.line, "{} is {}, not a number of at least 0", field.name,
                  in_quotes(field.value));
    }
    return *value;
  }

  template <std::size_t N>
  std::optional<std::array<double, N>> numbers(
      const GodotField& field, std::initializer_list<std::string_view> types) const {
    const std::string_view type = field.value.substr(0, field.value.find_first_of(" ("));
    if (std::ranges::find(types, type) == types.end()) return std::nullopt;
    const std::optional<std::vector<double>> found = godot_numbers(field.value, type);
    if (!found || found->size() != N) {
      refuse_line(file_, field.line, "{} is {}, not {} finite numbers", field.name,
                  in_quotes(field.value), N);
    }
    std::array<double, N> out{};
    std::ranges::copy(*found, out.begin());
    return out;
  }

  std::optional<Double3> vector(const GodotField& field) const {
    return numbers<3>(field, {"Vector3"});
  }
  void read_place(GodotProperties& to, const GodotField& field) const {
    constexpr double degree = 3.14159265358979323846 / 180;
    const std::string_view name = field.name;
    const auto take = [](auto& old, const auto& found) {
      if (found) old = found;
    };
    if (name == "transform") {
      const auto twelve = numbers<12>(field, {"Transform3D", "Transform"});
      if (twelve) to.transform = affine_of(*twelve);
    }
    if (name == "position" || name == "translation") take(to.position, vector(field));
    if (name == "rotation") take(to.rotation, vector(field));
    if (name == "scale") take(to.scale, vector(field));
    if (name == "rotation_degrees") {
      if (const auto found = vector(field)) to.rotation = times(*found, degree);
    }
  }

  void read_collision(GodotProperties& to, const GodotField& field) const {
    const bool yes = field.value == "true", is_flag = yes || field.value == "false";
    if (field.name == "disabled" && is_flag) to.disabled = yes;
    if (field.name == "use_collision" && is_flag) to.use_collision = yes;
    if ((field.name == "top_level" || field.name == "set_as_toplevel") && is_flag) {
      to.top_level = yes;
    }
    if (field.name == "collision_layer") {
      const std::optional<double> layers = finite_number(field.value);
      if (layers && *layers >= 0 && *layers < 0x1p32) {
        to.collision_layer = static_cast<std::uint32_t>(*layers);
      }
    }
    if (field.name == "shape") {
      const auto inner = godot_reference(field.value, "SubResource");
      const auto outer = godot_reference(field.value, "ExtResource");
      if (inner || outer) to.shape = GodotShapeId{!inner, inner ? *inner : *outer};
    }
  }

  const std::string& file_;
};

}  // namespace

GodotFile parse_godot(const std::string& name, std::string_view text) {
  GodotText sections(name, text);
  GodotSection section;
  if (!sections.next(section) || (section.tag != "gd_scene" && section.tag != "gd_resource")) {
    refuse_line(name, 1, "a text scene begins with [gd_scene, a resource with [gd_resource");
  }
  GodotFile file;
  file.name = name;
  const std::string own_type = text_of(section, "type");
  const SectionFields fields(file.name);
  while (sections.next(section)) {
    if (section.tag == "ext_resource") {
      file.externals[fields.name_of(section, "id")] = fields.name_of(section, "path");
    } else if (section.tag == "sub_resource") {
      std::string type = fields.name_of(section, "type");
      if (!is_shape(type)) continue;
      file.shapes[fields.name_of(section, "id")] = fields.shape(std::move(type), section);
    } else if (section.tag == "resource") {
      if (is_shape(own_type)) file.resource = fields.shape(own_type, section);
    } else if (section.tag == "node") {
      file.nodes.push_back(fields.node(section));
    }
  }
  return file;
}

}  // namespace sightline::io
