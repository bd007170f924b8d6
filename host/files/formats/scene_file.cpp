#include "host/files/formats/scene_file.hpp"

#include "host/files/core/csv.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/core/kind_reader.hpp"
#include "host/files/core/npy.hpp"

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

/// The tensors of a scene. A kind without shapes has none; masks, groups and labels are there only
/// where one differs from its default, so that a scene has one form only. The scene must outlive
/// them, unchanged.
std::vector<TensorSource> scene_tensors(const Scene& scene) {
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

/// Looks at the shapes of one kind whose places are in binary64, or in integers, in the file.
void check_rounding(const ContainerReader& file, Kind kind, std::uint64_t n,
                    std::span<const std::pair<const char*, std::uint64_t>> fields,
                    RoundingCheck& check) {
  const TensorInfo* const places = file.find(tensor_name(kind, fields[0].first));
  if (!places->rounded) return;
  constexpr std::uint64_t step = 1 << 12;
  std::vector<double> rows, column;
  std::uint64_t width = 0;
  for (const auto& [_, own] : fields) width += own;
  for (std::uint64_t begin = 0; begin < n; begin += step) {
    const std::uint64_t count = std::min(step, n - begin);
    rows.resize(count * width);
    std::uint64_t at = 0;
    for (const auto& [name, own] : fields) {
      column.resize(count * own);
      const TensorInfo& tensor = *file.find(tensor_name(kind, name));
      file.read_doubles(tensor, begin * own, count * own, column.data());
      for (std::uint64_t i = 0; i < column.size(); ++i) {
        rows[i / own * width + at + i % own] = column[i];
      }
      at += own;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      check.shape(kind, begin + i, std::span(rows).subspan(i * width, width));
    }
  }
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
  check_rounding(file, kind_for<Shape>, n, fields, rounding);
}

/// The same of an array of shapes' numbers; and what rounding makes of integers.
void check_rounding(const NpyReader& file, Kind kind, std::uint64_t width, Notes* notes) {
  if (notes == nullptr || !file.rounded()) return;
  if (const std::string note = file.note_on_integers(); !note.empty()) notes->push_back(note);
  constexpr std::uint64_t step = 1 << 12;
  RoundingCheck rounding;
  std::vector<double> rows;
  for (std::uint64_t begin = 0; begin < file.shape()[0]; begin += step) {
    const std::uint64_t count = std::min(step, file.shape()[0] - begin);
    rows.resize(count * width);
    file.read_doubles(begin * width, rows.size(), rows.data());
    for (std::uint64_t i = 0; i < count; ++i) {
      rounding.shape(kind, begin + i, std::span(rows).subspan(i * width, width));
    }
  }
  rounding.add_note(file.name(), notes);
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
    check_rounding(file, *kind, width, notes);
    return scene;
  });
}

/// y or z.
char up_in(const Metadata& metadata) {
  const auto at = metadata.find("up");
  return at != metadata.end() && at->second == "y" ? 'y' : 'z';
}

Metadata with_units(Metadata metadata) {
  metadata.emplace("unit", "m");
  metadata.emplace("up", "z");
  return metadata;
}

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) { names.emplace_back(ShapeTraits<S>::name); });
  return names;
}

}  // namespace

std::optional<Kind> kind_named(std::string_view name) {
  const std::vector<std::string_view> names = kind_names();
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? std::nullopt : std::optional(static_cast<Kind>(at - names.begin()));
}

std::string all_kinds() { return fmt::format("{}", fmt::join(kind_names(), ", ")); }

Scene parse_scene_json(const std::string& file, const std::string& text, Metadata* metadata,
                       Notes* notes, std::optional<char> up) {
  ShapeReader shapes(up.value_or('z'));
  JsonReader reader = {kind_names(), {"unit", "up", "dimensions"}, [&](std::size_t k, Entry& in) {
                         shapes.add(static_cast<Kind>(k), in);
                       }};
  reader.value = [&](Entry& values) {
    const auto dimensions = values.whole<std::uint32_t>("dimensions", 3);
    if (dimensions == 2) values.fail("is a set of 2D shapes, not a scene");
    if (dimensions != 3) values.fail("'dimensions' is {}, not 2 or 3", dimensions);
    if (!up && values.holds_text("up")) shapes.set_up(up_in(read_units(values)));
  };
  Entry values = read_json(file, text, reader);
  const Metadata units = read_units(values);
  // Where `up` comes behind capsules that needed it, they are read again.
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
  Entry entry(file);
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

bool is_scene_csv(const std::string& name) {
  return CsvReader(name, read_text(name),
                   "CSV has a header: kind,x,y,z and more of shapes, x,y,z of points")
      .has("kind");
}

void write_scene(const std::string& name, const Scene& scene, const Metadata& metadata) {
  write_tensors(name, "scene", scene_tensors(scene), with_units(metadata));
}

std::uint64_t bytes_of_scene(const Scene& scene, const Metadata& metadata) {
  return bytes_of_tensors("scene", scene_tensors(scene), with_units(metadata));
}

std::string scene_hash(const Scene& scene) { return content_hash(scene_tensors(scene)); }

}  // namespace sightline::io
