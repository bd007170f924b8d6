#include "host/files/formats/scene_file.hpp"

#include "host/files/core/csv.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/kind_reader.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/core/tensor_source.hpp"
#include "host/files/formats/scene_tensors.hpp"

#include <sightline/error.hpp>

namespace sightline::io {
namespace {

/// Calls f(name, width) for every field of what is given for a shape.
template <class Shape, class F>
void for_each_field(F&& f) {
  ShapeTraits<Given<Shape>>::fields(
      [&]<class T>(const char* field, const T&) { f(field, sizeof(T) / sizeof(float)); },
      Given<Shape>());
}

std::vector<std::string> known_tensors() {
  std::vector<std::string> names;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    const auto add = [&](const char* field, std::uint64_t = 1) {
      names.push_back(tensor_name(kind_for<S>, field));
    };
    for_each_field<S>(add);
    for (const char* field : {"mask", "group", "label"}) add(field);
  });
  return names;
}

/// The optional columns of one kind and the view of them.
struct AttributeColumns {
  explicit AttributeColumns(const KindReader& kind)
      : mask(kind.optional<std::uint32_t>("mask", Dtype::u32)),
        group(kind.optional<std::uint32_t>("group", Dtype::u32)),
        label(kind.optional<std::uint64_t>("label", Dtype::u64)) {
    if (!mask.empty()) view.mask = mask;
    if (!group.empty()) view.group = group;
    if (!label.empty()) view.label = label;
  }
  std::vector<std::uint32_t> mask, group;
  std::vector<std::uint64_t> label;
  AttributesView view;
};

template <class Shape>
void read_kind(const ContainerReader& file, Scene& scene) {
  std::vector<std::pair<const char*, std::uint64_t>> fields;
  for_each_field<Shape>(
      [&](const char* name, std::uint64_t width) { fields.emplace_back(name, width); });
  const KindReader in(file, ShapeTraits<Shape>::name, fields[0].first, fields[0].second);
  const std::uint64_t n = in.count();
  if (n == 0) return in.refuse_elements();
  const AttributeColumns attributes(in);
  std::vector<std::vector<float>> values;
  std::vector<Column<float>> numbers;
  for (const auto& [name, width] : fields) {
    values.push_back(in.floats(name, width));
    for (std::uint64_t k = 0; k < width; ++k) {
      numbers.push_back(
          {values.back().data() + k, n, static_cast<std::ptrdiff_t>(width * sizeof(float))});
    }
  }
  scene.add(kind_for<Shape>, n, numbers, attributes.view);
}

Scene read_container_scene(const std::string& name, Metadata* metadata) {
  const ContainerReader file(name, Doubles::rounded);
  file.expect_kind("scene", false);
  const std::vector<std::string> known = known_tensors();
  file.refuse_unknown(std::vector<std::string_view>(known.begin(), known.end()));
  Scene scene;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if (!has_kind(file, ShapeTraits<S>::name)) return;
    naming_file(file, [&] { read_kind<S>(file, scene); });
  });
  Metadata found = file.metadata();
  check_units(name, found);
  if (metadata != nullptr) *metadata = std::move(found);
  return scene;
}

Scene read_npy_scene(const std::string& name, std::optional<Kind> kind) {
  if (!kind) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: an .npy array does not say what its shapes are: sightline import "
                            "{} --kind KIND -o scene.safetensors makes a scene of it; kinds are {}",
                            name, name, all_kinds()));
  }
  return with_kind(*kind, [&]<class S>(ShapeTag<S>) {
    constexpr std::uint64_t width = sizeof(Given<S>) / sizeof(float);
    const NpyReader file(name);
    file.expect(Dtype::f32, {any_size, width});
    std::vector<float> values(file.shape()[0] * width);
    file.read(0, values.size(), values.data());
    std::array<Column<float>, width> numbers;
    for (std::size_t k = 0; k < width; ++k)
      numbers[k] = {values.data() + k, file.shape()[0], sizeof(Given<S>)};
    Scene scene;
    try {
      if (!values.empty()) scene.add(*kind, file.shape()[0], numbers);
    } catch (const Error& error) {
      throw Error(error.kind(), name + ": " + error.what());
    }
    return scene;
  });
}

}  // namespace

Scene read_scene(const std::string& name, Metadata* metadata, Notes* notes,
                 std::optional<Kind> kind) {
  const FileFormat format = format_of(name);
  if (format == FileFormat::npy) return read_npy_scene(name, kind);
  if (format == FileFormat::csv) {
    return parse_scene_csv(name, read_text(name), kind, metadata, notes);
  }
  if (kind) {
    throw Error(ErrorKind::usage, name + ": says itself what its shapes are: name no kind");
  }
  if (format == FileFormat::json) {
    return parse_scene_json(name, read_json_text(name), metadata, notes);
  }
  return read_container_scene(name, metadata);
}

bool is_scene_csv(const std::string& name) {
  return CsvReader(name, read_text(name),
                   "CSV has a header: kind,x,y,z and more of shapes, x,y,z of points")
      .has("kind");
}

void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata) {
  Metadata all = metadata;
  all.emplace("unit", "m");
  all.emplace("up", "z");
  write_tensors(name, "scene", scene_tensors(scene), all);
}

std::string scene_hash(const Scene& scene) { return content_hash(scene_tensors(scene)); }

}  // namespace sightline::io
