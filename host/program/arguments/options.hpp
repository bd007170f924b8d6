// How verbs declare their options: one call an option, which also gives it its group in the help.
#pragma once

#include "host/program/arguments/arguments.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

namespace sightline::cli {

/// What a float may be; it is never NaN.
struct Limits {
  float least, most;
  const char* words;  ///< "a number of at least 0"
};
inline constexpr Limits not_negative{0, infinity, "a number of at least 0"};
inline constexpr Limits length{0, domain_limit, "a number from 0 to 2^40"};
inline constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();  ///< of a count
inline constexpr std::uint64_t most_bits = 0xFFFFFFFF;                           ///< of a mask
inline constexpr Limits coordinate{-domain_limit, domain_limit, "a number from -2^40 to 2^40"};

CLI::Validator within(const Limits& limits);
CLI::Validator not_empty();
CLI::Validator member(const std::vector<std::string>& names);
/// A whole number, which may be written as 1e6.
CLI::Validator whole(std::uint64_t least, std::uint64_t most);

using Inputs = std::vector<NamedFile>;

/// A verb whose options are being added.
class Verb {
 public:
  Verb(CLI::App& verb, CommonArguments& common) : app(verb), common_(common) {}

  CLI::App& app;

  /// A file without an option of its own; inputs know it by `option`.
  void positional(const char* name, Inputs& to, const char* option, const char* words);
  void positional(const char* name, std::string& to, const char* words);
  CLI::Option* input(const char* name, Inputs& to, const char* type, const std::string& words);
  /// -o, which must be given.
  void output(std::string& to, const char* type, const char* words);
  CLI::Option* output(const char* name, std::string& to, const char* type, const char* words);
  CLI::Option* text(const char* name, std::string& to, const char* type, const char* words);
  CLI::Option* flag(const char* name, bool& to, const char* words);
  /// A float, or several.
  template <class T>
  CLI::Option* number(const char* name, T& to, const Limits& limits, const char* type,
                      const std::string& words) {
    return add(name, to, type, words)->check(within(limits));
  }
  /// A whole number, or several.
  template <class T>
  CLI::Option* count(const char* name, T& to, std::uint64_t least, std::uint64_t most,
                     const char* type, const std::string& words) {
    return add(name, to, type, words)->transform(whole(least, most));
  }
  /// 32 bits, a seed, or a file's name: as CLI11 reads the type.
  template <class T>
  CLI::Option* add(const char* name, T& to, const char* type, const std::string& words,
                   const char* group = "Question") {
    CLI::Option* option = app.add_option(name, to, words)->type_name(type)->group(group);
    if constexpr (std::is_arithmetic_v<T>) {
      if (!std::numeric_limits<T>::has_infinity || std::isfinite(to)) option->capture_default_str();
    }
    if constexpr (std::is_same_v<T, std::string>) option->check(not_empty());
    return option;
  }
  /// Values that commas separate.
  template <class T>
  CLI::Option* list(const char* name, std::vector<T>& to, const char* type,
                    const std::string& words) {
    return add(name, to, type, words)->delimiter(',')->allow_extra_args(false);
  }
  /// One of these names, or several of them.
  template <class T, class E>
  CLI::Option* choice(const char* name, T& to, const std::vector<std::pair<std::string, E>>& values,
                      const char* type, const std::string& words, const char* group = "Question") {
    std::vector<std::string> names;
    for (const auto& [value_name, value] : values) names.push_back(value_name);
    CLI::Option* option = app.add_option(name, to, words)->type_name(type)->group(group);
    option->transform(CLI::Transformer(values).description(""));
    return option->transform(member(names));  // runs before the other
  }
  CLI::Option* one_of(const char* name, std::string& to, const std::vector<std::string>& names,
                      const char* type, const char* words);

  // What several verbs share.
  void scene(Inputs& to) { positional("SCENE", to, "--scene", "scene"); }
  void rays(Inputs& to, bool directions_alone = false);
  /// How wide and how far viewpoints see in their directions.
  void fields(Inputs& to);
  /// Of visibility and of exposure: the scene, viewpoints, targets (returned), and how they see.
  CLI::Option* sight(SightArguments& to, const char* targets);
  void range(float& to, const char* name = "--range");
  void inside(Inside& to);
  void normals(bool& to);
  void picture(std::string& to, const char* words);

  void report();
  void dry_run();
  void device(const char* words = "auto, reference (brute force), cpu, cuda or cuda:i");
  void threads();
  /// Of one verb for all its rays, or of several rows of a table.
  template <class T>
  CLI::Option* lanes(T& to, const char* type, const std::string& words) {
    return choice("--lanes", to,
                  std::vector<std::pair<std::string, Lanes>>{{"avx512", Lanes::avx512},
                                                             {"avx2", Lanes::avx2},
                                                             {"portable", Lanes::portable},
                                                             {"auto", Lanes::automatic}},
                  type, words, "Running");
  }
  void lanes();
  void max_memory();
  /// What all verbs that write results of any length have; `with_lanes`: where rays are cast.
  void job(io::ResumeOptions& resume, bool with_lanes = true);
  /// Of bakes, which may be large.
  void yes(std::optional<bool>& to);
  void bake(ResultArguments& to) { yes(to.yes), job(to.resume); }

 private:
  CommonArguments& common_;
};

/// The verbs of the program, each with its arguments and what runs it.
class Verbs {
 public:
  Verbs(CLI::App& app, Command& command) : app_(app), command_(command) {}

  CommonArguments& common() const { return command_.common; }
  template <class Arguments>
  std::pair<Verb, Arguments&> add(const char* name, const char* words,
                                  int (*run)(Job&, const Arguments&), const char* examples) {
    CLI::App* verb = app_.add_subcommand(name, words);
    verb->footer(examples);
    const auto arguments = std::make_shared<Arguments>();
    verb->final_callback([to = &command_, arguments, run] {
      to->run = [=](Job& job) { return run(job, *arguments); };
      if constexpr (requires { arguments->resume; }) to->resumable = arguments->output;
    });
    return {Verb(*verb, command_.common), *arguments};
  }

 private:
  CLI::App& app_;
  Command& command_;
};

void add_file_verbs(Verbs& verbs);   ///< info, status, gen, import
void add_query_verbs(Verbs& verbs);  ///< cast, visibility, overlap, distance, sweep, flat
void add_bake_verbs(Verbs& verbs);   ///< areas, pvs, exposure, probes, cover, nav
void add_check_verbs(Verbs& verbs);  ///< verify, bench
void add_render_verb(Verbs& verbs);

}  // namespace sightline::cli
