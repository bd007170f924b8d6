#include "bench/harness/benchmarks.hpp"

#include <sightline/caster.hpp>
#include <sightline/error.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace sightline::bench {
namespace {

/// Of so many pairs brute force takes a tenth of a second or so.
constexpr double judged_pairs = 2e7;

bool has_failed = false, was_short = false;

/// How many brute force is asked of: a multiple of 64, so that bits end with a word, which rows of
/// matrices always do.
std::uint64_t sample_of(const Question& q, std::uint64_t shapes) {
  const double pairs = static_cast<double>(std::max<std::uint64_t>(shapes, 1)) * q.each;
  const auto n = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(judged_pairs / pairs));
  return std::min(q.each < 64 ? bit_words(n) * 64 : n, q.count);
}

std::string current;  // the benchmark that runs

}  // namespace

int exit_code() { return has_failed ? 1 : was_short ? 4 : 0; }

bool measure(benchmark::State& state, const std::function<double()>& seconds_of) {
  static const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (spent.count() > options().seconds) {
    was_short = true;
    state.SkipWithError("not reached in time");
    return false;
  }
  static std::string warm;
  if (warm != current && !options().cold) static_cast<void>(seconds_of());
  warm = current;
  for (auto _ : state) state.SetIterationTime(seconds_of());
  return true;
}

void fail(benchmark::State& state, const std::string& why) {
  has_failed = true;
  state.SkipWithError(why.c_str());
}

void count_rate(benchmark::State& state, const char* unit, double amount) {
  state.counters[std::string(unit) + "/s"] =
      benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
}

void label(benchmark::State& state, const std::string& key, const std::string& hash) {
  static std::map<std::string, std::string> hashes;
  if (hashes.try_emplace(key, hash).first->second != hash) {
    return fail(state, "answers differ from those of the first place");
  }
  state.SetLabel(hash);
}

void judge(benchmark::State& state, const std::string& key, World& world, const Question& q,
           const Answers& answers, std::uint64_t n) {
  static std::set<std::string> judged;
  if (judged.insert(key).second) {
    const std::uint64_t sample = std::min(n, sample_of(q, world.scene().size()));
    Answers expected = q.room(sample);
    q.ask(world.judge(), sample, expected);
    if (!expected.begins(answers)) return fail(state, "answers differ from brute force");
  }
  state.counters["found"] = answers.found() / static_cast<double>(n) / (q.each < 64 ? 1.0 : q.each);
  label(state, n < q.count ? key + "/sample" : key, answers.hash());
}

void measure_question(benchmark::State& state, const std::string& key, World& world,
                      const Place& place, const Question& q) {
  const bool by_reference = place.is<ReferenceOptions>();
  const std::uint64_t n = by_reference ? sample_of(q, world.scene().size()) : q.count;
  const Caster& caster = by_reference ? world.judge() : world.caster(place.options);
  Answers answers = q.room(n);
  if (!measure(state, [&] {
        answers.poison();
        return place.timing.seconds(taken_by([&] { q.ask(caster, n, answers); }));
      })) {
    return;
  }
  const double amount = static_cast<double>(n) * q.each;
  count_rate(state, q.unit, amount);
  if (q.bytes > 0) count_rate(state, "bytes", amount * q.bytes);
  state.counters["asked"] = amount;
  judge(state, key, world, q, answers, n);
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  const auto guarded = [name, run = std::move(run)](benchmark::State& state) {
    try {
      current = name;
      run(state);
    } catch (const Error& error) {
      fail(state, error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), guarded)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

std::string SceneName::text() const {
  return shapes == 0 ? scene.substr(scene.find_last_of('/') + 1)
                     : scene + "/" + std::to_string(shapes);
}

std::vector<SceneName> scenes() {
  if (!options().scene.empty()) return {{options().scene, 0}};
  std::vector<SceneName> all;
  for (std::uint64_t shapes = 10; shapes <= options().largest; shapes *= 10) {
    for (const char* kind : {"city", "cloud", "mixed"}) {
      if (shapes >= options().smallest) all.push_back({kind, shapes});
    }
  }
  return all;
}

const std::vector<Place>& places() {
  static const std::vector<Place> all = [] {
    std::vector<Place> found = cpu_places(default_threads(), options().clock);
    if (cuda_devices().problem.empty()) {
      found.push_back({"cuda", CudaOptions{}, {Clock::wall, 1}});
    }
    found.push_back({"reference", ReferenceOptions{}, {options().clock, 1}});
    return found;
  }();
  return all;
}

}  // namespace sightline::bench
