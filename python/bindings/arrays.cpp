#include "python/bindings/arrays.hpp"

#include "python/bindings/module.hpp"

#include "host/files/core/file.hpp"

#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

nb::object numpy_module() { return nb::module_::import_("numpy"); }

std::string shape_words(const nb::ndarray<nb::ro>& a) {
  return in_brackets(std::span(a.shape_ptr(), a.ndim()));
}

/// Elements from one element to the next, in the order of C; nothing where no one stride leads
/// there. The elements have the array's first `sides` sides.
std::optional<std::int64_t> stride_of_elements(const nb::ndarray<nb::ro>& a, std::size_t sides) {
  if (sides <= 1) return sides == 0 ? 0 : a.stride(0);
  std::optional<std::int64_t> stride;
  std::int64_t next = 0;  // what the stride of the side before must be
  for (std::size_t i = sides; i-- > 0;) {
    if (a.shape(i) == 1) continue;
    if (stride && a.stride(i) != next) return std::nullopt;
    if (!stride) stride = a.stride(i);
    next = a.stride(i) * static_cast<std::int64_t>(a.shape(i));
  }
  return stride.value_or(0);
}

bool is(nb::dlpack::dtype a, nb::dlpack::dtype b) { return a == b; }

/// The name of a type in NumPy.
const char* name_of(nb::dlpack::dtype dtype) {
  if (is(dtype, nb::dtype<float>())) return "float32";
  if (is(dtype, nb::dtype<double>())) return "float64";
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
    if (error.matches(nb::module_::import_("sightline.errors").attr("UsageError"))) {
      refuse("{}: {}", name, nb::cast<std::string>(nb::str(error.value())));
    }
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
  const std::size_t own = width > 1 ? 1 : 0;  // sides of one element
  if (a.ndim() < own || a.ndim() > own + most_sides ||
      (own > 0 && a.shape(a.ndim() - 1) != width)) {
    const std::string w = std::to_string(width);
    refuse("{} has the shape {}, not {}", name, shape_words(a),
           own > 0 ? "[n," + w + "] or [" + w + "]" : "[n] or one number");
  }
  const std::size_t sides = a.ndim() - own;
  const bool single = sides == 0;
  if (single && device) {
    refuse("{} lies on a device and is one value, which is given as a number", name);
  }
  if (!stride_of_elements(a, sides)) {
    if (device) refuse("{} lies on a device and is not contiguous", name);
    a = nb::cast<nb::ndarray<nb::ro>>(converted(from, name, dtype));
  }
  if (!single) {
    lies_on(device, name);
    Shape shape;
    for (std::size_t i = 0; i < sides; ++i) shape.push_back(a.shape(i));
    agree(shape, name);
  }
  const auto bytes = static_cast<std::ptrdiff_t>(dtype.bits / 8u);
  const Rows rows{a.data(), single ? 0 : *stride_of_elements(a, sides) * bytes,
                  own > 0 ? static_cast<std::ptrdiff_t>(a.stride(sides)) * bytes : 0,
                  single ? 1 : count_, single};
  kept_.push_back(std::move(a));
  return rows;
}

void Arrays::agree(const Shape& shape, const char* name) {
  if (counted_ != nullptr && shape_ != shape) {
    const auto words = [&](const Shape& of) {
      return shape.size() == 1 && shape_.size() == 1 ? std::to_string(of[0]) : of.words();
    };
    refuse("{} has {} elements, {} has {}", name, words(shape), counted_, words(shape_));
  }
  shape_ = shape;
  count_ = shape.elements();
  counted_ = name;
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

std::vector<std::array<std::uint32_t, 3>> Arrays::faces(nb::handle from, const char* name) {
  const Rows r = rows(from, name, nb::dtype<std::uint32_t>(), 3);
  if (r.single) agree({1}, name);
  std::vector<std::array<std::uint32_t, 3>> all(r.rows);
  for (std::uint64_t k = 0; k < 3; ++k) {
    const auto of = column<std::uint32_t>(r, k);
    for (std::uint64_t i = 0; i < r.rows; ++i) all[i][k] = of[i];
  }
  return all;
}

void Arrays::columns(nb::handle from, const char* name, std::uint64_t width,
                     std::vector<Column<float>>& to) {
  const Rows r = rows(from, name, nb::dtype<float>(), width);
  for (std::uint64_t k = 0; k < width; ++k) to.push_back(column<float>(r, k));
}

Arrays::Reals Arrays::reals(nb::handle from, const char* name, const Shape& own) {
  if (!is_numpy(from) && device_array(from, name)) lies_on(true, name);
  auto a = nb::cast<nb::ndarray<nb::ro>>(converted(from, name, nb::dtype<double>()));
  const std::size_t sides = a.ndim() - std::min(a.ndim(), own.size());
  bool right = sides <= most_sides && a.ndim() >= own.size();
  for (std::size_t i = 0; right && i < own.size(); ++i) right = a.shape(sides + i) == own[i];
  if (!right) {
    const std::string words = own.words();
    refuse("{} has the shape {}, not [n,{} or {}", name, shape_words(a), words.substr(1), words);
  }
  Shape shape;
  for (std::size_t i = 0; i < sides; ++i) shape.push_back(a.shape(i));
  if (sides > 0) agree(shape, name);
  kept_.push_back(a);
  return {static_cast<const double*>(a.data()), shape};
}

namespace {

/// The sides of an array; none of what is no array.
std::vector<std::size_t> sides_of(nb::handle from) {
  try {
    std::vector<std::size_t> all;
    for (const nb::handle side : nb::object(numpy_module().attr("shape")(from))) {
      all.push_back(nb::cast<std::size_t>(side));
    }
    return all;
  } catch (nb::python_error&) {
    return {};
  }
}

}  // namespace

std::size_t Arrays::last_side(nb::handle from) {
  const auto sides = sides_of(from);
  return sides.empty() ? 0 : sides.back();
}

bool Arrays::ends_square(nb::handle from, std::size_t n) {
  const auto sides = sides_of(from);
  return sides.size() > 1 && sides.back() == n && sides[sides.size() - 2] == n;
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

void Arrays::exclusions(nb::handle from, const char* name, TwoIds<Column<std::uint32_t>>& to) {
  if (from.is_none()) return;
  if (PyLong_Check(from.ptr())) {
    to[0] = words(from, name);
    return;
  }
  nb::object given = nb::borrow(from);
  if (!nb::hasattr(from, "ndim")) given = converted(from, name, nb::dtype<std::uint32_t>());
  const auto sides = nb::cast<std::size_t>(nb::object(given.attr("ndim")));
  if (sides == 2 && nb::len(given) == 1 && shape_ != Shape{1, 2}) {  // the same two for all
    const nb::object two = converted(nb::object(given[0]), name, nb::dtype<std::uint32_t>());
    if (nb::len(two) == 2) {
      for (int k = 0; k < 2; ++k) to[k] = words(nb::int_(nb::object(two[k])), name);
      return;
    }
  }
  if (sides == shape_.size() + 1) {
    const Rows r = rows(given, name, nb::dtype<std::uint32_t>(), 2);
    to = {column<std::uint32_t>(r, 0), column<std::uint32_t>(r, 1)};
    return;
  }
  to[0] = words(given, name);
}

void* Arrays::writable(nb::handle to, const char* name, nb::dlpack::dtype dtype,
                       const Shape& shape) {
  nb::ndarray<> a;
  bool device = false;
  if (auto there = is_numpy(to) ? std::nullopt : device_array(to, name)) {
    device = true;
    a = nb::ndarray<>(*there);
  } else if (!nb::try_cast(to, a, false)) {
    refuse("{} is no array that can be written to", name);
  }
  bool right = is(a.dtype(), dtype) && a.ndim() == shape.size() &&
               reinterpret_cast<std::uintptr_t>(a.data()) % (dtype.bits / 8u) == 0;
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); right && i-- > 0; stride *= shape[i]) {
    right = a.shape(i) == shape[i] &&
            (shape[i] < 2 || a.stride(i) == static_cast<std::int64_t>(stride));
  }
  if (!right) {
    refuse("{} is not a contiguous, aligned array of {} {}", name, name_of(dtype), shape.words());
  }
  lies_on(device, name);
  outputs_.push_back(a);
  return a.data();
}

}  // namespace sightline::python
