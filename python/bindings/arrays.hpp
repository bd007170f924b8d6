// Arrays of Python as the library's columns, and the library's answers as arrays of NumPy.
#pragma once

#include "host/files/core/file.hpp"

#include <sightline/caster.hpp>
#include <sightline/flat_shapes.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sightline::python {

namespace nb = nanobind;

/// Throws Error{usage} of these words.
template <class... A>
[[noreturn]] void refuse(fmt::format_string<A...> words, A&&... args) {
  io::fail(ErrorKind::usage, words, std::forward<A>(args)...);
}

/// A text as a template's argument.
template <std::size_t n>
struct Words {
  char text[n];
  consteval Words(const char (&from)[n]) { std::copy_n(from, n, text); }
};

/// Any object, of which help and stubs say that it is of this type. What is wrong with one is said
/// where it is used.
template <Words words>
class Typed : public nb::object {
  static bool is_any(const PyObject*) { return true; }
  NB_OBJECT_DEFAULT(Typed, nb::object, words.text, is_any)
};

using ArrayLike = Typed<"numpy.typing.ArrayLike">;
using PointsLike = Typed<"typing.Union[numpy.typing.ArrayLike, Points]">;
using FieldsLike = Typed<"Fields">;
/// One of a few words, which help and stubs list. Another word is refused where it is used.
template <Words type>
struct Word {
  std::string text;
  operator const std::string&() const { return text; }
};
using InsideWord = Word<"typing.Literal['solid', 'surface', 'ignore']">;
using SideWord = Word<"typing.Literal['both', 'front', 'back']">;
using UpWord = Word<"typing.Literal['z', 'y']">;

using Mapping = Typed<"collections.abc.Mapping">;
using Progress = Typed<"collections.abc.Callable[[int, int], object]">;  ///< (done, total)

/// An array of NumPy that a call returns.
using AnyArray = Typed<"numpy.typing.NDArray">;
template <class T>
struct ArrayType;
template <>
struct ArrayType<bool> : std::type_identity<Typed<"numpy.typing.NDArray[numpy.bool_]">> {};
template <>
struct ArrayType<std::uint8_t> : std::type_identity<Typed<"numpy.typing.NDArray[numpy.uint8]">> {};
template <>
struct ArrayType<std::int32_t> : std::type_identity<Typed<"numpy.typing.NDArray[numpy.int32]">> {};
template <>
struct ArrayType<std::uint32_t> : std::type_identity<Typed<"numpy.typing.NDArray[numpy.uint32]">> {
};
template <>
struct ArrayType<std::uint64_t> : std::type_identity<Typed<"numpy.typing.NDArray[numpy.uint64]">> {
};
template <>
struct ArrayType<float> : std::type_identity<Typed<"numpy.typing.NDArray[numpy.float32]">> {};
template <class T>
using ArrayOf = typename ArrayType<T>::type;

/// The arguments `mask` and the like, by default of all bits.
inline auto bits_argument(const char* name) {
  return nb::arg(name).sig("0xFFFFFFFF") = 0xFFFFFFFFu;
}

/// "[480,640,3]".
template <class Sides>
std::string in_brackets(const Sides& sides) {
  std::string words = "[";
  for (const auto side : sides) words += (words.size() > 1 ? "," : "") + std::to_string(side);
  return words + "]";
}

/// The sides of an array.
class Shape {
 public:
  static constexpr std::size_t most = 8;

  Shape() = default;
  Shape(std::initializer_list<std::size_t> sides) {
    for (const std::size_t side : sides) push_back(side);
  }
  /// At most `most` of them.
  void push_back(std::size_t side) { side_[count_++] = side; }
  const std::size_t* begin() const { return side_.data(); }
  const std::size_t* end() const { return side_.data() + count_; }
  std::size_t size() const { return count_; }
  std::size_t operator[](std::size_t i) const { return side_[i]; }
  /// The same with a side more at the end.
  Shape with(std::size_t side) const {
    Shape more = *this;
    more.push_back(side);
    return more;
  }
  /// How many elements. Throws Error{out_of_memory} where no memory holds that many numbers.
  std::size_t elements() const;
  std::string words() const { return in_brackets(*this); }
  friend bool operator==(const Shape& a, const Shape& b) { return std::ranges::equal(a, b); }

 private:
  std::array<std::size_t, most> side_{};
  std::size_t count_ = 0;
};

/// The arrays of one call: keeps alive what its columns point to, and knows the shape of its
/// elements: [n], or [h,w] where vectors are given as [h,w,3].
///
/// Arrays are NumPy's, or what has `__dlpack__`, `__cuda_array_interface__` or `__array__`. float32
/// is used where it lies, if one stride leads from each element to the next. Other arrays of
/// numbers are converted to a copy, rounded once. Throws Error{usage} naming the argument for other
/// shapes and types.
class Arrays {
 public:
  /// Where a call's arrays may lie. Only device_allowed takes those of a CUDA device.
  enum class Where { host_only, device_allowed };
  explicit Arrays(Where where = Where::host_only) : where_(where) {}

  /// Sides that elements may have, so that answers may have two more.
  static constexpr std::size_t most_sides = Shape::most - 2;

  /// A vector [3] for all, or rows [n,3], [h,w,3] and so on.
  Vec3Column vectors(nb::handle from, const char* name);
  /// A vector [2] for all, or rows.
  Vec2Column flat_vectors(nb::handle from, const char* name);
  /// The numbers of rows or one row of this width, or of [n] or one number where the width is 1:
  /// added to `to`.
  void columns(nb::handle from, const char* name, std::uint64_t width,
               std::vector<Column<float>>& to);
  /// Numbers in binary64, one after the other, and the shape of their elements, which has no sides
  /// where one element is for all: each has the sides `own`.
  struct Reals {
    const double* numbers;
    Shape shape;
  };
  Reals reals(nb::handle from, const char* name, const Shape& own);
  /// How long the last side of an array is; 0 of what is none.
  static std::size_t last_side(nb::handle from);
  /// Whether its last two sides are n.
  static bool ends_square(nb::handle from, std::size_t n);
  /// A number for all, or [n].
  Column<float> numbers(nb::handle from, const char* name);
  Column<std::uint32_t> words(nb::handle from, const char* name);
  Column<std::uint64_t> labels(nb::handle from, const char* name);
  /// Three numbers for each face: [n,3], or [3] for one.
  std::vector<std::array<std::uint32_t, 3>> faces(nb::handle from, const char* name);
  /// None, a number for all, [n], [n,2] for two a ray, or [[a, b]] for two for all.
  void exclusions(nb::handle from, const char* name, TwoIds<Column<std::uint32_t>>& to);
  /// Says that an array which is read elsewhere has elements of this shape. Throws Error{usage}
  /// where others have another.
  void agree(const Shape& shape, const char* name);

  /// The shape of the call's elements: that of its columns, [1] where all are single values.
  const Shape& shape() const { return shape_; }
  std::uint64_t count() const { return count_; }

  /// Whether an array lies on a CUDA device; then all do.
  bool on_device() const { return on_device_; }
  /// The stream that the caller's arrays are used in: what `__dlpack__(stream=)` is told.
  void use_stream(std::optional<std::uintptr_t> stream) { stream_ = stream; }

  /// Memory of the caller's for answers of this shape, to be written.
  template <class T>
  T* output(nb::handle to, const char* name, const Shape& shape) {
    return static_cast<T*>(writable(to, name, nb::dtype<T>(), shape));
  }

 private:
  struct Rows {
    const void* data;
    std::ptrdiff_t row, step;  ///< bytes from row to row, and from number to number
    std::uint64_t rows;
    bool single;  ///< one row for all
  };
  Rows rows(nb::handle from, const char* name, nb::dlpack::dtype dtype, std::uint64_t width);
  template <class T>
  Column<T> whole(nb::handle from, const char* name);
  template <class T>
  Column<T> column(const Rows& rows, std::uint64_t k);
  nb::ndarray<nb::ro> array(nb::handle from, const char* name);
  std::optional<nb::ndarray<nb::ro>> device_array(nb::handle from, const char* name);
  void* writable(nb::handle to, const char* name, nb::dlpack::dtype dtype, const Shape& shape);
  void lies_on(bool device, const char* name);

  std::vector<nb::ndarray<nb::ro>> kept_;
  std::vector<nb::ndarray<>> outputs_;
  Shape shape_{1};
  std::uint64_t count_ = 1;
  const char* counted_ = nullptr;  ///< the argument that said so, if any did
  std::optional<std::uintptr_t> stream_;
  Where where_;
  bool on_device_ = false, on_host_ = false;
};

/// An array of NumPy that owns what is moved into it.
template <class T, class Value>
ArrayOf<T> numpy(std::vector<Value>&& values, const Shape& shape) {
  auto* kept = new std::vector<Value>(std::move(values));
  const nb::capsule owner(kept,
                          [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
  return nb::steal<ArrayOf<T>>(
      nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.begin(), owner))
          .release());
}
template <class T>
ArrayOf<T> numpy(std::vector<T>&& values) {
  const std::size_t n = values.size();
  return numpy<T>(std::move(values), {n});
}
/// Structs of `width` numbers each as [n, width].
template <class T, class Struct>
ArrayOf<T> numpy_rows(std::vector<Struct>&& values) {
  const std::size_t n = values.size();
  return numpy<T>(std::move(values), {n, sizeof(Struct) / sizeof(T)});
}

/// Answers in memory that is not touched before they are written, or in the caller's own array. To
/// Python they are an array.
template <class T>
class Answers {
 public:
  Answers() = default;
  /// Throws Error{out_of_memory} for a shape that no memory holds.
  Answers(const Shape& shape) : shape_(shape), size_(shape.elements()) {
    owned_ = std::make_shared_for_overwrite<T[]>(std::max<std::size_t>(size_, 1));
    data_ = owned_.get();
  }
  /// In the caller's array.
  Answers(T* data, std::size_t n, nb::object array)
      : data_(data), size_(n), array_(std::move(array)) {}

  T* data() const { return data_; }
  std::span<T> span() const { return {data_, size_}; }
  const Shape& shape() const { return shape_; }
  bool wanted() const { return data_ != nullptr; }
  /// The same at every call; None where it was not asked for.
  nb::object array() const {
    if (!array_.is_valid() && data_ == nullptr) return nb::none();
    if (!array_.is_valid()) {
      auto* kept = new std::shared_ptr<T[]>(owned_);
      const nb::capsule owner(
          kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<T[]>*>(p); });
      array_ = nb::cast(nb::ndarray<nb::numpy, T>(data_, shape_.size(), shape_.begin(), owner));
    }
    return array_;
  }

 private:
  T* data_ = nullptr;
  Shape shape_;
  std::size_t size_ = 0;
  std::shared_ptr<T[]> owned_;
  mutable nb::object array_;
};
/// The same of a column that many calls do without.
template <class T>
struct OptionalAnswers : Answers<T> {
  using Answers<T>::Answers;
};

/// One of the names, whose place is the enumerator's value. Throws Error{usage} listing them.
int choice(const std::string& word, const char* what, std::initializer_list<const char*> names);
Inside inside_of(const std::string& word);
Side side_of(const std::string& word);

/// Bits as an array of bool of this shape, or the words themselves.
AnyArray bits_as(Answers<std::uint64_t>&& words, const Shape& shape, bool packed);

}  // namespace sightline::python

namespace nanobind::detail {

template <sightline::python::Words type>
struct type_caster<sightline::python::Word<type>> {
  NB_TYPE_CASTER(sightline::python::Word<type>, const_name(type.text))
  bool from_python(handle from, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<std::string> text;
    if (!text.from_python(from, flags, cleanup)) return false;
    value.text = std::move(text.value);
    return true;
  }
};
template <class T>
struct type_caster<sightline::python::Answers<T>> {
  static constexpr auto Name = sightline::python::ArrayOf<T>::Name;
  static handle from_cpp(const sightline::python::Answers<T>& answers, rv_policy, cleanup_list*) {
    return answers.array().release();
  }
};
template <class T>
struct type_caster<sightline::python::OptionalAnswers<T>>
    : type_caster<sightline::python::Answers<T>> {
  static constexpr auto Name =
      const_name("typing.Optional[") + sightline::python::ArrayOf<T>::Name + const_name("]");
};

}  // namespace nanobind::detail
