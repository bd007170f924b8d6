// Strided columns, so that rows (n,3), separate x/y/z columns and common values are used uncopied.
#pragma once

#include <sightline/vec.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace sightline {

/// What a std::span of these elements can be made of: a vector, an array, another span.
template <class Array, class T>
concept ArrayOf = std::is_convertible_v<Array&, std::span<const T>>;

/// One value per element, or one common value when `data` is null. A column knows how many elements
/// it has, and the public API refuses one that has another number than is asked about, or that
/// nothing was given to. `stride` is in bytes. The caller owns the memory and keeps it alive as
/// long as the column is used: a column over a temporary array lasts for one call.
template <class T>
struct Column {
  static constexpr std::uint64_t not_given = ~std::uint64_t{0};  ///< a count

  const T* data = nullptr;            ///< the first element; null: one value for all
  std::ptrdiff_t stride = sizeof(T);  ///< bytes from each element to the next
  T common{};                         ///< the value for all
  std::uint64_t count = not_given;    ///< of the elements at `data`

  /// Nothing yet: queries refuse it, unless they ask about no elements.
  Column() = default;
  /// The same value for all.
  SIGHTLINE_HD Column(T value) : common(value), count(0) {}
  /// n elements, `bytes` from each to the next. No elements are not a common value; queries refuse
  /// a null pointer to any.
  SIGHTLINE_HD Column(const T* first, std::uint64_t n, std::ptrdiff_t bytes = sizeof(T))
      : data(first != nullptr ? first : no_memory()), stride(bytes), count(n) {}
  Column(std::nullptr_t, std::uint64_t, std::ptrdiff_t = 0) = delete;  // a common value, rather
  /// Elements side by side, such as a vector of them.
  template <ArrayOf<T> Array>
  Column(const Array& array) : Column(std::data(array), std::size(array)) {}
  /// A member of structs: Column<float>(spheres, &Sphere::radius).
  template <class Array, class Struct>
  Column(const Array& array, T Struct::*member)
      : Column(std::data(array) == nullptr ? nullptr : &(std::data(array)->*member),
               std::size(array), sizeof(*std::data(array))) {}

  /// Whether it was made of a null pointer and a number of elements.
  SIGHTLINE_HD bool is_null() const { return data == no_memory() && count > 0; }
  /// Whether it was given anything, if only a common value.
  bool is_given() const {
    const T zero{};
    return data != nullptr || count != not_given ||
           __builtin_memcmp(&common, &zero, sizeof zero) != 0;
  }

  /// Element i.
  SIGHTLINE_HD T operator[](std::uint64_t i) const {
    if (data == nullptr) return common;
    const auto* byte = reinterpret_cast<const unsigned char*>(data);
    return *reinterpret_cast<const T*>(byte + static_cast<std::ptrdiff_t>(i) * stride);
  }
  /// Elements [first, first + n), as far as there are so many.
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

/// Every `width`-th number from the k-th on: column k of rows. Where the last row is not whole, the
/// columns differ in length, and the door refuses them.
inline Column<float> column_of_rows(std::span<const float> numbers, std::uint64_t k,
                                    std::uint64_t width) {
  const std::uint64_t n = (numbers.size() + width - 1 - k) / width;
  return {numbers.data() == nullptr ? nullptr : numbers.data() + k, n,
          static_cast<std::ptrdiff_t>(width * sizeof(float))};
}

/// Three float columns.
struct Vec3Column {
  Column<float> x;  ///< of each vector
  Column<float> y;  ///< of each vector
  Column<float> z;  ///< of each vector

  /// Nothing yet, as Column().
  Vec3Column() = default;
  /// A column for each coordinate, all of them given.
  SIGHTLINE_HD Vec3Column(const Column<float>& of_x, const Column<float>& of_y,
                          const Column<float>& of_z)
      : x(of_x), y(of_y), z(of_z) {}
  /// The same vector for all.
  SIGHTLINE_HD Vec3Column(const Vec3& value) : x(value.x), y(value.y), z(value.z) {}
  /// Vectors side by side, such as a std::vector of them.
  template <ArrayOf<Vec3> Array>
  Vec3Column(const Array& array) : Vec3Column(rows(array)) {}
  /// A member of structs: Vec3Column(spheres, &Sphere::center).
  template <class Array, class Struct>
  Vec3Column(const Array& array, Vec3 Struct::*member)
      : Vec3Column(strided(std::data(array) == nullptr ? nullptr : &(std::data(array)->*member).x,
                           std::size(array), sizeof(*std::data(array)))) {}

  /// Vectors side by side.
  static Vec3Column rows(std::span<const Vec3> v) {
    return strided(v.empty() ? nullptr : &v.data()->x, v.size(), sizeof(Vec3));
  }
  /// Rows [n,3]: x0 y0 z0 x1 y1 z1 ...
  static Vec3Column rows(std::span<const float> xyz) {
    return {column_of_rows(xyz, 0, 3), column_of_rows(xyz, 1, 3), column_of_rows(xyz, 2, 3)};
  }
  /// n rows, `stride` in bytes from row to row.
  static Vec3Column strided(const float* xyz, std::uint64_t n, std::ptrdiff_t stride) {
    const auto column = [&](int k) {
      return Column<float>(xyz == nullptr ? xyz : xyz + k, n, stride);
    };
    return {column(0), column(1), column(2)};
  }

  /// Whether it was given anything, if only a common vector.
  bool is_given() const { return x.is_given() || y.is_given() || z.is_given(); }

  /// Vector i.
  SIGHTLINE_HD Vec3 operator[](std::uint64_t i) const { return {x[i], y[i], z[i]}; }
  /// Elements [first, first + n), as far as there are so many.
  SIGHTLINE_HD Vec3Column slice(std::uint64_t first, std::uint64_t n) const {
    return {x.slice(first, n), y.slice(first, n), z.slice(first, n)};
  }
};

// A view is a struct whose columns(f, views...) calls f(name, column...) with each of its columns.

/// Elements [first, first + n) of a view.
template <class View>
View sliced(View v, std::uint64_t first, std::uint64_t n) {
  View::columns([&](const char*, auto& column) { column = column.slice(first, n); }, v);
  return v;
}

/// How many elements the arrays of a view have: as many as the first. Without arrays: not_given.
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

/// How many elements a view has: as many as its arrays. Without arrays one, if a column of `needed`
/// was given a value.
template <class View, class... Needed>
std::uint64_t size_of_columns(const View& view, const Needed&... needed) {
  const std::uint64_t n = size_of_arrays(view);
  return n != Column<float>::not_given ? n : (needed.is_given() || ...) ? 1 : 0;
}

}  // namespace sightline
