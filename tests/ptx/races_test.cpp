// What is reported as a race, what is not, and stores that come late.
#include "tests/ptx/ptx_test.hpp"

namespace sightline::ptx {
namespace {

using Words = std::vector<std::uint64_t>;

/// Two blocks of 64 threads; %r0 the thread, %r1 the block, %d0 = a.
std::string blocks(const std::string& body) {
  return kernel_text(R"(.reg .pred %p<9>;
.reg .b32 %r<20>;
.reg .b64 %d<9>;
.shared .align 4 .b8 s[256];
mov.u32 %r9, s;
ld.param.u64 %d0, [a];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mad.lo.s32 %r2, %r0, 4, %r9;
xor.b32 %r3, %r0, 1;
mad.lo.s32 %r3, %r3, 4, %r9;
xor.b32 %r4, %r0, 32;
mad.lo.s32 %r4, %r4, 4, %r9;
)" + body,
                     1);
}

std::string races_of(const std::string& body) {
  Options o = options();
  o.races = true;
  const With with(o);
  Words a(64);
  run_text(blocks(body), {2}, {64}, {&a});
  std::string all;
  for (const std::string& race : take_races()) all += race + "\n";
  return all;
}

TEST(Races, InSharedMemoryNeedABarrierBetween) {
  expect_says(races_of("st.shared.u32 [%r2], %r0;\nld.shared.u32 %r5, [%r3];"),
              "a race of a write and this read");
  expect_says(races_of("st.shared.u32 [%r9], %r0;"), "a race of two writes");
  EXPECT_EQ(races_of("st.shared.u32 [%r2], %r0;\nbar.warp.sync -1;\nld.shared.u32 %r5, [%r3];"),
            "");
  expect_says(races_of("st.shared.u32 [%r2], %r0;\nbar.warp.sync -1;\nld.shared.u32 %r5, [%r4];"),
              "a race");
  EXPECT_EQ(races_of("st.shared.u32 [%r2], %r0;\nbar.sync 0;\nld.shared.u32 %r5, [%r4];"), "");
  expect_says(races_of("st.shared.u32 [%r2], %r0;\nbar.sync 0;\nld.shared.u32 %r5, "
                       "[%r4];\nst.shared.u32 [%r2], %r0;"),
              "a race of a read and this write");
  expect_says(
      races_of(
          "st.shared.u32 [%r2], %r0;\nvote.sync.ballot.b32 %r5, 1, -1;\nld.shared.u32 %r5, [%r3];"),
      "a race");
  EXPECT_EQ(races_of("st.shared.u32 [%r9], 0;\n"), races_of("st.shared.u32 [%r9], 0;\n"));
}

TEST(Races, ABarrierOrdersItsMembersAlone) {
  const std::string halves =
      "and.b32 %r5, %r0, 16;\nsetp.eq.s32 %p1, %r5, 0;\nselp.b32 %r6, 0xFFFF, 0xFFFF0000, %p1;\n";
  const std::string other = "xor.b32 %r7, %r0, 16;\nmad.lo.s32 %r7, %r7, 4, %r9;\n";
  EXPECT_EQ(
      races_of(halves + "st.shared.u32 [%r2], %r0;\nbar.warp.sync %r6;\nld.shared.u32 %r5, [%r3];"),
      "");
  expect_says(races_of(halves + other +
                       "st.shared.u32 [%r2], %r0;\nbar.warp.sync %r6;\nld.shared.u32 %r5, [%r7];"),
              "a race");
}

TEST(Races, AtomicsDoNotRaceWithEachOther) {
  EXPECT_EQ(races_of("setp.eq.s32 %p1, %r0, 0;\n@%p1 st.shared.u32 [%r9], 0;\nbar.sync "
                     "0;\natom.shared.add.u32 %r5, [%r9], 1;"),
            "");
  expect_says(races_of("setp.eq.s32 %p1, %r0, 0;\n@%p1 st.shared.u32 [%r9], "
                       "0;\natom.shared.add.u32 %r5, [%r9], 1;"),
              "a race");
  EXPECT_EQ(races_of("atom.global.add.u32 %r5, [%d0], 1;"), "");
}

TEST(Races, SharedMemoryIsWrittenBeforeItIsRead) {
  expect_says(races_of("ld.shared.u32 %r5, [%r2];"), "that nobody has written");
  const std::string exchange = "atom.shared.exch.b32 %r5, [%r2], %r0;";
  EXPECT_EQ(races_of(exchange), "");  // a store, to which nothing is what was there
  expect_says(races_of(exchange + "\nadd.u32 %r6, %r5, %r0;"), "that nobody has written");
}

/// The last of the blocks to come reads what the others wrote.
std::string last_block(const std::string& release, const std::string& acquire) {
  return R"(mul.wide.u32 %d1, %r1, 8;
add.s64 %d1, %d0, %d1;
setp.ne.s32 %p1, %r0, 0;
@%p1 bra done;
st.global.u32 [%d1+16], 77;
)" + release +
         R"(
atom.global.add.u32 %r5, [%d0], 1;
setp.eq.s32 %p2, %r5, 0;
@%p2 bra done;
)" + acquire +
         R"(
ld.global.u32 %r6, [%d0+16];
ld.global.u32 %r7, [%d0+24];
add.s32 %r6, %r6, %r7;
st.global.u32 [%d0+40], %r6;
done:)";
}

TEST(Races, BetweenBlocksNeedFences) {
  EXPECT_EQ(races_of(last_block("membar.gl;", "membar.gl;")), "");
  expect_says(races_of(last_block("", "membar.gl;")), "a race of a write and this read");
  expect_says(races_of(last_block("membar.gl;", "")), "a race of a write and this read");
  expect_says(races_of(last_block("membar.cta;", "membar.gl;")), "a race of a write and this read");
  expect_says(races_of("st.global.u32 [%d0], %r1;"), "a race of two writes");
}

/// How many of many orders give the sum of both blocks.
int right_sums(const std::string& body) {
  int right = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Options o = options();
    o.seed = seed;
    o.weak = true;
    const With with(o);
    Words a(64);
    run_text(blocks(body), {2}, {64}, {&a});
    right += static_cast<std::uint32_t>(a[5]) == 154;
  }
  return right;
}

TEST(WeakMemory, ShowsAMissingFence) {
  EXPECT_EQ(right_sums(last_block("membar.gl;", "membar.gl;")), 60);
  EXPECT_LT(right_sums(last_block("", "membar.gl;")), 60);
  EXPECT_LT(right_sums(last_block("membar.cta;", "membar.gl;")), 60);
}

TEST(WeakMemory, BarriersAndOwnStoresAreSeen) {
  Options o = options();
  o.weak = true;
  for (o.seed = 1; o.seed <= 20; ++o.seed) {
    const With with(o);
    Words a(64);
    run_text(blocks(R"(st.shared.u32 [%r2], %r0;
ld.shared.u32 %r5, [%r2];
bar.warp.sync -1;
ld.shared.u32 %r6, [%r3];
bar.sync 0;
ld.shared.u32 %r7, [%r4];
add.s32 %r5, %r5, %r6;
add.s32 %r5, %r5, %r7;
mul.wide.u32 %d1, %r0, 8;
add.s64 %d1, %d0, %d1;
st.global.u32 [%d1], %r5;)"),
             {1}, {64}, {&a});
    for (std::uint64_t t = 0; t < 64; ++t) ASSERT_EQ(a[t], t + (t ^ 1) + (t ^ 32)) << o.seed;
  }
}

}  // namespace
}  // namespace sightline::ptx
