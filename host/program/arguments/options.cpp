#include "host/program/arguments/options.hpp"

#include "host/program/engine/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr const char *files_in = "Input", *files_out = "Output", *running = "Running";

CLI::Validator byte_size() {
  return {[](std::string& text) {
            const auto bytes = parse_bytes(text);
            if (!bytes || *bytes == 0)
              return "'" + text + "' is not a size such as 268435456, 256M or 1G";
            text = std::to_string(*bytes);
            return std::string();
          },
          ""};
}

CLI::Validator device_name() {
  return {[](std::string& text) {
            const bool plain =
                text == "auto" || text == "reference" || text == "cpu" || text == "cuda";
            const bool numbered = text.size() > 5 && text.size() < 9 && text.starts_with("cuda:") &&
                                  text.find_first_not_of("0123456789", 5) == std::string::npos;
            if (plain || numbered) return std::string();
            return "'" + text + "' is not auto, reference, cpu, cuda or cuda:NUMBER";
          },
          ""};
}

}  // namespace

CLI::Validator within(const Limits& limits) {
  return {[=](std::string& text) {
            float value = NAN;
            if (CLI::detail::lexical_cast(text, value) && limits.least <= value &&
                value <= limits.most) {
              return std::string();
            }
            return "'" + text + "' is not " + limits.words;
          },
          ""};
}

CLI::Validator not_empty() {
  return {[](const std::string& text) {
            return text.empty() ? "an empty value: is a variable not set?" : std::string();
          },
          ""};
}

CLI::Validator member(const std::vector<std::string>& names) {
  return {[=](const std::string& text) {
            if (std::ranges::find(names, text) != names.end()) return std::string();
            return fmt::format("'{}' is not one of {}", text, fmt::join(names, ", "));
          },
          ""};
}

CLI::Validator whole(std::uint64_t least, std::uint64_t most) {
  return {[=](std::string& text) {
            auto value = parsed<std::uint64_t>(text);
            double real = 0;
            if (!value && CLI::detail::lexical_cast(text, real) && real >= 0 && real < 0x1p63 &&
                real == std::floor(real)) {
              value = static_cast<std::uint64_t>(real);
            }
            if (!value || *value < least || *value > most) {
              return "'" + text + "' is not a whole number from " + std::to_string(least) + " to " +
                     std::to_string(most);
            }
            text = std::to_string(*value);
            return std::string();
          },
          ""};
}

void Verb::positional(const char* name, Inputs& to, const char* option, const char* words) {
  const auto take = [&to, option](const std::string& file) { to.push_back({option, file}); };
  app.add_option_function<std::string>(name, take, words)
      ->required()
      ->type_name("")
      ->check(not_empty());
}
void Verb::positional(const char* name, std::string& to, const char* words) {
  app.add_option(name, to, words)->required()->type_name("")->check(not_empty());
}
CLI::Option* Verb::input(const char* name, Inputs& to, const char* type, const std::string& words) {
  const std::string all = name, option = all.substr(0, all.find(','));
  const auto take = [&to, option](const std::string& file) { to.push_back({option, file}); };
  return app.add_option_function<std::string>(name, take, words)
      ->type_name(type)
      ->group(files_in)
      ->check(not_empty());
}
void Verb::output(std::string& to, const char* type, const char* words) {
  output("-o,--output", to, type, words)->required();
}
CLI::Option* Verb::output(const char* name, std::string& to, const char* type, const char* words) {
  return add(name, to, type, words, files_out);
}
CLI::Option* Verb::text(const char* name, std::string& to, const char* type, const char* words) {
  return add(name, to, type, words);
}
CLI::Option* Verb::flag(const char* name, bool& to, const char* words) {
  return app.add_flag(name, to, words)->group("Question");
}
CLI::Option* Verb::one_of(const char* name, std::string& to, const std::vector<std::string>& names,
                          const char* type, const char* words) {
  return text(name, to, type, words)->check(member(names));
}

void Verb::rays(Inputs& to, bool directions_alone) {
  auto* all = input("--rays", to, "RAYS", "file of rays");
  auto* origins = input("--origins", to, "O.npy", "origins [n,3] f32, in scene units");
  auto* directions =
      input("--directions", to, "D.npy", "directions [n,3] f32, of any nonzero length");
  origins->needs(directions)->excludes(all);
  directions->excludes(all);
  if (!directions_alone) directions->needs(origins);
}

void Verb::fields(Inputs& to) {
  input("--view-directions", to, "D.npy",
        "where viewpoints look: [V,3] f32 of any nonzero length, or [1,3] for all");
  input("--half-angle", to, "DEG|A.npy",
        "of fields of view about their directions, 0 to 180 degrees: a number, or [V] f32");
  input("--view-range", to, "R|R.npy",
        "how far viewpoints see, in scene units: a number, or [V] f32; default inf");
}

CLI::Option* Verb::sight(SightArguments& to, const char* targets) {
  scene(to.inputs);
  input("--from", to.inputs, "A", "viewpoints")->required();
  CLI::Option* option = input("--to", to.inputs, "B", targets);
  fields(to.inputs);
  app.get_option("--half-angle")->needs("--view-directions");
  app.get_option("--view-directions")->needs("--half-angle");
  app.add_flag_callback(
         "--sector",
         [&to] {
           to.inputs.push_back({"--sector", "yes"});
         },
         "fields are sectors of the map, whatever the heights; default cones")
      ->group(files_in);
  range(to.options.range, "--max-distance");
  auto* margin = number("--margin-length", to.margin_length, length, "L",
                        "how much of a segment is left out at both ends, in scene units");
  number("--margin-share", to.options.margin,
         {0, std::nextafter(0.5f, 0.0f), "at least 0 and below 0.5"}, "M",
         "instead: its share left out at both ends, 0 to below 0.5; several times faster")
      ->excludes(margin);
  inside(to.options.inside);
  return option;
}

void Verb::range(float& to, const char* name) {
  number(name, to, not_negative, "R", "farthest sight, in scene units; default inf");
}

void Verb::inside(Inside& to) {
  choice("--inside", to,
         std::vector<std::pair<std::string, Inside>>{
             {"solid", Inside::solid}, {"surface", Inside::surface}, {"ignore", Inside::ignore}},
         "POLICY",
         "what begins in a shape: solid (a hit at once; default), surface (its way out) or ignore "
         "(not that shape)");
}

void Verb::normals(bool& to) { flag("--normals", to, "also write outward unit normals"); }

void Verb::picture(std::string& to, const char* words) { output("--picture", to, "P.png", words); }

void Verb::yes(std::optional<bool>& to) {
  to = false;
  app.add_flag_callback(
         "--yes", [&to] { to = true; }, "bake also what takes more than 4 GiB")
      ->group(running);
}

void Verb::report() {
  output("--json", common_.json, "FILE|-", "machine report to a FILE, or - for stdout")
      ->group(running);
  flag("-q,--quiet", common_.quiet, "say only warnings and errors")->group(running);
}
void Verb::dry_run() {
  flag("--dry-run", common_.dry_run, "say what would be done, with bytes and memory; write nothing")
      ->group(running);
}
void Verb::device(const char* words) {
  add("--device", common_.device, "DEVICE", words, running)
      ->transform(device_name())
      ->capture_default_str();
}
void Verb::threads() {
  count("--threads", common_.threads, 0, 4096, "N", "threads on the CPU; 0 = all cores")
      ->group(running);
}
void Verb::lanes() {
  lanes(common_.lanes, "LANES",
        "instructions of the CPU: avx512, avx2, portable or auto (the widest; default)");
}
void Verb::max_memory() {
  app.add_option("--max-memory", common_.max_memory,
                 "bytes of main memory to stay within; K, M, G, T are binary; default: no limit")
      ->transform(byte_size())
      ->type_name("BYTES")
      ->group(running);
}

void Verb::job(io::ResumeOptions& resume, bool with_lanes) {
  flag("--restart", resume.restart, "discard what an unfinished run of this output has done")
      ->group(running);
  add("--keep-every", resume.every_seconds, "S",
      "seconds after which finished work is saved, so that the next run continues from it; less "
      "often on a slow disk; 0: after every chunk",
      running)
      ->check(within({0, 1e6f, "a number of seconds from 0 to 1e6"}));
  device();
  threads();
  if (with_lanes) lanes();
  max_memory();
  report();
  dry_run();
}

}  // namespace sightline::cli
