// Scenes written by hand: {"sphere": [{"center": [0, 0, 1], "radius": 0.5, "mask": 3}], ...}.
#include "host/files/core/json_entry.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/formats/scene_tensors.hpp"

namespace sightline::io {
namespace {

using nlohmann::json;

void read(JsonEntry& in, const char* field, float& to) { to = in.number(field); }
void read(JsonEntry& in, const char* field, Vec3& to) { to = in.vec3(field); }
void read(JsonEntry& in, const char* field, Quat& to) {
  if (!in.has(field)) return;
  const auto q = in.floats<4>(field);
  to = {q[0], q[1], q[2], q[3]};
}

void add_shape(Scene& scene, Kind kind, JsonEntry& in) {
  const Attributes otherwise;
  const Attributes attributes = {in.whole("mask", otherwise.mask),
                                 in.whole("group", otherwise.group),
                                 in.whole("label", otherwise.label)};
  with_kind(kind, [&]<class S>(ShapeTag<S>) {
    Given<S> shape;
    ShapeTraits<Given<S>>::fields([&](const char* field, auto& to) { read(in, field, to); }, shape);
    scene.add(shape, attributes);
  });
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
