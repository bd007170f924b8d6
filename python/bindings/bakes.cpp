// Bakes over points: areas, probes, cover.
#include "python/bindings/doc/bakes.hpp"
#include "python/bindings/module.hpp"

#include "host/files/formats/areas_file.hpp"

#include <sightline/cover.hpp>
#include <sightline/visibility.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

void add_area(Areas& areas, ArrayLike corners, float height, std::uint32_t samples) {
  Arrays arrays;
  const Vec3Column at = arrays.vectors(corners, "corners");
  if (arrays.shape().size() > 1) refuse("corners is not [n,3]");
  std::vector<Vec3> all(arrays.count());
  for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = at[i];
  areas.add(all, height, samples);
}

/// Samples that see themselves, of areas or of points that say of which area each is.
AreaSamples samples_of(const Caster& caster, const Areas& areas, std::uint32_t samples,
                       const std::string& up, Inside inside) {
  return free_samples(caster, sample_areas(areas, samples, up_of(up)), inside);
}

constexpr std::uint64_t area_pairs_at_a_time = 4096;

/// What a call about areas asks.
struct AreaQuestion {
  const Areas& areas;
  std::uint32_t samples;
  std::string up;
  VisibilityOptions options;
};

/// Calls f(caster, samples, rows, columns, elements) for parts of the matrix of all areas, where
/// the elements are [first, first + count) of it. Returns the samples.
template <class F>
AreaSamples for_area_rows(const PyCaster& caster, const AreaQuestion& asked, nb::handle progress,
                          F&& f) {
  const std::uint64_t n = asked.areas.size(),
                      rows = std::max<std::uint64_t>(
                          1, area_pairs_at_a_time / std::max<std::uint64_t>(n, 1));
  const auto range = [](std::uint64_t at, std::uint64_t size) {
    return IdRange{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(size)};
  };
  AreaSamples points;
  caster.ask_in_parts(
      n, rows, progress, [&](const Caster& c, std::uint64_t first, std::uint64_t count) {
        if (first == 0) {
          points = samples_of(c, asked.areas, asked.samples, asked.up, asked.options.inside);
        }
        f(c, points, range(first, count), range(0, n), range(first * n, count * n));
      });
  return points;
}

/// Areas are few enough for a matrix, whose elements 32 bits count. Throws Error{out_of_memory}.
AreaQuestion question(const Areas& areas, std::uint32_t samples, const std::string& up, float range,
                      float margin, const std::string& inside) {
  if (areas.size() > 65535) {
    io::fail(ErrorKind::out_of_memory,
             "{} areas make a matrix of more than 2^32 elements: bake it into a file",
             areas.size());
  }
  return {areas, samples, up, {range, margin, inside_of(inside)}};
}

std::pair<Answers<std::uint32_t>, ArrayOf<std::uint32_t>> areas(const PyCaster& caster,
                                                                const AreaQuestion& asked,
                                                                Progress progress) {
  const std::size_t n = asked.areas.size();
  Answers<std::uint32_t> seen({n, n});
  const AreaSamples points = for_area_rows(
      caster, asked, progress,
      [&](const Caster& c, const AreaSamples& all, const IdRange& rows, const IdRange& columns,
          const IdRange& elements) {
        area_counts(c, all, rows, columns, seen.span().subspan(elements.first, elements.count),
                    asked.options);
      });
  std::vector<std::uint32_t> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(points.count(i));
  return {std::move(seen), numpy(std::move(in))};
}

Answers<std::uint8_t> pvs(const PyCaster& caster, const AreaQuestion& asked, Progress progress) {
  const std::size_t n = asked.areas.size();
  Answers<std::uint8_t> classes({n, n});
  for_area_rows(
      caster, asked, progress,
      [&](const Caster& c, const AreaSamples& all, const IdRange& rows, const IdRange& columns,
          const IdRange& elements) {
        auto* const to = reinterpret_cast<AreaClass*>(classes.data());
        area_classes(c, all, rows, columns, {to + elements.first, elements.count}, asked.options);
      });
  return classes;
}

Answers<float> probes(const PyCaster& caster, PointsLike points, std::uint32_t n, float range,
                      const InsideWord& inside, Progress progress) {
  Arrays arrays;
  const PointsView at = points_of(arrays, points, "points");
  if (n == 0 || n > 4096) {
    refuse("n is {}, not from 1 to 4096", n);
  }
  const std::size_t cells = std::size_t{n} * n;
  Answers<float> distance(arrays.shape().with(n).with(n));
  const ProbeOptions options{range, inside_of(inside)};
  const std::uint64_t most = std::max<std::uint64_t>(1, (std::uint64_t{1} << 22) / cells);
  caster.ask_in_parts(
      at.count, most, progress, [&](const Caster& c, std::uint64_t first, std::uint64_t count) {
        probe_distances(c, at.slice(first, count), n,
                        distance.span().subspan(first * cells, count * cells), options);
      });
  return distance;
}

}  // namespace

CoverOptions cover_options(const std::string& up, std::uint32_t directions, float at, float crouch,
                           float stand, float radius, float reach, float lean, float view) {
  return {up_of(up), directions, at, crouch, stand, radius, reach, lean, view};
}

PyCover arrays_of(CoverRows&& rows, const Shape& shape) {
  std::vector<std::uint8_t> height(rows.height.size());
  for (std::size_t i = 0; i < height.size(); ++i) {
    height[i] = static_cast<std::uint8_t>(rows.height[i]);
  }
  const auto column = [&]<class T>(std::vector<T>& of) { return numpy<T>(std::move(of), shape); };
  PyCover cover;
  cover.height = column(height);
  cover.facing = column(rows.facing);
  cover.distance = column(rows.distance);
  cover.crouch = column(rows.crouch);
  cover.stand = column(rows.stand);
  cover.left = column(rows.left);
  cover.right = column(rows.right);
  return cover;
}

namespace {

PyCover cover_of(const PyCaster& caster, PointsLike points, const UpWord& up,
                 std::uint32_t directions, float at, float crouch, float stand, float radius,
                 float reach, float lean, float view, Progress progress) {
  Arrays arrays;
  const PointsView of = points_of(arrays, points, "points");
  const CoverOptions options =
      cover_options(up, directions, at, crouch, stand, radius, reach, lean, view);
  CoverRows rows;
  rows.resize(of.count);
  caster.ask_in_parts(of.count, std::uint64_t{1} << 16, progress,
                      [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                        cover(c, of.slice(first, n), rows.view().slice(first, n), options);
                      });
  return arrays_of(std::move(rows), arrays.shape());
}

std::string words(const char* of) {
  return doc::text(of, fmt::arg("area_arguments", doc::text(doc::area_arguments)),
                   fmt::arg("area_raise", doc::area_raise), fmt::arg("rooms", doc::rooms),
                   fmt::arg("wall", doc::wall));
}

/// Adds a question about areas.
template <class Answer>
void add_query(nb::class_<PyCaster>& caster, const char* name,
               Answer (*f)(const PyCaster&, const AreaQuestion&, Progress), const char* described) {
  caster.def(
      name,
      [f](const PyCaster& c, const Areas& areas, std::uint32_t samples, const UpWord& up,
          float range, float margin, const InsideWord& inside, Progress progress) {
        return f(c, question(areas, samples, up, range, margin, inside), progress);
      },
      nb::arg("areas"), nb::arg("samples") = 16, nb::kw_only(), nb::arg("up") = "z",
      nb::arg("range") = infinity, nb::arg("margin") = 0.0, nb::arg("inside") = "solid",
      nb::arg("progress") = nb::none(), words(described).c_str());
}

}  // namespace

void add_bakes(nb::module_& m, nb::class_<PyCaster>& caster) {
  nb::class_<Areas> all(m, "Areas", doc::areas_class);
  add_repr(all, [](const Areas& a) { return counted(a.size(), "areas"); });
  all.def(nb::init<>())
      .def("__len__", [](const Areas& a) { return a.size(); })
      .def("add", add_area, nb::arg("corners"), nb::arg("height"), nb::arg("samples") = 0,
           doc::areas_add);
  add_query(caster, "areas", areas, doc::areas);
  add_query(caster, "pvs", pvs, doc::pvs);
  caster.def("probes", probes, nb::arg("points"), nb::arg("n") = 8, nb::arg("range") = infinity,
             nb::kw_only(), nb::arg("inside") = "solid", nb::arg("progress") = nb::none(),
             words(doc::probes).c_str());
  m.def(
      "octahedral_directions",
      [](std::uint32_t n) { return numpy_rows<float>(octahedral_directions(n)); }, nb::arg("n"),
      doc::octahedral_directions);
  m.def(
      "cover_directions",
      [](std::uint32_t directions, const UpWord& up) {
        return numpy_rows<float>(cover_directions(directions, up_of(up)));
      },
      nb::arg("directions") = 32, nb::arg("up") = "z", doc::cover_directions);

  nb::class_<PyCover> cover(m, "Cover", words(doc::cover_class).c_str());
  add_repr(cover, [](const PyCover& c) {
    return counted(nb::cast<std::size_t>(c.height.attr("size")), "points");
  });
  refuse_as_array(cover, "take .height, .facing, .distance, .crouch, .stand, .left or .right");
  cover
      .def_ro("height", &PyCover::height,
              "uint8 [n]: 0 without cover, 1 for crouching, 2 for standing.")
      .def_ro("facing", &PyCover::facing,
              "uint8 [n]: the number of the direction of the nearest cover.")
      .def_ro("distance", &PyCover::distance,
              "float32 [n], scene units: how far that cover is; inf without cover.")
      .def_ro("crouch", &PyCover::crouch, "uint64 [n]: the directions that are safe crouching.")
      .def_ro("stand", &PyCover::stand, "uint64 [n]: the directions that are also safe standing.")
      .def_ro("left", &PyCover::left,
              "uint64 [n]: the directions in which the agent can lean out to the left.")
      .def_ro("right", &PyCover::right,
              "uint64 [n]: the directions in which the agent can lean out to the right.");
  caster.def("cover", cover_of, nb::arg("points"), nb::kw_only(), nb::arg("up") = "z",
             nb::arg("directions") = 32, nb::arg("at") = 0.0, nb::arg("crouch") = 0.9,
             nb::arg("stand") = 1.6, nb::arg("radius") = 0.3, nb::arg("reach") = 1.2,
             nb::arg("lean") = 0.6, nb::arg("view") = 10.0, nb::arg("progress") = nb::none(),
             words(doc::cover).c_str());
}

}  // namespace sightline::python
