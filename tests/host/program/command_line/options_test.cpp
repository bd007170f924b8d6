// The table of verbs, as the help shows it.
#include "tests/host/program/program.hpp"

#include <regex>
#include <sstream>

namespace sightline::cli {
namespace {

using VerbsTest = ProgramTest;

/// The names that begin the lines of a section.
std::string names_below(const std::string& help, const std::string& section) {
  std::string names;
  const std::string rest = help.substr(std::min(help.find(section), help.size()));
  const std::string lines = rest.substr(0, rest.find("\n\n"));
  static const std::regex name("\n  ([a-z]+)");
  for (std::sregex_iterator at(lines.begin(), lines.end(), name), end; at != end; ++at) {
    names += (*at)[1].str() + " ";
  }
  return names;
}

TEST_F(VerbsTest, HelpNamesThemInTheirOrder) {
  EXPECT_EQ(names_below(run({"--help"}).out, "Verbs:"),
            "info export gen import merge cast visibility overlap distance sweep flat areas "
            "pvs exposure probes cover nav verify bench render view ");
  EXPECT_EQ(names_below(run({"help", "render"}).out, "Verbs:"), "map row areas cover nav ");
}

// Examples of another verb, or options in another order, help nobody.
TEST_F(VerbsTest, HelpEndsWithExamplesOfTheVerbItself) {
  const auto expect_own = [&](const Arguments& verb) {
    const std::string help = run(verb + Arguments{"--help"}).out;
    std::string name;
    for (const std::string& word : verb) name += " " + word;
    const std::size_t begin = help.find("Examples:\n");
    ASSERT_NE(begin, std::string::npos) << name;
    std::istringstream lines(help.substr(begin));
    std::string line;
    int examples = 0;
    std::getline(lines, line);
    for (; std::getline(lines, line) && !line.empty(); ++examples) {
      EXPECT_TRUE((line + " ").starts_with("  sightline" + name + " ")) << name << ": " << line;
    }
    EXPECT_GT(examples, 0) << name;
    EXPECT_TRUE(std::getline(lines, line) && line.starts_with("More: docs/")) << name;
  };
  const auto each = [](const std::string& names, const auto& use) {
    std::istringstream words(names);
    for (std::string name; words >> name;) use(name);
  };
  each(names_below(run({"--help"}).out, "Verbs:"), [&](const auto& v) { expect_own({v}); });
  each(names_below(run({"help", "render"}).out, "Verbs:"), [&](const auto& v) {
    expect_own({"render", v});
    const std::string help = run({"render", v, "--help"}).out;
    EXPECT_LT(help.find("\nArguments:"), help.find("\nOutput:")) << v;
    EXPECT_LT(help.find("\nOutput:"), help.find("\nRunning:")) << v;
    if (const std::size_t asked = help.find("\nQuery:"); asked != std::string::npos) {
      EXPECT_LT(asked, help.find("\nOutput:")) << v;
    }
  });
}

}  // namespace
}  // namespace sightline::cli
