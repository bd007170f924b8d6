#include "host/program/arguments/options.hpp"

namespace sightline::cli {
namespace {

constexpr char about[] =
    "sightline: a batch ray caster whose answers are equal to the bit on every device.\n"
    "Data goes to files, words to stderr. Exit codes: 0 done, 1 a check found a difference,\n"
    "2 usage, 3 bad input, 4 device, 5 out of memory, 6 input/output, 7 a defect of ours,\n"
    "75 stopped, the same command goes on, 130 interrupted.";

}  // namespace

std::optional<int> parse_command_line(int argc, const char* const* argv, Command& command) {
  CLI::App app(about, "sightline");
  app.set_version_flag(
      "--version", "sightline " SIGHTLINE_VERSION ", answers " + std::to_string(answers_version));
  app.require_subcommand(0, 1);  // checked below, so that an unknown verb is named
  app.get_formatter()->column_width(34);
  Verbs verbs(app, command);
  add_file_verbs(verbs);
  add_query_verbs(verbs);
  add_bake_verbs(verbs);
  add_check_verbs(verbs);
  add_render_verb(verbs);
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
