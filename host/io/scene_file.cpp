#include "host/io/scene_file.hpp"

#include "host/io/container.hpp"
#include "host/io/scene_tensors.hpp"

#include <sightline/error.hpp>

#include <array>

namespace sightline::io {
namespace {

constexpr std::string_view known_tensors[] = {
    "aabb.min",      "aabb.max",      "obb.center",    "obb.half_extents", "obb.rotation",
    "sphere.center", "sphere.radius", "capsule.a",     "capsule.b",        "capsule.radius",
    "plane.normal",  "plane.offset",  "aabb.mask",     "aabb.group",       "aabb.label",
    "obb.mask",      "obb.group",     "obb.label",     "sphere.mask",      "sphere.group",
    "sphere.label",  "capsule.mask",  "capsule.group", "capsule.label",    "plane.mask",
    "plane.group",   "plane.label"};

template <class T>
std::vector<T> read_all(const ContainerReader& file, const TensorInfo& tensor) {
  std::vector<T> values(tensor.elements());
  file.read(tensor, 0, values.size(), values.data());
  return values;
}

/// The columns of one kind; all have the length of the first one asked for.
class KindReader {
 public:
  KindReader(const ContainerReader& file, Kind kind, const char* first, std::uint64_t width)
      : file_(file), kind_(kind_name(kind)) {
    const Shape shape = width == 1 ? Shape{any_size} : Shape{any_size, width};
    count_ = file.expect(name(first), Dtype::f32, shape).shape[0];
  }

  std::uint64_t count() const { return count_; }

  /// Of a kind without shapes every tensor must be empty.
  void refuse_elements() const {
    for (const TensorInfo& tensor : file_.tensors()) {
      if (tensor.name.starts_with(name("")) && tensor.elements() > 0) {
        throw Error(ErrorKind::bad_input, file_.name() + ": tensor " + quote_name(tensor.name) +
                                              " is " + to_string(tensor.shape) +
                                              ", but there are no shapes of its kind");
      }
    }
  }

  std::vector<float> floats(const char* field, std::uint64_t width) const {
    const Shape shape = width == 1 ? Shape{count_} : Shape{count_, width};
    return read_all<float>(file_, file_.expect(name(field), Dtype::f32, shape));
  }
  template <class T>
  std::vector<T> optional(const char* field, Dtype dtype) const {
    const TensorInfo* tensor = file_.find(name(field), dtype, {count_});
    return tensor == nullptr ? std::vector<T>{} : read_all<T>(file_, *tensor);
  }

 private:
  std::string name(const char* field) const { return std::string(kind_) + '.' + field; }

  const ContainerReader& file_;
  std::string_view kind_;
  std::uint64_t count_ = 0;
};

/// The optional columns of one kind and the view of them.
struct AttributeColumns {
  explicit AttributeColumns(const KindReader& kind)
      : mask(kind.optional<std::uint32_t>("mask", Dtype::u32)),
        group(kind.optional<std::uint32_t>("group", Dtype::u32)),
        label(kind.optional<std::uint64_t>("label", Dtype::u64)) {
    if (!mask.empty()) view.mask.data = mask.data();
    if (!group.empty()) view.group.data = group.data();
    if (!label.empty()) view.label.data = label.data();
  }
  std::vector<std::uint32_t> mask, group;
  std::vector<std::uint64_t> label;
  AttributesView view;
};

void read_kind(const ContainerReader& file, Kind kind, Scene& scene) {
  const auto rows = [](const std::vector<float>& v) { return Vec3Column::rows(v.data()); };
  const auto column = [](const std::vector<float>& v) { return Column<float>{v.data()}; };
  constexpr const char* first_fields[] = {"min", "center", "center", "a", "normal"};
  const KindReader in(file, kind, first_fields[static_cast<std::size_t>(kind)], 3);
  const std::uint64_t n = in.count();
  if (n == 0) return in.refuse_elements();
  const AttributeColumns attributes(in);
  switch (kind) {
    case Kind::aabb: {
      const auto min = in.floats("min", 3), max = in.floats("max", 3);
      scene.add_aabbs(n, rows(min), rows(max), attributes.view);
      break;
    }
    case Kind::obb: {
      const auto center = in.floats("center", 3), half = in.floats("half_extents", 3);
      const auto rotation = in.floats("rotation", 4);
      std::array<Column<float>, 4> q;
      for (std::size_t i = 0; i < 4; ++i) q[i] = {rotation.data() + i, 4 * sizeof(float)};
      scene.add_obbs(n, rows(center), rows(half), q, attributes.view);
      break;
    }
    case Kind::sphere: {
      const auto center = in.floats("center", 3), radius = in.floats("radius", 1);
      scene.add_spheres(n, rows(center), column(radius), attributes.view);
      break;
    }
    case Kind::capsule: {
      const auto a = in.floats("a", 3), b = in.floats("b", 3), radius = in.floats("radius", 1);
      scene.add_capsules(n, rows(a), rows(b), column(radius), attributes.view);
      break;
    }
    case Kind::plane: {
      const auto normal = in.floats("normal", 3), offset = in.floats("offset", 1);
      scene.add_planes(n, rows(normal), column(offset), attributes.view);
      break;
    }
  }
}

bool has_kind(const ContainerReader& file, Kind kind) {
  const std::string prefix = std::string(kind_name(kind)) + ".";
  for (const TensorInfo& tensor : file.tensors()) {
    if (tensor.name.starts_with(prefix)) return true;
  }
  return false;
}

Scene read_container_scene(const std::string& name, Metadata* metadata) {
  const ContainerReader file(name);
  file.expect_kind("scene", false);
  file.refuse_unknown(known_tensors);
  Scene scene;
  for (int k = 0; k < kind_count; ++k) {
    const Kind kind = static_cast<Kind>(k);
    if (!has_kind(file, kind)) continue;
    try {
      read_kind(file, kind, scene);
    } catch (const Error& error) {
      const std::string what = error.what();
      if (what.starts_with(name + ": ")) throw;
      throw Error(error.kind(), name + ": " + what);
    }
  }
  if (metadata != nullptr) *metadata = file.metadata();
  return scene;
}

std::string read_text(const std::string& name) {
  const File file(name);
  constexpr std::uint64_t longest = 256 << 20;
  if (file.size() > longest) {
    throw Error(ErrorKind::bad_input, name + ": JSON scenes of more than 256 MiB are not read");
  }
  std::string text(file.size(), '\0');
  file.read(0, text.data(), text.size());
  return text;
}

}  // namespace

Scene read_scene(const std::string& name, Metadata* metadata) {
  if (!name.ends_with(".json")) return read_container_scene(name, metadata);
  return parse_scene_json(name, read_text(name), metadata);
}

void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata) {
  const std::vector<TensorSource> tensors = scene_tensors(scene);
  std::vector<TensorSpec> specs;
  for (const TensorSource& tensor : tensors) {
    specs.push_back({tensor.name, tensor.dtype, tensor.shape});
  }
  Metadata all = metadata;
  all.emplace("unit", "m");
  all.emplace("up", "z");
  all[kind_key] = "scene";
  all[format_key] = format_version;
  ContainerWriter file(name, specs, all);
  for (const TensorSource& tensor : tensors) {
    for_each_chunk(tensor, [&](std::uint64_t first, std::uint64_t count, const void* from) {
      file.write(tensor.name, first, count, from);
    });
  }
  file.commit();
}

std::string scene_hash(const Scene& scene) { return content_hash(scene_tensors(scene)); }

}  // namespace sightline::io
