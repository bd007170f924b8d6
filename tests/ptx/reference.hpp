// What every form of arithmetic gives by the specification, computed otherwise than by the
// interpreter where there is another way: integers in 128 bits, floats in a wider type.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <type_traits>

namespace sightline::ptx {

__extension__ using Signed128 = __int128;
using Row = std::array<std::uint64_t, 4>;
using Reference = std::function<std::uint64_t(const Row&)>;
using References = std::map<std::string, Reference>;

/// By the forms' names.
References all_references();

void add_integer_references(References& all);
void add_float_references(References& all);
void add_bit_references(References& all);
void add_conversion_references(References& all);

/// The low bits as a value, and back.
template <class T>
T as(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}
template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return value == value ? std::bit_cast<std::uint32_t>(value) : 0x7FFFFFFFu;
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

}  // namespace sightline::ptx
