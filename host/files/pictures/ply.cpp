#include "host/files/pictures/ply.hpp"

#include "host/files/core/file.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sightline::io {
namespace {

constexpr std::uint64_t points_at_once = 1 << 16;

std::string header(const PlyPoints& p) {
  std::string text =
      fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", p.position.size());
  const auto add = [&text](bool there, const char* type, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (there) text += fmt::format("property {} {}\n", type, name);
    }
  };
  add(true, "float", {"x", "y", "z"});
  add(!p.normal.empty(), "float", {"nx", "ny", "nz"});
  add(!p.color.empty(), "uchar", {"red", "green", "blue"});
  add(!p.value.empty(), "float", {"quality"});
  add(!p.id.empty(), "uint", {"id"});
  return text + "end_header\n";
}

/// Appends element i of a column that is not empty.
template <class T>
void append(std::vector<char>& to, const std::vector<T>& column, std::uint64_t i) {
  if (column.empty()) return;
  const auto* at = reinterpret_cast<const char*>(&column[i]);
  to.insert(to.end(), at, at + sizeof(T));
}

}  // namespace

void write_ply(const std::string& name, const PlyPoints& p) {
  const std::uint64_t n = p.position.size();
  const auto fits = [n](const auto& column) { return column.empty() || column.size() == n; };
  if (!fits(p.normal) || !fits(p.color) || !fits(p.value) || !fits(p.id)) {
    throw Error(ErrorKind::internal, name + ": the points' columns differ in length");
  }
  const std::uint64_t each = 12 + (p.normal.empty() ? 0 : 12) + (p.color.empty() ? 0 : 3) +
                             (p.value.empty() ? 0 : 4) + (p.id.empty() ? 0 : 4);
  const std::string head = header(p);
  PartialFile file(name, head.size() + n * each);
  file.write(0, head.data(), head.size());
  std::vector<char> bytes;
  for (std::uint64_t first = 0; first < n; first += points_at_once) {
    bytes.clear();
    for (std::uint64_t i = first; i < std::min(n, first + points_at_once); ++i) {
      append(bytes, p.position, i);
      append(bytes, p.normal, i);
      append(bytes, p.color, i);
      append(bytes, p.value, i);
      append(bytes, p.id, i);
    }
    file.write(head.size() + first * each, bytes.data(), bytes.size());
  }
  file.commit();
}

}  // namespace sightline::io
