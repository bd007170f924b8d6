// How verbs declare themselves and their options, one call an option, which also gives it its group
// in the help. CLI11, which takes long to compile, is seen by options.cpp and parse.cpp alone.
#pragma once

#include "host/program/command_line/command.hpp"

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

/// Where the value of an option goes.
struct Target {
  template <class T>
  requires(!std::is_same_v<T, Target>) Target(T& to) : at(&to) {}

  std::variant<float*, double*, int*, std::uint32_t*, std::uint64_t*, std::string*,
               std::optional<float>*, std::optional<std::uint32_t>*, std::optional<std::uint64_t>*,
               std::vector<float>*, std::vector<double>*, std::vector<int>*,
               std::vector<std::uint32_t>*, std::vector<std::uint64_t>*, std::vector<std::string>*>
      at;
};

/// An option that was added to a verb.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required(bool is = true) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  Option check(const ValueCheck& check) const;
  /// Whole numbers, which may be written as 1e6.
  Option whole(std::uint64_t least, std::uint64_t most) const;
  /// So many values, which commas separate where `with_commas`.
  Option values(int count, bool with_commas) const;
  /// Help does not tell the default.
  Option without_default() const;

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

  /// A file without an option of its own; inputs know it by `option`.
  void positional(const char* name, Inputs& to, const char* option, const char* words);
  Option positional(const char* name, std::string& to, const char* words);
  /// Any number of files, which inputs know by no option.
  void positionals(const char* name, Inputs& to, const char* words);
  Option input(const char* name, Inputs& to, const char* type, const std::string& words);
  /// -o, which must be given.
  void output(std::string& to, const char* type, const char* words);
  Option output(const char* name, std::string& to, const char* type, const char* words);
  Option text(const char* name, std::string& to, const char* type, const char* words);
  Option flag(const char* name, bool& to, const char* words);
  /// A number, or several.
  Option value(const char* name, Target to, const ValueCheck& check, const char* type,
               const std::string& words);
  Option number(const char* name, Target to, const Limits& limits, const char* type,
                const std::string& words) {
    return value(name, to, within(limits), type, words);
  }
  /// A whole number, or several; it may be written as 1e6.
  Option count(const char* name, Target to, std::uint64_t least, std::uint64_t most,
               const char* type, const std::string& words);
  /// Values that commas separate.
  Option list(const char* name, Target to, const char* type, const char* words);
  /// One of these names.
  template <class T>
  Option choice(const char* name, T& to, const Choices<T>& values, const char* type,
                const std::string& words) {
    std::vector<std::string> names;
    for (const auto& [value_name, value] : values) names.push_back(value_name);
    return choose(
        name, names, [&to, values](std::size_t i) { to = values[i].second; }, type, words);
  }
  Option one_of(const char* name, std::string& to, const std::vector<std::string>& names,
                const char* type, const char* words);
  /// A number, or the name of a file, which is an input.
  void number_or_file(const char* name, std::optional<float>& to, Inputs& file,
                      const Limits& limits, const char* type, const char* words);

  // What several verbs share.
  void scene(Inputs& to) { positional("SCENE", to, "--scene", "scene"); }
  void rays(Inputs& to, bool directions_alone = false);
  /// How wide and how far viewpoints see in their directions, and in which shape: of verify the
  /// result says it.
  void fields(Inputs& to, bool verifies = false);
  void range(float& to, const char* name = "--range");
  Option inside(Inside& to);
  void normals(bool& to);
  Option picture(std::string& to, const char* words);

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
  Option choose(const char* name, const std::vector<std::string>& names,
                const std::function<void(std::size_t)>& take, const char* type,
                const std::string& words, const char* group = "Question");

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
  void (*add)(Verb&);                            ///< its work and its options
  std::vector<MakeResult> (*kinds)() = nullptr;  ///< of results, where it writes any
  std::span<const VerbRow> below = {};           ///< verbs of its own, one of which must be named
};
void add_verbs(CLI::App& to, std::span<const VerbRow> rows, Command& command);

}  // namespace sightline::cli
