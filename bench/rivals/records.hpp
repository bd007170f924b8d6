// The shapes as a rival's callbacks read them: compact, in one piece, made ready for the textbook
// forms of the tests.
#pragma once

namespace sightline::rivals {

struct alignas(32) AabbRecord {
  float low[4], high[4];  ///< the fourth is unused
};
static_assert(sizeof(AabbRecord) == 32);

/// Row i of `column` turns a vector's component i: local = sum_i v_i * column[i]. The fourth
/// components are the half extents.
struct alignas(64) ObbRecord {
  float column[3][4];
  float center[4];
};
static_assert(sizeof(ObbRecord) == 64);

struct alignas(16) SphereRecord {
  float center[3];
  float radius2;
};
static_assert(sizeof(SphereRecord) == 16);

struct alignas(32) CapsuleRecord {
  float a[3];
  float radius2;
  float ab[3];  ///< b - a
  float ab2;    ///< its length squared
};
static_assert(sizeof(CapsuleRecord) == 32);

}  // namespace sightline::rivals
