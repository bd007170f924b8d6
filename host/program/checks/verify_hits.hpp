// verify: hits as bytes and as words.
#pragma once

#include "host/program/checks/verify.hpp"

#include <string>

namespace sightline::cli {

/// Whether hit i of the file and hit k of the truth are the same bytes: they are what is promised,
/// and equal floats may differ in them.
bool same_hit(const io::HitsBuffer& file, std::size_t i, const io::HitsBuffer& truth,
              std::size_t k);

/// "t 1.5 id 7 flags 1"; with the normal where there are any.
std::string words_of(const io::HitsBuffer& hits, std::size_t i);

/// The hits of these elements of the sample, in their order.
io::HitsBuffer read_hits(const Sample& sample, const io::ResultReader& result,
                         const std::vector<std::uint64_t>& index);
/// Compares them with the truth; `one` says what an element is.
void compare_hits(const char* one, const std::vector<std::uint64_t>& index,
                  const io::HitsBuffer& file, const io::HitsBuffer& truth,
                  Differences& differences);

}  // namespace sightline::cli
