// A font of 5 x 9 dots, enough for numbers, units and captions.
#include "host/files/pictures/canvas.hpp"

#include <array>
#include <cctype>

namespace sightline::io {
namespace {

/// Nine rows from the top, two of them below the baseline; bit 4 is the leftmost dot.
struct Glyph {
  char character;
  std::array<std::uint8_t, 9> rows;
};

constexpr Glyph font[] = {
    {'0', {14, 17, 17, 21, 17, 17, 14, 0, 0}}, {'1', {4, 12, 20, 4, 4, 4, 31, 0, 0}},
    {'2', {14, 17, 1, 2, 4, 8, 31, 0, 0}},     {'3', {30, 1, 1, 14, 1, 1, 30, 0, 0}},
    {'4', {2, 6, 10, 18, 31, 2, 2, 0, 0}},     {'5', {31, 16, 30, 1, 1, 17, 14, 0, 0}},
    {'6', {6, 8, 16, 30, 17, 17, 14, 0, 0}},   {'7', {31, 1, 2, 4, 4, 8, 8, 0, 0}},
    {'8', {14, 17, 17, 14, 17, 17, 14, 0, 0}}, {'9', {14, 17, 17, 15, 1, 2, 12, 0, 0}},
    {'.', {0, 0, 0, 0, 0, 12, 12, 0, 0}},      {',', {0, 0, 0, 0, 0, 12, 4, 8, 0}},
    {'-', {0, 0, 0, 14, 0, 0, 0, 0, 0}},       {'+', {0, 4, 4, 31, 4, 4, 0, 0, 0}},
    {'%', {25, 25, 2, 4, 8, 19, 19, 0, 0}},    {'/', {1, 2, 2, 4, 8, 8, 16, 0, 0}},
    {':', {0, 12, 12, 0, 12, 12, 0, 0, 0}},    {'(', {2, 4, 8, 8, 8, 4, 2, 0, 0}},
    {')', {8, 4, 2, 2, 2, 4, 8, 0, 0}},        {'a', {0, 0, 14, 1, 15, 17, 15, 0, 0}},
    {'b', {16, 16, 30, 17, 17, 17, 30, 0, 0}}, {'c', {0, 0, 15, 16, 16, 16, 15, 0, 0}},
    {'d', {1, 1, 15, 17, 17, 17, 15, 0, 0}},   {'e', {0, 0, 14, 17, 31, 16, 14, 0, 0}},
    {'f', {6, 8, 28, 8, 8, 8, 8, 0, 0}},       {'g', {0, 0, 15, 17, 17, 17, 15, 1, 14}},
    {'h', {16, 16, 30, 17, 17, 17, 17, 0, 0}}, {'i', {4, 0, 12, 4, 4, 4, 14, 0, 0}},
    {'j', {2, 0, 6, 2, 2, 2, 2, 18, 12}},      {'k', {16, 16, 18, 20, 24, 20, 18, 0, 0}},
    {'l', {12, 4, 4, 4, 4, 4, 14, 0, 0}},      {'m', {0, 0, 26, 21, 21, 21, 21, 0, 0}},
    {'n', {0, 0, 30, 17, 17, 17, 17, 0, 0}},   {'o', {0, 0, 14, 17, 17, 17, 14, 0, 0}},
    {'p', {0, 0, 30, 17, 17, 17, 30, 16, 16}}, {'q', {0, 0, 15, 17, 17, 17, 15, 1, 1}},
    {'r', {0, 0, 22, 25, 16, 16, 16, 0, 0}},   {'s', {0, 0, 15, 16, 14, 1, 30, 0, 0}},
    {'t', {8, 8, 28, 8, 8, 8, 6, 0, 0}},       {'u', {0, 0, 17, 17, 17, 17, 15, 0, 0}},
    {'v', {0, 0, 17, 17, 17, 10, 4, 0, 0}},    {'w', {0, 0, 17, 21, 21, 21, 10, 0, 0}},
    {'x', {0, 0, 17, 10, 4, 10, 17, 0, 0}},    {'y', {0, 0, 17, 17, 17, 17, 15, 1, 14}},
    {'z', {0, 0, 31, 2, 4, 8, 31, 0, 0}},
};

const Glyph* glyph_of(char c) {
  const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const Glyph& glyph : font) {
    if (glyph.character == lower) return &glyph;
  }
  return nullptr;
}

}  // namespace

void draw_text(Canvas& canvas, Pixel at, int size, std::string_view text, Color color) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Glyph* glyph = glyph_of(text[i]);
    for (int y = 0; glyph != nullptr && y < 9; ++y) {
      for (int x = 0; x < 5; ++x) {
        if ((glyph->rows[static_cast<std::size_t>(y)] >> (4 - x) & 1) == 0) continue;
        const Pixel low = {at.x + size * (6.0 * static_cast<double>(i) + x), at.y + size * y};
        fill_rectangle(canvas, low, {low.x + size, low.y + size}, color);
      }
    }
  }
}

int text_width(int size, std::string_view text) {
  return size * (6 * static_cast<int>(text.size()) - 1);
}

}  // namespace sightline::io
