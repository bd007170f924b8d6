#include "host/program/jobs/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace sightline::cli {

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || !(value >= 0)) return std::nullopt;
  std::string unit(end, text.data() + text.size());
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (unit.ends_with("IB")) unit.resize(unit.size() - 2);
  if (unit.ends_with("B")) unit.resize(unit.size() - 1);
  constexpr std::string_view units = "KMGT";
  if (unit.size() > 1) return std::nullopt;
  if (!unit.empty()) {
    const std::size_t power = units.find(unit[0]);
    if (power == std::string_view::npos) return std::nullopt;
    value = std::ldexp(value, 10 * (static_cast<int>(power) + 1));
  }
  if (value >= 0x1p63) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) value /= 1024, ++unit;
  if (unit == 0) return fmt::format("{} bytes", bytes);
  return fmt::format("{} bytes ({:.1f} {})", grouped(bytes), value, units[unit]);
}

std::string plain_number(double value) {
  if (value < 1e6) return fmt::format("{:.6g}", value);
  return grouped(static_cast<std::uint64_t>(std::min(std::round(value), 1e18)));
}

std::string short_number(double value) {
  constexpr std::array<const char*, 5> units = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < units.size()) value /= 1000, ++unit;
  return fmt::format("{:.3g}{}", value, units[unit]);
}

}  // namespace sightline::cli
