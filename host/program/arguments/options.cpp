#include "host/program/arguments/options.hpp"

#include "host/program/engine/bytes.hpp"

namespace sightline::cli {
namespace {

/// What the verbs whose stopped runs go on share.
void add_resume(CLI::App& verb, io::ResumeOptions& to) {
  verb.add_flag("--restart", to.restart,
                "throw away what an unfinished run of this output has done");
  verb.add_option("--keep-every", to.every_seconds,
                  "seconds after which what is done is kept for the next run, whatever ends this "
                  "one; rarer on a slow disk; 0: after every chunk")
      ->check(number(0, 1e6f, "a number of seconds from 0 to 1e6"))
      ->type_name("S")
      ->capture_default_str();
}

}  // namespace

CLI::Validator byte_size() {
  return {[](std::string& text) {
            const auto bytes = parse_bytes(text);
            if (!bytes) return "'" + text + "' is not a size such as 268435456, 256M or 1G";
            text = std::to_string(*bytes);
            return std::string();
          },
          ""};
}

CLI::Validator device_name() {
  return {
      [](std::string& text) {
        const bool plain = text == "auto" || text == "reference" || text == "cpu" || text == "cuda";
        const bool numbered = text.size() > 5 && text.size() < 9 && text.rfind("cuda:", 0) == 0 &&
                              text.find_first_not_of("0123456789", 5) == std::string::npos;
        if (plain || numbered) return std::string();
        return "'" + text + "' is not auto, reference, cpu, cuda or cuda:NUMBER";
      },
      ""};
}

CLI::Validator number(float least, float most, const std::string& words) {
  return {[=](std::string& text) {
            float value = NAN;
            if (CLI::detail::lexical_cast(text, value) && least <= value && value <= most) {
              return std::string();
            }
            return "'" + text + "' is not " + words;
          },
          ""};
}

void add_report(CLI::App& verb, CommonArguments& to) {
  verb.add_option("--json", to.json, "machine report to a FILE, or - for stdout")
      ->type_name("FILE|-");
  verb.add_flag("-q,--quiet", to.quiet, "say only warnings and errors");
}
void add_dry_run(CLI::App& verb, CommonArguments& to) {
  verb.add_flag("--dry-run", to.dry_run,
                "say what would be done, with bytes and memory; write nothing");
}
void add_threads(CLI::App& verb, CommonArguments& to) {
  verb.add_option("--threads", to.threads, "threads on the CPU; 0 = all cores")
      ->check(CLI::Range(0, 4096).description(""))
      ->type_name("N")
      ->capture_default_str();
}
Lanes lanes_named(const std::string& name) {
  return name == "avx512"     ? Lanes::avx512
         : name == "avx2"     ? Lanes::avx2
         : name == "portable" ? Lanes::portable
                              : Lanes::automatic;
}
CLI::Validator lanes_name() {
  return CLI::IsMember({"avx512", "avx2", "portable", "auto"}).description("");
}
void add_lanes(CLI::App& verb, CommonArguments& to) {
  verb.add_option_function<std::string>(
          "--lanes", [&to](const std::string& name) { to.lanes = lanes_named(name); },
          "instructions of the CPU: avx512, avx2, portable or auto (the widest; default)")
      ->check(lanes_name())
      ->type_name("LANES");
}
void add_device(CLI::App& verb, CommonArguments& to) {
  verb.add_option("--device", to.device, "auto, reference (brute force), cpu, cuda or cuda:i")
      ->transform(device_name())
      ->type_name("DEVICE")
      ->capture_default_str();
}
void add_max_memory(CLI::App& verb, CommonArguments& to) {
  verb.add_option("--max-memory", to.max_memory,
                  "bytes of main memory to stay within; K, M, G, T are binary; default: no limit")
      ->transform(byte_size())
      ->type_name("BYTES");
}

void add_job(CLI::App& verb, io::ResumeOptions& to, CommonArguments& common, bool lanes) {
  add_resume(verb, to);
  add_device(verb, common);
  add_threads(verb, common);
  if (lanes) add_lanes(verb, common);
  add_max_memory(verb, common);
  add_report(verb, common);
  add_dry_run(verb, common);
}

void add_inside(CLI::App& verb, Inside& to) {
  verb.add_option_function<std::string>(
          "--inside",
          [&to](const std::string& name) {
            to = name == "surface"  ? Inside::surface
                 : name == "ignore" ? Inside::ignore
                                    : Inside::solid;
          },
          "what begins in a shape: solid (a hit at once; default), surface (its way out) or ignore "
          "(not that shape)")
      ->check(CLI::IsMember({"solid", "surface", "ignore"}).description(""))
      ->type_name("POLICY");
}

void add_normals(CLI::App& verb, bool& to) {
  verb.add_flag("--normals", to, "also write outward unit normals");
}

void add_radius(CLI::App& verb, CastArguments& to) {
  verb.add_option_function<std::string>(
          "--radius",
          [&to](const std::string& text) {
            float value = NAN;
            if (!CLI::detail::lexical_cast(text, value)) {
              to.radii = text;
            } else if (0 <= value && value <= domain_limit) {
              to.radius = value;
            } else {
              throw CLI::ValidationError("--radius", "'" + text + "' is not 0 to 2^40");
            }
          },
          "of spheres that move along the rays: a number, or a file of [n] f32; default 0")
      ->type_name("R|R.npy");
}

void add_rays(CLI::App& verb, RaysArguments& to, bool alone) {
  auto* rays = verb.add_option("--rays", to.rays, "file of rays")->type_name("RAYS");
  auto* origins = verb.add_option("--origins", to.origins, "origins [n,3] f32, in scene units")
                      ->type_name("O.npy");
  auto* directions =
      verb.add_option("--directions", to.directions, "directions [n,3] f32, of any nonzero length")
          ->type_name("D.npy");
  origins->needs(directions)->excludes(rays);
  directions->excludes(rays);
  if (!alone) directions->needs(origins);
}

void add_fields(CLI::App& verb, FieldArguments& to) {
  verb.add_option(
          "--half-angle", to.half_angle,
          "of fields of view about their directions, 0 to 180 degrees: a number, or [V] f32")
      ->type_name("DEG|A.npy");
  verb.add_option("--view-range", to.range,
                  "how far viewpoints see, in scene units: a number, or [V] f32; default inf")
      ->type_name("R|R.npy");
}

void add_range(CLI::App& verb, float& to) {
  verb.add_option("--range", to, "farthest sight, in scene units; default inf")
      ->check(number(0, infinity, "a number of at least 0"))
      ->type_name("R");
}

}  // namespace sightline::cli
