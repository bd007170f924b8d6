#include "host/files/import/godot/file.hpp"

#include "host/files/core/text_file.hpp"
#include "host/files/import/godot/text.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

/// Names are compared and joined for every instance of a scene, of which there may be very many.
constexpr std::size_t longest_name = 4096;

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
