// Runs the built program as a user would: arguments in, exit code, words and files out.
#pragma once

#include "tests/host/files/io_test.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/npy.hpp"
#include "tests/support/sanitized.hpp"

#include <sightline/results.hpp>

#include <nlohmann/json.hpp>

#include <sys/types.h>

#include <map>

#include <string>
#include <vector>

namespace sightline::cli {

using testing::sanitized;

/// Of the program.
using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments a, const Arguments& more) {
  a.insert(a.end(), more.begin(), more.end());
  return a;
}

struct Outcome {
  int exit_code = -1;  ///< -1 when a signal ended it
  std::string out, err;

  bool said(const std::string& words) const { return err.find(words) != std::string::npos; }
};

struct RunOptions {
  std::uint64_t largest_file = 0;  ///< bytes a file may grow to; 0 = no limit
  std::string out_to;              ///< a file for stdout instead of Outcome::out
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< more of it
};

/// Hits [n] in memory.
struct HitColumns {
  std::vector<float> t;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> flags;
  std::vector<Vec3> normal;

  explicit HitColumns(std::uint64_t n) : t(n), id(n), flags(n), normal(n) {}
  HitArrays view() { return {t, id, flags, normal}; }
};

class ProgramTest : public io::IoTest {
 protected:
  /// Runs `sightline arguments...` in the test's folder.
  Outcome run(const Arguments& arguments, const RunOptions& options = {}) const;
  /// As run, but only starts it; wait_for() ends it.
  pid_t start(const Arguments& arguments, const RunOptions& options = {}) const;
  Outcome wait_for(pid_t process) const;

  /// Runs it and expects exit code 0; returns the JSON of --json -.
  nlohmann::json json_of(const Arguments& arguments, const Arguments& more = {}) const;
  /// Runs it and expects `many` differences, the first at `index`.
  Outcome expect_difference(const Arguments& verify, std::uint64_t index,
                            std::uint64_t many = 1) const;
  /// Expects this exit code, each of the words in one sentence on stderr, and no new file.
  void expect_failure(int exit_code, const std::vector<std::string>& words,
                      const Arguments& arguments, const RunOptions& options = {});

  /// A city of so many shapes as city.st, and rays over it as rays.st.
  void make_city(std::uint64_t shapes, std::uint64_t rays, const std::string& kind = "incoherent");
  /// `count` viewpoints at eye height over that city as points.npy.
  void make_points(std::uint64_t count, const std::string& name = "points.npy",
                   std::uint64_t seed = 1);
  /// Changes one byte of a file.
  void flip(const std::string& name, std::uint64_t offset, unsigned char bits = 1);
  /// Where an element of a container's tensor lies in its file.
  std::uint64_t offset_of(const std::string& name, const std::string& tensor,
                          std::uint64_t byte) const;
  std::vector<std::string> names() const;
  /// Writes floats as .npy.
  template <class T = float>
  void put_npy(const std::string& name, const std::vector<T>& values,
               const io::Shape& shape) const {
    io::NpyWriter file(path(name), io::Dtype::f32, shape);
    file.write(0, values.size() * sizeof(T) / sizeof(float), values.data());
    file.commit();
  }
  /// A column of a container, whole.
  template <class T>
  std::vector<T> column(const std::string& name, const std::string& tensor) const {
    const io::ContainerReader file(path(name));
    const io::TensorInfo& info = *file.find(tensor);
    std::vector<T> values((info.end - info.begin) / sizeof(T));
    file.read(info, 0, info.elements(), values.data());
    return values;
  }
  /// Writes a container of the same tensors, cut to so many rows, with other metadata.
  void rewrite(const std::string& from, const std::string& to, const io::Metadata& changed,
               const std::map<std::string, io::Shape>& shapes) const;
};

}  // namespace sightline::cli
