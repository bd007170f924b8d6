#include "host/files/formats/scene_file.hpp"

#include "host/files/core/csv.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/kind_reader.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/stored_tensors.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <algorithm>

namespace sightline::io {
namespace {

/// Calls f(name, width) for every field of what is given for a shape.
template <class Shape, class F>
void for_each_field(F&& f) {
  ShapeTraits<Given<Shape>>::fields(
      [&]<class T>(const char* field, const T&) { f(field, sizeof(T) / sizeof(float)); },
      Given<Shape>());
}

/// "sphere.radius", for one.
std::string tensor_name(Kind kind, const char* field) {
  return fmt::format("{}.{}", kind_name(kind), field);
}

std::vector<std::string> known_tensors() {
  std::vector<std::string> names;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    const auto add = [&](const char* field, std::uint64_t) {
      names.push_back(tensor_name(kind_for<S>, field));
    };
    for_each_field<S>(add);
    for (const char* field : {"mask", "group", "label"}) add(field, 1);
  });
  return names;
}

template <class Shape>
void read_kind(const ContainerReader& file, Scene& scene, RoundingCheck& rounding) {
  std::vector<std::pair<const char*, std::uint64_t>> fields;
  for_each_field<Shape>(
      [&](const char* name, std::uint64_t width) { fields.emplace_back(name, width); });
  const KindReader in(file, ShapeTraits<Shape>::name, fields[0].first, fields[0].second);
  const std::uint64_t n = in.count();
  if (n == 0) return in.refuse_elements();
  const auto mask = in.optional<std::uint32_t>("mask");
  const auto group = in.optional<std::uint32_t>("group");
  const auto label = in.optional<std::uint64_t>("label");
  AttributesView attributes;
  if (!mask.empty()) attributes.mask = mask;
  if (!group.empty()) attributes.group = group;
  if (!label.empty()) attributes.label = label;
  std::vector<std::vector<float>> values;
  std::vector<Column<float>> numbers;
  for (const auto& [name, width] : fields) {
    values.push_back(in.floats(name, width));
    for (std::uint64_t k = 0; k < width; ++k) {
      numbers.push_back(
          {values.back().data() + k, n, static_cast<std::ptrdiff_t>(width * sizeof(float))});
    }
  }
  scene.add(kind_for<Shape>, n, numbers, attributes);
  in.for_each_rounded(fields, [&](std::uint64_t i, std::span<const double> row) {
    rounding.shape(kind_for<Shape>, i, row);
  });
}

Scene read_npy_scene(const std::string& name, std::optional<Kind> kind, Notes* notes) {
  if (!kind) {
    refuse(name,
           "an .npy array does not say what its shapes are: sightline import {} --kind KIND -o "
           "scene.safetensors makes a scene of it; kinds are {}",
           name, all_kinds());
  }
  return with_kind(*kind, [&]<class S>(ShapeTag<S>) {
    constexpr std::uint64_t width = sizeof(Given<S>) / sizeof(float);
    const NpyReader file(name);
    file.expect(Dtype::f32, {any_size, width});
    std::vector<float> values(file.shape()[0] * width);
    file.read_whole(values.data());
    std::array<Column<float>, width> numbers;
    for (std::size_t k = 0; k < width; ++k)
      numbers[k] = {values.data() + k, file.shape()[0], sizeof(Given<S>)};
    Scene scene;
    naming(name + ": ", [&] {
      if (!values.empty()) scene.add(*kind, file.shape()[0], numbers);
    });
    check_rows(file, width, notes,
               [&](RoundingCheck& check, std::uint64_t i, RoundingCheck::Numbers row) {
                 check.shape(*kind, i, row);
               });
    return scene;
  });
}

/// Three places of vertices for each face, of whole numbers.
std::vector<std::array<std::uint32_t, 3>> read_faces(const std::string& name) {
  const NpyReader file(name, Numbers::kept);
  file.expect(file.dtype(), {any_size, 3});
  if (!is_integer(file.dtype())) refuse(name, "has no whole numbers: faces name vertices from 0");
  std::vector<std::array<std::uint32_t, 3>> faces(file.shape()[0]);
  for_each_row(
      faces.size(), 3,
      [&](std::uint64_t first, std::uint64_t n, double* to) { file.read_doubles(first, n, to); },
      [&](std::uint64_t i, std::span<const double> row) {
        for (std::size_t k = 0; k < 3; ++k) {
          if (!(row[k] >= 0 && row[k] < double{none})) {
            refuse(name, "face {} names vertex {:.0f}: vertices count from 0", i, row[k]);
          }
          faces[i][k] = static_cast<std::uint32_t>(row[k]);
        }
      });
  return faces;
}

/// y or z.
char up_in(const Metadata& metadata) {
  const auto at = metadata.find("up");
  return at != metadata.end() && at->second == "y" ? 'y' : 'z';
}

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) { names.emplace_back(ShapeTraits<S>::name); });
  return names;
}

}  // namespace

std::vector<TensorSource> tensors_of(const Scene& scene) {
  std::vector<TensorSource> tensors;
  const ShapesView shapes = scene.view_without_bounds();
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    constexpr Kind kind = kind_for<S>;
    const std::uint64_t n = scene.count(kind);
    if (n == 0) return;
    ShapeTraits<Given<S>>::fields(
        [&]<class T>(const char* field, const T* column) {
          tensors.push_back(
              stored(tensor_name(kind, field), rows_of(n, sizeof(T) / sizeof(float)), column));
        },
        shapes.of<S>());
    const std::uint32_t begin = scene.id(kind, 0);
    const auto add = [&]<class T>(const char* field, bool given, T Attributes::*member) {
      if (!given) return;
      tensors.push_back(
          column_source<T>(tensor_name(kind, field), n, [&scene, begin, member](std::uint32_t i) {
            return scene.attributes(begin + i).*member;
          }));
    };
    add("mask", scene.has_masks(kind), &Attributes::mask);
    add("group", scene.has_groups(kind), &Attributes::group);
    add("label", scene.has_labels(kind), &Attributes::label);
  });
  return tensors;
}

Metadata with_units(Metadata metadata) {
  metadata.emplace("unit", "m");
  metadata.emplace("up", "z");
  return metadata;
}

std::optional<Kind> kind_named(std::string_view name) {
  const std::vector<std::string_view> names = kind_names();
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? std::nullopt : std::optional(static_cast<Kind>(at - names.begin()));
}

std::string all_kinds() { return fmt::format("{}", fmt::join(kind_names(), ", ")); }

Scene parse_scene_json(const std::string& file, const std::string& text, Metadata* metadata,
                       Notes* notes, std::optional<char> up) {
  ShapeReader shapes(up.value_or('z'));
  JsonReader reader = {
      kind_names(), {"unit", "up", "dimensions"}, [&](std::size_t k, TextFields& in) {
        shapes.add(static_cast<Kind>(k), in);
      }};
  reader.value = [&](TextFields& values) {
    const auto dimensions = values.whole<std::uint32_t>("dimensions", 3);
    if (dimensions == 2) values.fail("is a set of 2D shapes, not a scene");
    if (dimensions != 3) values.fail("'dimensions' is {}, not 2 or 3", dimensions);
    if (!up && values.holds_text("up")) shapes.set_up(up_in(read_units(values)));
  };
  TextFields values = read_json(file, text, reader);
  const Metadata units = read_units(values);
  // Where `up` comes behind shapes that needed it, they are read again.
  const char stated = up_in(units);
  if (!up && stated != 'z' && shapes.has_used_up()) {
    return parse_scene_json(file, text, metadata, notes, stated);
  }
  if (metadata != nullptr) *metadata = units;
  return shapes.take(file, metadata, notes);
}

Scene parse_scene_csv(const std::string& file, std::string_view text, std::optional<Kind> only,
                      Metadata* metadata, Notes* notes, std::optional<char> up) {
  CsvReader csv(file, text,
                "scenes in CSV have a header such as kind,x,y,z,size_x,size_y,size_z,radius,name");
  if (only && csv.has("kind")) {
    fail(ErrorKind::usage, "{}: has a column 'kind': no kind may be named beside it", file);
  }
  if (!only && !csv.has("kind")) {
    refuse(
        file,
        "lacks a column 'kind', which says what each row is: {}; it has {}; for rows of one kind: "
        "sightline import {} --kind KIND -o scene.safetensors",
        all_kinds(), csv.headings(), file);
  }
  ShapeReader shapes(up.value_or(up_in(csv.metadata())));
  TextFields entry(file);
  std::array<std::uint64_t, kind_count> counts = {};
  while (csv.next()) {
    const std::optional<Kind> kind = only ? only : kind_named(csv.cell("kind"));
    if (!kind) {
      refuse_line(file, csv.line(), "kind is {}, not one of {}", in_quotes(csv.cell("kind")),
                  all_kinds());
    }
    entry.begin(kind_name(*kind), counts[static_cast<std::size_t>(*kind)]++, csv.line());
    csv.fill(entry, "kind");
    shapes.add(*kind, entry);
  }
  if (metadata != nullptr) *metadata = csv.metadata();
  return shapes.take(file, metadata, notes);
}

Scene read_scene(const std::string& name, Metadata* metadata, Notes* notes,
                 std::optional<Kind> kind, std::optional<char> up) {
  const FileFormat format = format_of(name);
  if (format == FileFormat::npy) return read_npy_scene(name, kind, notes);
  if (format == FileFormat::csv) {
    return parse_scene_csv(name, read_text(name), kind, metadata, notes, up);
  }
  if (kind) {
    throw Error(ErrorKind::usage, name + ": already states shape kinds: remove --kind");
  }
  if (format == FileFormat::json) {
    return parse_scene_json(name, read_json_text(name), metadata, notes, up);
  }
  Scene scene;
  RoundingCheck rounding;
  read_kinds<ShapeKinds>(name, "scene", known_tensors(), metadata,
                         [&]<class S>(const ContainerReader& file, ShapeTag<S>) {
                           read_kind<S>(file, scene, rounding);
                         });
  rounding.add_note(name, notes);
  return scene;
}

Scene read_mesh(const std::string& vertices, const std::string& faces, Notes* notes) {
  const NpyReader file(vertices);
  file.expect(Dtype::f32, {any_size, 3});
  std::vector<Vec3> places(file.shape()[0]);
  file.read_whole(places.data());
  const auto of = read_faces(faces);
  Scene scene;
  naming(faces + ": ", [&] { scene.add_mesh(places, of); });
  if (notes == nullptr || !file.rounded()) return scene;
  std::vector<double> numbers(3 * places.size());
  file.read_doubles(0, numbers.size(), numbers.data());
  RoundingCheck check;
  for (std::uint64_t i = 0; i < of.size(); ++i) {
    std::array<double, 9> row;
    for (std::size_t k = 0; k < 9; ++k) row[k] = numbers[3 * std::uint64_t{of[i][k / 3]} + k % 3];
    check.shape(Kind::triangle, i, row);
  }
  check.add_note(vertices, notes);
  return scene;
}

void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata) {
  write_tensors(name, "scene", tensors_of(scene), with_units(metadata));
}

std::uint64_t bytes_of_scene(const Scene& scene, const Metadata& metadata) {
  return bytes_of_tensors("scene", tensors_of(scene), with_units(metadata));
}

std::string scene_hash(const Scene& scene) { return content_hash(tensors_of(scene)); }

}  // namespace sightline::io
