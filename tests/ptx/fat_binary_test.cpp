// What a fat binary holds, and what is said of one that cannot be read.
#include "tests/ptx/fat_binary.hpp"

#include "tests/ptx/ptx_test.hpp"

#include <cstring>

namespace sightline::ptx {
namespace {

/// As nvcc 13 writes it.
struct FatBinary {
  std::vector<std::uint64_t> bytes;
  struct {
    std::uint32_t magic = 0x466243B1, version = 1;
    const void* binary = nullptr;
  } wrapper;

  void add(const void* from, std::size_t size) {
    const std::size_t at = bytes.size();
    bytes.resize(at + (size + 7) / 8);
    std::memcpy(bytes.data() + at, from, size);
  }
  void entry(std::uint16_t kind, std::uint64_t flags, const std::string& text) {
    const std::size_t whole = (text.size() + 7) / 8 * 8;
    std::uint64_t header[8] = {
        kind | 0x101u << 16 | std::uint64_t{64} << 32, whole, 0, 90ull << 32, 0, flags, 0, 0};
    add(header, sizeof header);
    add(text.data(), text.size());
  }
  const void* finish(std::uint32_t magic = 0xBA55ED50) {
    const std::uint64_t header[2] = {magic | std::uint64_t{1} << 32 | std::uint64_t{16} << 48,
                                     bytes.size() * 8};
    bytes.insert(bytes.begin(), header, header + 2);
    wrapper.binary = bytes.data();
    return &wrapper;
  }
};

TEST(FatBinary, GivesItsPtx) {
  FatBinary binary;
  binary.entry(2, 0x11, "code for a device");
  binary.entry(1, 0x11, ".version 9.0");
  EXPECT_EQ(ptx_of(binary.finish()), ".version 9.0");
}

TEST(FatBinary, SaysWhyItCannotBeRead) {
  FatBinary packed, code, other, cut;
  packed.entry(1, 0x8011, "?");
  expect_says(error_of([&] { ptx_of(packed.finish()); }),
              "compressed: compile with nvcc -no-compress");
  code.entry(2, 0x11, "?");
  expect_says(error_of([&] { ptx_of(code.finish()); }), "without PTX");
  expect_says(error_of([&] { ptx_of(other.finish(1)); }), "another magic number");
  cut.entry(1, 0x11, ".version 9.0");
  cut.bytes[1] += 8;
  expect_says(error_of([&] { ptx_of(cut.finish()); }), "does not fit");
}

}  // namespace
}  // namespace sightline::ptx
