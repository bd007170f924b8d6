// A hash of columns of floats, for golden values: equal bytes on every machine.
#pragma once

#include "host/files/core/hash.hpp"

#include <sightline/column.hpp>

#include <cstring>
#include <vector>

namespace sightline::gen {

inline std::string hash_numbers(const std::vector<float>& numbers) {
  return io::content_hash({{"numbers",
                            io::Dtype::f32,
                            {numbers.size()},
                            [&numbers](std::uint64_t first, std::uint64_t count, void* to) {
                              std::memcpy(to, numbers.data() + first, count * sizeof(float));
                            }}});
}

inline void put(std::vector<float>& numbers, const Vec3& v) {
  numbers.insert(numbers.end(), {v.x, v.y, v.z});
}

}  // namespace sightline::gen
