// 2D: circles and segments at a set of flat shapes.
#include "python/bindings/doc/flat.hpp"
#include "python/bindings/module.hpp"

#include "host/files/formats/flat_file.hpp"

#include <sightline/flat.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <bit>

namespace sightline::python {
namespace {

/// Adds shapes of a kind from its columns: `floats` numbers a shape, in the order of its struct.
template <class Shape>
std::uint32_t add(FlatScene& scene, std::vector<Column<float>>&& columns, Arrays& arrays,
                  nb::handle mask) {
  const Column<std::uint32_t> masks = arrays.words(mask, "mask");
  const std::uint64_t n = arrays.count();
  // All of them or none: a refused one leaves the set as it was.
  FlatScene with = scene;
  std::uint32_t first = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    std::array<float, sizeof(Shape) / sizeof(float)> numbers;
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = columns[k][i];
    const std::uint32_t index = with.add(std::bit_cast<Shape>(numbers), masks[i]);
    if (i == 0) first = index;
  }
  scene = std::move(with);
  return first;
}

Column<float> column_of(const std::vector<float>& values) {
  return values.size() == 1 ? Column<float>(values[0]) : Column<float>(values);
}

/// An argument of add_*: numbers of each shape, in the order of its struct.
struct FlatArgument {
  enum Kind { number = 1, vector = 2, half_angle, turn };  ///< angles are given in degrees
  const char* name;
  Kind kind;
};

std::string words(const char* of) {
  return doc::text(of, fmt::arg("mask", doc::flat_mask), fmt::arg("disk", doc::disk),
                   fmt::arg("circles", doc::text(doc::circles, fmt::arg("mask", doc::flat_mask))),
                   fmt::arg("circles_raise", doc::circles_raise));
}

/// add_NAMEs of every kind except polygons.
template <class Shape, std::size_t... I>
void add_kind(nb::class_<FlatScene>& scene, const std::array<FlatArgument, sizeof...(I)>& arguments,
              const char* described, std::index_sequence<I...>) {
  const std::string name = "add_" + std::string(ShapeTraits<Shape>::name) + "s";
  scene.def(
      name.c_str(),
      [arguments](FlatScene& s, Argument<I>... from, ArrayLike mask) {
        Arrays arrays;
        std::vector<Column<float>> all;
        std::array<Angles, sizeof...(I)> angles;
        const std::array<nb::handle, sizeof...(I)> given{from...};
        for (std::size_t k = 0; k < given.size(); ++k) {
          const auto [argument, kind] = arguments[k];
          if (kind == FlatArgument::number || kind == FlatArgument::vector) {
            arrays.columns(given[k], argument, static_cast<std::uint64_t>(kind), all);
            continue;
          }
          const Column<float> degrees = arrays.numbers(given[k], argument);
          angles[k] = angles_of(degrees, kind == FlatArgument::half_angle, argument);
          all.push_back(column_of(angles[k].cosine));
          all.push_back(column_of(angles[k].sine));
        }
        return add<Shape>(s, std::move(all), arrays, mask);
      },
      nb::arg(arguments[I].name)..., bits_argument("mask"), words(described).c_str());
}
template <class Shape, std::size_t n>
void add_kind(nb::class_<FlatScene>& scene, const FlatArgument (&arguments)[n],
              const char* described) {
  add_kind<Shape>(scene, std::to_array(arguments), described, std::make_index_sequence<n>());
}

/// Circles that ask, and the shape that they are given in.
struct Circles {
  CirclesView view;
  Shape shape;
};

/// Adds a question about circles: f(caster, circles, arguments of its own), for which the
/// interpreter's lock is let go.
template <class Answer, class... Own, class... Extra>
void add_query(nb::class_<FlatCaster>& caster, const char* name,
               Answer (*f)(const FlatCaster&, const Circles&, Own...), const char* described,
               const Extra&... own) {
  caster.def(
      name,
      [f](const FlatCaster& c, ArrayLike centers, ArrayLike radii, ArrayLike mask, Own... more) {
        Arrays arrays;
        CirclesView circles;
        circles.center = arrays.flat_vectors(centers, "centers");
        circles.radius = arrays.numbers(radii, "radii");
        circles.mask = arrays.words(mask, "mask");
        circles.count = arrays.count();
        return f(c, {circles, arrays.shape()}, more...);
      },
      nb::arg("centers"), nb::arg("radii"), nb::kw_only(), bits_argument("mask"), own...,
      words(described).c_str());
}

AnyArray overlap_any(const FlatCaster& c, const Circles& circles, bool packed) {
  Answers<std::uint64_t> bits({bit_words(circles.view.count)});
  {
    const nb::gil_scoped_release unlocked;
    c.overlap_any(circles.view, bits.span());
  }
  return bits_as(std::move(bits), circles.shape, packed);
}

Answers<std::uint32_t> overlap_count(const FlatCaster& c, const Circles& circles) {
  Answers<std::uint32_t> counts(circles.shape);
  const nb::gil_scoped_release unlocked;
  c.overlap_count(circles.view, counts.span());
  return counts;
}

struct FlatHits {
  Answers<float> t;
  Answers<std::uint32_t> id;
  Answers<std::uint8_t> flags;
};
struct FlatRows {
  ArrayOf<std::uint64_t> offsets;
  ArrayOf<std::uint32_t> id;
};

FlatRows overlap_all(const FlatCaster& c, const Circles& circles) {
  OverlapRows found = [&] {
    const nb::gil_scoped_release unlocked;
    return c.overlap_all(circles.view);
  }();
  return {numpy(std::move(found.offsets)), numpy(std::move(found.ids))};
}

void add_shapes(nb::module_& m) {
  nb::class_<FlatScene> shapes(m, "FlatScene", doc::flat_scene);
  using A = FlatArgument;
  add_kind<Circle>(shapes, {{"centers", A::vector}, {"radii", A::number}}, doc::add_circles);
  add_kind<Capsule2>(shapes, {{"a", A::vector}, {"b", A::vector}, {"radii", A::number}},
                     doc::add_flat_capsules);
  add_kind<Sector>(shapes,
                   {{"centers", A::vector},
                    {"directions", A::vector},
                    {"half_angles", A::half_angle},
                    {"radii", A::number}},
                   doc::add_sectors);
  add_kind<Aabb2>(shapes, {{"min", A::vector}, {"max", A::vector}}, doc::add_flat_aabbs);
  add_kind<Obb2>(shapes, {{"centers", A::vector}, {"half_extents", A::vector}, {"turns", A::turn}},
                 doc::add_flat_obbs);
  shapes.def(nb::init<>())
      .def("__len__", [](const FlatScene& s) { return s.size(); })
      .def(
          "add_polygon",
          [](FlatScene& s, ArrayLike corners, std::uint32_t mask) {
            Arrays arrays;
            const Vec2Column at = arrays.flat_vectors(corners, "corners");
            if (arrays.shape().size() > 1) refuse("corners is not [n,2]");
            std::vector<Vec2> all(arrays.count());
            for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = at[i];
            return s.add_polygon(all, mask);
          },
          nb::arg("corners"), bits_argument("mask"), doc::add_polygon);
  add_files(
      shapes, [](const auto& path, const FlatScene& s) { io::write_flat_scene(path, s); },
      words(doc::flat_save),
      [](const std::filesystem::path& path, io::Notes& notes) {
        return io::read_flat_scene(path, nullptr, &notes);
      },
      words(doc::flat_load));
  add_repr(shapes, [](const FlatScene& s) { return counted(s.size(), "shapes"); });
}

void add_answers(nb::module_& m) {
  nb::class_<FlatHits> hits(m, "FlatHits", words(doc::flat_hits).c_str());
  add_repr(hits, [](const FlatHits& h) {
    const auto hit = std::ranges::count_if(h.id.span(), [](auto id) { return id != none; });
    return std::to_string(hit) + " of " + std::to_string(h.id.span().size());
  });
  refuse_as_array(hits, "take .t, .id or .flags");
  hits.def_ro("t", &FlatHits::t,
              "float32 [n], lengths of the segment: 0 to 1 for a hit, inf for a miss.")
      .def_ro("id", &FlatHits::id, "uint32 [n]: the shape's id; ``NONE`` for a miss.")
      .def_ro("flags", &FlatHits::flags,
              "uint8 [n]: the sum of 1 (hit), 2 (the segment started inside) and 4 (bad segment).");
  nb::class_<FlatRows> rows(m, "FlatRows", words(doc::flat_rows).c_str());
  add_repr(rows, [](const FlatRows& r) {
    return counted(nb::len(r.id), "overlaps") + " of " + counted(nb::len(r.offsets) - 1, "circles");
  });
  refuse_as_array(rows, "take .offsets or .id");
  rows.def_ro("offsets", &FlatRows::offsets, "uint64 [n+1]: where each circle's row begins.")
      .def_ro("id", &FlatRows::id, "uint32 [offsets[n]]: the shapes' ids, ascending within a row.");
}

}  // namespace

void add_flat(nb::module_& m) {
  add_shapes(m);
  add_answers(m);
  nb::class_<FlatCaster> caster(m, "FlatCaster", words(doc::flat_caster).c_str());
  add_repr(caster, [](const FlatCaster& c) { return c.description(); });
  caster
      .def(
          "__init__",
          [](FlatCaster* self, const FlatScene& scene, const std::string& device, int threads) {
            FlatScene copy = scene;
            const DeviceOptions options = options_of(device, threads, "auto", "auto", "fast", 0);
            const nb::gil_scoped_release unlocked;
            new (self) FlatCaster(std::move(copy), options.caster);
          },
          nb::arg("scene"), nb::arg("device") = "auto", nb::kw_only(), nb::arg("threads") = 0)
      .def_prop_ro(
          "description", [](const FlatCaster& c) { return c.description(); },
          "str: device and threads in one line, and why there is no CUDA.")
      .def(
          "cast",
          [](const FlatCaster& c, ArrayLike a, ArrayLike b, ArrayLike mask,
             const InsideWord& inside) {
            Arrays arrays;
            SegmentsView segments;
            segments.a = arrays.flat_vectors(a, "a");
            segments.b = arrays.flat_vectors(b, "b");
            segments.mask = arrays.words(mask, "mask");
            segments.count = arrays.count();
            const Shape& shape = arrays.shape();
            FlatHits found{shape, shape, shape};
            const nb::gil_scoped_release unlocked;
            c.cast(segments, {found.t.span(), found.id.span(), found.flags.span()},
                   inside_of(inside));
            return found;
          },
          nb::arg("a"), nb::arg("b"), nb::kw_only(), bits_argument("mask"),
          nb::arg("inside") = "solid", words(doc::flat_cast).c_str());
  add_query(caster, "overlap_any", overlap_any, doc::flat_overlap_any, nb::arg("packed") = false);
  add_query(caster, "overlap_count", overlap_count, doc::flat_overlap_count);
  add_query(caster, "overlap_all", overlap_all, doc::flat_overlap_all);
}

}  // namespace sightline::python
