// Numbers as people write and read them: sizes of memory and large counts.
#pragma once

#include "host/files/core/words.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::cli {

/// "4096", "256M", "1.5G", "64KiB": a number and a binary unit (K = 1024); nothing when it is
/// neither or does not fit in 64 bits.
std::optional<std::uint64_t> parse_bytes(std::string_view text);
/// "268,435,456 bytes (256.0 MiB)".
std::string format_bytes(std::uint64_t bytes);
using io::agreeing;
using io::grouped;
using io::plural;
/// "25,753,300", "0.0213": six digits, and no exponents of large numbers.
std::string plain_number(double value);
/// "12.3 M" for rates; "0.95".
std::string short_number(double value);

}  // namespace sightline::cli
