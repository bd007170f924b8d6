// Scene: shapes from arrays.
#include "python/bindings/doc/scene.hpp"
#include "python/bindings/doc/meshes.hpp"
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

/// Docstrings of add_NAMEs and set_NAMEs.
struct KindWords {
  const char* add;
  const char* set;
};

/// add_NAMEs and set_NAMEs of a kind.
template <std::size_t... I>
void add_kind(nb::class_<PyScene>& scene, Kind kind,
              const std::array<ColumnArgument, sizeof...(I)>& columns, const KindWords& words,
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
            bits_argument("group"), nb::arg("label") = 0, doc::text(words.add).c_str());
  scene.def(("set_" + shapes).c_str(),
            [kind, numbers](PyScene& s, std::uint32_t first, Argument<I>... from) {
              Arrays arrays;
              const auto all = numbers(arrays, {from...});
              s.scene.set(kind, first, arrays.count(), all);
            },
            nb::arg("first"), nb::arg(columns[I].name)..., doc::text(words.set).c_str());
}
template <std::size_t n>
void add_kind(nb::class_<PyScene>& scene, Kind kind, const ColumnArgument (&columns)[n],
              const KindWords& words) {
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

std::vector<Vec3> vertices_of(ArrayLike from, const char* name = "vertices") {
  Arrays arrays;
  const Vec3Column column = arrays.vectors(from, name);
  std::vector<Vec3> vertices(arrays.count());
  for (std::uint64_t i = 0; i < vertices.size(); ++i) vertices[i] = column[i];
  return vertices;
}
std::uint32_t add_mesh(PyScene& scene, ArrayLike vertices, ArrayLike faces, ArrayLike mask,
                       ArrayLike group, ArrayLike label) {
  Arrays arrays;
  const auto of = arrays.faces(faces, "faces");
  const AttributesView attributes = attributes_of(arrays, mask, group, label);
  return scene.scene.add_mesh(vertices_of(vertices), of, attributes);
}
std::uint32_t add_solid(PyScene& scene, ArrayLike vertices, ArrayLike faces, ArrayLike mask,
                        ArrayLike group, ArrayLike label) {
  Arrays arrays;
  const auto of = arrays.faces(faces, "faces");
  const AttributesView attributes = attributes_of(arrays, mask, group, label);
  return scene.scene.add_solid(vertices_of(vertices), of, attributes);
}
std::uint32_t add_hull(PyScene& scene, ArrayLike points, std::uint32_t mask, std::uint32_t group,
                       std::uint64_t label) {
  return scene.scene.add_hull(vertices_of(points, "points"), {mask, group, label});
}
void set_mesh(PyScene& scene, std::uint32_t first, ArrayLike vertices, ArrayLike faces) {
  Arrays arrays;
  scene.scene.set_mesh(first, vertices_of(vertices), arrays.faces(faces, "faces"));
}
/// mesh_of() or face_of() each id; `none` for none.
template <std::uint32_t (Scene::*number)(std::uint32_t) const>
ArrayOf<std::uint32_t> numbers_of(const PyScene& scene, ArrayLike ids) {
  Arrays arrays;
  const Column<std::uint32_t> id = arrays.words(ids, "ids");
  std::vector<std::uint32_t> all(arrays.count(), none);
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    if (id[i] != none) all[i] = (scene.scene.*number)(id[i]);
  }
  return numpy<std::uint32_t>(std::move(all), arrays.shape());
}

ArrayOf<float> corner_weights(const PyScene& scene, ArrayLike ids, ArrayLike origins,
                              ArrayLike directions) {
  Arrays arrays;
  const Column<std::uint32_t> id = arrays.words(ids, "ids");
  const Vec3Column origin = arrays.vectors(origins, "origins");
  const Vec3Column direction = arrays.vectors(directions, "directions");
  std::vector<std::array<float, 2>> weights(arrays.count(), {0, 0});
  for (std::uint64_t i = 0; i < weights.size(); ++i) {
    if (id[i] == none) continue;
    weights[i] =
        scene.scene.corner_weights(id[i], {.origin = origin[i], .direction = direction[i]});
  }
  return numpy<float>(std::move(weights), arrays.shape().with(2));
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

void add_scene(nb::module_& m) {
  nb::class_<PyScene> scene(m, "Scene", doc::scene);
  add_repr(scene, in_words);
  scene.def(nb::init<>())
      .def("__len__", [](const PyScene& s) { return s.scene.size(); })
      .def(
          "copy", [](const PyScene& s) { return PyScene(s); }, doc::scene_copy)
      .def(
          "count",
          [](const PyScene& s, const std::string& kind) { return s.scene.count(kind_of(kind)); },
          nb::arg("kind"), doc::scene_count)
      .def(
          "id",
          [](const PyScene& s, const std::string& kind, std::uint32_t index) {
            return s.scene.id(kind_of(kind), index);
          },
          nb::arg("kind"), nb::arg("index"), doc::scene_id)
      .def("kinds", kinds, nb::arg("ids"), doc::scene_kinds)
      .def("shapes", shapes, nb::arg("kind"), doc::scene_shapes)
      .def_prop_ro("bounds", bounds,
                   "(min, max), float32 [3] each, scene units: of all shapes except planes; None "
                   "without such shapes.")
      .def_prop_ro(
          "hash", [](const PyScene& s) { return files::scene_hash(s.scene); },
          "str: the hash of the content, the same in memory and in any file.")
      .def_rw("metadata", &PyScene::metadata,
              "dict of str: text by name, such as \"unit\" and \"up\". It is a copy: assign a "
              "whole dict.")
      .def("remove", remove, nb::arg("kind"), nb::arg("indices"), doc::scene_remove);

  add_kind(scene, Kind::aabb, {{"min", 3}, {"max", 3}}, {doc::add_aabbs, doc::set_aabbs});
  add_boxes(scene);
  add_kind(scene, Kind::sphere, {{"centers", 3}, {"radii", 1}},
           {doc::add_spheres, doc::set_spheres});
  add_kind(scene, Kind::capsule, {{"a", 3}, {"b", 3}, {"radii", 1}},
           {doc::add_capsules, doc::set_capsules});
  add_kind(scene, Kind::cylinder, {{"a", 3}, {"b", 3}, {"radii", 1}},
           {doc::add_cylinders, doc::set_cylinders});
  add_kind(scene, Kind::triangle, {{"a", 3}, {"b", 3}, {"c", 3}},
           {doc::add_triangles, doc::set_triangles});
  scene
      .def("add_mesh", add_mesh, nb::arg("vertices"), nb::arg("faces"), nb::kw_only(),
           bits_argument("mask"), bits_argument("group"), nb::arg("label") = 0,
           doc::text(doc::add_mesh).c_str())
      .def("add_solid", add_solid, nb::arg("vertices"), nb::arg("faces"), nb::kw_only(),
           bits_argument("mask"), bits_argument("group"), nb::arg("label") = 0,
           doc::text(doc::add_solid).c_str())
      .def("add_hull", add_hull, nb::arg("points"), nb::kw_only(), bits_argument("mask"),
           bits_argument("group"), nb::arg("label") = 0, doc::text(doc::add_hull).c_str())
      .def("set_mesh", set_mesh, nb::arg("first"), nb::arg("vertices"), nb::arg("faces"),
           doc::text(doc::set_mesh).c_str())
      .def("mesh_of", numbers_of<&Scene::mesh_of>, nb::arg("ids"), doc::mesh_of)
      .def("face_of", numbers_of<&Scene::face_of>, nb::arg("ids"), doc::face_of)
      .def("corner_weights", corner_weights, nb::arg("ids"), nb::arg("origins"),
           nb::arg("directions"), doc::corner_weights);
  add_kind(scene, Kind::plane, {{"normals", 3}, {"offsets", 1}},
           {doc::add_planes, doc::set_planes});

  add_files(
      scene,
      [](const auto& path, const PyScene& s) { files::write_scene(path, s.scene, s.metadata); },
      doc::text(doc::scene_save),
      [](const std::filesystem::path& path, io::Notes& notes) {
        PyScene s;
        s.scene = files::read_scene(path, &s.metadata, &notes);
        return s;
      },
      doc::text(doc::scene_load));
}

}  // namespace sightline::python
