// What the tests of files share: a folder that goes away, raw bytes, and expected errors.
#pragma once

#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace sightline::io {

/// A folder of its own for each test, removed with what it holds.
class IoTest : public ::testing::Test {
 protected:
  IoTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sightline-XXXXXX").string();
    const char* made = ::mkdtemp(pattern.data());
    if (made == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = made;
  }
  ~IoTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  /// How many entries the folder has.
  std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string get(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path folder_;
};

/// The bytes of a container with this header (not padded) and data.
inline std::string container_bytes(const std::string& header, const std::string& data = "") {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}

using sightline::testing::expect_error;
using sightline::testing::refusal;

}  // namespace sightline::io
