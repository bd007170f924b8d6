// The scanner and nlohmann's own parser make the same of every text.
#include "host/files/core/json_scanner.hpp"

#include "host/gen/random.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::io {
namespace {

using nlohmann::json;

/// The events as a text; numbers to the bit.
struct Events {
  std::string all;

  bool add(const std::string& event) {
    all += event + ';';
    return true;
  }
  bool null() { return add("null"); }
  bool boolean(bool b) { return add(b ? "true" : "false"); }
  bool number_integer(std::int64_t v) { return add("i" + std::to_string(v)); }
  bool number_unsigned(std::uint64_t v) { return add("u" + std::to_string(v)); }
  bool number_float(double v, const std::string&) {
    return add("f" + std::to_string(std::bit_cast<std::uint64_t>(v)));
  }
  bool string(const std::string& s) { return add("s" + s); }
  bool binary(json::binary_t&) { return add("b"); }
  bool start_object(std::size_t) { return add("{"); }
  bool key(const std::string& s) { return add("k" + s); }
  bool end_object() { return add("}"); }
  bool start_array(std::size_t) { return add("["); }
  bool end_array() { return add("]"); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) { return false; }
};

void expect_same(const std::string& text, std::uint64_t& accepted) {
  Events own, other;
  const bool taken = JsonScanner(text, own).scan();
  ASSERT_EQ(taken, json::sax_parse(text.data(), text.data() + text.size(), &other)) << text;
  if (!taken) return;
  ASSERT_EQ(own.all, other.all) << text;
  ++accepted;
}

TEST(JsonScanner, AgreesOnChosenTexts) {
  std::uint64_t accepted = 0;
  const char* const texts[] = {"",
                               " ",
                               "{}",
                               "[]",
                               " [ ] ",
                               "[1,]",
                               "[,1]",
                               "{,}",
                               "{\"a\"}",
                               "{\"a\":1,}",
                               "[1 2]",
                               "[1]]",
                               "0",
                               "-0",
                               "-0.0",
                               "00",
                               "01",
                               "-",
                               "-1",
                               "+1",
                               "1.",
                               ".5",
                               "1e",
                               "1e+",
                               "1E5",
                               "1e-5",
                               "0x1",
                               "1e400",
                               "-1e400",
                               "1e-400",
                               "-0.1e-324",
                               "2e-324",
                               "0.00000000000000000000000000000000000001e-300",
                               "1e-99999999999999999999",
                               "1e99999999999999999999",
                               "0.01e+99999999999999999999",
                               "4.9e-324",
                               "1e-40",
                               "18446744073709551615",
                               "nan",
                               "inf",
                               "18446744073709551616",
                               "-9223372036854775808",
                               "-9223372036854775809",
                               "1.7976931348623157e308",
                               "1.7976931348623159e308",
                               "0.1",
                               "123456789012345678901234567890.5e-10",
                               "true",
                               "tru",
                               "nulL",
                               "\"\\u00e9\\n\"",
                               "\"\\ud83d\\ude00\"",
                               "\"\\ud83d\"",
                               "\"\\q\"",
                               "\"a\nb\"",
                               "\"\xc3\xa9\"",
                               "\"\xc3\"",
                               "\"open",
                               "\"\\\"",
                               "\"\\",
                               "\xEF\xBB\xBF{}",
                               "\xEF\xBB{}",
                               "{\"a\\u0041\":\"\\\"\"}",
                               "/* c */ 1",
                               "{\"a\":{\"b\":[null,true,false,1,-2,3.5,\"x\"]}}"};
  for (const char* text : texts) expect_same(text, accepted);
  EXPECT_GT(accepted, 20u);
}

TEST(JsonScanner, AgreesOnDamagedTexts) {
  const std::string good =
      R"({"a": [0.5, -12, 18446744073709551615, 1e-7, 2.5E+3], "b\\n\u00e9": {"c": null}, "d": true})";
  constexpr std::string_view meaning = "{}[]\",:\\ -+.0123456789eEtrufalsn";
  std::uint64_t accepted = 0;
  const std::uint64_t cases = scaled(200'000);
  for (std::uint64_t i = 0; i < cases; ++i) {
    gen::Draws draws(1, 0x15, i);
    std::string text = good;
    for (std::uint64_t n = 1 + draws.below(3); n > 0 && !text.empty(); --n) {
      const std::uint64_t at = draws.below(text.size()), how = draws.below(8);
      if (how < 5) text[at] = meaning[draws.below(meaning.size())];
      if (how == 5) text[at] = static_cast<char>(1 + draws.below(255));  // zeros end nlohmann's
      if (how == 6) text.erase(at, 1 + draws.below(3));
      if (how == 7) text.insert(at, text.substr(draws.below(text.size()), draws.below(20)));
    }
    expect_same(text, accepted);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(accepted, cases / 20);
}

}  // namespace
}  // namespace sightline::io
