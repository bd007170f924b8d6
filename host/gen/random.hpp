// Counter-based random numbers: a value depends only on (seed, stream, index) and its position in
// the element's sequence, so that elements can be made independently, in any order.
//
// Only integers and the binary64 operations + - * / sqrt: the same bits on every machine.
#pragma once

#include <sightline/geometry/exact/wide_vec.hpp>

namespace sightline::gen {

/// Three components in binary64.
using Vec3d = WideVec3;

/// Streams of random numbers: scenes and rays of the same seed share no number.
enum Stream : std::uint64_t {
  stream_shape = 1,
  stream_cluster = 2,
  stream_block = 3,
  stream_ray = 16,  ///< plus the ray's kind, plus 8 per candidate
};

/// The finaliser of SplitMix64: a bijection of 64 bits in which every bit depends on every other.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014, with
/// Stafford's "Mix13" constants.
inline std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// The first number of SplitMix64 from this seed; the step is 2^64 over the golden ratio.
inline constexpr std::uint64_t random_step = 0x9E3779B97F4A7C15u;
inline std::uint64_t random_bits(std::uint64_t seed) { return mix_bits(seed + random_step); }

/// The numbers of one element.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
      : state_(mix_bits(mix_bits(random_bits(seed) + stream * random_step) + index * random_step)) {
  }

  std::uint64_t bits() { return mix_bits(state_ += random_step); }
  /// Uniform in [0, n); the bias of at most n / 2^64 is accepted.
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double a, double b) { return a + (b - a) * uniform(); }
  Vec3d in_cube(double a, double b);
  /// Uniform on the unit sphere.
  Vec3d direction();
  /// Uniform on the unit circle: {cos, sin} of a uniform angle, z = 0.
  Vec3d on_circle();
  /// Uniform over all rotations.
  Quat rotation();

 private:
  std::uint64_t state_;
};

/// The rotation by a small angle in radians, |angle| <= 1/2, about z. Taylor polynomials of the
/// half angle, of degree 7 and 8; the first omitted terms are below 2^-36.
Quat small_turn_about_z(double angle);

inline Vec3 to_float(const Vec3d& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
inline Vec3d operator*(double s, const Vec3d& v) { return {s * v.x, s * v.y, s * v.z}; }

}  // namespace sightline::gen
