// What the parts of the module share: each adds its classes and functions.
#pragma once

#include "python/bindings/arrays.hpp"

#include <sightline/cover.hpp>
#include <sightline/files.hpp>

#include <shared_mutex>

namespace sightline::python {

/// A scene, and what its file says beside shapes: "unit", "up" and so on.
struct PyScene {
  Scene scene;
  files::Metadata metadata;
};

/// A caster that may be asked from many threads, and updated: an update waits until nobody asks.
struct PyCaster {
  PyCaster(Scene scene, Backend backend, const CasterOptions& options)
      : caster(std::move(scene), backend, options), device(options.device) {}

  /// Calls f(caster) while nobody updates it; without the interpreter's lock.
  template <class F>
  auto ask(F&& f) const {
    const std::shared_lock lock(mutex);
    return f(caster);
  }

  Caster caster;
  int device;  ///< the index asked for, of CUDA
  mutable std::shared_mutex mutex;
};

/// Options of a caster from their words. Throws Error{usage}.
struct Device {
  Backend backend = Backend::automatic;
  int index = 0;
};
Device device_of(const std::string& word);
CasterOptions options_of(const std::string& device, int threads, const std::string& lanes,
                         const std::string& search, const std::string& tree,
                         const std::string& sort, std::uint64_t chunk);

/// Cover as arrays.
struct PyCover {
  nb::object height, facing, distance, crouch, stand, left, right;
};
PyCover arrays_of(CoverRows&& rows);
CoverOptions cover_options(const std::string& up, std::uint32_t directions, float at, float crouch,
                           float stand, float radius, float reach, float lean, float view);

/// {0, 0, 1} or {0, 1, 0}, by the name of the axis. Throws Error{usage}.
Vec3 up_of(const std::string& axis);

void add_errors(nb::module_& m);
void add_scene(nb::module_& m);
void add_points(nb::module_& m);
void add_rays(nb::module_& m, nb::class_<PyCaster>& caster);
void add_sight(nb::module_& m, nb::class_<PyCaster>& caster);
void add_shapes(nb::module_& m, nb::class_<PyCaster>& caster);
void add_bakes(nb::module_& m, nb::class_<PyCaster>& caster);
void add_nav(nb::module_& m, nb::class_<PyCaster>& caster);
void add_flat(nb::module_& m);
void add_imports(nb::module_& m);

}  // namespace sightline::python
