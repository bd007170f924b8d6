// Words of others as they go into messages.
#include "host/files/core/file.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

/// The bytes of the character that the text begins with; 0 where they are no UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t n = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  if (n > text.size()) return 0;
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Longer than need be, a surrogate, or beyond the last character.
  const bool no_character =
      n > 2 && ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
                (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F));
  return no_character ? 0 : n;
}

/// A terminal may obey it: the two blocks of control characters.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  return first < 0x20 || first == 0x7F ||
         (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

}  // namespace

std::string in_quotes(std::string_view text, std::size_t most) {
  std::string out = "'";
  for (std::size_t n = 0; !text.empty() && n < most; ++n) {
    const std::size_t bytes = character_bytes(text);
    const std::string_view character = text.substr(0, bytes);
    if (bytes == 0 || is_control(character)) {
      out += '?';
    } else {
      out += character;
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out + (text.empty() ? "'" : "...'");
}

}  // namespace sightline::io
