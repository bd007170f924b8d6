// Loads, stores and atomics, and what a lane may not touch.
#include "tests/ptx/ptx_test.hpp"

namespace sightline::ptx {
namespace {

using Words = std::vector<std::uint64_t>;

const char* const registers = R"(.reg .pred %p<4>;
.reg .b16 %h<9>;
.reg .b32 %r<9>;
.reg .b64 %d<9>;
ld.param.u64 %d0, [a];
)";

/// One thread runs the body, with `a` in %d0; what is in `a` then.
Words one(const std::string& body, Words a, const std::string& before = "") {
  run_text(kernel_text(registers + body, 1, "", before), {}, {}, {&a});
  return a;
}
std::string refusal(const std::string& body) {
  return error_of([&] { one(body, Words(4)); });
}

TEST(Memory, NarrowLoadsAreExtended) {
  const Words a = {0xFFFE, 0, 0, 0};
  EXPECT_EQ(one("ld.global.s8 %r1, [%d0+1];\nst.global.u32 [%d0+8], %r1;", a)[1], 0xFFFFFFFF);
  EXPECT_EQ(one("ld.global.u8 %r1, [%d0+1];\nst.global.u32 [%d0+8], %r1;", a)[1], 0xFFu);
  EXPECT_EQ(one("ld.global.s8 %h1, [%d0];\nst.global.u16 [%d0+8], %h1;", a)[1], 0xFFFEu);
  EXPECT_EQ(one("ld.global.s16 %d1, [%d0];\nst.global.u64 [%d0+8], %d1;", a)[1], ~std::uint64_t{1});
  EXPECT_EQ(one("mov.u64 %d1, 0x1234;\nst.global.u8 [%d0+8], %d1;", a)[1], 0x34u);
}

TEST(Memory, VectorsKeepTheOrderOfTheirElements) {
  const Words a = {0x0000000200000001, 0x0000000400000003, 0, 0};
  const Words b =
      one("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0];\n"
          "st.global.v2.u32 [%d0+16], {%r4, %r1};\nst.global.v4.u8 [%d0+24], {%r1, %r2, %r3, %r4};",
          a);
  EXPECT_EQ(b[2], 0x0000000100000004u);
  EXPECT_EQ(b[3], 0x04030201u);
}

TEST(Memory, AtomicsGiveWhatWasThere) {
  const auto atomic = [](const std::string& operation, std::uint64_t old, std::uint64_t with) {
    return one("mov.u64 %d1, " + std::to_string(with) +
                   ";\nld.global.u64 %d3, [%d0+8];\natom.global." + operation + " %d2, [%d0], %d1" +
                   (operation == "cas.b64" ? ", %d3" : "") + ";\nst.global.u64 [%d0+16], %d2;",
               {old, 99, 0, 0});
  };
  const std::uint64_t minus = ~std::uint64_t{0};
  for (const auto& [name, after] : std::map<std::string, std::uint64_t>{{"add.u64", 4},
                                                                        {"min.u64", 5},
                                                                        {"max.u64", minus},
                                                                        {"min.s64", minus},
                                                                        {"max.s64", 5},
                                                                        {"and.b64", 5},
                                                                        {"or.b64", minus},
                                                                        {"xor.b64", minus - 5},
                                                                        {"exch.b64", minus},
                                                                        {"cas.b64", 5}}) {
    const Words b = atomic(name, 5, minus);
    EXPECT_EQ(b[0], after) << name;
    EXPECT_EQ(b[2], 5u) << name;
  }
  EXPECT_EQ(atomic("cas.b64", 5, 5)[0], 99u);
  EXPECT_EQ(one("red.global.add.u32 [%d0], 3;", {0xFFFFFFFE, 0, 0, 0})[0], 1u);
}

TEST(Memory, OfOtherKindsHasAddressesOfItsOwn) {
  EXPECT_EQ(
      one(".shared .align 8 .b8 s[16];\n.local .align 8 .b8 l[16];\n"
          "mov.u32 %r1, s;\nmov.u64 %d1, l;\nst.shared.u32 [%r1+4], 7;\nst.local.u32 [%d1+8], 8;\n"
          "cvta.local.u64 %d2, %d1;\nld.u32 %r2, [%d2+8];\ncvt.u64.u32 %d3, %r1;\n"
          "cvta.shared.u64 %d4, %d3;\nld.u32 %r3, [%d4+4];\ncvta.to.shared.u64 %d5, %d4;\n"
          "ld.shared.u32 %r4, [%d5+4];\nst.global.v4.u32 [%d0], {%r2, %r3, %r4, 0};",
          Words(4)),
      (Words{0x0000000700000008, 7, 0, 0}));
  EXPECT_EQ(one("st.global.u32 [g+4], 6;\nld.global.u64 %d1, [g];\nst.global.u64 [%d0], %d1;",
                Words(4), ".global .align 8 .b8 g[8];")[0],
            0x0000000600000000u);
}

TEST(Memory, OutOfBoundsStops) {
  expect_says(refusal("ld.global.u32 %r0, [%d0+32];"), "no memory of 4 bytes");
  expect_says(refusal("ld.global.u32 %r0, [%d0+-4];"), "no memory");
  expect_says(refusal("ld.u32 %r0, [0];"), "no memory");
  expect_says(refusal("st.global.v4.u32 [%d0+24], {%r0, %r0, %r0, %r0};"), "");
  expect_says(refusal(".shared .b32 s;\nmov.u32 %r1, s;\nld.shared.u32 %r0, [%r1+4];"),
              "shared memory has 4 bytes, none at 4");
  expect_says(refusal(".local .align 4 .b8 l[4];\nmov.u64 %d1, l;\nld.local.u32 %r0, [%d1+4096];"),
              "no memory");
  expect_says(refusal("ld.global.u32 %r0, [%d0+2];"), "no multiple of 4");
  expect_says(refusal("ld.global.v2.u64 {%d1, %d2}, [%d0+8];"), "");
}

TEST(Memory, AnErrorNamesLaneAndSource) {
  const std::string text = kernel_text(
      std::string(registers) +
          ".loc 1 42 3\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d1, %r1, 8;\nadd.s64 %d1, %d1, %d0;\n"
          "st.global.u64 [%d1], %d1;",
      1, "", ".file 1 \"kernel.cu\"");
  Words a(5);
  const std::string said = error_of([&] { run_text(text, {}, {32}, {&a}); });
  expect_says(said, "kernel.cu:42");
  expect_says(said, "lane 5");
}

TEST(Memory, ParametersLieAsDeclared) {
  const std::string text = R"(.version 8.0
.visible .entry test(.param .u8 x, .param .align 16 .b8 y[12], .param .u64 out) {
.reg .b32 %r<4>;
.reg .b64 %d<4>;
ld.param.u8 %r0, [x];
ld.param.u32 %r1, [y+8];
mov.b64 %d1, y;
ld.param.u32 %r2, [%d1+4];
ld.param.u64 %d0, [out];
st.global.u32 [%d0], %r0;
st.global.u32 [%d0+4], %r1;
st.global.u32 [%d0+8], %r2;
ret;
})";
  Module& m = load("parameters", text);
  Function* f = find_entry(m, "test");
  EXPECT_EQ(parameter_sizes(*f), (std::vector<std::size_t>{1, 12, 8}));
  const unsigned char x = 200;
  const std::uint32_t y[3] = {1, 2, 3};
  std::uint32_t out[3] = {};
  const auto* to = out;
  const void* arguments[] = {&x, y, &to};
  Launch what;
  what.arguments = arguments;
  what.memory = {{reinterpret_cast<std::uint64_t>(out), reinterpret_cast<std::uint64_t>(out + 3)}};
  launch(*f, what);
  EXPECT_EQ(out[0], 200u);
  EXPECT_EQ(out[1], 3u);
  EXPECT_EQ(out[2], 2u);
}

}  // namespace
}  // namespace sightline::ptx
