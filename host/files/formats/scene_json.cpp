// Scenes written by hand: {"sphere": [{"center": [0, 0, 1], "radius": 0.5, "mask": 3}], ...}.
#include "host/files/core/json_entry.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/formats/scene_tensors.hpp"

namespace sightline::io {
namespace {

using nlohmann::json;

void add_shape(Scene& scene, Kind kind, JsonEntry& in) {
  const Attributes otherwise;
  const Attributes attributes = {in.whole("mask", otherwise.mask),
                                 in.whole("group", otherwise.group),
                                 in.whole("label", otherwise.label)};
  switch (kind) {
    case Kind::aabb:
      scene.add_aabb({in.vec3("min"), in.vec3("max")}, attributes);
      break;
    case Kind::obb: {
      Obb shape;
      shape.center = in.vec3("center");
      shape.half_extents = in.vec3("half_extents");
      if (in.has("rotation")) {
        const auto q = in.floats<4>("rotation");
        shape.rotation = {q[0], q[1], q[2], q[3]};
      }
      scene.add_obb(shape, attributes);
      break;
    }
    case Kind::sphere:
      scene.add_sphere({in.vec3("center"), in.number("radius")}, attributes);
      break;
    case Kind::capsule:
      scene.add_capsule({in.vec3("a"), in.vec3("b"), in.number("radius")}, attributes);
      break;
    case Kind::plane:
      scene.add_plane({in.vec3("normal"), in.number("offset")}, attributes);
      break;
  }
}

}  // namespace

Scene parse_scene_json(const std::string& file, const std::string& text, Metadata* metadata) {
  const json root = parse_json(file, text, 5);  // as deep as sets of 2D shapes, so as to name them
  if (!root.is_object()) throw Error(ErrorKind::bad_input, file + ": is not a JSON object");
  if (root.contains("dimensions")) {
    throw Error(ErrorKind::bad_input, file + ": is a set of 2D shapes, not a scene");
  }
  Scene scene;
  Metadata found;
  for (const auto& [key, value] : root.items()) {
    if (key == "unit" || key == "up") {
      read_json_metadata(file, key, value, found);
      continue;
    }
    int k = 0;
    while (k < kind_count && key != kind_name(static_cast<Kind>(k))) ++k;
    if (k == kind_count) {
      throw Error(ErrorKind::bad_input, file + ": unknown key " + quote_name(key));
    }
    for_each_json_shape(file, key, value,
                        [&](JsonEntry& entry) { add_shape(scene, static_cast<Kind>(k), entry); });
  }
  if (metadata != nullptr) *metadata = std::move(found);
  return scene;
}

}  // namespace sightline::io
