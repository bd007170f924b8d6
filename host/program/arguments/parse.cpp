#include "host/program/arguments/verbs.hpp"

#include <CLI/CLI.hpp>

#include <tuple>

namespace sightline::cli {
namespace {

constexpr char about[] =
    "sightline: a batch ray caster whose answers are equal to the bit on every device.\n"
    "Data goes to files, words to stderr. Exit codes: 0 done, 1 a check found a difference,\n"
    "2 usage, 3 bad input, 4 device, 5 out of memory, 6 input/output, 7 a defect of ours,\n"
    "75 stopped, the same command goes on, 130 interrupted.";

/// A tuple of what a variant may hold.
template <class Variant>
struct AllOf;
template <class... Ts>
struct AllOf<std::variant<Ts...>> {
  using Type = std::tuple<Ts...>;
};

}  // namespace

std::optional<int> parse_command_line(int argc, const char* const* argv, Command& command) {
  CLI::App app(about, "sightline");
  app.set_version_flag(
      "--version", "sightline " SIGHTLINE_VERSION ", answers " + std::to_string(answers_version));
  app.require_subcommand(0, 1);  // checked below, so that an unknown verb is named
  app.get_formatter()->column_width(34);
  AllOf<decltype(command.arguments)>::Type all;
  const auto add = [&](auto& arguments) {
    add_verb(app, arguments, command.common);
    app.get_subcommands({}).back()->final_callback([&] { command.arguments = arguments; });
  };
  std::apply([&](auto&... arguments) { (add(arguments), ...); }, all);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A verb");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  command.verb = app.get_subcommands().front()->get_name();
  return std::nullopt;
}

}  // namespace sightline::cli
