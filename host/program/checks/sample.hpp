// Which elements of a result are checked: all, or a sample that is the same for the same seed.
#pragma once

#include <cstdint>

namespace sightline::cli {

/// `count` of `total` elements in rising order: element k lies anywhere in the k-th of `count`
/// equal parts, so no element is drawn twice and no region is left out.
struct Sample {
  std::uint64_t total = 0;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;

  bool is_full() const { return count == total; }
  std::uint64_t operator[](std::uint64_t k) const {
    if (is_full()) return k;
    const std::uint64_t begin = part(k), size = part(k + 1) - begin;
    return begin + scaled(mixed(seed + mixed(k)), size);
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t part(std::uint64_t k) const {
    return static_cast<std::uint64_t>(Wide{total} * k / count);
  }
  static std::uint64_t scaled(std::uint64_t random, std::uint64_t size) {
    return static_cast<std::uint64_t>(Wide{random} * size >> 64);
  }
  /// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
};

}  // namespace sightline::cli
