// The body of lane_probe_*.cpp: the same code for every instruction set.
#include "host/cpu/simd/compress.hpp"
#include "tests/host/cpu/rays/lane_probe.hpp"

namespace sightline::testing::HWY_NAMESPACE {

template <int N>
struct Access {
  static constexpr int lanes = N;
  using Floats = detail::HWY_NAMESPACE::FloatVec<N>;
  using Mask = detail::HWY_NAMESPACE::LaneMask<N>;
  static Floats load(const float* from) {
    return hwy::HWY_NAMESPACE::LoadU(detail::HWY_NAMESPACE::FloatTag<N>(), from);
  }
  static void store(Floats f, float* to) {
    hwy::HWY_NAMESPACE::StoreU(f.v, detail::HWY_NAMESPACE::FloatTag<N>(), to);
  }
  static void store(Mask m, bool* to) {
    float ones[N];
    store(select(m, Floats(1), Floats(0)), ones);
    for (int i = 0; i < N; ++i) to[i] = ones[i] > 0;
  }
};

template <int N>
void operations(const float* x, const float* y, const float* z, LaneValues& out) {
  using A = Access<N>;
  using F = typename A::Floats;
  using Mask = typename A::Mask;
  const F a = A::load(x), b = A::load(y), c = A::load(z);
  A::store(a + b, out.sum);
  A::store(a - b, out.difference);
  A::store(a * b, out.product);
  A::store(a / b, out.quotient);
  A::store(-a, out.negative);
  A::store(fma(a, b, c), out.fused);
  A::store(sqrt(a), out.root);
  A::store(abs(a), out.size);
  A::store(min(a, b), out.least);
  A::store(max(a, b), out.greatest);
  A::store(select(a < b, c, b), out.chosen);
  A::store(normalising_power(a), out.power);
  A::store(a < b, out.less);
  A::store(a > b, out.greater);
  A::store(a <= b, out.at_most);
  A::store(a >= b, out.at_least);
  A::store(a == b, out.equal);
  A::store((a < b) & (b < c), out.both);
  A::store((a < b) | (b < c), out.either);
  A::store(!(a < b), out.opposite);
  A::store(select(a < b, b < c, a < c), out.chosen_mask);
  const detail::HWY_NAMESPACE::Compress<N> compress(a < b);
  A::store(compress(a.v), out.compressed);
  hwy::HWY_NAMESPACE::StoreU(compress(bits_of(c)), detail::HWY_NAMESPACE::WordTag<N>(),
                             out.compressed_words);
  out.compressed_count = compress.count();
  A::store(Mask(true), out.all_set);
  A::store(Mask(false), out.all_clear);
  out.any_less = any(a < b);
}

/// Shapes as the traversal tests them: as many as the instruction set has lanes.
template <int N>
constexpr LaneProbe probe(const char* name) {
  LaneProbe p = {name, N, operations<N>};
  if constexpr (N == detail::HWY_NAMESPACE::native_lanes) {
    using A = Access<N>;
    p.aabb = evaluate<A, Aabb>;
    p.obb = evaluate<A, ObbFrame>;
    p.sphere = evaluate<A, Sphere>;
    p.capsule = evaluate<A, Capsule>;
    p.cylinder = evaluate<A, Cylinder>;
    p.plane = evaluate<A, Plane>;
  }
  return p;
}

}  // namespace sightline::testing::HWY_NAMESPACE
