#include "host/files/core/container.hpp"

#include "tests/host/files/io_test.hpp"
#include "tests/support/scale.hpp"

#include <sys/resource.h>

#include <cstdlib>
#include <random>

namespace sightline::io {
namespace {

using ContainerTest = IoTest;

std::string tensor_json(const std::string& name, const std::string& dtype, const std::string& shape,
                        const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

/// A container of every dtype we write, with awkward names.
void write_sample(const std::string& name) {
  ContainerWriter out(name,
                      {{"c", Dtype::u8, {3}},
                       {"a \"quoted\"", Dtype::f32, {2, 3}},
                       {"b", Dtype::u64, {2}},
                       {"d", Dtype::u32, {0, 7}},
                       {"e", Dtype::u32, {}}},
                      {{"sightline.file", "scene"}, {"text", "line\nbreak \xc3\xa9"}});
  const float a[] = {1, 2, 3, 4, 5, 6};
  const std::uint64_t b[] = {7, ~0ull};
  const std::uint32_t e = 9;
  out.write("a \"quoted\"", 4, 2, a + 4);
  out.write("a \"quoted\"", 0, 4, a);
  out.write("b", 0, 2, b);
  out.write("c", 0, 3, "xyz");
  out.write("e", 0, 1, &e);
  out.commit();
}

TEST_F(ContainerTest, ReadsBackWhatItWrote) {
  write_sample(path("s"));
  const ContainerReader in(path("s"));
  ASSERT_EQ(in.tensors().size(), 5u);
  EXPECT_EQ(in.metadata("text"), "line\nbreak \xc3\xa9");
  EXPECT_EQ(in.metadata("none"), "");
  float a[3] = {};
  in.read(in.expect("a \"quoted\"", Dtype::f32, {2, 3}), 2, 3, a);
  EXPECT_EQ(a[0], 3);
  EXPECT_EQ(a[2], 5);
  std::uint64_t b[2] = {};
  in.read(in.expect("b", Dtype::u64, {any_size}), 0, 2, b);
  EXPECT_EQ(b[1], ~0ull);
  EXPECT_EQ(in.expect("d", Dtype::u32, {any_size, 7}).elements(), 0u);
  EXPECT_EQ(in.expect("e", Dtype::u32, {}).elements(), 1u);
  EXPECT_EQ(in.find("f"), nullptr);
  expect_error(ErrorKind::internal, {"elements 2 + 5"}, [&] { in.read(*in.find("b"), 2, 5, b); });
}

TEST_F(ContainerTest, PadsAndAlignsAndIsTheSameEachTime) {
  write_sample(path("s"));
  write_sample(path("t"));
  EXPECT_EQ(get("s"), get("t"));
  std::uint64_t length = 0;
  std::memcpy(&length, get("s").data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(get("s")[8], '{');
  const ContainerReader in(path("s"));
  for (const TensorInfo& t : in.tensors()) EXPECT_EQ(t.begin % dtype_bytes(t.dtype), 0u) << t.name;
}

TEST_F(ContainerTest, NamesWhatIsMissingOrOfAnotherForm) {
  write_sample(path("s"));
  const ContainerReader in(path("s"));
  expect_error(ErrorKind::bad_input, {path("s"), "lacks tensor 'x' F32 [n, 3]"}, [&] {
    in.expect("x", Dtype::f32, {any_size, 3});
  });
  expect_error(ErrorKind::bad_input, {"'b' is U64 [2], not F32 [2]"},
               [&] { in.expect("b", Dtype::f32, {2}); });
  expect_error(ErrorKind::bad_input, {"'b' is U64 [2], not U64 [3]"},
               [&] { in.find("b", Dtype::u64, {3}); });
  const std::string_view known[] = {"a \"quoted\"", "b", "d", "e"};
  expect_error(ErrorKind::bad_input, {"unknown tensor 'c'"}, [&] { in.refuse_unknown(known); });
  in.expect_kind("scene", false);
  expect_error(ErrorKind::bad_input, {"of kind 'scene'", "'rays'"},
               [&] { in.expect_kind("rays", false); });
  expect_error(ErrorKind::bad_input, {"format ''"}, [&] { in.expect_kind("scene", true); });
}

TEST_F(ContainerTest, RefusesWritesBeyondATensor) {
  ContainerWriter out(path("s"), {{"a", Dtype::u8, {4}}, {"b", Dtype::u8, {4}}}, {});
  expect_error(ErrorKind::internal, {"'a'"}, [&] { out.write("a", 2, 3, "xyz"); });
  expect_error(ErrorKind::internal, {"'c'"}, [&] { out.write("c", 0, 1, "xyz"); });
  expect_error(ErrorKind::internal, {"given twice"}, [&] {
    ContainerWriter(path("t"), {{"a", Dtype::u8, {4}}, {"a", Dtype::u8, {4}}}, {});
  });
  expect_error(ErrorKind::internal, {"beyond 64 bits"}, [&] {
    ContainerWriter(path("t"), {{"a", Dtype::u64, {1ull << 61, 1}}}, {});
  });
}

struct BadHeader {
  std::string header;
  std::uint64_t data_bytes;
  std::string word;  // in the error
};

std::vector<BadHeader> bad_headers() {
  const auto one = [](const std::string& tensor) { return "{" + tensor + "}"; };
  const std::string deep(100000, '[');
  return {
      {"", 0, "does not begin with '{'"},
      {" {}", 0, "does not begin with '{'"},
      {"[]", 0, "does not begin with '{'"},
      {"{", 0, "not JSON"},
      {"{}{}", 0, "not JSON"},
      {"{} x", 0, "not JSON"},
      {"{\"a\"}", 0, "not JSON"},
      {"{\"\xff\":{}}", 0, "not JSON"},
      {"{\"a\":" + deep, 0, "'a' is an array"},
      {"{}", 1, "1 bytes of data"},
      {"{\"a\":1}", 0, "'a' is a number"},
      {"{\"a\":null}", 0, "'a' is null"},
      {"{\"a\":\"b\"}", 0, "'a' is a string"},
      {"{\"a\":{}}", 0, "lacks dtype"},
      {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1, "lacks dtype, shape or data_offsets"},
      {"{\"a\":{\"dtype\":\"U8\",\"extra\":1}}", 1, "unknown entry 'extra'"},
      {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 1, "gives 'dtype' twice"},
      {"{\"a\":{\"dtype\":5}}", 1, "a number in 'dtype'"},
      {"{\"a\":{\"dtype\":{}}}", 1, "an object in 'dtype'"},
      {one(tensor_json("a", "F8", "[1]", "[0,1]")), 1, "unknown dtype 'F8'"},
      {one(tensor_json("a", "u8", "[1]", "[0,1]")), 1, "unknown dtype 'u8'"},
      {one(tensor_json("a", "U8", "1", "[0,1]")), 1, "a number in 'shape'"},
      {one(tensor_json("a", "U8", "[[1]]", "[0,1]")), 1, "an array in 'shape'"},
      {one(tensor_json("a", "U8", "[-1]", "[0,1]")), 1, "negative number in 'shape'"},
      {one(tensor_json("a", "U8", "[1.0]", "[0,1]")), 1, "not whole"},
      {one(tensor_json("a", "U8", "[18446744073709551616]", "[0,1]")), 1, "not whole"},
      {one(tensor_json("a", "U8", "[\"1\"]", "[0,1]")), 1, "a string in 'shape'"},
      {one(tensor_json("a", "U8", "[1]", "[0]")), 1, "lacks one of its data_offsets"},
      {one(tensor_json("a", "U8", "[1]", "[]")), 1, "lacks one of its data_offsets"},
      {one(tensor_json("a", "U8", "[1]", "[0,1,2]")), 1, "more than two"},
      {one(tensor_json("a", "U8", "[1]", "[1,0]")), 1, "ends before it begins"},
      {one(tensor_json("a", "U8", "[2]", "[0,2]")), 1, "ends at byte 2 of the data"},
      {one(tensor_json("a", "U8", "[1]", "[1,2]")), 2, "overlap or gap"},
      {one(tensor_json("a", "U8", "[1]", "[0,1]")), 2, "2 bytes of data"},
      {one(tensor_json("a", "F32", "[2]", "[0,4]")), 4, "4 bytes, which is not F32 [2]"},
      {one(tensor_json("a", "U64", "[2305843009213693952]", "[0,0]")), 0, "which is not U64"},
      {one(tensor_json("a", "U8", "[4294967296,4294967296]", "[0,0]")), 0, "which is not U8"},
      {one(tensor_json("a", "U8", "[9223372036854775808]", "[0,9223372036854775808]")), 8,
       "ends at byte"},
      {one(tensor_json("a", "U8", "[1]", "[0,1]") + "," + tensor_json("a", "U8", "[1]", "[1,2]")),
       2, "'a' appears twice"},
      {one(tensor_json("a", "U8", "[2]", "[0,2]") + "," + tensor_json("b", "U8", "[2]", "[1,3]")),
       3, "overlap or gap"},
      {one(tensor_json("a", "U8", "[2]", "[0,2]") + "," + tensor_json("b", "U8", "[2]", "[0,2]")),
       2, "overlap or gap"},
      {one(tensor_json("a", "U8", "[1]", "[0,1]") + "," + tensor_json("b", "U8", "[1]", "[2,3]")),
       3, "overlap or gap"},
      {"{\"__metadata__\":[]}", 0, "'__metadata__' is an array"},
      {"{\"__metadata__\":{\"a\":1}}", 0, "'a' is a number"},
      {"{\"__metadata__\":{\"a\":{}}}", 0, "'a' is an object"},
      {"{\"__metadata__\":{\"a\":\"1\",\"a\":\"1\"}}", 0, "metadata 'a' appears twice"},
      {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__ appears twice"},
  };
}

TEST_F(ContainerTest, RefusesEveryBadHeaderByName) {
  for (const BadHeader& bad : bad_headers()) {
    SCOPED_TRACE(bad.header.substr(0, 200));
    const std::string data(bad.data_bytes, 'x');
    const std::string file = put("bad", container_bytes(bad.header, data));
    expect_error(ErrorKind::bad_input, {file, bad.word}, [&] { ContainerReader in(file); });
  }
}

TEST_F(ContainerTest, ShortensWildNamesInErrors) {
  const std::string name(5000, 'n');
  const std::string file = put("bad", container_bytes("{\"a\\n" + name + "\":1}"));
  expect_error(ErrorKind::bad_input, {"'a?nnn", "...'"}, [&] { ContainerReader in(file); });
}

TEST_F(ContainerTest, RefusesLyingLengths) {
  write_sample(path("s"));
  const std::string good = get("s");
  for (const std::uint64_t length :
       {std::uint64_t{1} << 63, ~std::uint64_t{0}, good.size() - 7, std::uint64_t{100'000'001}}) {
    std::string bytes = good;
    std::memcpy(bytes.data(), &length, 8);
    put("bad", bytes);
    expect_error(ErrorKind::bad_input, {"a header of " + std::to_string(length) + " bytes"},
                 [&] { ContainerReader in(path("bad")); });
  }
}

TEST_F(ContainerTest, RefusesEveryTruncationAndExtension) {
  write_sample(path("s"));
  const std::string good = get("s");
  for (std::size_t length = 0; length < good.size(); ++length) {
    put("bad", good.substr(0, length));
    EXPECT_THROW(ContainerReader in(path("bad")), Error) << length << " bytes of " << good.size();
  }
  put("bad", good + '\0');
  expect_error(ErrorKind::bad_input, {"bytes of data"}, [&] { ContainerReader in(path("bad")); });
}

TEST_F(ContainerTest, KnowsAnArrayThatIsNone) {
  const std::string file = put("a.npy", std::string("\x93NUMPY\x01\x00v\x00", 10) + "{}");
  expect_error(ErrorKind::bad_input,
               {"a.npy: looks like an .npy array, where a container is wanted"},
               [&] { ContainerReader in(file); });
}

TEST_F(ContainerTest, AllocatesNothingForHugeClaims) {
  // A hole as large as the largest header: only then may its length be believed, and no further.
  const std::string file = put("huge", container_bytes("{}"));
  std::filesystem::resize_file(file, 200'000'000);
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  const std::uint64_t length = 150'000'000;
  out.write(reinterpret_cast<const char*>(&length), 8);
  out.close();
  struct rusage before = {}, after = {};
  ::getrusage(RUSAGE_SELF, &before);
  expect_error(ErrorKind::bad_input, {"a header of 150000000"}, [&] { ContainerReader in(file); });
  put("claim",
      container_bytes("{" + tensor_json("a", "F32", "[1000000000000]", "[0,4000000000000]") + "}"));
  expect_error(ErrorKind::bad_input, {"ends at byte 4000000000000"},
               [&] { ContainerReader in(path("claim")); });
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 20'000) << "KiB";
}

TEST_F(ContainerTest, SurvivesMutatedHeaders) {
  const std::string good = "{\"__metadata__\":{\"k\":\"v\\u00e9\"}," +
                           tensor_json("aa", "F32", "[2,3]", "[0,24]") + "," +
                           tensor_json("b", "U64", "[1]", "[24,32]") + "}  ";
  ASSERT_EQ(parse_header("good", good, 32).tensors.size(), 2u);
  const std::uint64_t rounds = scaled(300'000);
  const std::uint64_t seed = 20240607;
  std::mt19937_64 random(seed);
  const std::string spice = "{}[]\",:0123456789.eE-\\untrfals \xff\xc3\x01";
  std::uint64_t accepted = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    std::string text = good;
    for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 5) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text[at] = spice[random() % spice.size()];
          break;
        case 2:
          text.erase(at, 1 + random() % 8);
          break;
        case 3:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
        default:
          text.insert(at, 1, spice[random() % spice.size()]);
          break;
      }
      if (text.empty()) text = "{";
    }
    const std::uint64_t data_bytes = random() % 8 == 0 ? random() >> (random() % 64) : 32;
    try {
      // Whatever is accepted fills the data exactly.
      std::uint64_t sum = 0;
      for (const TensorInfo& t : parse_header("mutated", text, data_bytes).tensors) {
        ASSERT_LE(t.end, data_bytes) << "seed " << seed << " round " << i << ": " << text;
        ASSERT_EQ(tensor_bytes(t.dtype, t.shape), t.end - t.begin) << text;
        sum += t.end - t.begin;
      }
      ASSERT_EQ(sum, data_bytes) << "seed " << seed << " round " << i << ": " << text;
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
    }
  }
  EXPECT_GT(accepted, rounds / 1000);
  EXPECT_LT(accepted, rounds / 2);
}

/// Python reads and writes the layout without any library of ours.
TEST_F(ContainerTest, AgreesWithTheReferenceImplementation) {
  if (std::system("python3 -c 'import safetensors.numpy, numpy' 2>/dev/null") != 0) {
    GTEST_SKIP() << "no python3 with safetensors and numpy";
  }
  write_sample(path("s"));
  std::ofstream(path("t.py")) << "import sys, numpy\nfrom safetensors.numpy import *\n"
                                 "t = load_file(sys.argv[1])\n"
                                 "assert t['a \"quoted\"'].tolist() == [[1,2,3],[4,5,6]]\n"
                                 "save_file(t, sys.argv[2], {'k': 'v'})\n";
  const std::string command = "python3 " + path("t.py") + " " + path("s") + " " + path("u");
  ASSERT_EQ(std::system(command.c_str()), 0);
  const ContainerReader in(path("u"));
  float a[6] = {};
  in.read(in.expect("a \"quoted\"", Dtype::f32, {2, 3}), 0, 6, a);
  EXPECT_EQ(a[5], 6);
  EXPECT_EQ(in.metadata("k"), "v");
}

}  // namespace
}  // namespace sightline::io
