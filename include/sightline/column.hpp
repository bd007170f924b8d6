/// @file
/// Strided columns: rows [n, 3], separate columns x, y, z and common values are used without a
/// copy.
#pragma once

#include <sightline/vec.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace sightline {

/// A type from which `std::span<const T>` can be made: a vector, an array, another span.
template <class Array, class T>
concept ArrayOf = std::is_convertible_v<Array&, std::span<const T>>;

/// Strided array of values, or one common value for all elements.
///
/// The caller owns the memory and keeps it alive as long as the column is used. A column over a
/// temporary array is valid for one call. A call throws Error{usage} if the arrays of its columns
/// differ in length, or if a column that it needs was not given.
///
/// @code{.cpp}
/// const std::vector<Sphere> spheres = {{{0, 0, 0}, 1}, {{4, 0, 0}, 2}};
/// const Column<float> radii(spheres, &Sphere::radius);  // no copy: radii[1] is 2
/// const Column<float> height = 1.7f;                    // the same for all elements
/// @endcode
/// @tparam T  type of a value, such as float
template <class T>
struct Column {
  static constexpr std::uint64_t not_given = ~std::uint64_t{0};  ///< a `count`

  const T* data = nullptr;            ///< the first element; null for a common value
  std::ptrdiff_t stride = sizeof(T);  ///< bytes from one element to the next
  T common{};                         ///< the value of all elements if `data` is null
  std::uint64_t count = not_given;    ///< number of elements at `data`

  /// Makes a column that was not given. Queries of no elements accept it.
  Column() = default;
  /// Makes a common value.
  SIGHTLINE_HD Column(T value) : common(value), count(0) {}
  /// Makes a column of an array. An array of no elements is no common value.
  /// @param first  the first element; queries refuse null unless n is 0
  /// @param n      number of elements
  /// @param bytes  from one element to the next
  SIGHTLINE_HD Column(const T* first, std::uint64_t n, std::ptrdiff_t bytes = sizeof(T))
      : data(first != nullptr ? first : no_memory()), stride(bytes), count(n) {}
  Column(std::nullptr_t, std::uint64_t, std::ptrdiff_t = 0) = delete;  // a common value, rather
  /// Makes a column of contiguous elements.
  template <ArrayOf<T> Array>
  Column(const Array& array) : Column(std::data(array), std::size(array)) {}
  /// Makes a column of a member of structs: `Column<float>(spheres, &Sphere::radius)`.
  template <class Array, class Struct>
  Column(const Array& array, T Struct::*member)
      : Column(std::data(array) == nullptr ? nullptr : &(std::data(array)->*member),
               std::size(array), sizeof(*std::data(array))) {}

  /// Returns whether the column was made of a null pointer and a number of elements above 0.
  SIGHTLINE_HD bool is_null() const { return data == no_memory() && count > 0; }
  /// Returns whether the column has an array or a common value.
  bool is_given() const {
    const T zero{};
    return data != nullptr || count != not_given ||
           __builtin_memcmp(&common, &zero, sizeof zero) != 0;
  }

  /// Returns element i, i < count.
  SIGHTLINE_HD T operator[](std::uint64_t i) const {
    if (data == nullptr) return common;
    const auto* byte = reinterpret_cast<const unsigned char*>(data);
    return *reinterpret_cast<const T*>(byte + static_cast<std::ptrdiff_t>(i) * stride);
  }
  /// Returns the column of elements [first, first + n), or of fewer at the end of the array.
  SIGHTLINE_HD Column slice(std::uint64_t first, std::uint64_t n) const {
    Column c = *this;
    if (data == nullptr || is_null()) return c;
    const auto* byte = reinterpret_cast<const unsigned char*>(data);
    c.data = reinterpret_cast<const T*>(byte + static_cast<std::ptrdiff_t>(first) * stride);
    const std::uint64_t rest = first < count ? count - first : 0;
    c.count = rest < n ? rest : n;
    return c;
  }

 private:
  /// Where a null pointer to elements leads, as `data` is null in a column of a common value.
  SIGHTLINE_HD static const T* no_memory() { return reinterpret_cast<const T*>(alignof(T)); }
};

/// Returns column k of rows. If the last row is not whole, the columns of the rows differ in
/// length, and calls refuse them.
/// @param numbers  rows [n, width]
/// @param k        index of the column, below `width`
/// @param width    numbers per row
inline Column<float> column_of_rows(std::span<const float> numbers, std::uint64_t k,
                                    std::uint64_t width) {
  const std::uint64_t n = (numbers.size() + width - 1 - k) / width;
  return {numbers.data() == nullptr ? nullptr : numbers.data() + k, n,
          static_cast<std::ptrdiff_t>(width * sizeof(float))};
}

/// Column of vectors: a column for each of the three coordinates.
struct Vec3Column {
  Column<float> x;  ///< first coordinates
  Column<float> y;  ///< second coordinates
  Column<float> z;  ///< third coordinates

  /// Makes a column that was not given, as Column() does.
  Vec3Column() = default;
  /// Makes a column of one column for each coordinate. All three must be given.
  /// @param of_x  first coordinates [n], or one for all
  /// @param of_y  second coordinates
  /// @param of_z  third coordinates
  SIGHTLINE_HD Vec3Column(const Column<float>& of_x, const Column<float>& of_y,
                          const Column<float>& of_z)
      : x(of_x), y(of_y), z(of_z) {}
  /// Makes a common vector.
  SIGHTLINE_HD Vec3Column(const Vec3& value) : x(value.x), y(value.y), z(value.z) {}
  /// Makes a column of contiguous vectors.
  template <ArrayOf<Vec3> Array>
  Vec3Column(const Array& array) : Vec3Column(rows(array)) {}
  /// Makes a column of a member of structs: `Vec3Column(spheres, &Sphere::center)`.
  template <class Array, class Struct>
  Vec3Column(const Array& array, Vec3 Struct::*member)
      : Vec3Column(strided(std::data(array) == nullptr ? nullptr : &(std::data(array)->*member).x,
                           std::size(array), sizeof(*std::data(array)))) {}

  /// Returns the column of contiguous vectors.
  static Vec3Column rows(std::span<const Vec3> v) {
    return strided(v.empty() || v.data() == nullptr ? nullptr : &v.data()->x, v.size(),
                   sizeof(Vec3));
  }
  /// Returns the column of contiguous rows x, y, z [n, 3].
  static Vec3Column rows(std::span<const float> xyz) {
    return {column_of_rows(xyz, 0, 3), column_of_rows(xyz, 1, 3), column_of_rows(xyz, 2, 3)};
  }
  /// Returns the column of rows that begin at a fixed distance.
  /// @param xyz     the first row: x, y, z
  /// @param n       number of rows
  /// @param stride  bytes from one row to the next
  static Vec3Column strided(const float* xyz, std::uint64_t n, std::ptrdiff_t stride) {
    const auto column = [&](int k) {
      return Column<float>(xyz == nullptr ? xyz : xyz + k, n, stride);
    };
    return {column(0), column(1), column(2)};
  }

  /// Returns whether the column has an array or a common vector.
  bool is_given() const { return x.is_given() || y.is_given() || z.is_given(); }

  /// Returns vector i.
  SIGHTLINE_HD Vec3 operator[](std::uint64_t i) const { return {x[i], y[i], z[i]}; }
  /// Returns the column of vectors [first, first + n), or of fewer at the end of the array.
  SIGHTLINE_HD Vec3Column slice(std::uint64_t first, std::uint64_t n) const {
    return {x.slice(first, n), y.slice(first, n), z.slice(first, n)};
  }
};

/// Returns the view of elements [first, first + n). A view is a struct of columns, whose
/// `columns(f, views...)` calls f(name, column...) with each.
template <class View>
View sliced(View v, std::uint64_t first, std::uint64_t n) {
  View::columns([&](const char*, auto& column) { column = column.slice(first, n); }, v);
  return v;
}

/// Returns the number of elements of a view's first array, or `not_given` for a view without
/// arrays.
template <class View>
std::uint64_t size_of_arrays(const View& view) {
  std::uint64_t n = Column<float>::not_given;
  const auto count = [&](const auto& column) {
    if (n == Column<float>::not_given && column.data != nullptr) n = column.count;
  };
  View::columns(
      [&](const char*, const auto& column) {
        if constexpr (requires { column.x; }) {
          count(column.x), count(column.y);
          if constexpr (requires { column.z; }) count(column.z);
        } else {
          count(column);
        }
      },
      view);
  return n;
}

/// Returns the number of elements of a view's first array. For a view without arrays it is 1 if one
/// of `needed` was given, else 0.
/// @param view    a view
/// @param needed  columns of the view without a default
template <class View, class... Needed>
std::uint64_t size_of_columns(const View& view, const Needed&... needed) {
  const std::uint64_t n = size_of_arrays(view);
  return n != Column<float>::not_given ? n : (needed.is_given() || ...) ? 1 : 0;
}

}  // namespace sightline
