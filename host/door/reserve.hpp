// Room for shapes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sightline::detail {

/// The most shapes of a scene or a set: `none` is no id.
inline constexpr std::uint64_t most_shapes = 0xFFFFFFFEu;

/// Room for so many more, by doubling, so that adding one by one stays linear.
template <class T>
void reserve_more(std::vector<T>& v, std::uint64_t n) {
  if (v.capacity() - v.size() < n) v.reserve(std::max<std::uint64_t>(v.size() + n, 2 * v.size()));
}

}  // namespace sightline::detail
