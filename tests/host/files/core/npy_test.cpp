#include "host/files/core/npy.hpp"

#include "host/files/core/file_format.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/support/scale.hpp"

#include <sightline/ray.hpp>

#include <algorithm>
#include <random>

namespace sightline::io {
namespace {

using NpyTest = IoTest;

std::string npy_bytes(int version, const std::string& dictionary, const std::string& data) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  }
  return bytes + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

TEST_F(NpyTest, ReadsBackWhatItWrote) {
  NpyWriter out(path("a.npy"), Dtype::f32, {2, 3});
  const float values[] = {1, 2, 3, 4, 5, 6};
  out.write(3, 3, values + 3);
  out.write(0, 3, values);
  out.commit();
  EXPECT_EQ(format_of(path("a.npy")), FileFormat::npy);
  EXPECT_EQ(get("a.npy").size(), 128u + 24u);
  const NpyReader in(path("a.npy"));
  EXPECT_EQ(in.dtype(), Dtype::f32);
  EXPECT_EQ(in.shape(), (Shape{2, 3}));
  float read[2] = {};
  in.read(4, 2, read);
  EXPECT_EQ(read[0], 5);
  expect_error(ErrorKind::internal, {"elements 5 + 2 of 6"}, [&] { in.read(5, 2, read); });
}

TEST_F(NpyTest, SpellsHeadersAsNumPyDoes) {
  // The bytes that numpy.save gives for shapes (), (5,), (2, 3).
  const auto text = [](const Shape& shape) { return format_npy_header(Dtype::f32, shape); };
  EXPECT_EQ(text({2, 3}).substr(10, 60),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } ");
  EXPECT_EQ(text({5}).substr(10, 58), "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), } ");
  EXPECT_EQ(text({}).substr(10, 56), "{'descr': '<f4', 'fortran_order': False, 'shape': (), } ");
  EXPECT_EQ(text({2, 3}).size() % 64, 0u);
  EXPECT_EQ(text({2, 3}).back(), '\n');
}

TEST_F(NpyTest, ReadsAllVersionsAndSpellings) {
  const std::string data(24, '\0');
  for (const int version : {1, 2, 3}) {
    const NpyReader in(put("a", npy_bytes(version, dictionary("<f4", "(2, 3)"), data)));
    EXPECT_EQ(in.shape(), (Shape{2, 3})) << version;
  }
  for (const std::string spelt :
       {R"({"shape":(2,3),"fortran_order":False,"descr":"<f4"})",
        "{ 'shape' : ( 2 , 3 , ) , 'descr' : '<f4' , 'fortran_order' : False , }   \n"}) {
    EXPECT_EQ(NpyReader(put("a", npy_bytes(1, spelt, data))).shape(), (Shape{2, 3})) << spelt;
  }
  const auto kept = [&](const std::string& header) {
    return NpyReader(put("a", npy_bytes(1, header, data)), Numbers::kept).dtype();
  };
  EXPECT_EQ(kept(dictionary("|u1", "(24,)", "True")), Dtype::u8);
  EXPECT_EQ(kept(dictionary("<u8", "(3,)")), Dtype::u64);
}

TEST_F(NpyTest, NamesTheDtypeWanted) {
  const NpyReader in(put("a", npy_bytes(1, dictionary("|b1", "(1, 3)"), std::string(3, '\0'))));
  expect_error(ErrorKind::bad_input, {path("a"), "is BOOL [1, 3], not F32 [n, 3]"}, [&] {
    in.expect(Dtype::f32, {any_size, 3});
  });
  const NpyReader integers(
      put("a", npy_bytes(1, dictionary("<i8", "(1, 2)"), std::string(16, '\0'))));
  expect_error(ErrorKind::bad_input, {path("a"), "is I64 [1, 2], not F32 [n, 3]"}, [&] {
    integers.expect(Dtype::f32, {any_size, 3});
  });
}

/// The bytes of the numbers, which are [rows, width] in C order, column after column.
template <class T>
std::string columns_of(const std::vector<T>& rows, std::size_t width) {
  std::string bytes;
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = k; i < rows.size(); i += width) {
      bytes.append(reinterpret_cast<const char*>(&rows[i]), sizeof(T));
    }
  }
  return bytes;
}

template <class T>
void expect_every_slice(const NpyReader& in, const std::vector<T>& expected) {
  for (std::size_t first = 0; first <= expected.size(); ++first) {
    for (std::size_t count = 0; count <= expected.size() - first; ++count) {
      std::vector<T> found(count + 1, T(77));
      in.read(first, count, found.data());
      const auto at = expected.begin() + static_cast<std::ptrdiff_t>(first);
      ASSERT_TRUE(std::equal(found.begin(), found.end() - 1, at)) << first << " + " << count;
      ASSERT_EQ(found.back(), T(77)) << "nothing behind it is written";
    }
  }
}

TEST_F(NpyTest, ReadsFortranOrderInAnySlices) {
  const auto put_columns = [&](const char* descr, const auto& rows) {
    return put("a", npy_bytes(1, dictionary(descr, "(4, 3)", "True"), columns_of(rows, 3)));
  };
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 12; ++i) {
    floats.push_back(static_cast<float>(i) / 2), doubles.push_back(i / 2.0);
    bytes.push_back(static_cast<std::uint8_t>(i));
  }
  const NpyReader plain(put_columns("<f4", floats));
  EXPECT_EQ(plain.shape(), (Shape{4, 3}));
  expect_every_slice(plain, floats);
  expect_every_slice(NpyReader(put_columns("<f8", doubles)), floats);
  expect_every_slice(NpyReader(put_columns("|u1", bytes), Numbers::kept), bytes);
  std::vector<double> wide(12);
  NpyReader(put_columns("<f8", doubles)).read_doubles(0, 12, wide.data());
  EXPECT_EQ(wide, doubles);
}

// More rows than are read at once.
TEST_F(NpyTest, ReadsLongColumnsPieceByPiece) {
  constexpr std::size_t n = 200'000;
  std::vector<float> rows(2 * n);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
  const NpyReader in(
      put("a", npy_bytes(1, dictionary("<f4", "(200000, 2)", "True"), columns_of(rows, 2))));
  std::vector<float> found(rows.size() - 7);
  in.read(5, found.size(), found.data());
  EXPECT_TRUE(std::equal(found.begin(), found.end(), rows.begin() + 5));
}

TEST_F(NpyTest, ReadsIntegersOfEveryWidthAsFloats) {
  const auto expect_read = [&]<class T>(T, const char* descr, std::vector<T> given,
                                        const std::vector<float>& expected) {
    SCOPED_TRACE(descr);
    const std::string data(reinterpret_cast<const char*>(given.data()), given.size() * sizeof(T));
    const NpyReader in(put("a", npy_bytes(1, dictionary(descr, "(3,)"), data)));
    in.expect(Dtype::f32, {3});
    expect_every_slice(in, expected);
  };
  expect_read(std::int8_t{}, "|i1", {-128, 0, 127}, {-128, 0, 127});
  expect_read(std::uint8_t{}, "|u1", {0, 1, 255}, {0, 1, 255});
  expect_read(std::int16_t{}, "<i2", {-32768, 0, 32767}, {-32768, 0, 32767});
  expect_read(std::uint16_t{}, "<u2", {0, 1, 65535}, {0, 1, 65535});
  // To the nearest, ties to even; once, not by way of binary64.
  expect_read(std::int32_t{}, "<i4", {16777217, 16777219, -2147483647},
              {0x1p24f, 16777220, -0x1p31f});
  expect_read(std::uint32_t{}, "<u4", {4294967295, 16777216, 1}, {0x1p32f, 0x1p24f, 1});
  const std::int64_t above_half = (std::int64_t{1} << 62) + (std::int64_t{1} << 38) + 1;
  expect_read(std::int64_t{}, "<i8", {above_half, -5, 1}, {0x1p62f + 0x1p39f, -5, 1});
  expect_read(std::uint64_t{}, "<u8", {~std::uint64_t{0}, 5, 1}, {0x1p64f, 5, 1});
}

// Whole arrays are read in steps of 2^22 elements, of other sizes than floats.
TEST_F(NpyTest, ReadsLongArraysOfEveryWidthAsFloats) {
  constexpr std::size_t n = (1 << 22) + 3;
  const auto expect_floats = [&]<class T>(const char* descr, const std::vector<T>& numbers) {
    std::string data(n * sizeof(T), '\0');
    std::memcpy(data.data(), numbers.data(), data.size());
    const NpyReader in(
        put("a", npy_bytes(1, dictionary(descr, "(" + std::to_string(n) + ",)"), data)));
    std::vector<float> floats(n + 1, -1);
    in.read_whole(floats.data());
    EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), floats.begin())) << descr;
    EXPECT_EQ(floats.back(), -1) << descr;
  };
  std::vector<std::uint8_t> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 % 251);
  expect_floats("|u1", bytes);
  expect_floats("<f8", std::vector<double>(bytes.begin(), bytes.end()));
  expect_floats("<f4", std::vector<float>(bytes.begin(), bytes.end()));
}

TEST_F(NpyTest, CountsIntegersThatRoundingChanges) {
  const auto note = [&](const std::vector<std::int64_t>& given) {
    NpyWriter out(path("a.npy"), Dtype::i64, {given.size()});
    out.write(0, given.size(), given.data());
    out.commit();
    return NpyReader(path("a.npy")).note_on_integers();
  };
  EXPECT_EQ(note({-16777216, 16777218, std::int64_t{1} << 62}), "");
  EXPECT_EQ(note({5, -16777217, 33554433, 7}),
            path("a.npy") +
                ": 2 of 4 integers have more than 24 bits and are rounded to binary32, the first "
                "-16777217");
}

TEST_F(NpyTest, RoundsBinary64) {
  // Halfway between floats the even one is taken; beyond the range infinity.
  const double given[] = {0.1, 1 + 0x1p-24, 1 + 0x3p-24, -1e300, 3.4028234663852886e38, 0x1p-149};
  const float rounded[] = {0.1f, 1, 1 + 0x1p-22f, -infinity, 3.4028234663852886e38f, 0x1p-149f};
  NpyWriter out(path("a.npy"), Dtype::f64, {2, 3});
  out.write(0, 6, given);
  out.commit();
  const NpyReader in(path("a.npy"));
  in.expect(Dtype::f32, {any_size, 3});
  EXPECT_TRUE(in.rounded());
  float values[6] = {};
  in.read(0, 6, values);
  EXPECT_EQ(std::memcmp(values, rounded, sizeof values), 0);
  in.read(4, 2, values);
  EXPECT_EQ(values[1], 0x1p-149f);
}

TEST_F(NpyTest, RefusesEveryBadHeaderByName) {
  const struct {
    std::string bytes, word;
  } cases[] = {
      {"", "not an .npy file"},
      {"\x93NUMPY", "not an .npy file"},
      {"PK\3\4 and more bytes than ten", "not an .npy file"},
      {npy_bytes(4, dictionary("<f4", "()"), "xxxx"), "version 4"},
      {std::string("\x93NUMPY\2\0\1\0", 10), "cut off"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), "4294967295 bytes long"},
      {std::string("\x93NUMPY\1\0\xff\xff{}", 12), "65535 bytes long"},
      {npy_bytes(1, "", ""), "'{' was expected"},
      {npy_bytes(1, "{", ""), "a string was expected"},
      {npy_bytes(1, "{}", ""), "is missing"},
      {npy_bytes(1, "{'descr': '<f4', 'shape': ()}", "xxxx"), "is missing"},
      {npy_bytes(1, "{'descr': '<f4", ""), "does not end"},
      {npy_bytes(1, "{'descr' '<f4'}", ""), "':' was expected"},
      {npy_bytes(1, "{'other': 1}", ""), "unknown entry 'other'"},
      {npy_bytes(1, "{'descr': '<f4', 'descr': '<f4'}", ""), "twice"},
      {npy_bytes(1, "{'descr': '<f4' 'shape': ()}", ""), "no comma"},
      {npy_bytes(1, "{'descr': [('a', '<f4')]}", ""), "records"},
      {npy_bytes(1, dictionary(">f4", "(1,)"), "xxxx"), "dtype '>f4'"},
      {npy_bytes(1, dictionary("<f4", "(1,)", "Maybe"), "xxxx"), "neither True nor False"},
      {npy_bytes(1, dictionary("<f4", "(1, 1, 1)", "True"), "xxxx"),
       "is in Fortran order and has 3 dimensions: save it in C order"},
      {npy_bytes(1, dictionary("<f4", "(-1,)"), "xxxx"), "not a number"},
      {npy_bytes(1, dictionary("<f4", "(1 1)"), "xxxx"), "no comma"},
      {npy_bytes(1, dictionary("<f4", "(99999999999999999999,)"), ""), "64 bits"},
      {npy_bytes(1, dictionary("<f4", "(4611686018427387904, 4)"), ""), "0 bytes of data"},
      {npy_bytes(1, dictionary("<f4", "(1,)") + "x", "xxxx"), "text after"},
      {npy_bytes(1, dictionary("<f4", "(2,)"), "xxxx"), "4 bytes of data are not F32 [2]"},
      {npy_bytes(1, dictionary("<f4", "(1,)"), "xxxxx"), "5 bytes of data are not F32 [1]"},
  };
  for (const auto& bad : cases) {
    SCOPED_TRACE(bad.bytes);
    const std::string file = put("bad", bad.bytes);
    expect_error(ErrorKind::bad_input, {file, bad.word}, [&] { NpyReader in(file); });
  }
}

TEST_F(NpyTest, SurvivesMutatedHeaders) {
  const std::string good = npy_bytes(1, dictionary("<f4", "(2, 3)"), "");
  const std::uint64_t file_bytes = good.size() + 24, seed = 77;
  ASSERT_EQ(parse_npy_header("good", good, file_bytes).shape, (Shape{2, 3}));
  std::mt19937_64 random(seed);
  const std::uint64_t rounds = scaled(200'000);
  std::uint64_t accepted = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    std::string bytes = good;
    for (std::uint64_t edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = 6 + random() % (bytes.size() - 6);
      if (random() % 2 == 0)
        bytes[at] = static_cast<char>(random());
      else
        bytes[at] = bytes[6 + random() % (bytes.size() - 6)];
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    try {
      const std::uint64_t size = std::max<std::uint64_t>(file_bytes, bytes.size());
      const NpyHeader header = parse_npy_header("mutated", bytes, size);
      ASSERT_EQ(tensor_bytes(header.dtype, header.shape), size - header.data_begin)
          << "seed " << seed << " round " << i;
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
    }
  }
  EXPECT_GT(accepted, rounds / 1000);
}

TEST_F(NpyTest, NumPyReadsWhatWeWrite) {
  if (std::system("python3 -c 'import numpy' 2>/dev/null") != 0) {
    GTEST_SKIP() << "no python3 with numpy";
  }
  NpyWriter out(path("a.npy"), Dtype::u64, {2});
  const std::uint64_t values[] = {1, ~0ull};
  out.write(0, 2, values);
  out.commit();
  std::ofstream(path("t.py")) << "import sys, numpy\na = numpy.load(sys.argv[1])\n"
                                 "assert a.tolist() == [1, 2**64 - 1] and a.dtype == 'u8'\n";
  EXPECT_EQ(std::system(("python3 " + path("t.py") + " " + path("a.npy")).c_str()), 0);
}

}  // namespace
}  // namespace sightline::io
