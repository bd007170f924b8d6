// A molecule built by hand, for the tests of importers.
#pragma once

#include <fmt/format.h>

#include <string>

namespace sightline::io {

/// One atom's line; the element's columns are left out when it is empty.
inline std::string atom_line(int serial, const std::string& name, char location, char chain,
                             double x, double y, double z, const std::string& element = "") {
  std::string line = fmt::format("ATOM  {:5} {:4}{}GLY {}   1    {:8.3f}{:8.3f}{:8.3f}", serial,
                                 name, location, chain, x, y, z);
  if (!element.empty()) line += fmt::format("{:22}{:>2}", "", element);
  return line + "\n";
}

/// Chain A: N-C-C=O with a second place of its end; chain B: one sulphur. Two copies of A (as it
/// is, and a quarter of a turn about z), one of B.
inline std::string small_molecule() {
  const auto copy = [](int n, const std::string& rows) {
    std::string text;
    for (int i = 0; i < 3; ++i) {
      text += fmt::format("REMARK 350   BIOMT{} {:3} {}\n", i + 1, n,
                          rows.substr(static_cast<std::size_t>(i) * 14, 13));
    }
    return text;
  };
  return "HEADER    BY HAND\nREMARK 350 BIOMOLECULE: 1\n"
         "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n" +
         copy(1, "1.0 0.0 0.0 0,0.0 1.0 0.0 0,0.0 0.0 1.0 0") +
         copy(2, "0.0 -1.0 0. 5,1.0 0.0 0.0 6,0.0 0.0 1.0 7") +
         "REMARK 350 APPLY THE FOLLOWING TO CHAINS:\nREMARK 350   AND CHAINS: B\n" +
         copy(3, "1.0 0.0 0.0 0,0.0 1.0 0.0 0,0.0 0.0 1.0 9") + "REMARK 350 BIOMOLECULE: 2\n" +
         copy(1, "junk of no n,umber of this,one is of use") +
         atom_line(10, " N  ", ' ', 'A', 0, 0, 0) +
         atom_line(11, " CA ", ' ', 'A', 1.458, 0, 0, "C") +
         atom_line(12, " C  ", 'B', 'A', 2.009, 1.42, 0, "C") +
         atom_line(13, " C  ", 'A', 'A', 2.1, 1.5, 0, "C") +
         atom_line(14, " O  ", ' ', 'A', 1.251, 2.39, 0, "O") +
         atom_line(15, "SE  ", ' ', 'B', 50.123, -40.25, 3.001, "S") +
         "ENDMDL\nMODEL 2\nATOM   of another model\nEND\n";
}

}  // namespace sightline::io
