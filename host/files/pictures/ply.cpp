#include "host/files/pictures/ply.hpp"

#include "host/files/core/file.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

constexpr std::uint64_t points_at_once = 1 << 16;

/// Calls use(column, type, names of its numbers) for each column that is written.
template <class Use>
void for_each_column(const PlyPoints& p, const Use& use) {
  using Names = std::initializer_list<const char*>;
  const auto optional = [&](const auto& column, const char* type, Names names) {
    if (!column.empty()) use(column, type, names);
  };
  use(p.position, "float", Names{"x", "y", "z"});
  optional(p.normal, "float", {"nx", "ny", "nz"});
  optional(p.color, "uchar", {"red", "green", "blue"});
  optional(p.value, "float", {"quality"});
  optional(p.id, "uint", {"id"});
}

}  // namespace

void write_ply(const std::string& name, const PlyPoints& p) {
  const std::uint64_t n = p.position.size();
  std::string head = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", n);
  std::uint64_t each = 0;
  for_each_column(p, [&](const auto& column, const char* type, const auto& names) {
    if (column.size() != n) {
      throw Error(ErrorKind::internal, name + ": the points' columns differ in length");
    }
    for (const char* number : names) head += fmt::format("property {} {}\n", type, number);
    each += sizeof column[0];
  });
  head += "end_header\n";
  PartialFile file(name, head.size() + n * each);
  file.write(0, head.data(), head.size());
  std::string bytes;
  for (std::uint64_t first = 0; first < n; first += points_at_once) {
    bytes.clear();
    for (std::uint64_t i = first; i < std::min(n, first + points_at_once); ++i) {
      for_each_column(p, [&](const auto& column, const char*, const auto&) {
        bytes.append(reinterpret_cast<const char*>(&column[i]), sizeof column[i]);
      });
    }
    file.write(head.size() + first * each, bytes.data(), bytes.size());
  }
  file.commit();
}

}  // namespace sightline::io
