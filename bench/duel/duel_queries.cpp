// Rates of overlaps and nearest shapes on the cpu backend, in turn with the best of what others
// have: Embree's point queries, Bullet's and FCL's trees, as far as this build found them, and a
// plain loop over all shapes; motions beside their samples.
//
//   duel_queries [--scene city,cloud,mixed] [--shapes 1000,10000,100000] [--count N]
//                [--pairs P] [--queries spheres,...,motions] [--ask any,eights,count,all]
//                [--threads 1,2] [--against VAMP,...] [--clock cpu|wall] [--seed S] [--json FILE]
#include "bench/duel/query_row.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace sightline::bench {
namespace {

struct Options {
  std::vector<std::string> scenes = {"city", "cloud", "mixed"};
  std::vector<std::uint64_t> shapes = {1000, 10'000, 100'000};
  std::vector<std::string> queries = {"spheres", "capsules", "aabbs", "obbs", "points", "motions"};
  std::vector<std::string> ask = {"any", "count", "all"};
  std::vector<std::string> against = {""};
  std::vector<int> threads;
  std::uint64_t count = 1 << 17, seed = 1;
  int pairs = 5;
  std::string clock = "cpu", json;
};

void parse(CLI::App& app, Options& o) {
  app.add_option("--scene", o.scenes, "kinds of standard scenes")->delimiter(',');
  app.add_option("--shapes", o.shapes, "shapes of each scene")->delimiter(',');
  app.add_option("--queries", o.queries, "spheres, rakes, capsules, aabbs, obbs, points, motions")
      ->delimiter(',');
  app.add_option("--ask", o.ask, "of shapes: any, count, all; of spheres and rakes: eights")
      ->delimiter(',');
  app.add_option("--against", o.against, "rivals whose names begin so; all where not given")
      ->delimiter(',');
  app.add_option("--threads", o.threads, "one thread and all cores where not given")
      ->delimiter(',');
  app.add_option("--count", o.count, "queries of each kind")->check(CLI::Range(64, 1 << 26));
  app.add_option("--pairs", o.pairs, "measured pairs")->check(CLI::Range(1, 1000));
  app.add_option("--seed", o.seed, "of scenes and queries");
  app.add_option("--clock", o.clock, "cpu or wall")->check(CLI::IsMember({"cpu", "wall"}));
  app.add_option("--json", o.json, "a file for the rows, a line each");
}

/// What is asked of a batch.
std::vector<std::string> asked_of(const QueryBatch& batch, const Options& o) {
  if (!batch.moves.empty()) return {"blocked"};
  if (!batch.points.empty()) return {"nearest"};
  return o.ask;
}

DuelOptions duel_options(const Options& o, int threads) {
  return {o.pairs, {o.clock == "wall" ? Clock::wall : Clock::cpu, threads}};
}

void measure(const Options& o, const std::string& name, std::uint64_t shapes, RowSink& sink) {
  const auto kind = gen::scene_kind(name);
  if (!kind) throw Error(ErrorKind::usage, "no standard scene is called " + name);
  const Scene scene = gen::make_scene(*kind, shapes, o.seed);
  const gen::RayRegion region = gen::region_of(*kind, scene);
  std::vector<QueryBatch> batches;
  for (const std::string& queries : o.queries) {
    batches.push_back(make_queries(queries, region, shapes, o.count, o.seed));
  }
  const Contest contest(name, scene, o.against);
  for (const int threads : o.threads.empty() ? default_threads() : o.threads) {
    for (const QueryBatch& batch : batches) {
      for (const std::string& ask : asked_of(batch, o)) {
        sink.add(contest.row(batch, ask, threads, duel_options(o, threads)));
      }
    }
  }
}

int run(int argc, char** argv) {
  Options o;
  CLI::App app("rates of overlaps and nearest shapes, beside those of others");
  parse(app, o);
  CLI11_PARSE(app, argc, argv);
  RowSink sink(o.json);
  try {
    for (const std::string& scene : o.scenes) {
      for (const std::uint64_t shapes : o.shapes) measure(o, scene, shapes, sink);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "duel_queries: %s\n", error.what());
    return error.kind() == ErrorKind::usage ? 2 : 7;
  }
  return sink.differing() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) { return sightline::bench::run(argc, argv); }
