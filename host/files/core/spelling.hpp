// Keys and words as people spell them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::io {

/// How many letters have to be changed, added, left out or exchanged with their neighbour.
std::size_t edits(std::string_view a, std::string_view b);

/// "; did you mean 'x'?" of the known word with the fewest edits, or "" where none is like it.
/// `handicaps`, where given, are half edits that a known word counts beside its own.
std::string did_you_mean(std::string_view word, std::span<const std::string> known,
                         std::span<const std::size_t> handicaps = {});

/// A key as the readers know it: snake_case of camelCase ("halfExtents" is "half_extents"), and one
/// name for what has several ("pos" and "position" are "center").
std::string standard_key(std::string_view key);

}  // namespace sightline::io
