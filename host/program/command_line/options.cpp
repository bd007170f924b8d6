#include "host/program/command_line/options.hpp"

#include "host/files/core/text_file.hpp"
#include "host/program/jobs/bytes.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::cli {
namespace {

CLI::Validator validator(const ValueCheck& check) { return {check, ""}; }

/// A whole number, which may be written as 1e6.
ValueCheck whole_from(std::uint64_t least, std::uint64_t most) {
  return [=](std::string& text) {
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
  };
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
Option Option::transform(const ValueCheck& check) const {
  return Option(option_->transform(validator(check)));
}
Option Option::whole(std::uint64_t least, std::uint64_t most) const {
  return transform(whole_from(least, most));
}
Option Option::values(int count, bool with_commas) const {
  if (with_commas) option_->delimiter(',');
  return Option(option_->expected(count));
}
Option Option::with_commas() const {
  return Option(option_->delimiter(',')->allow_extra_args(false));
}
Option Option::told_default(const std::string& words) const {
  return Option(option_->default_str(words));
}

Option Verb::add(const char* name, Target target, const char* type, const std::string& words,
                 const char* group) {
  const auto added = [&](CLI::Option* option) { return option->type_name(type)->group(group); };
  const auto to_value = [&]<class T>(T* to) {
    CLI::Option* const option = added(app_.add_option(name, *to, words));
    if constexpr (std::is_arithmetic_v<T>) {
      const bool is_told = !std::numeric_limits<T>::has_infinity || std::isfinite(*to);
      if (is_told) option->capture_default_str();
    }
    if constexpr (std::is_same_v<T, std::string>) option->check(validator(not_empty()));
    return Option(option);
  };
  const auto to_function = [&]<class T>(const std::function<void(const T&)>& take) {
    return Option(added(app_.add_option_function<T>(name, take, words)));
  };
  return std::visit(
      [&](const auto& at) {
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(at)>>) {
          return to_value(at);
        } else {
          return to_function(at);
        }
      },
      target.at);
}
Option Verb::flag(const char* name, bool& to, const char* words, const char* group) {
  return Option(app_.add_flag(name, to, words)->group(group));
}
Option Verb::flag(const char* name, const std::function<void()>& given, const char* words,
                  const char* group) {
  return Option(app_.add_flag_callback(name, given, words)->group(group));
}
void Verb::positionals(const char* name, Inputs& to, const char* words) {
  const TakeAll take = [&to](const std::vector<std::string>& files) {
    for (const std::string& file : files) to.push_back({"", file});
  };
  add(name, take, "", words, no_group).check(not_empty());
}
void Verb::number_or_file(const char* name, std::optional<float>& to, Inputs& file,
                          const Limits& limits, const char* type, const char* words) {
  const Take take = [=, &to, &file](const std::string& text) {
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
  add(name, take, type, words).check(not_empty());
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
  const auto given = [&to] { to.push_back({"--sector", "yes"}); };
  flag("--sector", given, "fields are sectors of the map, whatever the heights; default cones",
       files_in);
}

Option Verb::inside(Inside& to) {
  return choice(
      "--inside", to,
      {{"solid", Inside::solid}, {"surface", Inside::surface}, {"ignore", Inside::ignore}},
      "POLICY",
      "what begins in a shape: solid (a hit at once; default), surface (its way out) or ignore "
      "(not that shape)");
}

Option Verb::side(Side& to) {
  return choice("--side", to, {{"both", Side::both}, {"front", Side::front}, {"back", Side::back}},
                "SIDE",
                "of triangles: both (default), front (from where the corners run counterclockwise) "
                "or back");
}

void Verb::yes() {
  std::optional<bool>& yes = command_.common.yes;
  // Only of the verb that is chosen.
  app_.preparse_callback([&yes](std::size_t) { yes = false; });
  flag(
      "--yes", [&yes] { yes = true; }, "make also what takes more than 4 GiB, or 1 GiB for samples",
      running);
}

void Verb::report() {
  add("--json", command_.common.json, "FILE|-", "machine report to a FILE, or - for stdout",
      running);
  flag("-q,--quiet", command_.common.quiet, "say only warnings and errors", running);
}
void Verb::dry_run() {
  flag("--dry-run", command_.common.dry_run,
       "say what would be done, with bytes and memory; write nothing", running);
}
void Verb::device(const char* words) {
  add("--device", command_.common.device, "DEVICE", words, running)
      .transform(as_device)
      .told_default(command_.common.device);
}
void Verb::devices() {
  const TakeAll take = [&to = command_.common](const std::vector<std::string>& names) {
    to.device = names.front();
    to.more_devices.assign(names.begin() + 1, names.end());
  };
  add("--device", take, "DEVICE,...",
      "auto, reference (brute force), cpu, cuda or cuda:i; several, as cuda:0,cuda:1, share the "
      "work",
      running)
      .transform(as_device)
      .with_commas()
      .told_default(command_.common.device);
}
void Verb::threads() {
  add("--threads", command_.common.threads, "N", "threads on the CPU; 0 = all cores", running)
      .whole(0, 4096);
}
void Verb::lanes() {
  choice("--lanes", command_.common.lanes, all_lanes, "LANES",
         "instructions of the CPU: avx512, avx2, portable or auto (the widest; default)", running);
}
void Verb::lanes(std::vector<Lanes>& to) {
  const TakeAll take = [&to](const std::vector<std::string>& names) {
    to.clear();
    for (const std::string& text : names) {
      to.push_back(std::ranges::find(all_lanes, text, &Choices<Lanes>::value_type::first)->second);
    }
  };
  add("--lanes", take, "LANES,...",
      "instructions of the CPU, each with rows of its own: avx512, avx2, portable or auto (the "
      "widest; default)",
      running)
      .transform(member({"avx512", "avx2", "portable", "auto"}))
      .with_commas();
}
void Verb::max_memory() {
  add("--max-memory", command_.common.max_memory, "BYTES",
      "bytes of main memory to stay within; K, M, G, T are binary; default: no limit", running)
      .transform(as_byte_size)
      .without_default();
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
  const Take take = [&to](const std::string& text) { to.shard = parse_shard(text); };
  const Option shard =
      add("--shard", take, "I/N",
          "one of N shards, counted from 0, in a file of its own beside -o; merge joins them",
          running)
          .check(as_shard);
#if defined(SIGHTLINE_MPI)
  const char* const under_mpi =
      "under mpirun or srun: cut into N shards, which ranks take one after the other";
#else
  const char* const under_mpi = "needs a build with -DSIGHTLINE_MPI=ON";
#endif
  add("--mpi", to.mpi, "N", under_mpi, running)
      .whole(1, most_shards)
      .without_default()
      .excludes(shard);
  flag("--restart", to.resume.restart, "discard what an unfinished run of this output has done",
       running);
  add("--keep-every", to.resume.every_seconds, "S",
      "seconds after which finished work is saved, so that the next run continues from it; less "
      "often on a slow disk; 0: after every chunk",
      running)
      .check(within({0, 1e6f, "a number of seconds from 0 to 1e6"}));
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
    app.footer(app.get_footer() + "\n\nMore: docs/" + row.page);
    if (!row.below.empty()) app.require_subcommand(1);
    add_verbs(app, row.below, command);
  }
}

}  // namespace sightline::cli
