// Radii of the chemical elements.
#pragma once

#include <string_view>

namespace sightline::io {

/// Radii in angstrom.
struct Element {
  const char* symbol;    ///< upper case
  double covalent;       ///< half the length of a single bond
  double van_der_waals;  ///< 2.0 where none has been measured
};

/// The element of this symbol (in any case), or null. D is hydrogen.
const Element* find_element(std::string_view symbol);

}  // namespace sightline::io
