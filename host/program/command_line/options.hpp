// How verbs declare themselves and their options, one call an option, which also gives it its group
// in the help. CLI11, which takes long to compile, is seen by options.cpp and parse.cpp alone.
#pragma once

#include "host/program/jobs/job.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <variant>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sightline::cli {

/// A command line that was read: a verb with its arguments.
struct Command {
  std::string verb;
  CommonArguments common;
  std::function<int(Job&)> run;  ///< the verb with its arguments; returns the exit code
  /// The output, where a stopped run can be resumed; else none.
  std::function<std::string()> resumable;
};

/// What a float may be; it is never NaN.
struct Limits {
  float least, most;
  const char* words;  ///< "a number of at least 0"
};
inline constexpr Limits not_negative{0, infinity, "a number of at least 0"};
inline constexpr Limits any_length{0, domain_limit, "a number from 0 to 2^40"};
inline constexpr Limits coordinate{-domain_limit, domain_limit, "a number from -2^40 to 2^40"};
inline constexpr std::uint64_t unlimited =
    std::numeric_limits<std::uint64_t>::max();          ///< of a count
inline constexpr std::uint64_t most_bits = 0xFFFFFFFF;  ///< of a mask

/// Says what is wrong with a value, or "".
using ValueCheck = std::function<std::string(std::string&)>;
ValueCheck within(const Limits& limits);
ValueCheck not_empty();
ValueCheck member(const std::vector<std::string>& names);

using Inputs = std::vector<NamedFile>;
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

/// Takes the value of an option, or all of its values.
using Take = std::function<void(const std::string&)>;
using TakeAll = std::function<void(const std::vector<std::string>&)>;

/// Where the value of an option goes.
struct Target {
  using At = std::variant<float*, double*, std::uint32_t*, std::uint64_t*, int*, std::string*,
                          std::optional<float>*, std::optional<std::uint32_t>*,
                          std::optional<std::uint64_t>*, std::vector<float>*, std::vector<double>*,
                          std::vector<int>*, std::vector<std::uint32_t>*, std::vector<std::string>*,
                          Take, TakeAll>;
  template <class T>
  requires std::is_constructible_v<At, T*> Target(T& to) : at(&to) {}
  Target(Take take) : at(std::move(take)) {}
  Target(TakeAll take) : at(std::move(take)) {}

  At at;
};

/// The groups of options in the help.
inline constexpr const char *files_in = "Input", *question = "Query", *files_out = "Output",
                            *running = "Running", *no_group = "Options";

/// An option that was added to a verb.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required(bool is = true) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  Option check(const ValueCheck& check) const;
  /// What the check makes of the value is taken.
  Option transform(const ValueCheck& check) const;
  /// Whole numbers, which may be written as 1e6.
  Option whole(std::uint64_t least, std::uint64_t most) const;
  /// So many values, which commas separate where `with_commas`.
  Option values(int count, bool with_commas) const;
  /// Values that commas separate.
  Option with_commas() const;
  /// The default that help tells, or none.
  Option told_default(const std::string& words) const;
  Option without_default() const { return told_default(""); }

 private:
  CLI::Option* option_;
};

/// A verb that is being added, its work and its options.
class Verb {
 public:
  Verb(CLI::App& verb, Command& command) : app_(verb), command_(command) {}

  /// The work, and examples of it: work(job, arguments) returns the exit code, 0 or 1; all else is
  /// thrown. Returns the arguments, to which the options go.
  template <class Arguments, class Run>
  Arguments& runs(Run work, const char* lines) {
    const auto arguments = std::make_shared<Arguments>();
    std::function<std::string()> resumable;
    if constexpr (requires { arguments->resume; }) {
      resumable = [arguments] { return arguments->file(); };
    }
    set_run([=](Job& job) { return work(job, *arguments); }, resumable, lines);
    return *arguments;
  }
  /// Of a verb that has verbs.
  void examples(const char* lines);

  /// Any option; text may not be empty.
  Option add(const char* name, Target to, const char* type, const std::string& words,
             const char* group = question);
  Option flag(const char* name, bool& to, const char* words, const char* group = question);
  /// Calls `given` where the flag is.
  Option flag(const char* name, const std::function<void()>& given, const char* words,
              const char* group);

  Option positional(const char* name, std::string& to, const char* words) {
    return add(name, to, "", words, no_group).required();
  }
  /// A file without an option of its own; inputs know it by `option`.
  void positional(const char* name, Inputs& to, const char* option, const char* words) {
    add(name, named(to, option), "", words, no_group).required().check(not_empty());
  }
  /// Any number of files, which inputs know by no option.
  void positionals(const char* name, Inputs& to, const char* words);
  Option input(const char* name, Inputs& to, const char* type, const std::string& words) {
    return add(name, named(to, name), type, words, files_in).check(not_empty());
  }
  Option output(const char* name, std::string& to, const char* type, const char* words) {
    return add(name, to, type, words, files_out);
  }
  /// -o, which must be given.
  void output(std::string& to, const char* type, const char* words) {
    output("-o,--output", to, type, words).required();
  }
  /// A number, or several.
  Option number(const char* name, Target to, const Limits& limits, const char* type,
                const std::string& words) {
    return add(name, std::move(to), type, words).check(within(limits));
  }
  /// A whole number.
  Option count(const char* name, Target to, std::uint64_t least, std::uint64_t most,
               const char* type, const std::string& words) {
    return add(name, std::move(to), type, words).whole(least, most);
  }
  /// One of these names.
  template <class T>
  Option choice(const char* name, T& to, const Choices<T>& values, const char* type,
                const std::string& words, const char* group = question) {
    std::vector<std::string> names;
    for (const auto& [value_name, value] : values) names.push_back(value_name);
    const Take take = [&to, values](const std::string& text) {
      for (const auto& [value_name, value] : values) {
        if (value_name == text) to = value;
      }
    };
    return add(name, take, type, words, group).check(member(names));
  }
  /// A number, or the name of a file, which is an input.
  void number_or_file(const char* name, std::optional<float>& to, Inputs& file,
                      const Limits& limits, const char* type, const char* words);

  // What several verbs share.
  void scene(Inputs& to) { positional("SCENE", to, "--scene", "scene"); }
  void rays(Inputs& to, bool directions_alone = false);
  /// How wide and how far viewpoints see in their directions, and in which shape: of verify the
  /// result says it.
  void fields(Inputs& to, bool verifies = false);
  void range(float& to) {
    number("--range", to, not_negative, "R", "farthest sight, in scene units; default inf");
  }
  Option inside(Inside& to);
  Option side(Side& to);
  void normals(bool& to) { flag("--normals", to, "also write outward unit normals"); }
  Option picture(std::string& to, const char* words) {
    return output("--picture", to, "P.png", words);
  }

  void report();
  void dry_run();
  void device(const char* words = "auto, reference (brute force), cpu, cuda or cuda:i");
  /// One or several.
  void devices();
  void threads();
  void lanes();
  /// Of several rows of a table.
  void lanes(std::vector<Lanes>& to);
  void max_memory();
  /// Where the work is done, within which memory, and what is told of it: of every verb that has a
  /// device.
  void run(bool on_devices = false);
  /// What all verbs that write results of any length have.
  void job(ResultArguments& to);
  /// Of what may be large.
  void yes();
  void bake(ResultArguments& to) { yes(), job(to); }

 private:
  /// A file of this option, or of the first of these.
  static Take named(Inputs& to, const std::string& options) {
    return [&to, option = options.substr(0, options.find(','))](const std::string& file) {
      to.push_back({option, file});
    };
  }
  void set_run(const std::function<int(Job&)>& work, const std::function<std::string()>& resumable,
               const char* lines);

  CLI::App& app_;
  Command& command_;
};

class Result;
using MakeResult = std::unique_ptr<Result> (*)();

/// A verb in a table, whose order is that of the help.
struct VerbRow {
  const char* name;
  const char* words;
  const char* page;                              ///< in docs/, which the help names
  void (*add)(Verb&);                            ///< its work and its options
  std::vector<MakeResult> (*kinds)() = nullptr;  ///< of results, where it writes any
  std::span<const VerbRow> below = {};           ///< verbs of its own, one of which must be named
};
void add_verbs(CLI::App& to, std::span<const VerbRow> rows, Command& command);

/// Reads the command line. Returns an exit code when there is nothing left to do: 0 after --help
/// and --version, 2 after a usage error, which has been reported.
std::optional<int> parse_command_line(int argc, const char* const* argv,
                                      std::span<const VerbRow> verbs, Command& command);

}  // namespace sightline::cli
