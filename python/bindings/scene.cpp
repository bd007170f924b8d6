// Scene: shapes from arrays.
#include "python/bindings/module.hpp"

#include "host/files/core/file.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>

namespace sightline::python {
namespace {

Kind kind_of(const std::string& name) {
  std::string all;
  for (int k = 0; k < kind_count; ++k) {
    const auto kind = static_cast<Kind>(k);
    if (name == kind_name(kind)) return kind;
    all += (k > 0 ? ", " : "") + std::string(kind_name(kind));
  }
  refuse("kind is {}, not one of {}", io::in_quotes(name), all);
}

/// An argument of add_* and set_*: so many numbers of each shape, in the order of its struct.
struct ColumnArgument {
  const char* name;
  std::uint64_t width;
};

/// add_NAMEs and set_NAMEs of a kind.
template <std::size_t... I>
void add_kind(nb::class_<PyScene>& scene, Kind kind,
              const std::array<ColumnArgument, sizeof...(I)>& columns, const char* words,
              std::index_sequence<I...>) {
  const std::string shapes = std::string(kind_name(kind)) + "s";
  const auto numbers = [columns](Arrays& arrays, const std::array<nb::handle, sizeof...(I)>& from) {
    std::vector<Column<float>> all;
    for (std::size_t k = 0; k < from.size(); ++k) {
      arrays.columns(from[k], columns[k].name, columns[k].width, all);
    }
    return all;
  };
  scene.def(("add_" + shapes).c_str(),
            [kind, numbers](PyScene& s, Argument<I>... from, ArrayLike mask, ArrayLike group,
                            ArrayLike label) {
              Arrays arrays;
              const auto all = numbers(arrays, {from...});
              const AttributesView attributes = attributes_of(arrays, mask, group, label);
              return s.scene.add(kind, arrays.count(), all, attributes);
            },
            nb::arg(columns[I].name)..., nb::kw_only(), bits_argument("mask"),
            bits_argument("group"), nb::arg("label") = 0, words);
  scene.def(("set_" + shapes).c_str(),
            [kind, numbers](PyScene& s, std::uint32_t first, Argument<I>... from) {
              Arrays arrays;
              const auto all = numbers(arrays, {from...});
              s.scene.set(kind, first, arrays.count(), all);
            },
            nb::arg("first"), nb::arg(columns[I].name)..., set_words(shapes).c_str());
}
template <std::size_t n>
void add_kind(nb::class_<PyScene>& scene, Kind kind, const ColumnArgument (&columns)[n],
              const char* words) {
  add_kind(scene, kind, std::to_array(columns), words, std::make_index_sequence<n>());
}

/// The fields of a kind's struct: names and how many floats each has.
template <class Shape>
std::vector<std::pair<const char*, std::size_t>> fields_of() {
  std::vector<std::pair<const char*, std::size_t>> fields;
  const Shape shape{};
  ShapeTraits<Shape>::fields(
      [&](const char* name, const auto& field) {
        fields.emplace_back(name, sizeof field / sizeof(float));
      },
      shape);
  return fields;
}

/// All shapes of a kind: an array for each field, and their attributes.
nb::dict shapes(const PyScene& scene, const std::string& name) {
  const Scene& s = scene.scene;
  const Kind kind = kind_of(name);
  const std::uint32_t n = s.count(kind);
  nb::dict all;
  ShapeKinds::with(static_cast<int>(kind), [&]<class S>(ShapeTag<S>) {
    using Shape = Given<S>;
    const auto fields = fields_of<Shape>();
    std::vector<std::vector<float>> columns;
    for (const auto& [_, width] : fields) columns.emplace_back(n * width);
    for (std::uint32_t i = 0; i < n; ++i) {
      const Shape shape = s.get<Shape>(i);
      const auto* number = reinterpret_cast<const float*>(&shape);
      for (std::size_t k = 0; k < fields.size(); ++k) {
        const std::size_t width = fields[k].second;
        std::copy_n(number, width, columns[k].data() + i * width);
        number += width;
      }
    }
    for (std::size_t k = 0; k < fields.size(); ++k) {
      const std::size_t width = fields[k].second;
      all[fields[k].first] = width == 1 ? numpy(std::move(columns[k]))
                                        : numpy<float>(std::move(columns[k]), {n, width});
    }
  });
  std::vector<std::uint32_t> masks(n), groups(n);
  std::vector<std::uint64_t> labels(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Attributes a = s.attributes(s.id(kind, i));
    masks[i] = a.mask, groups[i] = a.group, labels[i] = a.label;
  }
  all["mask"] = numpy(std::move(masks));
  all["group"] = numpy(std::move(groups));
  all["label"] = numpy(std::move(labels));
  return all;
}

nb::object bounds(const PyScene& scene) {
  const Aabb box = scene.scene.bounds();
  if (box.min.x > box.max.x) return nb::none();
  std::vector<float> min = {box.min.x, box.min.y, box.min.z},
                     max = {box.max.x, box.max.y, box.max.z};
  return nb::make_tuple(numpy(std::move(min)), numpy(std::move(max)));
}

ArrayOf<std::uint8_t> kinds(const PyScene& scene, ArrayLike ids) {
  Arrays arrays;
  const Column<std::uint32_t> id = arrays.words(ids, "ids");
  std::vector<std::uint8_t> kind(arrays.count());
  for (std::uint64_t i = 0; i < kind.size(); ++i) {
    kind[i] = id[i] == none ? std::uint8_t{0xFF}
                            : static_cast<std::uint8_t>(scene.scene.kind_and_index(id[i]).first);
  }
  return numpy<std::uint8_t>(std::move(kind), arrays.shape());
}

void remove(PyScene& scene, const std::string& kind, ArrayLike indices) {
  Arrays arrays;
  const Column<std::uint32_t> column = arrays.words(indices, "indices");
  std::vector<std::uint32_t> at(arrays.count());
  for (std::uint64_t i = 0; i < at.size(); ++i) at[i] = column[i];
  scene.scene.remove(kind_of(kind), at);
}

std::string in_words(const PyScene& scene) {
  std::string words = counted(scene.scene.size(), "shapes");
  for (int k = 0; k < kind_count; ++k) {
    const auto kind = static_cast<Kind>(k);
    if (const std::uint32_t n = scene.scene.count(kind); n > 0) {
      words += std::string(", ") + kind_name(kind) + " " + std::to_string(n);
    }
  }
  return words;
}

}  // namespace

AttributesView attributes_of(Arrays& arrays, nb::handle mask, nb::handle group, nb::handle label) {
  AttributesView attributes;
  attributes.mask = arrays.words(mask, "mask");
  attributes.group = arrays.words(group, "group");
  attributes.label = arrays.labels(label, "label");
  return attributes;
}

std::string set_words(const std::string& shapes) {
  return "Gives the shapes from index ``first`` on other numbers; see ``add_" + shapes +
         "``. They keep ids, masks, groups and labels.";
}

void add_scene(nb::module_& m) {
  nb::class_<PyScene> scene(
      m, "Scene",
      R"(Shapes, numbered kind by kind (aabb, obb, sphere, capsule, plane) and within a kind in the
order added.

Every ``add_*`` takes columns: positions float32 [n,3], sizes [n], or one value for all; float64 is
rounded once. Each shape may have a ``mask`` (a ray counts where the masks have a bit in common), a
``group`` (a ray may leave a group out) and a ``label`` of 64 bits. An ``add_*`` returns the index
within its kind of the first shape added, and adds all of its shapes or, where one is refused, none:
``BadInputError`` names the indices. Not thread-safe while it is being filled.)");
  add_repr(scene, in_words);
  scene.def(nb::init<>())
      .def("__len__", [](const PyScene& s) { return s.scene.size(); })
      .def(
          "copy", [](const PyScene& s) { return PyScene(s); }, "A scene of its own.")
      .def(
          "count",
          [](const PyScene& s, const std::string& kind) { return s.scene.count(kind_of(kind)); },
          nb::arg("kind"), "How many shapes there are of a kind.")
      .def(
          "id",
          [](const PyScene& s, const std::string& kind, std::uint32_t index) {
            return s.scene.id(kind_of(kind), index);
          },
          nb::arg("kind"), nb::arg("index"),
          "The id of a shape by its index within the kind; holds once no more shapes are added.")
      .def("kinds", kinds, nb::arg("ids"),
           "The kind of each id, as uint8 [n]: an index into ``KINDS``; 255 for ``NONE``.")
      .def("shapes", shapes, nb::arg("kind"),
           "The shapes of a kind as they were given: an array for each field, such as \"center\"\n"
           "[n,3] and \"radius\" [n], and \"mask\", \"group\" and \"label\" [n].")
      .def_prop_ro(
          "bounds", bounds,
          "(min, max), each float32 [3], of all shapes but planes; None where there are none.")
      .def_prop_ro(
          "hash", [](const PyScene& s) { return files::scene_hash(s.scene); },
          "The content hash, the same in memory and in any file.")
      .def_rw(
          "metadata", &PyScene::metadata,
          "Text by name; of a file \"unit\" and \"up\" mean something. A copy: assign the whole.")
      .def("remove", remove, nb::arg("kind"), nb::arg("indices"),
           "Takes shapes away by their indices within the kind. Later ones come to lower indices.");

  add_kind(scene, Kind::aabb, {{"min", 3}, {"max", 3}},
           "Boxes along the axes: min [n,3], max [n,3]; they may be flat.");
  add_boxes(scene);
  add_kind(scene, Kind::sphere, {{"centers", 3}, {"radii", 1}},
           "Spheres: centers [n,3], radii [n].");
  add_kind(scene, Kind::capsule, {{"a", 3}, {"b", 3}, {"radii", 1}},
           "All points within a radius [n] of the segments from a [n,3] to b [n,3].");
  add_kind(scene, Kind::plane, {{"normals", 3}, {"offsets", 1}},
           "Half-spaces dot(normal, x) <= offset: unit normals [n,3], offsets [n].");

  add_files(
      scene,
      [](const auto& path, const PyScene& s) { files::write_scene(path, s.scene, s.metadata); },
      "Writes the file that the program reads: safetensors. Written whole, or not at all.",
      [](const std::filesystem::path& path, io::Notes& notes) {
        PyScene s;
        s.scene = files::read_scene(path, &s.metadata, &notes);
        return s;
      },
      "Reads a scene that the program reads: safetensors, JSON or CSV. Warns of what the reader\n"
      "changes, such as sizes that float32 does not hold that far from the origin.");
}

}  // namespace sightline::python
