// The oracle's whole numbers: against 128 bits, and their identities where they are long.
#include "tests/oracle/dice.hpp"
#include "tests/oracle/triangle_truth.hpp"

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

TEST(TriangleTruthTest, KnownAnswers) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const auto see = [&](const Vec3& o, const Vec3& d) { return truth(WholePair(o, d, t)); };
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
  EXPECT_FALSE(see({-1, -1, 0}, {1, 0, 0}).hit);
}

}  // namespace
}  // namespace sightline::oracle
