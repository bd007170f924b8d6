#include "host/files/core/spelling.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/progress.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace sightline::cli {
namespace {

constexpr char about[] =
    "sightline: a batch ray caster whose answers are equal to the bit on every device.\n"
    "Data goes to files, words to stderr. Exit codes: 0 done, 1 a check found a difference,\n"
    "2 usage, 3 bad input, 4 device, 5 out of memory, 6 input/output, 7 a defect of ours,\n"
    "75 stopped, resumed by the same command, 130 interrupted.";

/// Other names of options, of version 0.1 or of other verbs, which are understood.
struct OtherName {
  std::string_view verbs, option, now;
};
constexpr OtherName other_names[] = {
    {"visibility exposure", "--margin", "--margin-share"},
    {"visibility exposure", "--directions", "--view-directions"},
    {"visibility exposure areas probes distance", "--max-distance", "--range"},
    {"cover", "--directions", "--direction-count"}};

/// Help that is as wide as the terminal.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t columns) : columns_(std::max<std::size_t>(columns, 40)) {
    column_width(std::min<std::size_t>(34, columns_ / 3));
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "VERB");
  }
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const std::string help = CLI::Formatter::make_help(app, name, mode);
    return in_order(CLI::detail::find_and_replace(help, "\n\n\n", "\n\n"));
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description());
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    std::stringstream out;
    CLI::detail::format_help(out, verb->get_name(), wrapped(verb->get_description()),
                             get_column_width());
    return out.str();
  }
  std::string make_footer(const CLI::App* app) const override {
    if (app->get_footer().empty()) return "";
    const std::string footer =
        "Examples:\n  " + CLI::detail::find_and_replace(app->get_footer(), "\n", "\n  ") + "\n";
    return CLI::detail::find_and_replace(footer, "\n  \n  More", "\n\nMore");
  }

 private:
  /// Help whose groups of options are in one order, whichever was added first.
  static std::string in_order(const std::string& help) {
    const std::string order[] = {files_in, question, files_out, running};
    std::vector<std::string> parts;
    for (std::size_t begin = 0, end; begin < help.size(); begin = end) {
      end = std::min(help.find("\n\n", begin), help.size() - 2) + 2;
      parts.push_back(help.substr(begin, end - begin));
    }
    const auto rank = [&](const std::string& part) {
      return std::find(order, std::end(order), part.substr(0, part.find(':'))) - order;
    };
    const auto is_group = [&](const std::string& part) { return rank(part) < std::ssize(order); };
    const auto first = std::find_if(parts.begin(), parts.end(), is_group);
    const auto last = std::find_if_not(first, parts.end(), is_group);
    std::stable_sort(first, last, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return CLI::detail::join(parts, "");
  }
  std::string wrapped(const std::string& text) const {
    const std::size_t room = columns_ - get_column_width();
    std::istringstream words(text);
    std::string lines, word;
    for (std::size_t column = 0; words >> word; column += word.size()) {
      if (column + 1 + word.size() > room && column > 0) {
        lines += '\n';
        column = 0;
      } else if (column > 0) {
        lines += ' ';
        ++column;
      }
      lines += word;
    }
    return lines;
  }

  std::size_t columns_;
};

const CLI::App& chosen_verb(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_verb(*chosen.front());
}

/// Says in our words what CLI11 (2.3) says of an option with too few or too many values; other
/// words are left as they are.
std::string mismatch(const std::string& what) {
  const std::size_t colon = std::min(what.find(':'), what.size());
  const std::string name = what.substr(0, colon);
  int wanted = 0, given = 0;
  if (std::sscanf(what.c_str() + colon, ": At least %d required but received %d", &wanted,
                  &given) == 2) {
    return fmt::format("{}: takes {} values, not {}", name, wanted, given);
  }
  if (what.find("At Most 1 ") != std::string::npos) return name + ": is given more than once";
  if (what.ends_with(" missing")) return name + ": its value is missing";
  return what;
}

/// Without the end of a value that is longer than anyone reads.
std::string shortened(const std::string& message) {
  const std::string quoted = io::in_quotes(message, 400);
  return quoted.substr(1, quoted.size() - 2);
}

std::string message_of(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = chosen_verb(app);
  const std::vector<std::string> unknown = app.remaining(true);
  std::vector<std::string> known;
  for (const CLI::App* other : verb.get_subcommands(nullptr)) known.push_back(other->get_name());
  if (unknown.empty() && &verb != &app && !known.empty()) {
    return fmt::format("name what to {}: {}", verb.get_name(), fmt::join(known, ", "));
  }
  const bool counts = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  if (unknown.empty()) return shortened(counts ? mismatch(error.what()) : error.what());
  const std::string& word = unknown.front();
  if (word.starts_with('-')) {
    known.clear();
    // Options that all verbs have are meant less often than the verb's own: they must be nearer by
    // two letters.
    std::vector<std::size_t> handicaps;
    for (const CLI::Option* option : verb.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        known.push_back("--" + name);
        handicaps.push_back(option->get_group() == "Running" ? 3 : 0);
      }
    }
    const std::string name = word.substr(0, word.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      return fmt::format("option {} stands before its verb: options follow it", name);
    }
    return fmt::format("unknown option {}{}", shortened(name),
                       io::did_you_mean(name, known, handicaps));
  }
  const bool wants_verb = !known.empty();
  return fmt::format("{} {}{}", wants_verb ? "unknown verb" : "unexpected argument",
                     io::in_quotes(word),
                     wants_verb && word == "status" ? "; info tells how far a job is"
                                                    : io::did_you_mean(word, known));
}

/// The command line with `help VERB` as `VERB --help`, and the names that options have for other
/// ones.
std::vector<std::string> arguments_of(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const auto verb = std::ranges::find_if(words, [](const auto& word) { return word != "help"; });
  if (verb != words.begin()) {
    words.erase(words.begin(), verb);
    words.push_back("--help");
  }
  for (std::string& word : words) {
    for (const OtherName& other : other_names) {
      const std::size_t end = std::min(word.find('='), word.size());
      if (std::string_view(word).substr(0, end) != other.option) continue;
      if ((" " + std::string(other.verbs) + " ").find(" " + words[0] + " ") == std::string::npos) {
        continue;
      }
      word.replace(0, end, other.now);
      break;
    }
  }
  return words;
}

/// Says what is wrong, and reports it where the report goes to stdout: a FILE may be an input.
int refuse(const CLI::App& app, const std::vector<std::string>& words, const std::string& message) {
  const std::vector<CLI::App*> verbs = app.get_subcommands();
  const std::string verb = verbs.empty() ? "" : verbs.front()->get_name();
  const char* const space = verb.empty() ? "" : " ";
  std::fputs(fmt::format("sightline: {}\nsee: sightline help{}{}\n", message, space, verb).c_str(),
             stderr);
  const auto at = std::find(words.begin(), words.end(), "--json");
  const bool wanted = at != words.end() && at + 1 != words.end() && at[1] == "-";
  if (wanted || std::find(words.begin(), words.end(), "--json=-") != words.end()) {
    CommonArguments common;
    common.json = "-";
    const bool is_option = words[0].starts_with('-');
    try {
      Job(verb.empty() && !is_option ? words[0] : verb, common).finish(2, message);
    } catch (const Error& error) {  // stdout may be full
      std::fputs(fmt::format("sightline: {}\n", error.what()).c_str(), stderr);
    }
  }
  return 2;
}

void finish_help(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands(nullptr)) {
    verb->group("Verbs");
    verb->set_help_flag("-h,--help", "print this")->group("Running");  // again, as the last
    finish_help(*verb);
  }
}

}  // namespace

std::optional<int> parse_command_line(int argc, const char* const* argv,
                                      std::span<const VerbRow> verbs, Command& command) {
  CLI::App app(about, "sightline");
  std::string version =
      "sightline " SIGHTLINE_VERSION ", answers " + std::to_string(answers_version);
#if defined(SIGHTLINE_BUILT_FOR)
  version += "\n" SIGHTLINE_BUILT_FOR;
#endif
  app.set_version_flag("--version", version);
  const auto formatter = std::make_shared<HelpFormatter>(terminal_columns(STDOUT_FILENO));
  app.formatter(formatter);
  add_verbs(app, verbs, command);
  finish_help(app);
  const std::vector<std::string> words = arguments_of(argc, argv);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    if (app.get_subcommands().empty()) {
      std::fputs(formatter->make_subcommands(&app, CLI::AppFormatMode::Normal).c_str(), stderr);
      return refuse(app, words, "name a verb");
    }
  } catch (const CLI::ParseError& error) {
    // Of `help VERB` there must be such a verb.
    const bool is_known = std::string_view(argv[1]) != "help" || app.remaining(true).empty();
    if (error.get_exit_code() == 0 && is_known) return app.exit(error);
    return refuse(app, words, message_of(app, error));
  }
  command.verb = app.get_subcommands().front()->get_name();
  return std::nullopt;
}

}  // namespace sightline::cli
