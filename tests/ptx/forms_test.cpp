// Every form of arithmetic that the interpreter has, over edge values of its operands.
#include "tests/ptx/lanes.hpp"
#include "tests/ptx/ptx_test.hpp"
#include "tests/ptx/reference.hpp"

#include <random>

namespace sightline::ptx {
namespace {

/// Loads operands of these files, does the instruction, stores the result; a row a thread.
std::string text_of(const std::string& form, std::string_view files) {
  std::string body = R"(.reg .pred %p<5>;
.reg .b16 %h<5>;
.reg .b32 %w<9>;
.reg .b64 %d<9>;
ld.param.u64 %d5, [a];
ld.param.u64 %d6, [b];
mov.u32 %w5, %ctaid.x;
mov.u32 %w6, %tid.x;
mad.lo.s32 %w5, %w5, 32, %w6;
mad.wide.u32 %d5, %w5, 32, %d5;
mad.wide.u32 %d6, %w5, 8, %d6;
mov.b64 %d4, 0;
)";
  std::string operands;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const char file = files[k];
    const std::string number = std::to_string(k);
    operands += (k > 0 ? ", %" : "%") + std::string(1, file) + number;
    if (k == 0) continue;
    const std::string at = "[%d5+" + std::to_string(8 * (k - 1)) + "];\n";
    if (file == 'p') body += "ld.global.u32 %w7, " + at + "setp.ne.u32 %p" + number + ", %w7, 0;\n";
    if (file == 'h') body += "ld.global.u16 %h" + number + ", " + at;
    if (file == 'w') body += "ld.global.u32 %w" + number + ", " + at;
    if (file == 'd') body += "ld.global.u64 %d" + number + ", " + at;
  }
  body += form + " " + operands + ";\n";
  const char result = files[0];
  if (result == 'p') body += "selp.u64 %d4, 1, 0, %p0;\n";
  if (result == 'h') body += "cvt.u64.u16 %d4, %h0;\n";
  if (result == 'w') body += "cvt.u64.u32 %d4, %w0;\n";
  if (result == 'd') body += "mov.b64 %d4, %d0;\n";
  return kernel_text(body + "st.global.u64 [%d6], %d4;\n", 2);
}

std::uint64_t width_mask(char file) {
  return file == 'p' ? 1 : file == 'h' ? 0xFFFF : file == 'w' ? 0xFFFFFFFF : ~std::uint64_t{0};
}

/// Zeros, ones, ends of ranges, shifts up to and beyond widths; floats of every class and sign.
std::vector<std::uint64_t> edges_of(char file, bool floats) {
  if (file == 'p') return {0, 1};
  std::vector<std::uint64_t> all = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    8,
                                    15,
                                    16,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    255,
                                    256,
                                    0x7F,
                                    0x80,
                                    0x7FFF,
                                    0x8000,
                                    0xFFFF,
                                    0x12345678,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFE,
                                    0xFFFFFFFF,
                                    0x8000000000000000,
                                    ~std::uint64_t{0}};
  if (!floats) return all;
  if (file == 'w') {
    return {0,          0x80000000, 1,          0x80000001, 0x007FFFFF, 0x00800000,
            0x3F800000, 0xBF800000, 0x3F800001, 0x3EAAAAAB, 0x4B000001, 0x4EFFFFFF,
            0x4F000000, 0xCF000000, 0x4F800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000,
            0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001};
  }
  return {0,
          0x8000000000000000,
          1,
          0x000FFFFFFFFFFFFF,
          0x0010000000000000,
          0x3FF0000000000000,
          0xBFF0000000000000,
          0x3FF0000000000001,
          0x3FD5555555555555,
          0x36A0000000000000,
          0x47EFFFFFF0000000,
          0x41DFFFFFFFC00000,
          0x41E0000000000000,
          0xC1E0000000200000,
          0x41EFFFFFFFE00000,
          0x43E0000000000000,
          0x7FEFFFFFFFFFFFFF,
          0x7FF0000000000000,
          0xFFF0000000000000};
}

bool has_floats(const std::string& form) { return form.ends_with("f32") || form.ends_with("f64"); }

std::vector<Row> rows_for(const std::string& form, std::string_view files) {
  std::vector<std::vector<std::uint64_t>> edges;
  for (std::size_t k = 1; k < files.size(); ++k)
    edges.push_back(edges_of(files[k], has_floats(form)));
  std::vector<Row> rows;
  const auto second = edges.size() > 1 ? edges[1] : std::vector<std::uint64_t>{0};
  std::mt19937_64 random(7);
  const auto any = [&](std::size_t k) {
    return k < edges.size() ? edges[k][random() % edges[k].size()] : 0;
  };
  for (const std::uint64_t a : edges[0]) {
    for (const std::uint64_t b : second) rows.push_back({a, b, any(2), any(3)});
  }
  for (int k = 0; k < 400; ++k) rows.push_back({any(0), any(1), any(2), any(3)});
  for (int k = 0; k < 200; ++k) rows.push_back({random(), random(), random(), random()});
  while (rows.size() % 32 != 0) rows.push_back(rows[0]);
  for (Row& row : rows) {
    for (std::size_t k = 1; k < files.size(); ++k) row[k - 1] &= width_mask(files[k]);
  }
  return rows;
}

bool is_nan(std::uint64_t bits) { return (bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000; }

TEST(Forms, GiveWhatTheSpecificationSays) {
  const References references = all_references();
  for (const auto& [name, form] : forms()) {
    SCOPED_TRACE(name);
    const auto reference = references.find(name);
    ASSERT_NE(reference, references.end()) << "a form without a test";
    const auto rows = rows_for(name, form.files);
    std::vector<std::uint64_t> in, out(rows.size());
    for (const Row& row : rows) in.insert(in.end(), row.begin(), row.end());
    run_text(text_of(name, form.files), {static_cast<std::uint32_t>(rows.size() / 32)}, {32},
             {&in, &out});
    // The specification leaves the payload of a NaN of 64 bits open.
    const bool doubles = name.find("f64") != name.npos && form.files[0] == 'd';
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::uint64_t expected = reference->second(rows[k]) & width_mask(form.files[0]);
      if (doubles && is_nan(expected) && is_nan(out[k])) continue;
      ASSERT_EQ(out[k], expected) << std::hex << rows[k][0] << " " << rows[k][1] << " "
                                  << rows[k][2];
    }
  }
  EXPECT_EQ(forms().size(), references.size());
}

TEST(Forms, ConversionsTakeTheLowBitsOfWiderRegisters) {
  std::vector<std::uint64_t> a = {0xFFFFFFFF800000FE, 0, 0, 0, 0};
  run_text(kernel_text(R"(.reg .b32 %w<3>;
.reg .b64 %d<5>;
ld.param.u64 %d0, [a];
ld.global.u64 %d1, [%d0];
ld.global.u32 %w1, [%d0];
cvt.s64.s32 %d2, %d1;
st.global.u64 [%d0+8], %d2;
cvt.u64.u32 %d2, %d1;
st.global.u64 [%d0+16], %d2;
cvt.s32.s8 %w2, %w1;
st.global.u32 [%d0+24], %w2;
cvt.u32.u8 %w2, %d1;
st.global.u32 [%d0+32], %w2;)",
                       1),
           {}, {}, {&a});
  EXPECT_EQ(a[1], 0xFFFFFFFF800000FE);
  EXPECT_EQ(a[2], 0x800000FEu);
  EXPECT_EQ(a[3], 0xFFFFFFFEu);
  EXPECT_EQ(a[4], 0xFEu);
}

TEST(Forms, UnknownOnesAreErrorsAtLoad) {
  const auto loads = [](const std::string& line) {
    return error_of([&] { load("bad.ptx", kernel_text(".reg .b32 %r<4>;\n" + line, 0)); });
  };
  expect_says(loads("add.sat.s32 %r0, %r1, %r2;"), "add.sat.s32 in test");
  expect_says(loads("add.rz.f32 %r0, %r1, %r2;"), "add.rz.f32");
  expect_says(loads("ld.global.ca.u32 %r0, [%r1];"), "ld.global.ca.u32");
  expect_says(loads("atom.global.add.f32 %r0, [%r1], %r2;"), "atom.global.add.f32");
  expect_says(loads("atom.acquire.gpu.global.add.u32 %r0, [%r1], %r2;"), "atom.acquire");
  expect_says(loads("shfl.sync.idx.b64 %r0, %r1, 0, 31, -1;"), "shfl.sync.idx.b64");
  expect_says(loads("@%p1 tex.2d.v4.f32 %r0;"), "tex.2d.v4.f32");
  EXPECT_EQ(loads("add.s32 %r0, %r1, %r2;"), "no error");
}

TEST(Forms, OperandsOfAnotherWidthAreErrors) {
  const auto runs = [](const std::string& line) {
    const std::string text =
        kernel_text(".reg .b32 %r<4>;\n.reg .b64 %d<4>;\n.reg .pred %p<4>;\n" + line, 0);
    return error_of([&] { run_text(text, {}, {}, {}); });
  };
  expect_says(runs("add.s32 %r0, %r1, %d2;"), "does not take");
  expect_says(runs("setp.eq.s32 %r0, %r1, %r2;"), "does not take");
  expect_says(runs("mov.b64 %d0, %r1;"), "width");
  expect_says(runs("add.s32 %r0, %r1, %r9;"), "unknown name at '%r9'");
  expect_says(runs("bra nowhere;"), "no label nowhere");
  expect_says(runs("add.s32 %r0, %r1;"), "expected ','");
}

}  // namespace
}  // namespace sightline::ptx
