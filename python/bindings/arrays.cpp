#include "python/bindings/arrays.hpp"

#include "python/bindings/module.hpp"

#include "host/files/core/file.hpp"

#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

nb::object numpy_module() { return nb::module_::import_("numpy"); }

std::string shape_words(const nb::ndarray<nb::ro>& a) {
  std::string words = "[";
  for (std::size_t i = 0; i < a.ndim(); ++i) {
    words += (i > 0 ? "," : "") + std::to_string(a.shape(i));
  }
  return words + "]";
}

bool is(nb::dlpack::dtype a, nb::dlpack::dtype b) { return a == b; }

/// The name of a type in NumPy.
const char* name_of(nb::dlpack::dtype dtype) {
  if (is(dtype, nb::dtype<float>())) return "float32";
  if (is(dtype, nb::dtype<std::uint64_t>())) return "uint64";
  if (is(dtype, nb::dtype<std::uint8_t>())) return "uint8";
  return "uint32";
}

std::uint64_t largest(nb::dlpack::dtype unsigned_type) {
  return unsigned_type.bits == 64 ? ~std::uint64_t{0}
                                  : (std::uint64_t{1} << unsigned_type.bits) - 1;
}

/// The value of a Python int from 0 to `limit`.
std::optional<std::uint64_t> fits(nb::handle number, std::uint64_t limit) {
  const unsigned long long value = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return value <= limit ? std::optional<std::uint64_t>(value) : std::nullopt;
}

/// What an argument is converted to, where it is not of that type already. Whole numbers must fit.
nb::object converted(nb::handle from, const char* name, nb::dlpack::dtype dtype) {
  const nb::object np = numpy_module();
  nb::object array;
  try {
    array = np.attr("asarray")(from);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    refuse("{} is no array of numbers", name);
  }
  const std::string kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  const bool whole = dtype.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt);
  const std::string allowed = whole ? "iu" : "fiu";
  const bool empty = nb::cast<std::size_t>(array.attr("size")) == 0;
  if (allowed.find(kind) == std::string::npos && !empty) {
    refuse("{} has elements of type {}, not {}", name,
           nb::cast<std::string>(nb::str(nb::object(array.attr("dtype")))),
           whole ? "whole numbers" : "numbers");
  }
  if (whole && !empty) {
    const nb::int_ least(nb::object(array.attr("min")())), most(nb::object(array.attr("max")()));
    const std::uint64_t limit = largest(dtype);
    if (!fits(least, limit) || !fits(most, limit)) {
      refuse("{} has elements from {} to {}, not from 0 to {}", name,
             nb::cast<std::string>(nb::str(least)), nb::cast<std::string>(nb::str(most)), limit);
    }
  }
  // NumPy warns of numbers too large for a float, which the library itself refuses, or flags.
  const nb::object quiet = np.attr("errstate")(nb::arg("over") = "ignore");
  quiet.attr("__enter__")();
  nb::object result;
  try {
    result = array.attr("astype")(name_of(dtype), nb::arg("order") = "C", nb::arg("copy") = true);
  } catch (...) {
    quiet.attr("__exit__")(nb::none(), nb::none(), nb::none());
    throw;
  }
  quiet.attr("__exit__")(nb::none(), nb::none(), nb::none());
  return result;
}

/// Whether it is an array of NumPy, which lies in host memory: not asked by attributes, which takes
/// longer than a ray does.
bool is_numpy(nb::handle from) {
  static const nb::handle type = nb::object(numpy_module().attr("ndarray")).release();
  return reinterpret_cast<PyObject*>(Py_TYPE(from.ptr())) == type.ptr();
}

/// What a `typestr` of the CUDA array interface says, little-endian.
nb::dlpack::dtype dtype_of(const std::string& typestr) {
  const auto code = [&] {
    switch (typestr.size() > 1 ? typestr[1] : '?') {
      case 'f':
        return nb::dlpack::dtype_code::Float;
      case 'u':
        return nb::dlpack::dtype_code::UInt;
      case 'i':
        return nb::dlpack::dtype_code::Int;
      default:
        return nb::dlpack::dtype_code::Bool;
    }
  }();
  const int bytes = typestr.size() > 2 ? std::atoi(typestr.c_str() + 2) : 0;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * bytes), 1};
}

}  // namespace

// Arrays of a device come by DLPack, told of the stream that they will be used in, or else by the
// CUDA array interface. Nothing where `from` is not on a device.
std::optional<nb::ndarray<nb::ro>> Arrays::device_array(nb::handle from, const char* name) {
  constexpr int cuda = nb::device::cuda::value, managed = nb::device::cuda_managed::value;
  if (nb::hasattr(from, "__dlpack_device__")) {
    const nb::object device = from.attr("__dlpack_device__")();
    const int type = nb::cast<int>(nb::int_(nb::object(device[0])));
    if (type != cuda && type != managed) return std::nullopt;
    // 1 is the legacy default stream of CUDA in this protocol.
    const nb::object capsule =
        from.attr("__dlpack__")(nb::arg("stream") = stream_.value_or(0) == 0 ? 1 : *stream_);
    nb::ndarray<nb::ro> array;
    if (!nb::try_cast(capsule, array, false)) {
      refuse("{} gives no DLPack capsule that can be read", name);
    }
    return array;
  }
  if (!nb::hasattr(from, "__cuda_array_interface__")) return std::nullopt;
  const nb::object interface = from.attr("__cuda_array_interface__");
  const auto typestr = nb::cast<std::string>(interface["typestr"]);
  if (typestr.starts_with('>')) refuse("{} is big-endian", name);
  const nb::dlpack::dtype dtype = dtype_of(typestr);
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;
  for (nb::handle side : interface["shape"]) shape.push_back(nb::cast<std::size_t>(side));
  const nb::object given = interface.attr("get")("strides");
  if (!given.is_none()) {
    for (nb::handle bytes : given) {
      const auto stride = nb::cast<std::int64_t>(bytes);
      if (dtype.bits == 0 || stride % (dtype.bits / 8) != 0) {
        refuse("{} has strides that are no whole elements", name);
      }
      strides.push_back(stride / (dtype.bits / 8));
    }
  }
  const auto address = nb::cast<std::uintptr_t>(interface["data"][0]);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how the interface gives addresses.
  return nb::ndarray<nb::ro>(reinterpret_cast<const void*>(address), shape.size(), shape.data(),
                             from, strides.empty() ? nullptr : strides.data(), dtype, cuda);
}

void Arrays::lies_on(bool device, const char* name) {
  if (device && where_ == Where::host_only) {
    refuse("{} lies on a CUDA device, where this call takes none", name);
  }
  (device ? on_device_ : on_host_) = true;
  if (on_device_ && on_host_) {
    refuse("{} lies {}, other arrays of the call do not", name,
           device ? "on a CUDA device" : "in host memory");
  }
}

nb::ndarray<nb::ro> Arrays::array(nb::handle from, const char* name) {
  nb::ndarray<nb::ro> array;
  if (!nb::ndarray_check(from) || !nb::try_cast(from, array, false)) return {};
  if (array.device_type() == nb::device::cpu::value ||
      array.device_type() == nb::device::cuda_host::value) {
    return array;
  }
  refuse("{} lies on a device that is neither a CPU nor a CUDA device", name);
}

Arrays::Rows Arrays::rows(nb::handle from, const char* name, nb::dlpack::dtype dtype,
                          std::uint64_t width) {
  nb::ndarray<nb::ro> a;
  bool device = false;
  if (!PyFloat_Check(from.ptr()) && !PyLong_Check(from.ptr())) {
    if (auto there = is_numpy(from) ? std::nullopt : device_array(from, name)) {
      a = std::move(*there);
      device = true;
      if (!is(a.dtype(), dtype)) {
        refuse("{} lies on a device and is not of type {}", name, name_of(dtype));
      }
    } else {
      a = array(from, name);
    }
  }
  const auto address = a.is_valid() ? reinterpret_cast<std::uintptr_t>(a.data()) : 0;
  if (!a.is_valid() || !is(a.dtype(), dtype) || address % (dtype.bits / 8u) != 0) {
    a = nb::cast<nb::ndarray<nb::ro>>(converted(from, name, dtype));
  }
  const std::size_t sides = a.ndim(), bytes = dtype.bits / 8u;
  const bool vector = width > 1;
  if (sides > (vector ? 2u : 1u) || (vector && (sides == 0 || a.shape(sides - 1) != width))) {
    const std::string w = std::to_string(width);
    refuse("{} has the shape {}, not {}", name, shape_words(a),
           vector ? "[n," + w + "] or [" + w + "]" : "[n] or one number");
  }
  const bool single = sides == (vector ? 1u : 0u);
  const auto stride = [&](std::size_t i) {
    return static_cast<std::ptrdiff_t>(a.stride(i)) * static_cast<std::ptrdiff_t>(bytes);
  };
  Rows rows{a.data(), single ? 0 : stride(0), vector ? stride(sides - 1) : 0,
            single ? 1 : a.shape(0), single};
  if (!single) {
    lies_on(device, name);
    if (count_ && *count_ != rows.rows) {
      refuse("{} has {} elements, {} has {}", name, rows.rows, counted_, *count_);
    }
    if (!count_) counted_ = name;
    count_ = rows.rows;
  } else if (device) {
    refuse("{} lies on a device and is one value, which is given as a number", name);
  }
  kept_.push_back(std::move(a));
  return rows;
}

template <class T>
Column<T> Arrays::column(const Rows& rows, std::uint64_t k) {
  const char* first =
      static_cast<const char*>(rows.data) + rows.step * static_cast<std::ptrdiff_t>(k);
  if (rows.single) {
    T value;
    std::memcpy(&value, first, sizeof value);
    return Column<T>(value);
  }
  if (rows.rows == 0) return Column<T>(reinterpret_cast<const T*>(alignof(T)), 0);
  return Column<T>(reinterpret_cast<const T*>(first), rows.rows, rows.row);
}

Vec3Column Arrays::vectors(nb::handle from, const char* name) {
  const Rows r = rows(from, name, nb::dtype<float>(), 3);
  return {column<float>(r, 0), column<float>(r, 1), column<float>(r, 2)};
}

Vec2Column Arrays::flat_vectors(nb::handle from, const char* name) {
  const Rows r = rows(from, name, nb::dtype<float>(), 2);
  return {column<float>(r, 0), column<float>(r, 1)};
}

void Arrays::columns(nb::handle from, const char* name, std::uint64_t width,
                     std::vector<Column<float>>& to) {
  const Rows r = rows(from, name, nb::dtype<float>(), width);
  for (std::uint64_t k = 0; k < width; ++k) to.push_back(column<float>(r, k));
}

Column<float> Arrays::numbers(nb::handle from, const char* name) {
  if (PyFloat_Check(from.ptr())) return static_cast<float>(PyFloat_AsDouble(from.ptr()));
  return column<float>(rows(from, name, nb::dtype<float>(), 1), 0);
}

template <class T>
Column<T> Arrays::whole(nb::handle from, const char* name) {
  if (!PyLong_Check(from.ptr())) return column<T>(rows(from, name, nb::dtype<T>(), 1), 0);
  const std::uint64_t limit = largest(nb::dtype<T>());
  if (const auto value = fits(from, limit)) return static_cast<T>(*value);
  refuse("{} is {}, not from 0 to {}", name, nb::cast<std::string>(nb::str(from)), limit);
}
Column<std::uint32_t> Arrays::words(nb::handle from, const char* name) {
  return whole<std::uint32_t>(from, name);
}
Column<std::uint64_t> Arrays::labels(nb::handle from, const char* name) {
  return whole<std::uint64_t>(from, name);
}

void Arrays::exclusions(nb::handle from, const char* name, Column<std::uint32_t> (&to)[2]) {
  if (from.is_none()) return;
  nb::object given = nb::borrow(from);
  if (!PyLong_Check(from.ptr()) && !nb::hasattr(from, "ndim")) {
    given = converted(from, name, nb::dtype<std::uint32_t>());
  }
  const bool pairs =
      !PyLong_Check(from.ptr()) && nb::cast<int>(nb::object(given.attr("ndim"))) == 2;
  if (pairs && nb::len(given) == 1) {  // the same two for all
    const nb::object two = converted(nb::object(given[0]), name, nb::dtype<std::uint32_t>());
    if (nb::len(two) == 2) {
      for (int k = 0; k < 2; ++k) to[k] = words(nb::int_(nb::object(two[k])), name);
      return;
    }
  }
  if (pairs) {
    const Rows r = rows(from, name, nb::dtype<std::uint32_t>(), 2);
    for (std::uint64_t k = 0; k < 2; ++k) to[k] = column<std::uint32_t>(r, k);
    return;
  }
  to[0] = words(from, name);
}

void* Arrays::writable(nb::handle to, const char* name, nb::dlpack::dtype dtype, std::uint64_t n,
                       std::uint64_t width) {
  nb::ndarray<> a;
  bool device = false;
  if (auto there = is_numpy(to) ? std::nullopt : device_array(to, name)) {
    device = true;
    a = nb::ndarray<>(*there);
  } else if (!nb::try_cast(to, a, false)) {
    refuse("{} is no array that can be written to", name);
  }
  const bool vector = width > 1;
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data()) % (dtype.bits / 8u) == 0;
  const bool right = aligned && a.ndim() == (vector ? 2u : 1u) && a.shape(0) == n &&
                     (!vector || (a.shape(1) == width && a.stride(1) == 1)) &&
                     (n < 2 || a.stride(0) == static_cast<std::int64_t>(width));
  if (!right || !is(a.dtype(), dtype)) {
    refuse("{} is not a contiguous, aligned array of {} [{}{}]", name, name_of(dtype), n,
           vector ? "," + std::to_string(width) : "");
  }
  lies_on(device, name);
  outputs_.push_back(a);
  return a.data();
}

int choice(const std::string& word, const char* what, std::initializer_list<const char*> names) {
  int i = 0;
  std::string all;
  for (const char* name : names) {
    if (word == name) return i;
    all += (i++ > 0 ? ", " : "") + std::string(name);
  }
  refuse("{} is {}, not one of {}", what, io::in_quotes(word), all);
}

Inside inside_of(const std::string& word) {
  return static_cast<Inside>(choice(word, "inside", {"solid", "surface", "ignore"}));
}

AnyArray bits_as(Answers<std::uint64_t>&& words, std::uint64_t n, bool packed) {
  if (packed) return nb::borrow<AnyArray>(words.array());
  Answers<bool> bools({static_cast<std::size_t>(n)});
  {
    const nb::gil_scoped_release unlocked;
    for (std::uint64_t i = 0; i < n; ++i) bools.data()[i] = words.data()[i / 64] >> (i % 64) & 1;
  }
  return nb::borrow<AnyArray>(bools.array());
}

}  // namespace sightline::python
