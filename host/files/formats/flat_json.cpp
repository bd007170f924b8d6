// Sets of 2D shapes written by hand: {"dimensions": 2, "circle": [{"center": [0, 0], "radius":
// 1}]}.
#include "host/files/core/json_entry.hpp"
#include "host/files/formats/flat_file.hpp"

namespace sightline::io {
namespace {

using nlohmann::json;

Vec2 vec2(const std::array<float, 2>& v) { return {v[0], v[1]}; }

void add_shape(FlatScene& scene, FlatKind kind, JsonEntry& in) {
  const auto at = [&](const char* key) { return vec2(in.floats<2>(key)); };
  const auto mask = in.whole("mask", FlatScene::every_mask);
  switch (kind) {
    case FlatKind::circle:
      scene.add_circle({at("center"), in.number("radius")}, mask);
      break;
    case FlatKind::capsule:
      scene.add_capsule({at("a"), at("b"), in.number("radius")}, mask);
      break;
    case FlatKind::sector: {
      const Vec2 half = at("half_angle");
      scene.add_sector({at("center"), at("direction"), half.x, half.y, in.number("radius")}, mask);
      break;
    }
    case FlatKind::polygon: {
      std::vector<Vec2> corners;
      for (const auto& corner : in.rows<2>("corners")) corners.push_back(vec2(corner));
      scene.add_polygon(corners, mask);
      break;
    }
    case FlatKind::aabb:
      scene.add_aabb({at("min"), at("max")}, mask);
      break;
    case FlatKind::obb: {
      const Vec2 turn = in.has("turn") ? at("turn") : Vec2{1, 0};
      scene.add_obb({at("center"), at("half_extents"), turn.x, turn.y}, mask);
      break;
    }
  }
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
      add_shape(scene, static_cast<FlatKind>(k), entry);
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
