// Points that fill the unit cube evenly, for any number of them.
#pragma once

#include <sightline/detail/macros.hpp>

#include <cstdint>

namespace sightline {

/// In [0, 1) each, multiples of 2^-53.
struct UnitPoint {
  double u, v, w;
};

/// Point k of a sequence whose every prefix is evenly spread, so that points can be added later. In
/// integers, so that it is the same everywhere.
/// Source: Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018: multiples of
/// 1/g, 1/g^2 and 1/g^3, where g^4 = g + 1.
SIGHTLINE_HD UnitPoint unit_point(std::uint64_t k) {
  const auto share = [k](std::uint64_t step) {
    const std::uint64_t turned = (std::uint64_t{1} << 63) + (k + 1) * step;
    return static_cast<double>(turned >> 11) * 0x1p-53;
  };
  return {share(0xD1B54A32D192ED03u), share(0xABC98388FB8FAC02u), share(0x8CB92BA72F3D8DD7u)};
}

}  // namespace sightline
