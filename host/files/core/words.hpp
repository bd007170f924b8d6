// Counts as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::io {

/// "12,345,678".
std::string grouped(std::uint64_t n);
/// "12,345 bad rays" of "bad rays", and "1 bad ray": of one the first plural loses its ending.
std::string plural(std::uint64_t n, std::string_view many);
/// The verb that goes with a count: "is" of one, "are" of all others.
inline std::string_view agreeing(std::uint64_t n, std::string_view one, std::string_view many) {
  return n == 1 ? one : many;
}

}  // namespace sightline::io
