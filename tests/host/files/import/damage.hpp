// Damage to text files, and what importers may do with it.
#pragma once

#include "host/gen/random.hpp"
#include "tests/support/scale.hpp"

#include <sightline/error.hpp>

#include <gtest/gtest.h>

namespace sightline::io {

/// Writes bytes that mean something or nothing, takes some out, cuts the end off.
inline void damage(std::string& text, gen::Draws& draws) {
  constexpr std::string_view meaning =
      " \n\r\t-.0123456789012345678901234567890123456789eEnafiX*AB[](){}=;,\"\\/";
  for (std::uint64_t n = 1 + draws.below(2); n > 0 && !text.empty(); --n) {
    const std::uint64_t at = draws.below(text.size()), how = draws.below(16);
    if (how < 9) {
      text[at] = meaning[draws.below(meaning.size())];
    } else if (how < 12) {
      text[at] = static_cast<char>(draws.bits());
    } else if (how < 14) {
      text.erase(at, 1 + draws.below(3));
    } else if (how < 15) {
      text.insert(at, text.substr(draws.below(text.size()), draws.below(90)));
    } else {
      text.resize(at);
    }
  }
}

inline constexpr std::uint64_t million = 1'000'000;

/// `share`: at least one of so many cases must be read, and one refused.
template <class Read>
void expect_read_or_refused(const std::string& good, std::uint64_t stream, std::uint64_t n,
                            Read read, std::uint64_t share = 10) {
  const std::uint64_t cases = scaled(n);
  std::uint64_t taken = 0, refused = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    gen::Draws draws(1, stream, i);
    std::string text = good;
    damage(text, draws);
    try {
      read(text);
      ++taken;
    } catch (const Error& e) {
      ASSERT_EQ(e.kind(), ErrorKind::bad_input) << e.what();
      // Begins with the file that is meant.
      ASSERT_TRUE(std::string(e.what()).starts_with("damaged: ") ||
                  std::string(e.what()).starts_with("res://"))
          << e.what();
      ++refused;
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
  // Both must happen, or the damage is too heavy or too light to mean anything.
  EXPECT_GT(taken, cases / share);
  EXPECT_GT(refused, cases / share);
}

}  // namespace sightline::io
