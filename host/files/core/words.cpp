#include "host/files/core/words.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

/// The first word that ends in s, without its ending.
std::string singular(std::string_view many) {
  std::size_t begin = 0;
  while (begin < many.size()) {
    const std::size_t end = std::min(many.find(' ', begin), many.size());
    const std::string_view word = many.substr(begin, end - begin);
    const auto with = [&](std::size_t lost, std::string_view ending) {
      return std::string(many.substr(0, end - lost)) + std::string(ending) +
             std::string(many.substr(end));
    };
    if (word.ends_with("ies")) return with(3, "y");
    if (word.ends_with("xes")) return with(2, "");
    if (word.ends_with('s')) return with(1, "");
    begin = end + 1;
  }
  return std::string(many);
}

}  // namespace

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string plural(std::uint64_t n, std::string_view many) {
  return n == 1 ? "1 " + singular(many) : grouped(n) + " " + std::string(many);
}

}  // namespace sightline::io
