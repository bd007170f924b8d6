// What the container and .npy files have in common: element types, shapes, string metadata.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sightline::io {

/// Element types that a file may name; this project's own files use u8, u32, u64 and f32.
enum class Dtype : std::uint8_t {
  boolean,
  u8,
  i8,
  u16,
  i16,
  f16,
  bf16,
  u32,
  i32,
  f32,
  u64,
  i64,
  f64
};

/// The name in a container's header, such as "F32".
std::string_view dtype_name(Dtype dtype);
std::optional<Dtype> dtype_from_name(std::string_view name);
/// Bytes of one element.
std::uint64_t dtype_bytes(Dtype dtype);
/// Of numbers in memory: float and unsigned integers of 8 to 64 bits.
template <class T>
constexpr Dtype dtype_of() {
  if (std::is_same_v<T, float>) return Dtype::f32;
  return sizeof(T) == 1   ? Dtype::u8
         : sizeof(T) == 2 ? Dtype::u16
         : sizeof(T) == 4 ? Dtype::u32
                          : Dtype::u64;
}

using Shape = std::vector<std::uint64_t>;
/// [n], or [n, width] of several numbers each.
inline Shape rows_of(std::uint64_t n, std::uint64_t width) {
  return width == 1 ? Shape{n} : Shape{n, width};
}
/// In an expected shape: a dimension of any size.
inline constexpr std::uint64_t any_size = ~std::uint64_t{0};

/// "[5, 3]"; any_size prints as "n".
std::string to_string(const Shape& shape);
/// The number of elements; nothing when it does not fit in 64 bits.
std::optional<std::uint64_t> element_count(const Shape& shape);
/// The bytes of a whole tensor; nothing when they do not fit in 64 bits.
std::optional<std::uint64_t> tensor_bytes(Dtype dtype, const Shape& shape);
/// Whether the shape has the expected rank and sizes.
bool matches(const Shape& shape, const Shape& expected);

/// Text as JSON, in quotes; bytes that are no UTF-8 are replaced.
std::string json_string(std::string_view text);

/// Text by name, as in a container's "__metadata__".
using Metadata = std::map<std::string, std::string>;

}  // namespace sightline::io
