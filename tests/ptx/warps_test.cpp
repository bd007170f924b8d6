// Lanes that part and meet, wait for each other, vote and shuffle; calls; launches that do not fit.
// Each in step and by chance.
#include "tests/ptx/ptx_test.hpp"

namespace sightline::ptx {
namespace {

using Words = std::vector<std::uint64_t>;

/// Each thread t has its number in %r0 and stores %r1 at a[t].
std::string each_thread(const std::string& body, const std::string& bounds = "",
                        const std::string& before = "") {
  return kernel_text(R"(.reg .pred %p<9>;
.reg .b32 %r<20>;
.reg .b64 %d<9>;
ld.param.u64 %d0, [a];
mov.u32 %r0, %tid.x;
)" + body + R"(
mul.wide.u32 %d1, %r0, 8;
add.s64 %d1, %d0, %d1;
cvt.u64.u32 %d2, %r1;
st.global.u64 [%d1], %d2;)",
                     1, bounds, before);
}

class Warps : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Options with_seed() const {
    Options o = options();
    o.seed = GetParam();
    return o;
  }
  Words run(const std::string& text, std::uint32_t threads = 32) const {
    const With with(with_seed());
    Words a(threads);
    run_text(text, {}, {threads}, {&a});
    return a;
  }
  std::string refusal(const std::string& text, std::uint32_t threads = 32) const {
    return error_of([&] { run(text, threads); });
  }
};

TEST_P(Warps, LanesGoTheirOwnWays) {
  // Collatz: each lane loops as often as its number needs.
  const Words a = run(each_thread(R"(mov.u32 %r1, 0;
mov.u32 %r2, %r0;
again:
setp.le.u32 %p1, %r2, 1;
@%p1 bra done;
and.b32 %r3, %r2, 1;
setp.eq.s32 %p2, %r3, 0;
add.s32 %r1, %r1, 1;
@%p2 shr.u32 %r2, %r2, 1;
@%p2 bra again;
mad.lo.s32 %r2, %r2, 3, 1;
bra.uni again;
done:)"));
  for (std::uint64_t t = 0; t < 32; ++t) {
    std::uint64_t steps = 0;
    for (std::uint64_t n = t; n > 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    EXPECT_EQ(a[t], steps) << t;
  }
}

TEST_P(Warps, ShufflesReadTheLaneOfTheSpecification) {
  const auto shuffle = [&](const std::string& how, const std::string& b, const std::string& c) {
    return run(each_thread("add.s32 %r2, %r0, 100;\nshfl.sync." + how + ".b32 %r1|%p1, %r2, " + b +
                           ", " + c + ", -1;\n@%p1 add.s32 %r1, %r1, 1000;"));
  };
  const Words up = shuffle("up", "3", "0"), down = shuffle("down", "3", "31"),
              butterfly = shuffle("bfly", "5", "31"), index = shuffle("idx", "%r0", "0x181F"),
              part = shuffle("down", "1", "0x181F"), all_of_first = shuffle("idx", "9", "31");
  for (std::uint64_t t = 0; t < 32; ++t) {
    EXPECT_EQ(up[t], t >= 3 ? 1100 + t - 3 : 100 + t);
    EXPECT_EQ(down[t], t + 3 < 32 ? 1100 + t + 3 : 100 + t);
    EXPECT_EQ(butterfly[t], 1100 + (t ^ 5));
    EXPECT_EQ(index[t], 1100 + t);
    EXPECT_EQ(part[t], t % 8 < 7 ? 1100 + t + 1 : 100 + t);
    EXPECT_EQ(all_of_first[t], 1109u);
  }
}

TEST_P(Warps, VotesAreOfTheMembersAlone) {
  const Words a = run(each_thread(R"(setp.lt.u32 %p1, %r0, 8;
@!%p1 bra others;
setp.lt.u32 %p2, %r0, 3;
vote.sync.ballot.b32 %r1, %p2, 0xFF;
vote.sync.any.pred %p3, %p2, 0xFF;
vote.sync.all.pred %p4, !%p2, 0xFF;
@%p3 add.s32 %r1, %r1, 100;
@%p4 add.s32 %r1, %r1, 1000;
bra.uni both;
others:
vote.sync.ballot.b32 %r1, 1, 0xFFFFFF00;
both:
bar.warp.sync -1;)"));
  EXPECT_EQ(a[0], 107u);
  EXPECT_EQ(a[7], 107u);
  EXPECT_EQ(a[8], 0xFFFFFF00u);
}

TEST_P(Warps, BarriersHoldTheWholeBlock) {
  // Each thread writes, and reads what one of another warp wrote; several rounds.
  const Words a = run(each_thread(R"(.shared .align 4 .b8 s[400];
mov.u32 %r5, s;
mov.u32 %r1, %r0;
mov.u32 %r2, 0;
round:
mad.lo.s32 %r3, %r0, 4, %r5;
st.shared.u32 [%r3], %r1;
bar.sync 0;
add.s32 %r4, %r0, 41;
rem.u32 %r4, %r4, 100;
mad.lo.s32 %r4, %r4, 4, %r5;
ld.shared.u32 %r1, [%r4];
bar.sync 0;
add.s32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 5;
@%p1 bra round;)"),
                      100);
  for (std::uint64_t t = 0; t < 100; ++t) EXPECT_EQ(a[t], (t + 5 * 41) % 100);
}

TEST_P(Warps, BarriersReduce) {
  const Words a = run(each_thread(R"(setp.eq.s32 %p1, %r0, 70;
bar.red.or.pred %p2, 0, %p1;
bar.red.and.pred %p3, 0, %p1;
selp.u32 %r1, 1, 0, %p2;
@%p3 add.s32 %r1, %r1, 2;
bar.red.or.pred %p2, 0, 0;
@%p2 add.s32 %r1, %r1, 4;)"),
                      96);
  for (const std::uint64_t value : a) EXPECT_EQ(value, 1u);
}

TEST_P(Warps, CallsHaveFramesOfTheirOwn) {
  const std::string factorial = R"(.func (.param .b32 result) sum(.param .b32 x, .param .b32 y) {
.reg .b32 %r<5>;
.local .align 4 .b8 l[4];
ld.param.u32 %r0, [x];
ld.param.u32 %r1, [y];
mul.lo.s32 %r2, %r0, 2;
st.local.u32 [l], %r1;
ld.local.u32 %r3, [l];
add.s32 %r2, %r2, %r3;
st.param.b32 [result], %r2;
ret;
})";
  const Words a = run(each_thread(R"(and.b32 %r2, %r0, 1;
setp.eq.s32 %p1, %r2, 1;
mov.u32 %r1, 5;
@%p1 bra skip;
{
.param .b32 p0;
.param .b32 p1;
.param .b32 q;
st.param.b32 [p0], %r0;
st.param.b32 [p1], 7;
call.uni (q), sum, (p0, p1);
ld.param.b32 %r1, [q];
}
skip:)",
                                  "", factorial));
  for (std::uint64_t t = 0; t < 32; ++t) EXPECT_EQ(a[t], t % 2 == 1 ? 5 : 2 * t + 7);
}

TEST_P(Warps, WaitingInVainIsAnError) {
  expect_says(
      refusal(each_thread(
          "setp.eq.s32 %p1, %r0, 3;\n@%p1 bra over;\nbar.warp.sync -1;\nover:\nmov.u32 %r1, 0;")),
      "waits for a lane that has ended");
  expect_says(refusal(each_thread("setp.eq.s32 %p1, %r0, 3;\n@%p1 exit;\nbar.warp.sync -1;")),
              "waits for a lane that has ended");
  expect_says(refusal(each_thread("bar.warp.sync 0xFE;")), "not of its own members");
  expect_says(refusal(each_thread("setp.eq.s32 %p1, %r0, 3;\n@%p1 bra over;\nshfl.sync.idx.b32 "
                                  "%r1, %r0, 3, 31, 0xFFFFFFF7;\nover:\nmov.u32 %r1, 0;")),
              "takes no part");
  expect_says(refusal(each_thread(
                  "setp.eq.s32 %p1, %r0, 3;\n@%p1 bra other;\nvote.sync.ballot.b32 %r1, %p1, -1;\n"
                  "other:\nvote.sync.ballot.b32 %r1, %p1, -1;")),
              "");
  expect_says(refusal(each_thread("setp.lt.u32 %p1, %r0, 32;\n@%p1 bra over;\nbar.sync "
                                  "0;\nover:\nbar.warp.sync -1;\nmov.u32 %r1, 1;\n"
                                  "@%p1 bar.warp.sync 1;"),
                      64),
              "not of its own members");
}

TEST_P(Warps, MutantsHaveNoBarriersAndNoMasks) {
  Options mutant = with_seed();
  const auto without = [&](const std::string& line, const std::string& text) {
    mutant.without = "x.cuh:" + line;
    const With with(mutant);
    Words a(32);
    const std::string said = error_of([&] { run_text(text, {}, {32}, {&a}); });
    return said == "no error" ? a : Words{};
  };
  const std::string file = ".file 1 \"/kernels/x.cuh\"";
  // Some lanes do not come to the barrier.
  const std::string barrier = each_thread(R"(mov.u32 %r1, 5;
rem.u32 %r2, %r0, 3;
setp.eq.s32 %p3, %r2, 0;
@%p3 bra end;
.loc 1 9 0
bar.warp.sync -1;
end:
mov.u32 %r2, 0;)",
                                          "", file);
  EXPECT_TRUE(without("8", barrier).empty());
  EXPECT_EQ(without("9", barrier), Words(32, 5));
  // Two halves of the warp vote at different places, each for all.
  const std::string votes = each_thread(R"(setp.lt.u32 %p1, %r0, 16;
.loc 1 7 0
@%p1 bra others;
vote.sync.ballot.b32 %r1, 1, -1;
bra.uni both;
others:
vote.sync.ballot.b32 %r1, 1, -1;
both:
mov.u32 %r2, 0;)",
                                        "", file);
  EXPECT_TRUE(without("8", votes).empty());
  const Words alone = without("7", votes);
  ASSERT_EQ(alone.size(), 32u);
  for (std::uint64_t t = 0; t < 32; ++t) {
    EXPECT_TRUE((alone[t] >> t & 1) != 0 && (alone[t] & (t < 16 ? 0xFFFF0000u : 0xFFFFu)) == 0);
  }
}

TEST_P(Warps, LaunchesThatDoNotFitAreErrors) {
  expect_says(refusal(each_thread("", ".maxntid 16, 2, 1"), 33), "more than its bound");
  EXPECT_EQ(refusal(each_thread("mov.u32 %r1, 0;", ".maxntid 16, 2, 1\n.minnctapersm 4"), 32),
            "no error");
  expect_says(refusal(each_thread(".shared .align 4 .b8 s[60000];")), "bytes of shared memory");
}

INSTANTIATE_TEST_SUITE_P(InStepAndByChance, Warps, ::testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace sightline::ptx
