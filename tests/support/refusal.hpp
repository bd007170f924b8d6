// What a call throws that must be refused.
#pragma once

#include <sightline/error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sightline::testing {

/// The words of the Error of this kind that f() throws.
template <class F>
std::string refusal(ErrorKind kind, F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

/// Expects an Error of this kind whose one sentence has every one of the words.
template <class F>
void expect_error(ErrorKind kind, const std::vector<std::string>& words, F&& f) {
  const std::string what = refusal(kind, f);
  EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  for (const std::string& word : words) {
    EXPECT_NE(what.find(word), std::string::npos) << "'" << word << "' is not in: " << what;
  }
}

}  // namespace sightline::testing
