// Verbs that register themselves.
#include "host/program/arguments/options.hpp"

#include "tests/host/program/program.hpp"

#include <regex>

namespace sightline::cli {
namespace {

using VerbEntryTest = ProgramTest;

TEST_F(VerbEntryTest, TwoOfOneRankEndTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(VerbEntry(10, nullptr), "two verbs have rank 10");
  EXPECT_DEATH(VerbEntry(51, nullptr, "render"), "two verbs have rank 51");
  const VerbEntry other(99, nullptr, "a verb of no such name");
}

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

TEST_F(VerbEntryTest, HelpNamesThemByTheirRanks) {
  EXPECT_EQ(names_below(run({"--help"}).out, "Verbs:"),
            "info status export gen import merge cast visibility overlap distance sweep flat areas "
            "pvs exposure probes cover nav verify bench render ");
  EXPECT_EQ(names_below(run({"help", "render"}).out, "Verbs:"),
            "map row histogram areas cover nav camera ");
}

}  // namespace
}  // namespace sightline::cli
