// Scenes written by hand: {"sphere": [{"center": [0, 0, 1], "radius": 0.5, "mask": 3}], ...}.
#include "host/io/scene_file.hpp"
#include "host/io/scene_tensors.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <set>

namespace sightline::io {
namespace {

using nlohmann::json;

/// One object of the file, with its place for errors; every key must be asked for.
class Entry {
 public:
  Entry(const std::string& file, std::string where, const json& object)
      : file_(file), where_(std::move(where)), object_(object) {
    if (!object_.is_object()) fail("is not an object");
  }

  template <std::size_t n>
  std::array<float, n> floats(const char* key) {
    const json& value = need(key);
    if (!value.is_array() || value.size() != n) {
      fail(fmt::format("'{}' is not a list of {} numbers", key, n));
    }
    std::array<float, n> numbers;
    for (std::size_t i = 0; i < n; ++i) numbers[i] = to_float(key, value[i]);
    return numbers;
  }
  Vec3 vec3(const char* key) {
    const auto v = floats<3>(key);
    return {v[0], v[1], v[2]};
  }
  float number(const char* key) { return to_float(key, need(key)); }

  template <class T>
  T whole(const char* key, T otherwise) {
    const json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_number_unsigned() ||
        value->get<std::uint64_t>() > std::numeric_limits<T>::max()) {
      fail(fmt::format("'{}' is not a whole number up to {}", key, std::numeric_limits<T>::max()));
    }
    return value->get<T>();
  }
  Attributes attributes() {
    const Attributes otherwise;
    return {whole("mask", otherwise.mask), whole("group", otherwise.group),
            whole("label", otherwise.label)};
  }
  bool has(const char* key) const { return object_.contains(key); }

  void refuse_unknown() const {
    for (const auto& item : object_.items()) {
      if (!known_.contains(item.key())) fail("has an unknown key " + quote_name(item.key()));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ErrorKind::bad_input, fmt::format("{}: {} {}", file_, where_, reason));
  }
  const json* find(const char* key) {
    known_.insert(key);
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }
  const json& need(const char* key) {
    const json* value = find(key);
    if (value == nullptr) fail(fmt::format("lacks '{}'", key));
    return *value;
  }
  float to_float(const char* key, const json& value) const {
    if (!value.is_number()) fail(fmt::format("'{}' holds something that is not a number", key));
    const double number = value.get<double>();
    // Beyond the range of float the conversion is undefined.
    if (!(std::abs(number) <= static_cast<double>(domain_limit))) {
      fail(fmt::format("'{}' holds {}, beyond 2^40", key, number));
    }
    return static_cast<float>(number);
  }

  const std::string& file_;
  std::string where_;
  const json& object_;
  std::set<std::string, std::less<>> known_;
};

void add_shape(Scene& scene, Kind kind, Entry& in) {
  const Attributes attributes = in.attributes();
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
  in.refuse_unknown();
}

/// Refuses keys given twice, which a parsed tree no longer shows, and deep nesting.
class Guard {
 public:
  explicit Guard(const std::string& file) : file_(file) {}

  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    constexpr int deepest = 4;
    if (depth > deepest) fail("is nested too deeply");
    const auto level = static_cast<std::size_t>(depth);
    if (event == json::parse_event_t::object_start) keys_[level + 1].clear();
    if (event == json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_[level].insert(key).second) fail("has the key " + quote_name(key) + " twice");
    }
    return true;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ErrorKind::bad_input, file_ + ": " + reason);
  }
  const std::string& file_;
  std::array<std::set<std::string>, 6> keys_;
};

json parse(const std::string& file, const std::string& text) {
  try {
    return json::parse(text, Guard(file));
  } catch (const json::exception& error) {
    const std::string_view what = error.what();
    const std::size_t end = what.find("] ");  // after the library's own name for the error
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: not JSON: {}", file,
                            end == std::string_view::npos ? what : what.substr(end + 2)));
  }
}

void add_kind(const std::string& file, Kind kind, const json& list, Scene& scene) {
  const std::string_view name = kind_name(kind);
  if (!list.is_array()) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: '{}' is not a list", file, name));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    Entry entry(file, fmt::format("{} {}", name, i), list[i]);
    try {
      add_shape(scene, kind, entry);
    } catch (const Error& error) {
      const std::string_view what = error.what();
      if (what.starts_with(file + ": ")) throw;
      throw Error(error.kind(), fmt::format("{}: {}", file, what));
    }
  }
}

}  // namespace

Scene parse_scene_json(const std::string& file, const std::string& text, Metadata* metadata) {
  const json root = parse(file, text);
  if (!root.is_object()) throw Error(ErrorKind::bad_input, file + ": is not a JSON object");
  Scene scene;
  Metadata found;
  for (const auto& [key, value] : root.items()) {
    if (key == "unit" || key == "up") {
      if (!value.is_string()) {
        throw Error(ErrorKind::bad_input, fmt::format("{}: '{}' is not text", file, key));
      }
      found[key] = value.get<std::string>();
      continue;
    }
    int k = 0;
    while (k < kind_count && key != kind_name(static_cast<Kind>(k))) ++k;
    if (k == kind_count) {
      throw Error(ErrorKind::bad_input, file + ": unknown key " + quote_name(key));
    }
    add_kind(file, static_cast<Kind>(k), value, scene);
  }
  if (metadata != nullptr) *metadata = std::move(found);
  return scene;
}

}  // namespace sightline::io
