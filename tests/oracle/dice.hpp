// Seeded random numbers, the same on every system.
#pragma once

#include <sightline/vec.hpp>

#include <cmath>
#include <cstdint>
#include <random>

namespace sightline::oracle {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// 0 .. n - 1
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  /// lo .. hi
  int between(int lo, int hi) {
    return lo + static_cast<int>(below(static_cast<std::uint64_t>(hi - lo + 1)));
  }
  bool chance(double p) { return uniform() < p; }
  /// [0, 1)
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
  /// A random mantissa times 2^e, e in [lo, hi], either sign.
  float wild(int lo, int hi) {
    return static_cast<float>(std::ldexp(uniform(1, 2) * (chance(0.5) ? 1 : -1), between(lo, hi)));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace sightline::oracle
