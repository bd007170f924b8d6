// All answers of one batch of rays, and their comparison byte by byte.
#pragma once

#include <sightline/caster.hpp>

#include <cstring>
#include <vector>

namespace sightline::testing {

/// Closest hit with normals, and any hit, of rays [n].
struct Answers {
  std::vector<float> t;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> flags;
  std::vector<Vec3> normal;
  std::vector<std::uint64_t> blocked;

  explicit Answers(std::uint64_t n)
      : t(n, -1),
        id(n, 12345),
        flags(n, 0xFF),
        normal(n, {7, 7, 7}),
        blocked(n / 64 + (n % 64 != 0), 0xA5A5A5A5A5A5A5A5u) {}
  HitArrays view() { return {t, id, flags, normal}; }

  bool hit(std::uint64_t i) const { return (flags[i] & hit_flags::hit) != 0; }
  bool is_blocked(std::uint64_t i) const { return (blocked[i / 64] >> (i % 64) & 1) != 0; }
};

template <class Vector>
bool same_bytes(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

/// The first ray with another answer; the number of rays when all are the same bytes. A flaw in
/// the padding of `blocked` counts as the last ray's.
inline std::uint64_t first_difference(const Answers& a, const Answers& b) {
  const std::uint64_t n = a.t.size();
  if (same_bytes(a.t, b.t) && same_bytes(a.id, b.id) && same_bytes(a.flags, b.flags) &&
      same_bytes(a.normal, b.normal) && same_bytes(a.blocked, b.blocked)) {
    return n;
  }
  for (std::uint64_t i = 0; i < n; ++i) {
    if (std::memcmp(&a.t[i], &b.t[i], sizeof(float)) != 0 || a.id[i] != b.id[i] ||
        a.flags[i] != b.flags[i] || a.is_blocked(i) != b.is_blocked(i) ||
        std::memcmp(&a.normal[i], &b.normal[i], sizeof(Vec3)) != 0) {
      return i;
    }
  }
  return n - 1;
}

/// Whether any hit says what closest hit says, for every ray, and the padding is 0.
inline bool any_is_closest(const Answers& a) {
  const std::uint64_t n = a.t.size();
  for (std::uint64_t i = 0; i < n; ++i) {
    if (a.hit(i) != a.is_blocked(i)) return false;
  }
  return n % 64 == 0 || a.blocked.back() >> (n % 64) == 0;
}

inline Answers answers_of(const Caster& caster, const RaysView& rays, RayPolicy policy) {
  Answers a(rays.size());
  const CastOptions options{policy.inside, false, policy.side};
  caster.closest_hit(rays, a.view(), options);
  caster.any_hit(rays, a.blocked, options);
  return a;
}

}  // namespace sightline::testing
