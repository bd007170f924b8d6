// verify: recomputes a result by brute force and compares bytes.
#include "host/program/results/verify.hpp"

#include "host/files/formats/nav_file.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/results/input_files.hpp"

#include <algorithm>

namespace sightline::cli {

void require_answers_version(const std::string& file, std::uint32_t version) {
  if (version == answers_version) return;
  io::fail(ErrorKind::bad_input, "{}: holds answers of version {}, this program gives version {}",
           file, version, answers_version);
}

int report_dry_run(Job& job, const Sample& sample, const char* unit) {
  job.set("/verify/would_check", sample.count);
  job.set("/verify/of", sample.total);
  job.say("would recompute {} of {}", grouped(sample.count), plural(sample.total, unit));
  return 0;
}

int report_outcome(Job& job, const Differences& d, std::uint64_t total, const VerifyArguments& a,
                   const char* unit) {
  job.set("/verify/checked", d.checked);
  job.set("/verify/of", total);
  job.set("/verify/different", d.different);
  job.set("/verify/same", d.different == 0);
  job.say("verify  {}: {} of {} recomputed by {}, {} {}", a.result, grouped(d.checked),
          plural(total, unit), a.scalar ? "the reference" : "brute force", grouped(d.different),
          agreeing(d.different, "differs", "differ"));
  if (d.different == 0) return 0;
  job.set("/verify/first/index", d.first);
  job.set("/verify/first/words", d.first_words);
  job.warn("{}: the first difference: {}", a.result, d.first_words);
  return 1;
}

void Differences::add_checked(std::uint64_t n) {
  const std::lock_guard lock(mutex_);
  checked += n;
}

void Differences::add(std::uint64_t index, const std::string& words) {
  const std::lock_guard lock(mutex_);
  ++different;
  if (index >= first) return;
  first = index;
  first_words = words;
}

Sample sample_of(const VerifyArguments& a, std::uint64_t total) {
  return {total, a.full ? total : std::min(a.sample, total), a.seed};
}

namespace {

int run_verify(Job& job, const VerifyArguments& a) {
  std::vector<std::string> inputs = InputFiles(job, a.inputs).names();
  inputs.push_back(a.result);
  check_files(job, inputs, {});
  return io::is_nav(a.result) ? verify_nav_file(job, a) : verify_result(job, a);
}

}  // namespace

void add_verify(Verb& v) {
  auto& a = v.runs<VerifyArguments>(run_verify,
                                    "sightline verify hits.st city.st rays.st\n"
                                    "sightline verify seen.st city.st eyes.npy --full");
  v.positional("RESULT", a.result, "any result, or a navigation map, to check");
  v.positionals(
      "FILES", a.inputs,
      "what it was computed from, in any order: each is recognised by its hash; or by name:");
  v.input("--scene", a.inputs, "SCENE", "its scene");
  v.rays(a.inputs, true);
  v.fields(a.inputs, true);
  const std::tuple<const char*, const char*, const char*> others[] = {
      {"--radius", "R.npy", "its rays' radii, where a file of their own has them"},
      {"--from", "A", "its viewpoints"},
      {"--to", "B", "its targets, where they are not the viewpoints; its ends"},
      {"--points", "P", "its points"},
      {"--areas", "AREAS", "its areas"},
      {"--with", "SHAPES", "its query shapes, of overlap"},
      {"--capsules", "SHAPES", "its shapes that move, along --directions"},
      {"--circles", "C.npy", "its circles, of flat"},
      {"--segments", "S.npy", "its segments, of flat"}};
  for (const auto& [name, type, words] : others) v.input(name, a.inputs, type, words);
  const Option sample = v.count("--sample", a.sample, 1, std::uint64_t{1} << 40, "N",
                                "rays, pairs, shapes or points to recompute");
  v.flag("--full", a.full, "recompute all of them").excludes(sample);
  v.count("--seed", a.seed, 0, unlimited, "S", "of the sample");
  v.flag("--scalar", a.scalar,
         "by the reference: one shape after the other, some ten times slower");
  v.threads();
  v.report();
  v.dry_run();
}
}  // namespace sightline::cli
