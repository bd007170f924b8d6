// Sets of 2D shapes written by hand: {"dimensions": 2, "circle": [{"center": [0, 0], "radius":
// 1}]}.
#include "host/files/core/json_entry.hpp"
#include "host/files/formats/flat_file.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

using nlohmann::json;

template <class Shape>
void add_shape(FlatScene& scene, JsonEntry& in) {
  const auto mask = in.whole("mask", FlatScene::every_mask);
  Shape shape = {};
  auto* to = reinterpret_cast<float*>(&shape);
  for (const auto& [name, width] : ShapeTraits<Shape>::fields) {
    if (width == 1) {
      *to = in.number(name);
    } else if (name == std::string_view("turn") && !in.has(name)) {
      *to = 1;
    } else {
      const auto v = in.floats<2>(name);
      std::copy_n(v.data(), 2, to);
    }
    to += width;
  }
  scene.add(shape, mask);
}
template <>
void add_shape<ConvexPolygon>(FlatScene& scene, JsonEntry& in) {
  const auto mask = in.whole("mask", FlatScene::every_mask);
  std::vector<Vec2> corners;
  for (const auto& corner : in.rows<2>("corners")) corners.push_back({corner[0], corner[1]});
  scene.add_polygon(corners, mask);
}

/// What tells such a file from a scene of 3D.
bool is_flat(const json& root) {
  return root.is_object() && root.contains("dimensions") && root["dimensions"] == 2;
}

}  // namespace

FlatScene parse_flat_json(const std::string& file, const std::string& text, Metadata* metadata) {
  const json root = parse_json(file, text, 5);
  if (!is_flat(root)) {
    throw Error(ErrorKind::bad_input, file + ": is not a JSON object with \"dimensions\": 2");
  }
  FlatScene scene;
  Metadata found;
  for (const auto& [key, value] : root.items()) {
    if (key == "dimensions") continue;
    if (key == "unit" || key == "up") {
      read_json_metadata(file, key, value, found);
      continue;
    }
    int k = 0;
    while (k < flat_kind_count && key != kind_name(static_cast<FlatKind>(k))) ++k;
    if (k == flat_kind_count) {
      throw Error(ErrorKind::bad_input, file + ": unknown key " + quote_name(key));
    }
    for_each_json_shape(file, key, value, [&](JsonEntry& entry) {
      FlatKinds::with(k, [&]<class S>(ShapeTag<S>) { add_shape<S>(scene, entry); });
    });
  }
  if (metadata != nullptr) *metadata = std::move(found);
  return scene;
}

bool is_flat_json(const std::string& name) {
  try {
    return is_flat(parse_json(name, read_json_text(name), 5));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    return false;  // whoever reads it as a scene says why
  }
}

}  // namespace sightline::io
