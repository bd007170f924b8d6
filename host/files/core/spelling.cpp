#include "host/files/core/spelling.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>
#include <utility>

namespace sightline::io {
namespace {

constexpr std::size_t longest_word = 64;  // the work grows with its square

/// Other names of keys.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"position", "center"}, {"pos", "center"}, {"half_size", "half_extents"}, {"dir", "direction"}};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

// Source: the optimal string alignment distance, L. Boytsov, "Indexing methods for approximate
// dictionary searching", 2011.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = above;
    above = row;
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (a[i] != b[j]), above[j + 1] + 1, row[j] + 1});
      const bool exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (exchanged) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row[b.size()];
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known,
                         std::span<const std::size_t> handicaps) {
  if (word.size() > longest_word) return "";
  const std::size_t letters = word.size() - std::min(word.size(), word.find_first_not_of('-'));
  const std::size_t most = std::min(1 + letters / 3, std::max<std::size_t>(letters, 1) - 1);
  std::size_t least = std::numeric_limits<std::size_t>::max();
  const std::string* nearest = nullptr;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::size_t own = edits(word, known[i]);
    const std::size_t all = 2 * own + (handicaps.empty() ? 0 : handicaps[i]);
    if (own > most || all >= least) continue;
    least = all;
    nearest = &known[i];
  }
  return nearest == nullptr ? "" : "; did you mean '" + *nearest + "'?";
}

std::string standard_key(std::string_view key) {
  std::string name;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char c = key[i];
    const bool begins_word = is_upper(c) && i > 0 && !is_upper(key[i - 1]) && key[i - 1] != '_' &&
                             key[i - 1] != '-' && key[i - 1] != ' ' && key[i - 1] != '.';
    if (begins_word) name += '_';
    name +=
        c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const auto& [other, standard] : other_names) {
    if (name == other) return std::string(standard);
  }
  return name;
}

}  // namespace sightline::io
