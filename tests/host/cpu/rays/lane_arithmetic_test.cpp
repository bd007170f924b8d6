// Lanes of every width and instruction set that runs here: the bits of scalar code.
#include "host/cpu/rays/simd_dispatch.hpp"
#include "tests/host/cpu/rays/lane_probe.hpp"
#include "tests/include/base/lanes_like_scalar.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

std::vector<LaneProbe> usable_probes() {
  std::vector<LaneProbe> probes;
  const auto add = [&](const LaneProbe* p) {
    for (; p->lanes > 0; ++p) probes.push_back(*p);
  };
  for (const Lanes lanes : detail::usable_lanes()) {
    if (lanes == Lanes::avx512) add(probes_avx512());
    if (lanes == Lanes::avx2) add(probes_avx2());
    if (lanes == Lanes::portable) add(probes_portable());
  }
  return probes;
}

std::string name_of(const LaneProbe& p) {
  return std::string(p.name) + ", " + std::to_string(p.lanes) + " lanes";
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Zeros of both signs, NaN and infinities among all floats, often equal ones.
float operand(Random& r) {
  constexpr float special[] = {0.0f,     -0.0f,     1.0f,      -1.0f,      nan,
                               infinity, -infinity, 0x1p-149f, -0x1p-126f, largest_float};
  if (r.one_in(2)) return special[r.below(10)];
  return float_of(static_cast<std::uint32_t>(r.bits()));
}

/// Empty, or the operation whose lane k differs from scalar code.
std::string difference(const LaneValues& v, int k, float a, float b, float c) {
  if (!same(v.sum[k], a + b)) return "+";
  if (!same(v.difference[k], a - b)) return "-";
  if (!same(v.product[k], a * b)) return "*";
  if (!same(v.quotient[k], a / b)) return "/";
  if (!same(v.negative[k], -a)) return "negative";
  if (!same(v.fused[k], fma(a, b, c))) return "fma";
  if (!same(v.root[k], sqrt(a))) return "sqrt";
  if (!same(v.size[k], abs(a))) return "abs";
  if (!same(v.least[k], min(a, b))) return "min";
  if (!same(v.greatest[k], max(a, b))) return "max";
  if (!same(v.chosen[k], select(a < b, c, b))) return "select";
  if (abs(a) >= 0x1p-126f && abs(a) < 0x1p127f && !same(v.power[k], normalising_power(a))) {
    return "normalising_power";
  }
  if (v.less[k] != (a < b)) return "<";
  if (v.greater[k] != (a > b)) return ">";
  if (v.at_most[k] != (a <= b)) return "<=";
  if (v.at_least[k] != (a >= b)) return ">=";
  if (v.equal[k] != (a == b)) return "==";
  if (v.both[k] != ((a < b) && (b < c))) return "&";
  if (v.either[k] != ((a < b) || (b < c))) return "|";
  if (v.opposite[k] != !(a < b)) return "!";
  if (v.chosen_mask[k] != (a < b ? b < c : a < c)) return "select of masks";
  return v.all_set[k] && !v.all_clear[k] ? "" : "masks of one value";
}

/// Empty, or what is wrong with the lanes of a < b moved to the front.
std::string compress_difference(const LaneValues& v, int lanes, const float* a, const float* b,
                                const float* c) {
  int n = 0;
  for (int k = 0; k < lanes; ++k) {
    if (!(a[k] < b[k])) continue;
    if (!same(v.compressed[n], a[k])) return "a float";
    if (v.compressed_words[n] != bits_of(c[k])) return "a word";
    ++n;
  }
  return v.compressed_count == n ? "" : "the count";
}

TEST(LaneOperations, HaveTheBitsOfScalarCode) {
  for (const LaneProbe& probe : usable_probes()) {
    for (std::uint64_t seed = 1; seed <= scaled(50000); ++seed) {
      Random r(seed);
      float a[most_lanes], b[most_lanes], c[most_lanes];
      for (int k = 0; k < most_lanes; ++k) a[k] = operand(r), b[k] = operand(r), c[k] = operand(r);
      LaneValues values;
      probe.operations(a, b, c, values);
      for (int k = 0; k < probe.lanes; ++k) {
        ASSERT_EQ(difference(values, k, a[k], b[k], c[k]), "")
            << name_of(probe) << ", seed " << seed << ", lane " << k << std::hexfloat << ": "
            << a[k] << " " << b[k] << " " << c[k];
      }
      ASSERT_EQ(compress_difference(values, probe.lanes, a, b, c), "")
          << name_of(probe) << ", seed " << seed;
    }
  }
}

// The one lane may be any; what lies beyond the lanes in a wider register is none.
TEST(LaneOperations, AnyIsAnyOfTheLanes) {
  for (const LaneProbe& probe : usable_probes()) {
    for (int set = -1; set < probe.lanes; ++set) {
      float a[most_lanes], b[most_lanes], c[most_lanes] = {};
      for (int k = 0; k < most_lanes; ++k) a[k] = 1, b[k] = k == set || k >= probe.lanes ? 2 : 0;
      LaneValues values;
      probe.operations(a, b, c, values);
      EXPECT_EQ(values.any_less, set >= 0) << name_of(probe) << ", lane " << set;
    }
  }
}

template <class Shape, class Member>
void expect_probes_like_scalar(Member member) {
  int probed = 0;
  for (const LaneProbe& probe : usable_probes()) {
    if (probe.*member == nullptr) continue;
    ++probed;
    for (std::uint64_t seed = 1; seed <= scaled(10000); ++seed) {
      expect_lanes_like_scalar<Shape>(probe.lanes, seed, probe.*member);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << name_of(probe);
    }
  }
  EXPECT_EQ(probed, static_cast<int>(detail::usable_lanes().size()));  // the traversal's of each
}

TEST(LaneArithmetic, OfAabbs) { expect_probes_like_scalar<Aabb>(&LaneProbe::aabb); }
TEST(LaneArithmetic, OfObbs) { expect_probes_like_scalar<ObbFrame>(&LaneProbe::obb); }
TEST(LaneArithmetic, OfSpheres) { expect_probes_like_scalar<Sphere>(&LaneProbe::sphere); }
TEST(LaneArithmetic, OfCapsules) { expect_probes_like_scalar<Capsule>(&LaneProbe::capsule); }
TEST(LaneArithmetic, OfCylinders) { expect_probes_like_scalar<Cylinder>(&LaneProbe::cylinder); }
TEST(LaneArithmetic, OfPlanes) { expect_probes_like_scalar<Plane>(&LaneProbe::plane); }

}  // namespace
}  // namespace sightline::testing
