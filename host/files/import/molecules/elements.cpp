#include "host/files/import/molecules/elements.hpp"

#include <cctype>

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

bool is_symbol(std::string_view text, std::string_view symbol) {
  if (text.size() != symbol.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::toupper(static_cast<unsigned char>(text[i])) != symbol[i]) return false;
  }
  return true;
}

}  // namespace

const Element* find_element(std::string_view symbol) {
  for (const Element& element : elements) {
    if (is_symbol(symbol, element.symbol)) return &element;
  }
  return nullptr;
}

}  // namespace sightline::io
