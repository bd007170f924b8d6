#include "host/files/formats/scene_file.hpp"

#include "host/files/core/json_entry.hpp"
#include "host/files/core/kind_reader.hpp"
#include "host/files/core/tensor_source.hpp"
#include "host/files/formats/scene_tensors.hpp"

#include <sightline/error.hpp>

#include <array>

namespace sightline::io {
namespace {

constexpr std::string_view scene_file_tensors[] = {
    "aabb.min",      "aabb.max",      "obb.center",    "obb.half_extents", "obb.rotation",
    "sphere.center", "sphere.radius", "capsule.a",     "capsule.b",        "capsule.radius",
    "plane.normal",  "plane.offset",  "aabb.mask",     "aabb.group",       "aabb.label",
    "obb.mask",      "obb.group",     "obb.label",     "sphere.mask",      "sphere.group",
    "sphere.label",  "capsule.mask",  "capsule.group", "capsule.label",    "plane.mask",
    "plane.group",   "plane.label"};

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
  const KindReader in(file, kind_name(kind), first_fields[static_cast<std::size_t>(kind)], 3);
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

Scene read_container_scene(const std::string& name, Metadata* metadata) {
  const ContainerReader file(name);
  file.expect_kind("scene", false);
  file.refuse_unknown(scene_file_tensors);
  Scene scene;
  for (int k = 0; k < kind_count; ++k) {
    const Kind kind = static_cast<Kind>(k);
    if (!has_kind(file, kind_name(kind))) continue;
    naming_file(file, [&] { read_kind(file, kind, scene); });
  }
  if (metadata != nullptr) *metadata = file.metadata();
  return scene;
}

}  // namespace

Scene read_scene(const std::string& name, Metadata* metadata) {
  if (!name.ends_with(".json")) return read_container_scene(name, metadata);
  return parse_scene_json(name, read_json_text(name), metadata);
}

void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata) {
  Metadata all = metadata;
  all.emplace("unit", "m");
  all.emplace("up", "z");
  write_tensors(name, "scene", scene_tensors(scene), all);
}

std::string scene_hash(const Scene& scene) { return content_hash(scene_tensors(scene)); }

}  // namespace sightline::io
