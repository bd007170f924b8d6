// A result's parameters as text: one list of them serves metadata in and out, and reports.
#pragma once

#include "host/files/core/tensor.hpp"
#include "host/program/jobs/job.hpp"

#include <sightline/geometry/queries/field_of_view.hpp>
#include <sightline/ray.hpp>

#include <limits>
#include <span>

namespace sightline::cli {

/// A file that a result is computed from; without a hash until it is loaded or read as metadata.
struct Input {
  const char* option;       ///< "--points"
  const char* key;          ///< in reports: "/points"
  const char* what;         ///< "points": what the result was computed from
  const char* unit = what;  ///< what it counts
  std::string hash = {};
  std::uint64_t count = 0;
  float at = 0;       ///< of eyes: how high they are above the file's points; the hash is theirs
  bool y_up = false;  ///< above along y, not z
};

/// "cone", "sector" or "sector y up".
std::string_view field_shape_name(FieldShape shape);

/// Visits the parameters of a result, each by its key in the metadata. Reading is strict: every
/// entry must be there, whole and within its limits. Throws Error{bad_input} naming file and key.
class Parameters {
 public:
  /// Writes metadata.
  explicit Parameters(io::Metadata& to) : to_(&to) {}
  /// Reads the metadata of `file`.
  Parameters(const std::string& file, const io::Metadata& from) : file_(file), from_(&from) {}
  /// Reports those whose key begins with "query.".
  explicit Parameters(Job& job) : job_(&job) {}

  /// 32 hexadecimal digits.
  void hash(const char* key, std::string& value);
  /// Of 32 or 64 bits, or a float.
  template <class T>
  void number(const char* key, T& value, std::type_identity_t<T> least = limit_of<T>(-1),
              std::type_identity_t<T> most = limit_of<T>(1));
  /// The hash and the count of an input.
  void input(const std::string& name, Input& input,
             std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  /// How high eyes are above the points of an input, which is absent where it is 0.
  void eyes(const std::string& name, Input& input);
  void pair(const char* key, TwoIds<std::uint32_t>& value);
  /// The value's place among the names.
  template <class T>
  void choice(const char* key, T& value, std::span<const std::string_view> names) {
    value = static_cast<T>(chosen(key, static_cast<std::size_t>(value), names));
  }
  void flag(const char* key, bool& value);
  void inside(Inside& value);
  /// Absent where it is both.
  void side(Side& value);
  /// Of lines of sight: a share of a segment, and a length, which is absent where it is 0.
  void margins(float& share, float& length);
  void field_shape(const char* key, FieldShape& value);
  /// Text that is always the same.
  void fixed(const char* key, std::string_view value);

  /// Whether an entry that may be missing is visited: where it is read, if it is there.
  bool has(const char* key, bool when_written) const;
  bool reads() const { return from_ != nullptr; }
  [[noreturn]] void fail(const char* key) const;

 private:
  template <class T>
  static constexpr T limit_of(int sign) {
    using Of = std::numeric_limits<T>;
    if (sign < 0) return Of::has_infinity ? -Of::infinity() : Of::lowest();
    return Of::has_infinity ? Of::infinity() : Of::max();
  }
  std::size_t chosen(const char* key, std::size_t value, std::span<const std::string_view> names);
  const std::string& text(const char* key) const;
  void put(const char* key, const std::string& value);

  std::string file_;
  const io::Metadata* from_ = nullptr;
  io::Metadata* to_ = nullptr;
  Job* job_ = nullptr;
};

}  // namespace sightline::cli
