#include "host/files/formats/flat_file.hpp"

#include "host/files/core/json_entry.hpp"
#include "host/files/core/kind_reader.hpp"
#include "host/files/core/tensor_source.hpp"

#include <array>

namespace sightline::io {
namespace {

constexpr std::string_view flat_file_tensors[] = {
    "circle.center",  "circle.radius",    "capsule.a",         "capsule.b",     "capsule.radius",
    "sector.center",  "sector.direction", "sector.half_angle", "sector.radius", "polygon.offsets",
    "polygon.corner", "aabb.min",         "aabb.max",          "obb.center",    "obb.half_extents",
    "obb.turn",       "circle.mask",      "capsule.mask",      "sector.mask",   "polygon.mask",
    "aabb.mask",      "obb.mask"};

Vec2 vec2(const std::vector<float>& rows, std::uint64_t i) {
  return {rows[2 * i], rows[2 * i + 1]};
}

/// Reads the shapes of a kind: add(i, mask) adds one.
template <class Add>
void add_all(const KindReader& in, FlatScene& scene, std::uint64_t n, const Add& add) {
  const auto mask = in.optional<std::uint32_t>("mask", Dtype::u32);
  for (std::uint64_t i = 0; i < n; ++i) add(i, mask.empty() ? scene.every_mask : mask[i]);
}

void read_polygons(const ContainerReader& file, FlatScene& scene) {
  // Offsets are one more than polygons, so that masks have a length of their own.
  const auto& offsets_tensor = file.expect("polygon.offsets", Dtype::u64, {any_size});
  const auto offsets = read_all<std::uint64_t>(file, offsets_tensor);
  const auto& corners_tensor = file.expect("polygon.corner", Dtype::f32, {any_size, 2});
  const auto corners = read_all<float>(file, corners_tensor);
  const std::uint64_t n = offsets.empty() ? 0 : offsets.size() - 1, all = corners.size() / 2;
  bool rising = !offsets.empty() && offsets.front() == 0 && offsets.back() == all;
  for (std::uint64_t i = 0; i < n; ++i) rising = rising && offsets[i] <= offsets[i + 1];
  if (!rising) {
    throw Error(ErrorKind::bad_input, file.name() +
                                          ": tensor 'polygon.offsets' does not rise from " +
                                          "0 to the number of corners, " + std::to_string(all));
  }
  const TensorInfo* masks = file.find("polygon.mask", Dtype::u32, {n});
  const auto mask =
      masks == nullptr ? std::vector<std::uint32_t>{} : read_all<std::uint32_t>(file, *masks);
  static_assert(sizeof(Vec2) == 2 * sizeof(float));
  std::vector<Vec2> polygon;
  for (std::uint64_t i = 0; i < n; ++i) {
    polygon.clear();
    for (std::uint64_t k = offsets[i]; k < offsets[i + 1]; ++k) polygon.push_back(vec2(corners, k));
    scene.add_polygon(polygon, mask.empty() ? scene.every_mask : mask[i]);
  }
}

void read_kind(const ContainerReader& file, FlatKind kind, FlatScene& scene) {
  if (kind == FlatKind::polygon) return read_polygons(file, scene);
  constexpr const char* first_fields[] = {"center", "a", "center", "", "min", "center"};
  const KindReader in(file, kind_name(kind), first_fields[static_cast<std::size_t>(kind)], 2);
  const std::uint64_t n = in.count();
  if (n == 0) return in.refuse_elements();
  switch (kind) {
    case FlatKind::circle: {
      const auto center = in.floats("center", 2), radius = in.floats("radius", 1);
      return add_all(in, scene, n, [&](std::uint64_t i, std::uint32_t mask) {
        scene.add_circle({vec2(center, i), radius[i]}, mask);
      });
    }
    case FlatKind::capsule: {
      const auto a = in.floats("a", 2), b = in.floats("b", 2), radius = in.floats("radius", 1);
      return add_all(in, scene, n, [&](std::uint64_t i, std::uint32_t mask) {
        scene.add_capsule({vec2(a, i), vec2(b, i), radius[i]}, mask);
      });
    }
    case FlatKind::sector: {
      const auto center = in.floats("center", 2), direction = in.floats("direction", 2);
      const auto half = in.floats("half_angle", 2), radius = in.floats("radius", 1);
      return add_all(in, scene, n, [&](std::uint64_t i, std::uint32_t mask) {
        const Vec2 angle = vec2(half, i);
        scene.add_sector({vec2(center, i), vec2(direction, i), angle.x, angle.y, radius[i]}, mask);
      });
    }
    case FlatKind::aabb: {
      const auto min = in.floats("min", 2), max = in.floats("max", 2);
      return add_all(in, scene, n, [&](std::uint64_t i, std::uint32_t mask) {
        scene.add_aabb({vec2(min, i), vec2(max, i)}, mask);
      });
    }
    default: {
      const auto center = in.floats("center", 2), half = in.floats("half_extents", 2);
      const auto turn = in.floats("turn", 2);
      return add_all(in, scene, n, [&](std::uint64_t i, std::uint32_t mask) {
        const Vec2 t = vec2(turn, i);
        scene.add_obb({vec2(center, i), vec2(half, i), t.x, t.y}, mask);
      });
    }
  }
}

/// The columns of one kind; the shapes must outlive them.
void add_columns(const FlatShapesView& s, FlatKind kind, std::uint64_t n,
                 std::vector<TensorSource>& out) {
  const auto column = [&](const char* field, auto get) {
    out.push_back(column_source(std::string(kind_name(kind)) + '.' + field, Dtype::f32, n, get));
  };
  switch (kind) {
    case FlatKind::circle:
      column("center", [s](std::uint32_t i) { return s.circle[i].center; });
      column("radius", [s](std::uint32_t i) { return s.circle[i].radius; });
      break;
    case FlatKind::capsule:
      column("a", [s](std::uint32_t i) { return s.capsule[i].a; });
      column("b", [s](std::uint32_t i) { return s.capsule[i].b; });
      column("radius", [s](std::uint32_t i) { return s.capsule[i].radius; });
      break;
    case FlatKind::sector:
      column("center", [s](std::uint32_t i) { return s.sector[i].center; });
      column("direction", [s](std::uint32_t i) { return s.sector[i].direction; });
      column("half_angle", [s](std::uint32_t i) {
        return Vec2{s.sector[i].cosine, s.sector[i].sine};
      });
      column("radius", [s](std::uint32_t i) { return s.sector[i].radius; });
      break;
    case FlatKind::polygon:
      out.push_back(column_source<std::uint64_t>(
          "polygon.offsets", Dtype::u64, n + 1,
          [s](std::uint32_t i) { return i == 0 ? 0 : s.polygon_end[i - 1]; }));
      out.push_back({"polygon.corner",
                     Dtype::f32,
                     {s.polygon_end[n - 1], 2},
                     [s](std::uint64_t first, std::uint64_t count, void* to) {
                       std::memcpy(to, &s.corner->x + first, count * sizeof(float));
                     }});
      break;
    case FlatKind::aabb:
      column("min", [s](std::uint32_t i) { return s.aabb[i].min; });
      column("max", [s](std::uint32_t i) { return s.aabb[i].max; });
      break;
    case FlatKind::obb:
      column("center", [s](std::uint32_t i) { return s.obb[i].center; });
      column("half_extents", [s](std::uint32_t i) { return s.obb[i].half_extents; });
      column("turn", [s](std::uint32_t i) { return Vec2{s.obb[i].cosine, s.obb[i].sine}; });
      break;
  }
}

/// A kind without shapes has none, and masks are there only where one is not all ones, so that a
/// set has one form only. The set must outlive them.
std::vector<TensorSource> flat_tensors(const FlatScene& scene) {
  std::vector<TensorSource> tensors;
  const FlatShapesView shapes = scene.view();
  for (int k = 0; k < flat_kind_count; ++k) {
    const auto kind = static_cast<FlatKind>(k);
    const std::uint32_t n = scene.count(kind);
    if (n == 0) continue;
    add_columns(shapes, kind, n, tensors);
    if (!scene.has_masks(kind)) continue;
    tensors.push_back(column_source<std::uint32_t>(
        std::string(kind_name(kind)) + ".mask", Dtype::u32, n,
        [&scene, kind](std::uint32_t i) { return scene.mask(kind, i); }));
  }
  return tensors;
}

}  // namespace

std::string_view kind_name(FlatKind kind) {
  constexpr std::array<std::string_view, flat_kind_count> names = {"circle",  "capsule", "sector",
                                                                   "polygon", "aabb",    "obb"};
  return names[static_cast<std::size_t>(kind)];
}

FlatScene read_flat_scene(const std::string& name, Metadata* metadata) {
  if (name.ends_with(".json")) return parse_flat_json(name, read_json_text(name), metadata);
  const ContainerReader file(name);
  file.expect_kind("flat scene", false);
  file.refuse_unknown(flat_file_tensors);
  FlatScene scene;
  for (int k = 0; k < flat_kind_count; ++k) {
    const auto kind = static_cast<FlatKind>(k);
    if (has_kind(file, kind_name(kind))) naming_file(file, [&] { read_kind(file, kind, scene); });
  }
  if (metadata != nullptr) *metadata = file.metadata();
  return scene;
}

void write_flat_scene(const std::string& name, const FlatScene& scene, const Metadata& metadata) {
  Metadata all = metadata;
  all.emplace("unit", "m");
  write_tensors(name, "flat scene", flat_tensors(scene), all);
}

std::string flat_hash(const FlatScene& scene) { return content_hash(flat_tensors(scene)); }

RowsFile::RowsFile(const std::string& name, std::uint64_t width) : file_(name), width_(width) {
  file_.expect(Dtype::f32, {any_size, width});
}

void RowsFile::read(std::uint64_t first, std::uint64_t n, std::vector<float>& rows) const {
  rows.resize(n * width_);
  file_.read(first * width_, n * width_, rows.data());
}

std::string RowsFile::hash(const char* tensor) const {
  return content_hash(
      {{tensor,
        Dtype::f32,
        {count(), width_},
        [this](std::uint64_t first, std::uint64_t n, void* to) { file_.read(first, n, to); }}});
}

}  // namespace sightline::io
