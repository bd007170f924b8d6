// Sets of 2D shapes by hand: {"dimensions": 2, "circle": [{"center": [0, 0], "radius": 1}]}.
#include "host/files/core/entry.hpp"
#include "host/files/formats/flat_file.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

template <class Shape>
void add_shape(FlatScene& scene, Entry& in) {
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
  in.naming_place([&] { scene.add(shape, mask); });
}
template <>
void add_shape<ConvexPolygon>(FlatScene& scene, Entry& in) {
  const auto mask = in.whole("mask", FlatScene::every_mask);
  std::vector<Vec2> corners;
  for (const auto& corner : in.rows<2>("corners")) corners.push_back({corner[0], corner[1]});
  in.naming_place([&] { scene.add_polygon(corners, mask); });
}

/// A reader that takes all kinds of 2D; `use` gets the kind's number.
JsonReader flat_reader(std::function<void(std::size_t, Entry&)> use) {
  JsonReader reader;
  FlatKinds::for_each(
      [&]<class S>(ShapeTag<S>) { reader.lists.emplace_back(ShapeTraits<S>::name); });
  reader.values = {"dimensions", "unit", "up"};
  reader.use = std::move(use);
  return reader;
}

/// What tells such a file from a scene of 3D.
bool is_flat(Entry& values) {
  return values.has("dimensions") && values.whole<std::uint32_t>("dimensions", 0) == 2;
}

}  // namespace

FlatScene parse_flat_json(const std::string& file, const std::string& text, Metadata* metadata) {
  FlatScene scene;
  const char* const wanted = "is not a JSON object with \"dimensions\": 2";
  // Told before its shapes are found to have a third coordinate.
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{' &&
      text.find("\"dimensions\"") == std::string::npos) {
    refuse(file, "{}", wanted);
  }
  Entry values = read_json(file, text, flat_reader([&](std::size_t k, Entry& in) {
                             FlatKinds::with(static_cast<int>(k), [&]<class S>(ShapeTag<S>) {
                               add_shape<S>(scene, in);
                             });
                             in.refuse_unknown();
                           }));
  if (!is_flat(values)) refuse(file, "{}", wanted);
  const Metadata units = read_units(values);
  if (metadata != nullptr) *metadata = units;
  return scene;
}

bool is_flat_json(const std::string& name) {
  bool flat = false;
  JsonReader reader = flat_reader([](std::size_t, Entry&) {});
  reader.value = [&](Entry& values) { flat = flat || is_flat(values); };
  try {
    read_json(name, read_json_text(name), reader);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    // Whoever reads it says why.
  }
  return flat;
}

}  // namespace sightline::io
