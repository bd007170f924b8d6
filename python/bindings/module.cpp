// The module sightline._core: errors, devices and the caster itself; the queries are added by the
// other files.
#include "python/bindings/module.hpp"
#include "python/bindings/doc/caster.hpp"

#include <sightline/caster.hpp>

#include <nanobind/stl/string.h>

#include <cstring>
#include <new>
#include <stdexcept>

namespace sightline::python {
namespace {

/// Raises an exception of sightline.errors. A path in the sentence may be no UTF-8.
void raise_as(const char* type, const char* words) {
  const nb::object exception = nb::module_::import_("sightline.errors").attr(type);
  const nb::object text = nb::steal(
      PyUnicode_DecodeUTF8(words, static_cast<Py_ssize_t>(std::strlen(words)), "surrogateescape"));
  PyErr_SetObject(exception.ptr(), text.ptr());
}
void raise(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    constexpr const char* names[] = {"UsageError",       "BadInputError", "DeviceError",
                                     "OutOfMemoryError", "FileError",     "Error"};
    const int kind = static_cast<int>(error.kind());
    raise_as(kind >= 2 && kind <= 6 ? names[kind - 2] : "Error", error.what());
  } catch (const std::bad_alloc&) {
    raise_as("OutOfMemoryError", "there is not enough memory");
  } catch (const std::length_error&) {
    raise_as("OutOfMemoryError", "the answer does not fit in memory");
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

using LanesWord = Word<"typing.Literal['auto', 'avx512', 'avx2', 'portable']">;
using SearchWord = Word<"typing.Literal['auto', 'brute_force', 'tree']">;
using TreeWord = Word<"typing.Literal['fast', 'careful']">;
using UpdateWord = Word<"typing.Literal['auto', 'refit', 'rebuild']">;

nb::class_<PyCaster> add_caster(nb::module_& m) {
  nb::class_<PyCaster> caster(m, "Caster", doc::text(doc::caster).c_str());
  caster.def(
      "__init__",
      [](PyCaster* self, nb::handle scene, const std::string& device, int threads,
         const LanesWord& lanes, const SearchWord& search, const TreeWord& tree,
         std::uint64_t chunk) {
        const DeviceOptions options = options_of(device, threads, lanes, search, tree, chunk);
        PyScene copy = nb::cast<const PyScene&>(scene_of(scene));
        const nb::gil_scoped_release unlocked;
        new (self) PyCaster(std::move(copy), options);
      },
      nb::arg("scene"), nb::arg("device") = "auto", nb::kw_only(), nb::arg("threads") = 0,
      nb::arg("lanes") = "auto", nb::arg("search") = "auto", nb::arg("tree") = "fast",
      nb::arg("chunk") = 0);
  const auto description = [](const PyCaster& c) {
    return c.ask([](const Caster& of) { return of.description(); });
  };
  add_repr(caster, description);
  caster
      .def_prop_ro(
          "scene", [](const PyCaster& c) { return c.scene(); }, "Scene: a copy of the scene.")
      .def("__len__",
           [](const PyCaster& c) {
             return c.ask([](const Caster& of) { return of.scene().size(); });
           })
      .def_prop_ro("description", description,
                   "str: device and threads in one line, and why there is no CUDA.")
      .def_prop_ro(
          "memory_bytes",
          [](const PyCaster& c) {
            return c.ask([](const Caster& of) { return of.memory_bytes(); });
          },
          "int, bytes: the memory of the scene and its tree.")
      .def_prop_ro(
          "device", [](const PyCaster& c) { return c.device(); },
          "str: \"cpu\", \"reference\" or \"cuda:NUMBER\".")
      .def(
          "update",
          [](PyCaster& c, nb::handle scene, const UpdateWord& how) {
            const auto update =
                static_cast<Update>(choice(how, "how", {"auto", "refit", "rebuild"}));
            PyScene copy = nb::cast<const PyScene&>(scene_of(scene));
            const nb::gil_scoped_release unlocked;
            c.update(std::move(copy), update);
          },
          nb::arg("scene"), nb::arg("how") = "auto", doc::text(doc::caster_update).c_str());
  return caster;
}

/// The casters that this thread is asking, once for each call.
thread_local std::vector<const void*> asking;

}  // namespace

PyCaster::PyCaster(PyScene scene, const DeviceOptions& options)
    : caster_(std::move(scene.scene), options.caster),
      metadata_(std::move(scene.metadata)),
      device_(options.index) {}

PyCaster::Asking::Asking(const PyCaster& caster)
    : caster_(caster), first_(std::ranges::find(asking, &caster) == asking.end()) {
  asking.push_back(&caster);
  if (!first_) return;
  const std::lock_guard passing(caster.gate_);
  caster.asked_.lock_shared();
}
PyCaster::Asking::~Asking() {
  asking.pop_back();
  if (first_) caster_.asked_.unlock_shared();
}

void PyCaster::tell(nb::handle progress, std::uint64_t done, std::uint64_t total) {
  const bool told = progress.is_valid() && !progress.is_none();
  if (done >= total && !told) return;
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (told) progress(done, total);
}

void PyCaster::update(PyScene scene, Update how) {
  if (std::ranges::find(asking, this) != asking.end()) {
    refuse("a caster is not updated in a callback of a call of its own");
  }
  const std::lock_guard waiting(gate_);
  const std::unique_lock lock(asked_);
  caster_.update(std::move(scene.scene), how);
  metadata_ = std::move(scene.metadata);
}

PyScene PyCaster::scene() const {
  return ask([&](const Caster& c) { return PyScene{c.scene(), metadata_}; });
}

std::string PyCaster::device() const {
  return ask([&](const Caster& c) -> std::string {
    if (c.backend() == Backend::reference) return "reference";
    return c.backend() == Backend::cuda ? "cuda:" + std::to_string(device_) : "cpu";
  });
}

nb::object scene_of(nb::handle from) {
  if (nb::isinstance<PyScene>(from)) return nb::borrow(from);
  if (nb::hasattr(from, "scene")) {
    nb::object scene = from.attr("scene");
    if (nb::isinstance<PyScene>(scene)) return scene;
  }
  refuse("scene is no Scene, but of type {}", nb::cast<std::string>(nb::type_name(from.type())));
}

IdRange range_of(const Scene& scene, std::uint32_t first, std::optional<std::uint32_t> count) {
  const std::uint64_t size = scene.size();
  const std::uint64_t n = count ? *count : size - std::min<std::uint64_t>(first, size);
  if (first > size || n > size - first) {
    refuse("shapes {} to {} of a scene of {}", first, first + n, size);
  }
  return {first, static_cast<std::uint32_t>(n)};
}

/// The number of a device "cuda:NUMBER".
std::optional<int> index_of(const std::string& word) {
  if (word.starts_with("cuda:")) {
    const std::string digits = word.substr(5);
    if (!digits.empty() && digits.size() < 5 &&
        digits.find_first_not_of("0123456789") == std::string::npos) {
      return std::stoi(digits);
    }
  }
  return std::nullopt;
}

DeviceOptions options_of(const std::string& device, int threads, const std::string& lanes,
                         const std::string& search, const std::string& tree, std::uint64_t chunk) {
  if (threads < 0) refuse("the number of threads is {}, below 0", threads);
  const std::optional<int> numbered = index_of(device);
  const int index = numbered.value_or(0);
  const int kind =
      numbered ? 3
               : static_cast<int>(
                     choice(device, "device", {"auto", "reference", "cpu", "cuda", "cuda:NUMBER"}));
  const auto by = static_cast<Search>(choice(search, "search", {"auto", "brute_force", "tree"}));
  const auto build = static_cast<TreeBuild>(choice(tree, "tree", {"fast", "careful"}));
  const auto wide =
      static_cast<Lanes>(choice(lanes, "lanes", {"auto", "avx512", "avx2", "portable"}));
  const CpuOptions cpu = {threads, wide, by};
  const CudaOptions cuda = {index, by, build, chunk};
  const CasterOptions all[] = {AutomaticOptions{cpu, cuda}, ReferenceOptions{}, cpu, cuda};
  return {all[std::min(kind, 3)], index};
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
  m.attr("__version__") = SIGHTLINE_VERSION;
  m.attr("ANSWERS_VERSION") = answers_version;
  nb::list names;
  for (int k = 0; k < kind_count; ++k) names.append(kind_name(static_cast<Kind>(k)));
  m.attr("KINDS") = nb::tuple(names);
  m.def("cuda_devices", devices, doc::cuda_devices);
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
  add_mismatches(m);
}
