// Words of others in messages: cut between characters, and nothing that a terminal obeys.
#include "host/files/core/file.hpp"

#include <gtest/gtest.h>

namespace sightline::io {
namespace {

/// Of characters that are not shown; a trigraph would be in the literal.
std::string marks(std::size_t count) { return "'" + std::string(count, '?') + "'"; }

TEST(InQuotes, AreCutBetweenCharacters) {
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("abc", 3), "'abc'");
  EXPECT_EQ(in_quotes("abcd", 3), "'abc...'");
  EXPECT_EQ(in_quotes("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z", 3),
            "'\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80...'");
  EXPECT_EQ(in_quotes(std::string(5'000'000, '7')), "'" + std::string(60, '7') + "...'");
}

TEST(InQuotes, HoldNoControlsAndNothingButText) {
  EXPECT_EQ(in_quotes("a\x1B[1m\n\x7F"), "'a?[1m" + marks(2).substr(1));
  EXPECT_EQ(in_quotes("\xC2\x9B\xC2\xA0"), "'?\xC2\xA0'");  // the second block of controls
  EXPECT_EQ(in_quotes("\xFF"
                      "a\xC3"),
            "'?a?'");
  EXPECT_EQ(in_quotes("\xC0\xAF"), marks(2));  // longer than need be
  EXPECT_EQ(in_quotes("\xE0\x80\x80\xF0\x80\x80\x80"), marks(7));
  EXPECT_EQ(in_quotes("\xED\xA0\x80"), marks(3));      // a surrogate
  EXPECT_EQ(in_quotes("\xF4\x90\x80\x80"), marks(4));  // beyond the last character
}

}  // namespace
}  // namespace sightline::io
