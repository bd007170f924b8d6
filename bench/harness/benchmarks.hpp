// Our own rates on Google Benchmark: how a question becomes a registered benchmark, its time,
// counters and label.
#pragma once

#include "bench/harness/questions.hpp"

#include <benchmark/benchmark.h>

#include <limits>

namespace sightline::bench {

/// Options of the program beside those of Google Benchmark, each as --name=value.
struct Options {
  Load load;                                         ///< --count, --seed, --points
  std::uint64_t smallest = 10, largest = 1'000'000;  ///< of standard scenes, in shapes
  bool cold = false;         ///< --cold=yes: nothing warms up, as profilers ask
  std::string scene, rays;   ///< --scene, --rays: files, in place of standard ones
  Clock clock = Clock::cpu;  ///< --clock of the cpu's rows: cpu or wall
  double seconds = std::numeric_limits<double>::infinity();  ///< --seconds
};
const Options& options();

/// Runs `seconds_of` once to warm up and then for each iteration, by the time that it returns.
/// Returns false where the time of --seconds is over: then the benchmark says so.
bool measure(benchmark::State& state, const std::function<double()>& seconds_of);

/// Measures a question at a place, and judges its answers.
void measure_question(benchmark::State& state, const std::string& key, World& world,
                      const Place& place, const Question& question);

/// Holds the first n answers to brute force, by a sample and once for each key, and to those of
/// other places. Their hash is the label.
void judge(benchmark::State& state, const std::string& key, World& world, const Question& question,
           const Answers& answers, std::uint64_t n);

/// The rate `amount` a second, as "<unit>/s".
void count_rate(benchmark::State& state, const char* unit, double amount);
/// Ends the benchmark as an error, and the program with exit code 1.
void fail(benchmark::State& state, const std::string& why);
/// Fails where `hash` is not the first of this key; else it is the label.
void label(benchmark::State& state, const std::string& key, const std::string& hash);

/// Registers a benchmark by the time that it reports itself. It fails with what `run` throws.
void add(const std::string& name, std::function<void(benchmark::State&)> run);

/// The scenes and sizes of this run: city, cloud and mixed by powers of ten, or the one file.
struct SceneName {
  std::string scene;
  std::uint64_t shapes;
  std::string text() const;  ///< city/1000, level
};
std::vector<SceneName> scenes();

/// The places of this run: the cpu's, cuda where there is a device, and the reference, of which a
/// sample of each question is asked.
const std::vector<Place>& places();

// A function for each file of bench/drivers.

void add_pairs();
void add_rays();
void add_queries();
void add_flat();
void add_builds();
void add_device();

}  // namespace sightline::bench
