// Scenes as text: {"sphere": [{"center": [0, 0, 1], "radius": 0.5, "mask": 3}], ...}, or CSV.
#include "host/files/core/csv.hpp"
#include "host/files/formats/scene_file.hpp"

namespace sightline::io {
namespace {

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) { names.emplace_back(ShapeTraits<S>::name); });
  return names;
}

}  // namespace

std::optional<Kind> kind_named(std::string_view name) {
  for (int k = 0; k < kind_count; ++k) {
    if (name == kind_name(static_cast<Kind>(k))) return static_cast<Kind>(k);
  }
  return std::nullopt;
}

std::string all_kinds() { return fmt::format("{}", fmt::join(kind_names(), ", ")); }

Scene parse_scene_json(const std::string& file, const std::string& text, Metadata* metadata,
                       Notes* notes) {
  ShapeReader shapes;
  JsonReader reader = {kind_names(), {"unit", "up", "dimensions"}, [&](std::size_t k, Entry& in) {
                         shapes.add(static_cast<Kind>(k), in);
                       }};
  reader.value = [](Entry& values) {
    const auto dimensions = values.whole<std::uint32_t>("dimensions", 3);
    if (dimensions == 2) values.fail("is a set of 2D shapes, not a scene");
    if (dimensions != 3) values.fail("'dimensions' is {}, not 2 or 3", dimensions);
  };
  Entry values = read_json(file, text, reader);
  const Metadata units = read_units(values);
  if (metadata != nullptr) *metadata = units;
  return shapes.take(file, metadata, notes);
}

Scene parse_scene_csv(const std::string& file, std::string_view text, std::optional<Kind> only,
                      Metadata* metadata, Notes* notes) {
  CsvReader csv(file, text,
                "scenes in CSV have a header such as kind,x,y,z,size_x,size_y,size_z,radius,name");
  if (csv.has("kind") == only.has_value()) {
    throw Error(
        only ? ErrorKind::usage : ErrorKind::bad_input,
        fmt::format("{}: {}", file,
                    only ? "has a column 'kind': no kind may be named beside it"
                         : "lacks a column 'kind', which says what each row is: " + all_kinds()));
  }
  ShapeReader shapes;
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

}  // namespace sightline::io
