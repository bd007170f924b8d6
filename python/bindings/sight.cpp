// Lines of sight: matrices, pairs, exposure.
#include "python/bindings/doc/sight.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "python/bindings/module.hpp"

#include <sightline/visibility.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <bit>

namespace sightline::python {
namespace {

// Pairs that are answered between two looks at Ctrl-C: a second of one core or so.
constexpr std::uint64_t pairs_at_a_time = std::uint64_t{1} << 25;

/// Who sees whom: bits [V, ceil(T/64)].
struct Matrix : VisibilityReport {
  std::uint64_t viewpoints = 0, targets = 0;
  Shape from, to;  ///< of the viewpoints and of the targets
  Answers<std::uint64_t> bits;
  VisibilityOptions options;
  bool in_fields = false;

  /// A side for each of theirs.
  Shape shape() const {
    Shape all = from;
    for (const std::size_t side : to) all.push_back(side);
    return all;
  }
};

std::string words(const char* of) { return doc::text(of, fmt::arg("viewpoints", doc::viewpoints)); }

VisibilityOptions options_of(float range, float margin, const std::string& inside) {
  return {range, margin, inside_of(inside)};
}

void add(VisibilityReport& sum, const VisibilityReport& part) {
  sum.pairs += part.pairs, sum.visible += part.visible, sum.in_field += part.in_field;
  sum.bad_viewpoints += part.bad_viewpoints, sum.bad_targets = part.bad_targets;
  sum.touching_viewpoints += part.touching_viewpoints;
  sum.touching_targets = part.touching_targets;
  sum.bad_fields += part.bad_fields;
}

/// What calls of viewpoints and targets take.
struct SightArguments {
  PointsLike viewpoints;
  PointsLike targets;
  FieldsLike fields;
  VisibilityOptions options;
  Progress progress;
};

Matrix visibility(const PyCaster& caster, const SightArguments& a) {
  Arrays arrays, others;
  PointsView from = points_of(arrays, a.viewpoints, "viewpoints");
  const auto seen_by = fields_of(arrays, a.fields);
  from.count = arrays.count();
  const bool self = a.targets.is_none();
  const PointsView to = self ? from : points_of(others, a.targets, "targets");
  const Shape &rows_shape = arrays.shape(), &columns_shape = self ? rows_shape : others.shape();
  if (rows_shape.size() + columns_shape.size() > Shape::most) {
    refuse("viewpoints of {} sides and targets of {} make a matrix of more than {} sides",
           rows_shape.size(), columns_shape.size(), Shape::most);
  }
  const std::uint64_t words = bit_words(to.count);
  if (words > 0 && from.count > (std::uint64_t{1} << 59) / words) {
    io::fail(ErrorKind::out_of_memory, "a matrix of {} by {} does not fit in memory", from.count,
             to.count);
  }
  Matrix matrix{{},         from.count,         to.count,
                rows_shape, columns_shape,      Answers<std::uint64_t>({from.count, words}),
                a.options,  seen_by.has_value()};
  // Of a set against itself half of the segments are mirrored, in one call for all.
  const bool mirrored = self && !seen_by;
  const std::uint64_t rows =
      mirrored ? std::max<std::uint64_t>(from.count, 1)
               : std::max<std::uint64_t>(1, pairs_at_a_time / std::max<std::uint64_t>(to.count, 1));
  caster.ask_in_parts(from.count, rows, a.progress,
                      [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                        const PointsView part = from.slice(first, n);
                        const auto of = matrix.bits.span().subspan(first * words, n * words);
                        const auto ask = [&](const auto&... seen) {
                          add(matrix, c.visibility(part, seen..., of, a.options));
                        };
                        mirrored ? ask() : seen_by ? ask(seen_by->slice(first, n), to) : ask(to);
                      });
  return matrix;
}

Answers<bool> unpack(const Matrix& m) {
  Answers<bool> seen(m.shape());
  {
    const nb::gil_scoped_release unlocked;
    const std::uint64_t words = bit_words(m.targets);
    for (std::uint64_t i = 0; i < m.viewpoints; ++i) {
      const std::uint64_t* row = m.bits.data() + i * words;
      bool* to = seen.data() + i * m.targets;
      for (std::uint64_t j = 0; j < m.targets; ++j) to[j] = row[j / 64] >> (j % 64) & 1;
    }
  }
  return seen;
}

/// Writes the matrix as the program does, of files that hold what it was computed from.
void save(const Matrix& m, const std::string& file, const std::string& scene,
          const std::string& from, const std::string& to) {
  if (m.in_fields) refuse("a Visibility in fields of view has no file: sl.bake writes one");
  constexpr const char* inside[] = {"solid", "surface", "ignore"};
  io::Metadata metadata = {{"sightline.answers", fmt::format("{}", answers_version)},
                           {"scene.hash", io::scene_hash(io::read_scene(scene))},
                           {"query.inside", inside[static_cast<int>(m.options.inside)]},
                           {"query.range", fmt::format("{}", m.options.range)},
                           {"query.margin", fmt::format("{}", m.options.margin)}};
  for (const auto& [key, name, n] :
       {std::tuple("from", &from, m.viewpoints), std::tuple("to", &to, m.targets)}) {
    const io::Points points = io::read_points(*name);
    if (points.count() != n) {
      io::fail(ErrorKind::bad_input, "a Visibility of {} by {} was not computed from {} points",
               m.viewpoints, m.targets, points.count());
    }
    metadata[std::string(key) + ".hash"] = io::points_hash(points);
    metadata[std::string(key) + ".count"] = fmt::format("{}", n);
  }
  const io::Shape shape = {m.viewpoints, bit_words(m.targets)};
  io::write_tensors(file, "visibility", {io::stored("bits", shape, m.bits.data())}, metadata);
}

ArrayOf<std::uint64_t> counts(const Matrix& m) {
  const std::uint64_t words = bit_words(m.targets);
  std::vector<std::uint64_t> seen(m.viewpoints);
  for (std::uint64_t i = 0; i < m.viewpoints; ++i) {
    for (std::uint64_t w = 0; w < words; ++w) {
      seen[i] += static_cast<std::uint64_t>(std::popcount(m.bits.data()[i * words + w]));
    }
  }
  return numpy<std::uint64_t>(std::move(seen), m.from);
}

AnyArray visibility_pairs(const PyCaster& caster, PointsLike a, PointsLike b, float range,
                          float margin, const InsideWord& inside, bool packed) {
  const VisibilityOptions options = options_of(range, margin, inside);
  Arrays arrays;
  PointsView from = points_of(arrays, a, "a");
  PointsView to = points_of(arrays, b, "b");
  from.count = to.count = arrays.count();
  Answers<std::uint64_t> bits({bit_words(from.count)});
  caster.ask_in_parts(from.count, pairs_at_a_time / 8, {},
                      [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                        c.visibility_pairs(from.slice(first, n), to.slice(first, n),
                                           bits.span().subspan(first / 64, bit_words(n)), options);
                      });
  return bits_as(std::move(bits), arrays.shape(), packed);
}

Answers<std::uint32_t> exposed(const PyCaster& caster, const SightArguments& a) {
  Arrays arrays, others;
  PointsView from = points_of(arrays, a.viewpoints, "viewpoints");
  const auto seen_by = fields_of(arrays, a.fields);
  from.count = arrays.count();
  const PointsView to = a.targets.is_none() ? from : points_of(others, a.targets, "targets");
  Answers<std::uint32_t> counts(a.targets.is_none() ? arrays.shape() : others.shape());
  const std::uint64_t columns =
      std::max<std::uint64_t>(1, pairs_at_a_time / std::max<std::uint64_t>(from.count, 1));
  caster.ask_in_parts(
      to.count, columns, a.progress, [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
        exposure(c, from, seen_by, to.slice(first, n), counts.span().subspan(first, n), a.options);
      });
  return counts;
}

/// Adds a question about viewpoints and targets.
template <class Answer>
void add_query(nb::class_<PyCaster>& caster, const char* name,
               Answer (*f)(const PyCaster&, const SightArguments&), const char* described) {
  caster.def(
      name,
      [f](const PyCaster& c, PointsLike viewpoints, PointsLike targets, FieldsLike fields,
          float range, float margin, const InsideWord& inside, Progress progress) {
        return f(c, {viewpoints, targets, fields, options_of(range, margin, inside), progress});
      },
      nb::arg("viewpoints"), nb::arg("targets") = nb::none(), nb::kw_only(),
      nb::arg("fields") = nb::none(), nb::arg("range") = infinity, nb::arg("margin") = 0.0,
      nb::arg("inside") = "solid", nb::arg("progress") = nb::none(), words(described).c_str());
}

}  // namespace

void add_sight(nb::module_& m, nb::class_<PyCaster>& caster) {
  nb::class_<Matrix> matrix(m, "Visibility", words(doc::visibility_matrix).c_str());
  add_repr(matrix, [](const Matrix& v) {
    return std::to_string(v.viewpoints) + " by " + std::to_string(v.targets) + ", " +
           std::to_string(v.visible) + " visible";
  });
  matrix
      .def_prop_ro(
          "shape",
          [](const Matrix& v) {
            nb::list sides;
            for (const std::size_t side : v.shape()) sides.append(side);
            return nb::borrow<Typed<"tuple[int, ...]">>(nb::tuple(sides));
          },
          "tuple of int: (V, T), or all sides of batches of points.")
      .def_ro("bits", &Matrix::bits,
              "uint64 [V, ceil(T/64)]: bit j % 64 of word j // 64 of row i is 1 if i sees j. "
              "Unused bits "
              "are 0.")
      .def("unpack", unpack, words(doc::visibility_unpack).c_str())
      .def(
          "__array__",
          [](const Matrix& v, nb::object dtype, nb::object copy) -> nb::object {
            if (copy.ptr() == Py_False) {
              throw nb::value_error("a Visibility holds bits: its matrix of bools is a copy");
            }
            nb::object seen = unpack(v).array();
            return dtype.is_none() ? seen : seen.attr("astype")(dtype);
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
          words(doc::visibility_array).c_str())
      .def("_save", save, nb::arg("file"), nb::arg("scene"), nb::arg("viewpoints"),
           nb::arg("targets"), "For ``sl.view``: writes a result of these files.")
      .def("counts", counts, words(doc::visibility_counts).c_str())
      .def_ro("visible", &Matrix::visible, "int: the number of pairs that see each other.")
      .def_ro("bad_viewpoints", &Matrix::bad_viewpoints,
              "int: the number of viewpoints that are NaN, infinite or beyond 2^40.")
      .def_ro("bad_targets", &Matrix::bad_targets,
              "int: the number of targets that are NaN, infinite or beyond 2^40.")
      .def_ro("touching_viewpoints", &Matrix::touching_viewpoints,
              "int: the number of viewpoints that lie in a shape or touch one.")
      .def_ro("touching_targets", &Matrix::touching_targets,
              "int: the number of targets that lie in a shape or touch one.");

  add_query(caster, "visibility", visibility, doc::visibility);
  caster.def("visibility_pairs", visibility_pairs, nb::arg("a"), nb::arg("b"), nb::kw_only(),
             nb::arg("range") = infinity, nb::arg("margin") = 0.0, nb::arg("inside") = "solid",
             nb::arg("packed") = false, words(doc::visibility_pairs).c_str());
  add_query(caster, "exposure", exposed, doc::exposure);
}

}  // namespace sightline::python
