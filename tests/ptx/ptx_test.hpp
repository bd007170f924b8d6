// Small kernels for the interpreter's own tests.
#pragma once

#include "tests/ptx/ptx.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::ptx {

/// A kernel `test` of some parameters, each of 64 bits: `a`, `b` and so on.
inline std::string kernel_text(const std::string& body, int parameters,
                               const std::string& bounds = "", const std::string& before = "") {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n" + before + "\n.visible .entry test(";
  for (int k = 0; k < parameters; ++k) {
    text += std::string(k > 0 ? ",\n" : "\n") + ".param .u64 " + static_cast<char>('a' + k);
  }
  return text + "\n)\n" + bounds + "\n{\n" + body + "\nret;\n}\n";
}

/// Runs it over these arrays, its arguments, which are all the memory it may touch.
inline void run_text(const std::string& text, Dim grid, Dim block,
                     const std::vector<std::vector<std::uint64_t>*>& arrays) {
  Module& module = load("test.ptx", text);
  Launch what;
  what.grid = grid;
  what.block = block;
  std::vector<std::uint64_t> addresses;
  for (auto* array : arrays) {
    addresses.push_back(reinterpret_cast<std::uint64_t>(array->data()));
    what.memory.push_back({addresses.back(), addresses.back() + array->size() * 8});
  }
  std::vector<const void*> arguments;
  for (const auto& address : addresses) arguments.push_back(&address);
  std::sort(what.memory.begin(), what.memory.end(),
            [](const Range& x, const Range& y) { return x.begin < y.begin; });
  what.arguments = arguments.data();
  launch(*find_entry(module, "test"), what);
}

/// What an Error says that this throws.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// Options until the end of a scope.
class With {
 public:
  explicit With(const Options& changed) { options() = changed; }
  ~With() { options() = before_; }
  With(const With&) = delete;
  With& operator=(const With&) = delete;

 private:
  Options before_ = options();
};

}  // namespace sightline::ptx
