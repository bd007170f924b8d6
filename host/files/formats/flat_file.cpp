#include "host/files/formats/flat_file.hpp"

#include "host/files/core/file_format.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/core/kind_reader.hpp"

#include <sightline/geometry/flat/flat_shapes_view.hpp>

#include <algorithm>

namespace sightline::io {
namespace {

std::string flat_tensor_name(FlatKind kind, const char* field) {
  return fmt::format("{}.{}", kind_name(kind), field);
}

std::vector<std::string> flat_file_tensors() {
  std::vector<std::string> names = {"polygon.offsets", "polygon.corner"};
  FlatKinds::for_each([&]<class S>(ShapeTag<S>) {
    const auto add = [&](const char* field) {
      names.push_back(flat_tensor_name(flat_kind_for<S>, field));
    };
    if constexpr (!std::is_same_v<S, ConvexPolygon>) {
      for (const FlatField& field : ShapeTraits<S>::fields) add(field.name);
    }
    add("mask");
  });
  return names;
}

/// Looks at a shape's numbers, in the order of its fields.
template <class Shape>
void check_shape(RoundingCheck& check, std::uint64_t index, std::span<const double> n) {
  check.begin(ShapeTraits<Shape>::name, index);
  if constexpr (std::is_same_v<Shape, Circle>) {
    check.ball(n.first(2), n[2]);
  } else if constexpr (std::is_same_v<Shape, Capsule2>) {
    check.ball(n.first(2), n[4]);
    check.line(n.first(2), n.subspan(2, 2));
  } else if constexpr (std::is_same_v<Shape, Sector>) {
    check.ball(n.first(2), n[6]);
  } else if constexpr (std::is_same_v<Shape, Aabb2>) {
    check.box(n.first(2), n.subspan(2, 2));
  } else {
    check.ball(n.first(2), least_size(n.subspan(2, 2)));
  }
}

void check_polygon(RoundingCheck& check, std::uint64_t index, std::span<const double> corners) {
  check.begin("polygon", index);
  check.outline(corners, 2);
}

void read_polygons(const ContainerReader& file, FlatScene& scene, RoundingCheck& check) {
  // Offsets are one more than polygons, so that masks have a length of their own.
  const auto offsets =
      file.column<std::uint64_t>(&file.expect("polygon.offsets", Dtype::u64, {any_size}));
  const auto corners = file.column<Vec2>(&file.expect("polygon.corner", Dtype::f32, {any_size, 2}));
  const std::uint64_t n = offsets.empty() ? 0 : offsets.size() - 1, all = corners.size();
  const bool rises = !offsets.empty() && offsets.front() == 0 && offsets.back() == all &&
                     std::ranges::is_sorted(offsets);
  if (!rises) {
    refuse(file.name(),
           "tensor 'polygon.offsets' does not rise from 0 to the number of corners, {}", all);
  }
  const auto mask = file.column<std::uint32_t>(file.find("polygon.mask", Dtype::u32, {n}));
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto polygon = std::span(corners).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    scene.add_polygon(polygon, mask.empty() ? scene.every_mask : mask[i]);
  }
  const TensorInfo& corner = *file.find("polygon.corner");
  if (!corner.rounded) return;
  std::vector<double> wide(corner.elements());
  file.read_doubles(corner, 0, wide.size(), wide.data());
  for (std::uint64_t i = 0; i < n; ++i) {
    check_polygon(check, i,
                  std::span(wide).subspan(2 * offsets[i], 2 * (offsets[i + 1] - offsets[i])));
  }
}

template <class Shape>
void read_kind(const ContainerReader& file, FlatScene& scene, RoundingCheck& check) {
  const auto& fields = ShapeTraits<Shape>::fields;
  const KindReader in(file, ShapeTraits<Shape>::name, fields[0].name, fields[0].width);
  if (in.count() == 0) return in.refuse_elements();
  std::vector<Shape> shapes(in.count());
  auto* numbers = reinterpret_cast<float*>(shapes.data());
  for (const FlatField& field : fields) {
    const std::vector<float> values = in.floats(field.name, field.width);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      std::copy_n(values.data() + i * field.width, field.width,
                  numbers + i * sizeof(Shape) / sizeof(float));
    }
    numbers += field.width;
  }
  const auto mask = in.optional<std::uint32_t>("mask");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    scene.add(shapes[i], mask.empty() ? scene.every_mask : mask[i]);
  }
  in.for_each_rounded(fields, [&](std::uint64_t i, std::span<const double> row) {
    check_shape<Shape>(check, i, row);
  });
}
template <>
void read_kind<ConvexPolygon>(const ContainerReader& file, FlatScene& scene, RoundingCheck& check) {
  read_polygons(file, scene, check);
}

/// The columns of one kind; the shapes must outlive them.
template <class Shape>
void add_columns(const FlatShapesView& s, std::uint64_t n, std::vector<TensorSource>& out) {
  const auto* numbers = reinterpret_cast<const float*>(array_of<Shape>(s));
  for (const auto& [name, width] : ShapeTraits<Shape>::fields) {
    out.push_back({flat_tensor_name(flat_kind_for<Shape>, name), Dtype::f32, rows_of(n, width),
                   [numbers, width = width](std::uint64_t first, std::uint64_t count, void* to) {
                     auto* place = static_cast<float*>(to);
                     for (std::uint64_t i = first / width; i < (first + count) / width; ++i) {
                       place =
                           std::copy_n(numbers + i * sizeof(Shape) / sizeof(float), width, place);
                     }
                   }});
    numbers += width;
  }
}
template <>
void add_columns<ConvexPolygon>(const FlatShapesView& s, std::uint64_t n,
                                std::vector<TensorSource>& out) {
  out.push_back(column_source<std::uint64_t>("polygon.offsets", n + 1, [s](std::uint32_t i) {
    return i == 0 ? std::uint64_t{0} : s.polygon_end[i - 1];
  }));
  out.push_back(stored("polygon.corner", {s.polygon_end[n - 1], 2}, s.corner));
}

/// A kind without shapes has none, and masks are there only where one is not all ones, so that a
/// set has one form only. The set must outlive them.
std::vector<TensorSource> flat_tensors(const FlatScene& scene) {
  std::vector<TensorSource> tensors;
  const FlatShapesView shapes = scene.view();
  FlatKinds::for_each([&]<class S>(ShapeTag<S>) {
    constexpr FlatKind kind = flat_kind_for<S>;
    const std::uint32_t n = scene.count(kind);
    if (n == 0) return;
    add_columns<S>(shapes, n, tensors);
    if (!scene.has_masks(kind)) return;
    tensors.push_back(
        column_source<std::uint32_t>(flat_tensor_name(kind, "mask"), n,
                                     [&scene](std::uint32_t i) { return scene.mask(kind, i); }));
  });
  return tensors;
}

// JSON by hand: {"dimensions": 2, "circle": [{"center": [0, 0], "radius": 1}]}.

template <class Shape>
void add_shape(FlatScene& scene, TextFields& in, RoundingCheck& check) {
  const auto mask = in.whole("mask", FlatScene::every_mask);
  Shape shape = {};
  std::vector<double> numbers;
  for (const auto& [name, width] : ShapeTraits<Shape>::fields) {
    if (width == 1) {
      numbers.push_back(in.real(name));
    } else if (name == std::string_view("turn") && !in.has(name)) {
      numbers.insert(numbers.end(), {1, 0});
    } else {
      const auto v = in.reals<2>(name);
      numbers.insert(numbers.end(), v.begin(), v.end());
    }
  }
  auto* const to = reinterpret_cast<float*>(&shape);
  for (std::size_t i = 0; i < numbers.size(); ++i) to[i] = static_cast<float>(numbers[i]);
  check_shape<Shape>(check, scene.count(flat_kind_for<Shape>), numbers);
  in.naming_place([&] { scene.add(shape, mask); });
}
template <>
void add_shape<ConvexPolygon>(FlatScene& scene, TextFields& in, RoundingCheck& check) {
  const auto mask = in.whole("mask", FlatScene::every_mask);
  std::vector<Vec2> corners;
  std::vector<double> numbers;
  for (const auto& corner : in.real_rows<2>("corners")) {
    corners.push_back({static_cast<float>(corner[0]), static_cast<float>(corner[1])});
    numbers.insert(numbers.end(), corner.begin(), corner.end());
  }
  check_polygon(check, scene.count(FlatKind::polygon), numbers);
  in.naming_place([&] { scene.add_polygon(corners, mask); });
}

/// A reader that takes all kinds of 2D; `use` gets the kind's number.
JsonReader flat_reader(std::function<void(std::size_t, TextFields&)> use) {
  JsonReader reader;
  FlatKinds::for_each(
      [&]<class S>(ShapeTag<S>) { reader.lists.emplace_back(ShapeTraits<S>::name); });
  reader.values = {"dimensions", "unit", "up"};
  reader.use = std::move(use);
  return reader;
}

/// What tells such a file from a scene of 3D.
bool is_flat(TextFields& values) {
  return values.has("dimensions") && values.whole<std::uint32_t>("dimensions", 0) == 2;
}

}  // namespace

FlatScene parse_flat_json(const std::string& file, const std::string& text, Metadata* metadata,
                          Notes* notes) {
  FlatScene scene;
  RoundingCheck check;
  const char* const wanted = "is not a JSON object with \"dimensions\": 2";
  // Told before its shapes are found to have a third coordinate.
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{' &&
      text.find("\"dimensions\"") == std::string::npos) {
    refuse(file, "{}", wanted);
  }
  TextFields values = read_json(file, text, flat_reader([&](std::size_t k, TextFields& in) {
                                  FlatKinds::with(static_cast<int>(k), [&]<class S>(ShapeTag<S>) {
                                    add_shape<S>(scene, in, check);
                                  });
                                  in.refuse_unknown();
                                }));
  if (!is_flat(values)) refuse(file, "{}", wanted);
  check.add_note(file, notes);
  const Metadata units = read_units(values);
  if (metadata != nullptr) *metadata = units;
  return scene;
}

bool is_flat_json(const std::string& name, const std::string& text) {
  bool flat = false;
  JsonReader reader = flat_reader([](std::size_t, TextFields&) {});
  reader.value = [&](TextFields& values) { flat = flat || is_flat(values); };
  try {
    read_json(name, text, reader);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    // Whoever reads it says why.
  }
  return flat;
}

FlatScene read_flat_scene(const std::string& name, Metadata* metadata, Notes* notes) {
  if (format_of(name) == FileFormat::json) {
    return parse_flat_json(name, read_json_text(name), metadata, notes);
  }
  FlatScene scene;
  RoundingCheck check;
  read_kinds<FlatKinds>(
      name, "flat scene", flat_file_tensors(), metadata,
      [&]<class S>(const ContainerReader& file, ShapeTag<S>) { read_kind<S>(file, scene, check); });
  check.add_note(name, notes);
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

Notes RowsFile::notes() const {
  Notes notes;
  check_rows(file_, width_, &notes,
             [&](RoundingCheck& check, std::uint64_t i, RoundingCheck::Numbers row) {
               check.begin(width_ == 4 ? "segment" : "circle", i);
               width_ == 4 ? check.line(row.first(2), row.last(2))
                           : check.ball(row.first(2), row[2]);
             });
  return notes;
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
