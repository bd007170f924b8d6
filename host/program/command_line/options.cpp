#include "host/program/command_line/options.hpp"

#include "host/files/core/text_file.hpp"
#include "host/program/jobs/bytes.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::cli {
namespace {

constexpr const char *files_in = "Input", *files_out = "Output", *running = "Running";

CLI::Validator validator(const ValueCheck& check) { return {check, ""}; }

/// A whole number, which may be written as 1e6.
CLI::Validator whole(std::uint64_t least, std::uint64_t most) {
  return validator([=](std::string& text) {
    auto value = io::number_from<std::uint64_t>(text);
    double real = 0;
    if (!value && CLI::detail::lexical_cast(text, real) && real >= 0 && real < 0x1p63 &&
        real == std::floor(real)) {
      value = static_cast<std::uint64_t>(real);
    }
    if (!value || *value < least || *value > most) {
      return fmt::format("{} is not a whole number from {} to {}", io::in_quotes(text), least,
                         most);
    }
    text = std::to_string(*value);
    return std::string();
  });
}

std::string as_byte_size(std::string& text) {
  const auto bytes = parse_bytes(text);
  if (!bytes || *bytes == 0) {
    return io::in_quotes(text) + " is not a size such as 268435456, 256M or 1G";
  }
  text = std::to_string(*bytes);
  return "";
}

std::string as_device(std::string& text) {
  const bool plain = text == "auto" || text == "reference" || text == "cpu" || text == "cuda";
  const bool numbered = text.size() > 5 && text.size() < 9 && text.starts_with("cuda:") &&
                        text.find_first_not_of("0123456789", 5) == std::string::npos;
  if (plain || numbered) return "";
  return io::in_quotes(text) + " is not auto, reference, cpu, cuda or cuda:NUMBER";
}

std::string as_shard(const std::string& text) {
  if (parse_shard(text)) return "";
  const auto count = io::number_from<std::uint64_t>(text.substr(text.find('/') + 1));
  const bool known = count && *count > 0 && *count <= most_shards;
  return fmt::format("{} is not I/N, shard I of N: from 0/{} to {}/{}", io::in_quotes(text),
                     known ? std::to_string(*count) : "N",
                     known ? std::to_string(*count - 1) : "(N-1)",
                     known ? std::to_string(*count) : "N");
}

const Choices<Lanes> all_lanes = {{"avx512", Lanes::avx512},
                                  {"avx2", Lanes::avx2},
                                  {"portable", Lanes::portable},
                                  {"auto", Lanes::automatic}};

CLI::Option* add(CLI::App& app, const char* name, Target target, const char* type,
                 const std::string& words, const char* group = "Question") {
  return std::visit(
      [&]<class T>(T* to) {
        CLI::Option* option = app.add_option(name, *to, words)->type_name(type)->group(group);
        if constexpr (std::is_arithmetic_v<T>) {
          const bool is_told = !std::numeric_limits<T>::has_infinity || std::isfinite(*to);
          if (is_told) option->capture_default_str();
        }
        if constexpr (std::is_same_v<T, std::string>) option->check(validator(not_empty()));
        return option;
      },
      target.at);
}

}  // namespace

ValueCheck within(const Limits& limits) {
  return [=](std::string& text) {
    float value = NAN;
    if (CLI::detail::lexical_cast(text, value) && limits.least <= value && value <= limits.most) {
      return std::string();
    }
    return io::in_quotes(text) + " is not " + limits.words;
  };
}

ValueCheck not_empty() {
  return [](const std::string& text) {
    return text.empty() ? "an empty value: is a variable not set?" : std::string();
  };
}

ValueCheck member(const std::vector<std::string>& names) {
  return [=](const std::string& text) {
    if (std::ranges::find(names, text) != names.end()) return std::string();
    return fmt::format("{} is not one of {}", io::in_quotes(text), fmt::join(names, ", "));
  };
}

Option Option::required(bool is) const { return Option(option_->required(is)); }
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::check(const ValueCheck& check) const {
  return Option(option_->check(validator(check)));
}
Option Option::whole(std::uint64_t least, std::uint64_t most) const {
  return Option(option_->transform(cli::whole(least, most)));
}
Option Option::values(int count, bool with_commas) const {
  if (with_commas) option_->delimiter(',');
  return Option(option_->expected(count));
}
Option Option::without_default() const { return Option(option_->default_str("")); }

void Verb::positional(const char* name, Inputs& to, const char* option, const char* words) {
  const auto take = [&to, option](const std::string& file) { to.push_back({option, file}); };
  app_.add_option_function<std::string>(name, take, words)
      ->required()
      ->type_name("")
      ->check(validator(not_empty()));
}
Option Verb::positional(const char* name, std::string& to, const char* words) {
  return Option(add(app_, name, to, "", words, "Options")->required());
}
void Verb::positionals(const char* name, Inputs& to, const char* words) {
  const auto take = [&to](const std::vector<std::string>& files) {
    for (const std::string& file : files) to.push_back({"", file});
  };
  app_.add_option_function<std::vector<std::string>>(name, take, words)
      ->type_name("")
      ->check(validator(not_empty()));
}
Option Verb::input(const char* name, Inputs& to, const char* type, const std::string& words) {
  const std::string all = name, option = all.substr(0, all.find(','));
  const auto take = [&to, option](const std::string& file) { to.push_back({option, file}); };
  return Option(app_.add_option_function<std::string>(name, take, words)
                    ->type_name(type)
                    ->group(files_in)
                    ->check(validator(not_empty())));
}
void Verb::output(std::string& to, const char* type, const char* words) {
  output("-o,--output", to, type, words).required();
}
Option Verb::output(const char* name, std::string& to, const char* type, const char* words) {
  return Option(add(app_, name, to, type, words, files_out));
}
Option Verb::text(const char* name, std::string& to, const char* type, const char* words) {
  return Option(add(app_, name, to, type, words));
}
Option Verb::flag(const char* name, bool& to, const char* words) {
  return Option(app_.add_flag(name, to, words)->group("Question"));
}
Option Verb::value(const char* name, Target to, const ValueCheck& check, const char* type,
                   const std::string& words) {
  return Option(add(app_, name, to, type, words)->check(validator(check)));
}
Option Verb::count(const char* name, Target to, std::uint64_t least, std::uint64_t most,
                   const char* type, const std::string& words) {
  return Option(add(app_, name, to, type, words)->transform(whole(least, most)));
}
Option Verb::list(const char* name, Target to, const char* type, const char* words) {
  return Option(add(app_, name, to, type, words)->delimiter(',')->allow_extra_args(false));
}
Option Verb::one_of(const char* name, std::string& to, const std::vector<std::string>& names,
                    const char* type, const char* words) {
  return text(name, to, type, words).check(member(names));
}
Option Verb::choose(const char* name, const std::vector<std::string>& names,
                    const std::function<void(std::size_t)>& take, const char* type,
                    const std::string& words, const char* group) {
  const auto found = [names, take](const std::string& text) {
    take(static_cast<std::size_t>(std::ranges::find(names, text) - names.begin()));
  };
  return Option(app_.add_option_function<std::string>(name, found, words)
                    ->type_name(type)
                    ->group(group)
                    ->check(validator(member(names))));
}
void Verb::number_or_file(const char* name, std::optional<float>& to, Inputs& file,
                          const Limits& limits, const char* type, const char* words) {
  const auto take = [=, &to, &file](const std::string& text) {
    float value = NAN;
    std::string copy = text;
    if (!CLI::detail::lexical_cast(text, value)) {
      file.push_back({name, text});
    } else if (const std::string wrong = within(limits)(copy); !wrong.empty()) {
      throw CLI::ValidationError(name, wrong);
    } else {
      to = value;
    }
  };
  app_.add_option_function<std::string>(name, take, words)
      ->type_name(type)
      ->check(validator(not_empty()))
      ->group("Question");
}

void Verb::rays(Inputs& to, bool directions_alone) {
  const Option all = input("--rays", to, "RAYS", "file of rays");
  const Option origins =
      input("--origins", to, "O.npy", "origins [n,3], in scene units, or [1,3] for all");
  const Option directions = input("--directions", to, "D.npy",
                                  "directions [n,3], of any nonzero length, or [1,3] for all");
  origins.needs(directions).excludes(all);
  directions.excludes(all);
  if (!directions_alone) directions.needs(origins);
}

void Verb::fields(Inputs& to, bool verifies) {
  const Option directions =
      input("--view-directions", to, "D.npy",
            "where viewpoints look: [V,3] f32 of any nonzero length, or [1,3] for all");
  const Option half_angle =
      input("--half-angle", to, "DEG|A.npy",
            "of fields of view about their directions, 0 to 180 degrees: a number, or [V] f32");
  input("--view-range", to, "R|R.npy",
        "how far viewpoints see, in scene units: a number, or [V] f32; default inf");
  if (verifies) return;
  half_angle.needs(directions);
  directions.needs(half_angle);
  app_.add_flag_callback(
          "--sector",
          [&to] {
            to.push_back({"--sector", "yes"});
          },
          "fields are sectors of the map, whatever the heights; default cones")
      ->group(files_in);
}

void Verb::range(float& to, const char* name) {
  number(name, to, not_negative, "R", "farthest sight, in scene units; default inf");
}

Option Verb::inside(Inside& to) {
  return choice(
      "--inside", to,
      {{"solid", Inside::solid}, {"surface", Inside::surface}, {"ignore", Inside::ignore}},
      "POLICY",
      "what begins in a shape: solid (a hit at once; default), surface (its way out) or ignore "
      "(not that shape)");
}

void Verb::normals(bool& to) { flag("--normals", to, "also write outward unit normals"); }

Option Verb::picture(std::string& to, const char* words) {
  return output("--picture", to, "P.png", words);
}

void Verb::yes() {
  std::optional<bool>& yes = command_.common.yes;
  // Only of the verb that is chosen.
  app_.preparse_callback([&yes](std::size_t) { yes = false; });
  app_.add_flag_callback(
          "--yes", [&yes] { yes = true; },
          "make also what takes more than 4 GiB, or 1 GiB for samples")
      ->group(running);
}

void Verb::report() {
  add(app_, "--json", command_.common.json, "FILE|-", "machine report to a FILE, or - for stdout",
      running);
  app_.add_flag("-q,--quiet", command_.common.quiet, "say only warnings and errors")
      ->group(running);
}
void Verb::dry_run() {
  app_.add_flag("--dry-run", command_.common.dry_run,
                "say what would be done, with bytes and memory; write nothing")
      ->group(running);
}
void Verb::device(const char* words) {
  add(app_, "--device", command_.common.device, "DEVICE", words, running)
      ->transform(validator(as_device))
      ->capture_default_str();
}
void Verb::devices() {
  const auto take = [&to = command_.common](const std::vector<std::string>& names) {
    to.device = names.front();
    to.more_devices.assign(names.begin() + 1, names.end());
  };
  app_.add_option_function<std::vector<std::string>>(
          "--device", take,
          "auto, reference (brute force), cpu, cuda or cuda:i; several, as cuda:0,cuda:1, share "
          "the work")
      ->type_name("DEVICE,...")
      ->group(running)
      ->transform(validator(as_device))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str(command_.common.device);
}
void Verb::threads() {
  add(app_, "--threads", command_.common.threads, "N", "threads on the CPU; 0 = all cores", running)
      ->transform(whole(0, 4096));
}
void Verb::lanes() {
  std::vector<std::string> names;
  for (const auto& [name, lanes] : all_lanes) names.push_back(name);
  choose(
      "--lanes", names, [&to = command_.common.lanes](std::size_t i) { to = all_lanes[i].second; },
      "LANES", "instructions of the CPU: avx512, avx2, portable or auto (the widest; default)",
      running);
}
void Verb::lanes(std::vector<Lanes>& to) {
  app_.add_option("--lanes", to,
                  "instructions of the CPU, each with rows of its own: avx512, avx2, portable or "
                  "auto (the widest; default)")
      ->type_name("LANES,...")
      ->group(running)
      ->transform(CLI::Transformer(all_lanes).description(""))
      ->transform(validator(member({"avx512", "avx2", "portable", "auto"})))
      ->delimiter(',')
      ->allow_extra_args(false);
}
void Verb::max_memory() {
  add(app_, "--max-memory", command_.common.max_memory, "BYTES",
      "bytes of main memory to stay within; K, M, G, T are binary; default: no limit", running)
      ->transform(validator(as_byte_size))
      ->default_str("");
}

void Verb::run(bool on_devices) {
  on_devices ? devices() : device();
  threads();
  lanes();
  max_memory();
  report();
  dry_run();
}

void Verb::job(ResultArguments& to) {
  CLI::Option* const shard =
      app_.add_option_function<std::string>(
              "--shard", [&to](const std::string& text) { to.shard = parse_shard(text); },
              "one of N shards, counted from 0, in a file of its own beside -o; merge joins them")
          ->type_name("I/N")
          ->group(running)
          ->check(validator(as_shard));
  add(app_, "--mpi", to.mpi, "N",
      "under mpirun or srun: cut into N shards, which ranks take one after the other", running)
      ->transform(whole(1, most_shards))
      ->default_str("")
      ->excludes(shard);
  app_.add_flag("--restart", to.resume.restart,
                "discard what an unfinished run of this output has done")
      ->group(running);
  add(app_, "--keep-every", to.resume.every_seconds, "S",
      "seconds after which finished work is saved, so that the next run continues from it; less "
      "often on a slow disk; 0: after every chunk",
      running)
      ->check(validator(within({0, 1e6f, "a number of seconds from 0 to 1e6"})));
  run(true);
}

void Verb::examples(const char* lines) { app_.footer(lines); }

void Verb::set_run(const std::function<int(Job&)>& work,
                   const std::function<std::string()>& resumable, const char* lines) {
  examples(lines);
  app_.final_callback([to = &command_, work, resumable] {
    to->run = work;
    to->resumable = resumable;
  });
}

void add_verbs(CLI::App& to, std::span<const VerbRow> rows, Command& command) {
  for (const VerbRow& row : rows) {
    CLI::App& app = *to.add_subcommand(row.name, row.words);
    Verb verb(app, command);
    row.add(verb);
    if (!row.below.empty()) app.require_subcommand(1);
    add_verbs(app, row.below, command);
  }
}

}  // namespace sightline::cli
