#include "host/files/import/molecules/import_pdb.hpp"

#include "host/files/core/text_file.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_map>

namespace sightline::io {
namespace {

/// Source: covalent radii from Cordero et al., "Covalent radii revisited", 2008 (the low-spin value
/// of metals with two); van der Waals radii from Bondi, 1964, and Mantina et al., 2009.
constexpr Element elements[] = {
    {"H", 0.31, 1.20},  {"D", 0.31, 1.20},  {"LI", 1.28, 1.82}, {"BE", 0.96, 1.53},
    {"B", 0.84, 1.92},  {"C", 0.76, 1.70},  {"N", 0.71, 1.55},  {"O", 0.66, 1.52},
    {"F", 0.57, 1.47},  {"NA", 1.66, 2.27}, {"MG", 1.41, 1.73}, {"AL", 1.21, 1.84},
    {"SI", 1.11, 2.10}, {"P", 1.07, 1.80},  {"S", 1.05, 1.80},  {"CL", 1.02, 1.75},
    {"AR", 1.06, 1.88}, {"K", 2.03, 2.75},  {"CA", 1.76, 2.31}, {"TI", 1.60, 2.00},
    {"V", 1.53, 2.00},  {"CR", 1.39, 2.00}, {"MN", 1.39, 2.00}, {"FE", 1.32, 2.00},
    {"CO", 1.26, 2.00}, {"NI", 1.24, 1.63}, {"CU", 1.32, 1.40}, {"ZN", 1.22, 1.39},
    {"GA", 1.22, 1.87}, {"AS", 1.19, 1.85}, {"SE", 1.20, 1.90}, {"BR", 1.20, 1.83},
    {"KR", 1.16, 2.02}, {"RB", 2.20, 3.03}, {"SR", 1.95, 2.49}, {"MO", 1.54, 2.00},
    {"AG", 1.45, 1.72}, {"CD", 1.44, 1.58}, {"I", 1.39, 1.98},  {"XE", 1.40, 2.16},
    {"CS", 2.44, 3.43}, {"BA", 2.15, 2.68}, {"W", 1.62, 2.00},  {"PT", 1.36, 1.75},
    {"AU", 1.36, 1.66}, {"HG", 1.32, 1.55}, {"PB", 1.46, 2.02}, {"U", 1.96, 1.86}};

char at(std::string_view line, std::size_t column) {
  return column <= line.size() ? line[column - 1] : ' ';
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Columns 77-78, or else the atom's name, whose element ends in column 14. A name of four letters
/// that begins in column 13 is a hydrogen's.
const Element& element_of(const TextLines& lines) {
  const std::string_view stated = lines.columns(77, 78);
  const Element* element = nullptr;
  if (!stated.empty()) {
    element = find_element(stated);
    if (element == nullptr) lines.refuse("columns 77-78 name no element that is known");
    return *element;
  }
  const char first = at(lines.line(), 13), second = at(lines.line(), 14);
  if (!is_letter(first)) {
    element = find_element(std::string_view(&second, 1));
  } else if (at(lines.line(), 16) == ' ') {
    element = find_element(lines.columns(13, 14));
  }
  if (element == nullptr && is_letter(first)) element = find_element(std::string_view(&first, 1));
  if (element == nullptr) lines.refuse("the atom's name begins with no element that is known");
  return *element;
}

/// Of a residue's alternate locations the first that the file names is kept.
void read_atom(PdbFile& pdb, const TextLines& lines,
               std::unordered_map<std::string, char>& first_location) {
  if (lines.line().size() < 54) lines.refuse("an atom's line has at least 54 columns");
  const char location = at(lines.line(), 17);
  const std::string residue(lines.line().substr(21, 6));  // chain, number, insertion code
  if (location != ' ' && first_location.try_emplace(residue, location).first->second != location) {
    ++pdb.alternates;
    return;
  }
  PdbAtom atom{};
  atom.serial =
      static_cast<std::uint32_t>(lines.integer_in(lines.columns(7, 11), "the serial", 99999));
  atom.position = {lines.number_in(lines.columns(31, 38), "x"),
                   lines.number_in(lines.columns(39, 46), "y"),
                   lines.number_in(lines.columns(47, 54), "z")};
  for (const double c : atom.position) {
    if (std::abs(c) > 1e6) lines.refuse("a coordinate is farther than 1,000,000 angstrom");
  }
  atom.element = &element_of(lines);
  atom.chain = static_cast<unsigned char>(at(lines.line(), 22));
  atom.line = lines.number();
  pdb.atoms.push_back(atom);
}

/// REMARK 350, line by line: a list of chains, then three rows for each copy of them.
class Copies {
 public:
  void read(PdbFile& pdb, const TextLines& lines) {
    const std::string_view text = lines.columns(11, 80);
    if (text.starts_with("BIOMOLECULE:")) ++biomolecules_;
    if (biomolecules_ > 1) return;
    if (text.starts_with("APPLY THE FOLLOWING TO CHAINS:")) {
      chains_.assign(256, false);
      read_chains(text);
    } else if (text.starts_with("AND CHAINS:")) {
      read_chains(text);
    } else if (text.starts_with("BIOMT")) {
      read_row(pdb, lines);
    }
  }
  void finish(const TextLines& lines) const {
    if (row_ != 0) lines.refuse("the copies end behind row {} of 3", row_);
  }

 private:
  void read_chains(std::string_view text) {
    for (const char c : text.substr(text.find(':') + 1)) {
      if (c != ',' && c != ' ') chains_[static_cast<unsigned char>(c)] = true;
    }
  }
  void read_row(PdbFile& pdb, const TextLines& lines) {
    std::size_t place = 10;
    const std::string_view name = lines.word(place);
    if (name.size() != 6 || name[5] != static_cast<char>('1' + row_)) {
      lines.refuse("BIOMT{} is expected here", row_ + 1);
    }
    const std::uint64_t serial =
        lines.integer_in(lines.word(place), "the number of the copy", 999999);
    if (row_ != 0 && serial != serial_) lines.refuse("the rows of a copy differ in its number");
    serial_ = serial;
    for (double& value : copy_.rows[row_]) {
      value = lines.number_in(lines.word(place), "a number of the copy");
    }
    if (!lines.word(place).empty()) lines.refuse("a row of a copy has four numbers");
    row_ = (row_ + 1) % 3;
    if (row_ != 0) return;
    if (std::ranges::find(chains_, true) == chains_.end()) {
      lines.refuse("no chains are named that this copy is of");
    }
    if (!is_rigid(copy_))
      lines.refuse("the three rows of this copy are no rotation, or move it by 1,000,000 angstrom");
    copy_.chains = chains_;
    pdb.copies.push_back(copy_);
  }

  std::uint64_t biomolecules_ = 0, serial_ = 0;
  std::size_t row_ = 0;
  std::vector<bool> chains_ = std::vector<bool>(256);
  PdbCopy copy_{};
};

}  // namespace

const Element* find_element(std::string_view symbol) {
  const auto same = [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; };
  for (const Element& element : elements) {
    if (std::ranges::equal(symbol, std::string_view(element.symbol), same)) return &element;
  }
  return nullptr;
}

bool is_rigid(const PdbCopy& copy) {
  const auto& m = copy.rows;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(m[i][3]) < 1e6)) return false;
    for (std::size_t j = 0; j < 3; ++j) {
      const double dot = m[i][0] * m[j][0] + m[i][1] * m[j][1] + m[i][2] * m[j][2];
      if (!(std::abs(dot - (i == j ? 1 : 0)) < 1e-3)) return false;
    }
  }
  const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                     m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return det > 0;
}

PdbFile read_pdb(const std::string& file, std::string_view text) {
  PdbFile pdb;
  pdb.file = file;
  TextLines lines(file, text);
  std::unordered_map<std::string, char> first_location;
  Copies copies;
  bool in_first_model = true;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.starts_with("ATOM  ") || line.starts_with("HETATM")) {
      if (in_first_model) {
        read_atom(pdb, lines, first_location);
      } else {
        ++pdb.other_models;
      }
    } else if (line.starts_with("ENDMDL")) {
      in_first_model = false;
    } else if (line.starts_with("REMARK 350")) {
      copies.read(pdb, lines);
    }
  }
  copies.finish(lines);
  if (pdb.atoms.empty()) refuse(file, "no line of it is an atom");
  return pdb;
}

}  // namespace sightline::io
