// The oracle's whole numbers: against 128 bits, and their identities where they are long.
#include "tests/oracle/dice.hpp"
#include "tests/oracle/triangle_truth.hpp"
#include "tests/support/triangle_cases.hpp"

#include <gtest/gtest.h>

namespace sightline::oracle {
namespace {

__extension__ typedef __int128 Long;

Whole of(Long x) {
  const Long high = x >> 62, low = x - (high << 62);
  const Whole lower = static_cast<std::int64_t>(low);
  return high >> 62 == high >> 126 ? Whole(static_cast<std::int64_t>(high)).shifted(62) + lower
                                   : of(high).shifted(62) + lower;
}

TEST(WholeTest, AgreesWith128Bits) {
  Dice dice(1);
  for (int i = 0; i < 200'000; ++i) {
    const auto draw = [&] {
      const auto x = static_cast<std::int64_t>(dice.bits()) >> dice.below(64);
      return dice.below(8) == 0 ? std::int64_t{dice.between(-1, 1)} : x;
    };
    const std::int64_t a = draw(), b = draw();
    const Long x = Long{a} * b, y = Long{draw()} * draw() / 2;
    ASSERT_EQ(compare(Whole(a) * Whole(b), of(x)), 0);
    ASSERT_EQ(compare(of(x / 2) + of(y), of(x / 2 + y)), 0);
    ASSERT_EQ(compare(of(x / 2) - of(y), of(x / 2 - y)), 0);
    ASSERT_EQ(compare(of(x), of(y)), x < y ? -1 : x > y ? 1 : 0);
    ASSERT_EQ(of(x).sign(), x < 0 ? -1 : x > 0 ? 1 : 0);
  }
}

TEST(WholeTest, LongNumbersAgreeModuloPrimes) {
  Dice dice(2);
  __extension__ typedef unsigned __int128 Wide;
  for (const std::uint64_t prime : {(std::uint64_t{1} << 61) - 1, std::uint64_t{998244353}}) {
    const auto times = [&](std::uint64_t a, std::uint64_t b) {
      return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % prime);
    };
    for (int i = 0; i < 20'000; ++i) {
      const auto draw = [&] {
        Whole x = static_cast<std::int64_t>(dice.bits());
        for (std::uint64_t k = dice.below(6); k > 0; --k) {
          x = x.shifted(static_cast<int>(dice.below(200))) +
              Whole(static_cast<std::int64_t>(dice.bits()));
        }
        return x;
      };
      const Whole a = draw(), b = draw();
      const std::uint64_t ma = a.modulo(prime), mb = b.modulo(prime);
      ASSERT_EQ((a * b).modulo(prime), times(ma, mb));
      ASSERT_EQ((a + b).modulo(prime), (ma + mb) % prime);
      ASSERT_EQ((a - b).modulo(prime), (ma + prime - mb) % prime);
      ASSERT_EQ(a.shifted(128).modulo(prime), times(times(ma, Whole(1).shifted(64).modulo(prime)),
                                                    Whole(1).shifted(64).modulo(prime)));
      ASSERT_EQ(compare(a - b, Whole()), compare(a, b));
    }
  }
}

TEST(WholeTest, FloatsAreWholeTimesAPowerOfTwo) {
  Dice dice(3);
  for (int i = 0; i < 100'000; ++i) {
    float x = dice.wild(-126, 40);
    if (dice.below(4) == 0) x = std::ldexp(x, -20);
    const Whole w = whole(x, 149);
    ASSERT_EQ(static_cast<float>(std::ldexp(static_cast<double>(w.approximately()), -149)), x);
  }
  EXPECT_EQ(whole(0.0f, 10).sign(), 0);
}

TEST(WholeTest, RoundsAsDivisionDoes) {
  Dice dice(4);
  for (int i = 0; i < 200'000; ++i) {
    const float n = dice.wild(-60, 60), d = dice.wild(-60, 60), q = n / d;
    const Ratio r = ratio(whole(n, 149), whole(d, 149));
    ASSERT_TRUE(is_rounded(q, r)) << n << " / " << d;
    ASSERT_FALSE(is_rounded(std::nextafter(q, INFINITY), r));
    ASSERT_FALSE(is_rounded(std::nextafter(q, -INFINITY), r));
  }
  // Ties, and the end of the floats.
  EXPECT_TRUE(is_rounded(0x1p24f, {(1 << 24) + 1, 1}));
  EXPECT_FALSE(is_rounded(0x1p24f + 2, {(1 << 24) + 1, 1}));
  EXPECT_TRUE(is_rounded(0x1p24f + 4, {(1 << 24) + 3, 1}));
  const Whole last = whole(std::numeric_limits<float>::max(), 0), half = Whole(1).shifted(103);
  EXPECT_TRUE(is_rounded(std::numeric_limits<float>::max(), {last + half - 1, 1}));
  EXPECT_TRUE(is_rounded(INFINITY, {last + half, 1}));
  EXPECT_TRUE(is_rounded(-INFINITY, {-(last + half), 1}));
}

/// Any limbs, often of few bits or next to the end.
template <int L>
Fixed<L> any_fixed(Dice& dice) {
  Fixed<L> r;
  for (std::uint64_t& limb : r.limb) limb = dice.bits();
  const std::uint64_t way = dice.below(4);
  for (int i = 0; i < L; ++i) {
    if (way == 0) r.limb[i] = dice.below(2) == 0 ? 0 : ~std::uint64_t{0};
    if (way == 1 && i > 0) r.limb[i] = r.limb[0] >> 63 != 0 ? ~std::uint64_t{0} : 0;
  }
  return r;
}
/// One bit free, as a sum needs.
template <int L>
Fixed<L> halved(Fixed<L> x) {
  x.limb[L - 1] = static_cast<std::uint64_t>(static_cast<std::int64_t>(x.limb[L - 1]) >> 1);
  return x;
}
template <int A, int B>
void expect_as_whole(Dice& dice) {
  for (int i = 0; i < 20'000; ++i) {
    const Fixed<A> a = any_fixed<A>(dice), c = any_fixed<A>(dice);
    const Fixed<B> b = any_fixed<B>(dice);
    const Whole x(a), y(b);
    ASSERT_EQ(compare(Whole(a * b), x * y), 0);
    ASSERT_EQ(compare(Whole(halved(a) + halved(b)), Whole(halved(a)) + Whole(halved(b))), 0);
    ASSERT_EQ(compare(Whole(halved(a) - halved(b)), Whole(halved(a)) - Whole(halved(b))), 0);
    ASSERT_EQ(compare(a, c), compare(x, Whole(c)));
    ASSERT_EQ(a.sign(), x.sign());
  }
}

TEST(FixedTest, IsAWholeNumber) {
  Dice dice(5);
  expect_as_whole<1, 1>(dice);
  expect_as_whole<2, 1>(dice);
  expect_as_whole<1, 4>(dice);
  expect_as_whole<2, 2>(dice);
  expect_as_whole<3, 6>(dice);
  expect_as_whole<12, 3>(dice);
  EXPECT_EQ(Fixed<3>(-1).sign(), -1);
  EXPECT_EQ(Fixed<3>(0).sign(), 0);
  for (int n = 0; n < 128; ++n) {
    ASSERT_EQ(compare(Whole(Fixed<3>(-7).shifted(n)), Whole(-7).shifted(n)), 0);
  }
}

// The same answers by numbers of any length. KnownAnswers has one beyond three limbs.
TEST(TriangleTruthTest, NoLengthOfNumbersMatters) {
  using testing::TriangleCase;
  const auto same = [](const Ratio& a, const Ratio& b) { return compare(a, b) == 0; };
  int by_limbs[5] = {};
  for (int kind = 0; kind < testing::triangle_case_kinds; ++kind) {
    testing::TriangleCases draw(kind, 11);
    Dice dice(12);
    for (int i = 0; i < 5'000; ++i) {
      TriangleCase c = draw.next();
      // One tiny coordinate makes all numbers long, by any number of digits.
      const auto tiny = [&] {
        return std::ldexp(1 + static_cast<float>(dice.below(256)) / 256, -dice.between(0, 130));
      };
      if (i % 3 == 0) c.triangle.a.z = tiny();
      if (i % 3 == 1) c.ray.direction.x = tiny();
      const Vec3 &o = c.ray.origin, &d = c.ray.direction;
      const WholePair pair(o, d, c.triangle);
      const TriangleTruth want = truth_in(pair), got = truth(o, d, c.triangle);
      ++by_limbs[(std::max(pair.place.digits, pair.aim.digits) + 67) / 64];
      ASSERT_EQ(got.hit, want.hit) << kind << " case " << i;
      ASSERT_EQ(got.in_plane, want.in_plane);
      ASSERT_EQ(got.facing, want.facing);
      if (!want.hit) continue;
      ASSERT_TRUE(same(got.t_in, want.t_in) && same(got.t_out, want.t_out));
      ASSERT_TRUE(same(got.weight_b, want.weight_b) && same(got.weight_c, want.weight_c));
    }
  }
  for (const int limbs : {1, 2, 3}) EXPECT_GT(by_limbs[limbs], 20) << limbs;
}

TEST(TriangleTruthTest, KnownAnswers) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const auto see = [&](const Vec3& o, const Vec3& d) { return truth(o, d, t); };
  const auto equals = [](const Ratio& r, std::int64_t n, std::int64_t d) {
    return compare(r, ratio(n, d)) == 0;
  };
  const TriangleTruth inside = see({1, 2, 5}, {0, 0, -1});
  EXPECT_TRUE(inside.hit && equals(inside.t_in, 5, 1) && inside.facing < 0);
  EXPECT_TRUE(equals(inside.weight_b, 1, 4) && equals(inside.weight_c, 1, 2));
  EXPECT_TRUE(see({2, 2, 5}, {0, 0, -1}).hit);
  EXPECT_FALSE(see({2, 2.00001f, 5}, {0, 0, -1}).hit);
  const TriangleTruth along = see({-1, 1, 0}, {1, 0, 0});
  EXPECT_TRUE(along.hit && along.in_plane && equals(along.t_in, 1, 1) && equals(along.t_out, 4, 1));
  EXPECT_TRUE(equals(along.weight_b, 0, 1) && equals(along.weight_c, 1, 4));
  EXPECT_FALSE(see({-1, 1, 1}, {1, 0, 0}).hit);
  const Triangle far{
      {-0x1p40f, -0x1p40f, 0x1p-149f}, {0x1p40f, -0x1p40f, 0x1p-149f}, {0, 0x1p40f, 0}};
  EXPECT_GT(Unit({far.a, far.b, far.c}).digits, 188);
  const TriangleTruth middle = truth({0, 0, 0}, {0, 0, 1}, far);
  EXPECT_TRUE(middle.hit && compare(middle.t_in, 0x1p-150) == 0);
  EXPECT_FALSE(see({-1, -1, 0}, {1, 0, 0}).hit);
}

}  // namespace
}  // namespace sightline::oracle
