// The bytes of several columns, one behind the other.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace sightline::testing {

using Bytes = std::vector<std::byte>;

template <class T>
void append(Bytes& to, const std::vector<T>& from) {
  const auto bytes = std::as_bytes(std::span(from));
  to.insert(to.end(), bytes.begin(), bytes.end());
}
template <class Report>
requires std::has_unique_object_representations_v<Report>
void append(Bytes& to, const Report& report) { append(to, std::vector<Report>{report}); }

template <class... Parts>
Bytes bytes_of(const Parts&... parts) {
  Bytes all;
  (append(all, parts), ...);
  return all;
}

}  // namespace sightline::testing
