// The module sightline._core: errors, devices and the caster itself; the queries are added by the
// other files.
#include "python/bindings/module.hpp"

#include <sightline/devices.hpp>

#include <nanobind/stl/string.h>

#include <mutex>

namespace sightline::python {
namespace {

/// Raises the Python exception of the error's kind, of sightline.errors.
void raise(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    constexpr const char* names[] = {"UsageError",       "BadInputError", "DeviceError",
                                     "OutOfMemoryError", "FileError",     "Error"};
    const int kind = static_cast<int>(error.kind());
    const char* name = kind >= 2 && kind <= 6 ? names[kind - 2] : "Error";
    const nb::object type = nb::module_::import_("sightline.errors").attr(name);
    PyErr_SetString(type.ptr(), error.what());
  }
}

nb::list devices() {
  nb::list all;
  for (const CudaDevice& d : cuda_devices().devices) {
    nb::dict one;
    one["index"] = d.index;
    one["name"] = d.name;
    one["compute_capability"] = nb::make_tuple(d.major, d.minor);
    one["multiprocessors"] = d.multiprocessors;
    one["memory_bytes"] = d.memory_bytes;
    one["problem"] = d.problem;
    all.append(one);
  }
  return all;
}

std::string device_words(const Caster& caster, int index) {
  switch (caster.backend()) {
    case Backend::reference:
      return "reference";
    case Backend::cuda:
      return "cuda:" + std::to_string(index);
    default:
      return "cpu";
  }
}

nb::class_<PyCaster> add_caster(nb::module_& m) {
  nb::class_<PyCaster> caster(
      m, "Caster",
      R"(A scene that answers queries: the same bytes from every device, and from any number of threads.

Building it takes a copy of the scene. ``device`` is "auto" (CUDA where a device can hold the scene,
else the CPU), "cpu", "reference" (brute force, the judge), "cuda" or "cuda:0". Queries release the
interpreter's lock and may be asked from many threads at once; ``update`` waits for them.

Positions are float32 [n,3] with any strides, or one vector [3] for all; other types are rounded to
float32 once. Numbers beside them are one for all, or [n].)");
  caster.def(
      "__init__",
      [](PyCaster* self, const PyScene& scene, const std::string& device, int threads,
         const std::string& lanes, const std::string& search, const std::string& tree,
         const std::string& sort, std::uint64_t chunk) {
        const CasterOptions options = options_of(device, threads, lanes, search, tree, sort, chunk);
        Scene copy = scene.scene;
        const nb::gil_scoped_release unlocked;
        new (self) PyCaster(std::move(copy), device_of(device).backend, options);
      },
      nb::arg("scene"), nb::arg("device") = "auto", nb::kw_only(), nb::arg("threads") = 0,
      nb::arg("lanes") = "auto", nb::arg("search") = "auto", nb::arg("tree") = "fast",
      nb::arg("sort") = "auto", nb::arg("chunk") = 0,
      "threads: of the CPU, 0 for all cores. lanes: \"avx512\", \"avx2\", \"portable\". Of CUDA:\n"
      "search (\"tree\", \"brute_force\"), tree (\"fast\", \"careful\"), sort (\"always\", "
      "\"never\"),\n"
      "chunk: elements on their way at a time. No answer depends on any of them.");
  caster
      .def_prop_ro(
          "scene",
          [](const PyCaster& c) {
            return PyScene{c.caster.scene(), {}};
          },
          "A copy of the scene.")
      .def("__len__", [](const PyCaster& c) { return c.caster.scene().size(); })
      .def_prop_ro(
          "description", [](const PyCaster& c) { return c.caster.description(); },
          "One line: device and threads, and why there is no CUDA.")
      .def_prop_ro(
          "memory_bytes", [](const PyCaster& c) { return c.caster.memory_bytes(); },
          "Memory of the scene and its tree, in bytes.")
      .def_prop_ro(
          "device", [](const PyCaster& c) { return device_words(c.caster, c.device); },
          "\"cpu\", \"reference\" or \"cuda:0\".")
      .def("__repr__", [](const PyCaster& c) { return "Caster(" + c.caster.description() + ")"; })
      .def(
          "update",
          [](PyCaster& c, const PyScene& scene, const std::string& how) {
            const auto update =
                static_cast<Update>(choice(how, "how", {"auto", "refit", "rebuild"}));
            Scene copy = scene.scene;
            const nb::gil_scoped_release unlocked;
            const std::unique_lock lock(c.mutex);
            c.caster.update(std::move(copy), update);
          },
          nb::arg("scene"), nb::arg("how") = "auto",
          "Takes the scene in place of the one before: its shapes moved (\"refit\" keeps the shape "
          "of\n"
          "the tree, \"rebuild\" builds another).");
  return caster;
}

}  // namespace

Device device_of(const std::string& word) {
  if (word.starts_with("cuda:")) {
    const std::string digits = word.substr(5);
    if (!digits.empty() && digits.size() < 5 &&
        digits.find_first_not_of("0123456789") == std::string::npos) {
      return {Backend::cuda, std::stoi(digits)};
    }
  }
  return {static_cast<Backend>(choice(word, "device", {"auto", "reference", "cpu", "cuda"})), 0};
}

CasterOptions options_of(const std::string& device, int threads, const std::string& lanes,
                         const std::string& search, const std::string& tree,
                         const std::string& sort, std::uint64_t chunk) {
  CasterOptions o;
  o.threads = threads;
  o.device = device_of(device).index;
  o.search = static_cast<Search>(choice(search, "search", {"auto", "brute_force", "tree"}));
  o.tree = static_cast<TreeBuild>(choice(tree, "tree", {"fast", "careful"}));
  o.chunk = chunk;
  o.lanes = static_cast<Lanes>(choice(lanes, "lanes", {"auto", "avx512", "avx2", "portable"}));
  o.sort = static_cast<SortRays>(choice(sort, "sort", {"auto", "never", "always"}));
  return o;
}

Vec3 up_of(const std::string& axis) {
  return choice(axis, "up", {"z", "y"}) == 0 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
}

}  // namespace sightline::python

NB_MODULE(_core, m) {
  using namespace sightline;
  using namespace sightline::python;
  nb::register_exception_translator(raise);
  m.attr("NONE") = none;
  m.attr("ANSWERS_VERSION") = answers_version;
  nb::list names;
  for (int k = 0; k < kind_count; ++k) names.append(kind_name(static_cast<Kind>(k)));
  m.attr("KINDS") = nb::tuple(names);
  m.def("cuda_devices", devices,
        "The CUDA devices of this machine; ``problem`` says why one cannot be used.");
  add_scene(m);
  nb::class_<PyCaster> caster = add_caster(m);
  add_points(m);
  add_rays(m, caster);
  add_sight(m, caster);
  add_shapes(m, caster);
  add_bakes(m, caster);
  add_nav(m, caster);
  add_flat(m);
  add_imports(m);
}
