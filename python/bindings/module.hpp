// What the parts of the module share: each adds its classes and functions.
#pragma once

#include "python/bindings/arrays.hpp"

#include "host/files/core/words.hpp"
#include "host/files/formats/rounding.hpp"

#include <sightline/cover.hpp>
#include <sightline/files.hpp>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace sightline::python {

/// A scene, and what its file says beside shapes: "unit", "up" and so on.
struct PyScene {
  Scene scene;
  files::Metadata metadata;
};

/// The options of a caster, and the number of its device.
struct DeviceOptions {
  CasterOptions caster;
  int index = 0;
};

/// A caster that may be asked from many threads, and updated: an update waits until the calls that
/// run have ended, and later calls wait for it.
///
/// Neither of its locks is waited for with the interpreter's lock held. A call may be asked from
/// within another of the same thread, in a callback; an update from there would wait for itself,
/// and is refused.
class PyCaster {
 public:
  PyCaster(PyScene scene, const DeviceOptions& options);

  /// Calls f(caster) without the interpreter's lock, while nobody updates it.
  template <class F>
  auto ask(F&& f) const {
    const nb::gil_scoped_release unlocked;
    const Asking asking(*this);
    return f(std::as_const(caster_));
  }
  /// Calls f(caster, first, n) for parts of at most `most` of `total` elements, of none once, all
  /// of them over the same scene. Between them Ctrl-C ends the call, and `progress(done, total)` is
  /// told, where given.
  template <class F>
  void ask_in_parts(std::uint64_t total, std::uint64_t most, nb::handle progress, F&& f) const {
    const nb::gil_scoped_release unlocked;
    const Asking asking(*this);
    std::uint64_t first = 0;
    do {
      const std::uint64_t n = std::min(most, total - first);
      f(std::as_const(caster_), first, n);
      first += n;
      tell(progress, first, total);
    } while (first < total);
  }

  /// Takes another scene. Throws Error{usage} in a callback of a call.
  void update(PyScene scene, Update how);
  /// A copy of the scene.
  PyScene scene() const;
  /// "cpu", "reference" or "cuda:0".
  std::string device() const;

 private:
  /// Holds off updates for as long as it lives.
  class Asking {
   public:
    explicit Asking(const PyCaster& caster);
    ~Asking();

   private:
    const PyCaster& caster_;
    bool first_;  ///< of this thread, which then holds the lock
  };
  static void tell(nb::handle progress, std::uint64_t done, std::uint64_t total);

  Caster caster_;
  files::Metadata metadata_;
  int device_;                       ///< the index asked for, of CUDA
  mutable std::shared_mutex asked_;  ///< shared by calls
  mutable std::mutex gate_;          ///< which an update holds while it waits, so that it comes on
};

/// Columns of points: arrays, or one value for all.
struct PyPoints {
  nb::object position, mask, exclude, exclude_group;
};
/// Points [n,3], or a `Points` with masks and exclusions.
PointsView points_of(Arrays& arrays, nb::handle from, const char* name);

/// Angles as their cosines and sines, the same on every machine, and exact at right angles.
struct Angles {
  std::vector<float> cosine, sine;
};
/// Of degrees; `half`: from 0 to 180, for which it throws Error{usage}.
Angles angles_of(const Column<float>& degrees, bool half, const char* name);

/// Columns of fields of view.
struct PyFields {
  FieldShape shape = FieldShape::cone;
  nb::object direction, half_angle, range;
  bool one_angle = true;  ///< for all
  Angles angles;
  Shape angles_shape;
};
/// The fields of the viewpoints, which say how many there are as other columns do; nothing where
/// `from` is None.
std::optional<FieldsView> fields_of(Arrays& arrays, nb::handle from);

/// A Scene, or the scene of what has one, such as what the adapters give. Throws Error{usage}.
nb::object scene_of(nb::handle from);

/// `count` shapes of a scene from id `first` on, by default all. Throws Error{usage} past the end.
IdRange range_of(const Scene& scene, std::uint32_t first, std::optional<std::uint32_t> count);

/// A caster's options by their words; the device is "auto", "cpu" or "cuda:0". Throws Error{usage}.
DeviceOptions options_of(const std::string& device, int threads, const std::string& lanes,
                         const std::string& search, const std::string& tree, std::uint64_t chunk);

/// Cover as arrays.
struct PyCover {
  ArrayOf<std::uint8_t> height, facing;
  ArrayOf<float> distance;
  ArrayOf<std::uint64_t> crouch, stand, left, right;
};
PyCover arrays_of(CoverRows&& rows, const Shape& shape);
CoverOptions cover_options(const std::string& up, std::uint32_t directions, float at, float crouch,
                           float stand, float radius, float reach, float lean, float view);

/// {0, 0, 1} or {0, 1, 0}, by the name of the axis. Throws Error{usage}.
Vec3 up_of(const std::string& axis);

/// Every argument of a function that is made for a kind of shape, whatever its place.
template <std::size_t>
using Argument = ArrayLike;

/// "12345 shapes", and "1 shape": as Python writes numbers.
inline std::string counted(std::uint64_t n, std::string_view many) {
  return n == 1 ? io::plural(n, many) : std::to_string(n) + " " + std::string(many);
}
/// Adds `repr`: the name of the class, and in brackets what words(object) says of it.
template <class T, class Words>
void add_repr(nb::class_<T>& of, const Words& words) {
  of.def("__repr__", [words](nb::handle self) {
    const auto name = nb::cast<std::string>(nb::object(self.type().attr("__name__")));
    return name + "(" + words(nb::cast<const T&>(self)) + ")";
  });
}
/// Makes NumPy refuse to take an object for an array, in place of one element that holds it.
/// `words` say what has the numbers.
template <class T>
void refuse_as_array(nb::class_<T>& of, const char* words) {
  of.def(
      "__array__",
      [words](nb::handle self, nb::handle, nb::handle) -> AnyArray {
        refuse("a {} is no array: {}",
               nb::cast<std::string>(nb::object(self.type().attr("__name__"))), words);
      },
      nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
      ("Refused: " + std::string(words) + ".").c_str());
}
/// Adds csr(), which makes a matrix of SciPy of rows of different length.
template <class T>
void add_csr(nb::class_<T>& rows, const std::string& words) {
  rows.def(
      "csr",
      [](nb::handle self, std::optional<std::uint64_t> shapes) {
        return nb::module_::import_("sightline.results").attr("csr")(self, shapes);
      },
      nb::arg("shapes") = nb::none(), words.c_str());
}

/// Warns as Python does; throws where warnings are errors.
inline void warn(const std::string& words) {
  if (PyErr_WarnEx(PyExc_UserWarning, words.c_str(), 1) != 0) throw nb::python_error();
}
/// Adds save(path) and load(path), by write(path, object) and read(path, notes), for which the
/// interpreter's lock is let go.
template <class T, class Write, class Read>
void add_files(nb::class_<T>& of, const Write& write, const std::string& write_words,
               const Read& read, const std::string& read_words) {
  using Path = std::filesystem::path;
  const auto save = [write](const T& object, const Path& path) {
    const nb::gil_scoped_release unlocked;
    write(path, object);
  };
  const auto load = [read](const Path& path) {
    io::Notes notes;
    auto loaded = [&] {
      const nb::gil_scoped_release unlocked;
      return read(path, notes);
    }();
    for (const std::string& note : notes) warn(note);
    return loaded;
  };
  of.def("save", save, nb::arg("path"), write_words.c_str())
      .def_static("load", load, nb::arg("path"), read_words.c_str());
}

/// The masks, groups and labels of shapes.
AttributesView attributes_of(Arrays& arrays, nb::handle mask, nb::handle group, nb::handle label);

void add_scene(nb::module_& m);
void add_boxes(nb::class_<PyScene>& scene);
void add_points(nb::module_& m);
void add_rays(nb::module_& m, nb::class_<PyCaster>& caster);
void add_sight(nb::module_& m, nb::class_<PyCaster>& caster);
void add_shapes(nb::module_& m, nb::class_<PyCaster>& caster);
void add_bakes(nb::module_& m, nb::class_<PyCaster>& caster);
void add_nav(nb::module_& m, nb::class_<PyCaster>& caster);
void add_flat(nb::module_& m);
void add_imports(nb::module_& m);
void add_mismatches(nb::module_& m);

}  // namespace sightline::python
