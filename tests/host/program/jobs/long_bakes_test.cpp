// Bakes as long jobs: killed at any call, by other options gone on with, or damaged, they end in
// the same bytes, counts and pictures.
#include "tests/host/program/jobs/long_job.hpp"

namespace sightline::cli {
namespace {

using nlohmann::json;

class LongBakesTest : public LongJobTest {
 protected:
  struct Bake {
    std::string name;
    Arguments job;
    Arguments cut = {};  ///< into chunks
    /// That makes another job of it, and a word that the refusal says.
    Arguments other;
    std::string word;
  };
  std::vector<Bake> bakes_;

  void SetUp() override {
    make_city(60, 1);
    make_points(25000, "spots.npy", 3);
    make_points(60, "eyes.npy", 4);
    make_points(300, "few.npy", 2);
    make_areas(100);  // in tiles of 64
    const Arguments areas_job = {"areas",     "city.st", "--areas", "areas.json",
                                 "--samples", "64",      "--range", "20"};
    bakes_ = {{"areas", areas_job, {}, {"--classes"}, "query.counts"},
              {"classes", areas_job + Arguments{"--classes"}, {}, {"--inside", "ignore"}, "inside"},
              {"exposure",
               {"exposure", "city.st", "--from", "eyes.npy", "--to", "spots.npy"},
               {"--device", "reference"},
               {"--margin", "0.01"},
               "query.margin"},
              {"probes",
               {"probes", "city.st", "--points", "few.npy", "--grid", "64"},
               {},
               {"--range", "7"},
               "query.range"},
              {"cover",
               {"cover", "city.st", "--points", "spots.npy", "--at", "1.7", "--reach", "6",
                "--directions", "8"},
               {},
               {"--lean", "1"},
               "query.lean"}};
  }
  const Bake& bake(const std::string& name) const {
    for (const Bake& b : bakes_) {
      if (b.name == name) return b;
    }
    throw std::logic_error(name);
  }
  /// Kills the job after its first record. Returns whether it could.
  bool leave_unfinished(const Bake& b) {
    remove({"out"});
    return LongJobTest::leave_unfinished(b.job + Arguments{"-o", "out"} + b.cut, 1);
  }
  json counts_of(const Arguments& job) {
    json counts = json_of(job)["counts"];
    counts.erase("segments");  // are the work that it took
    return counts;
  }
};

TEST_F(LongBakesTest, Areas) { expect_to_survive(bake("areas").job, {}); }
TEST_F(LongBakesTest, Classes) { expect_to_survive(bake("classes").job, {}); }
TEST_F(LongBakesTest, Exposure) { expect_to_survive(bake("exposure").job, bake("exposure").cut); }
TEST_F(LongBakesTest, Probes) { expect_to_survive(bake("probes").job, {}); }
TEST_F(LongBakesTest, Cover) { expect_to_survive(bake("cover").job, {}); }

// Counts, pictures and bytes are of the whole, whichever run did what, in tiles of any size.
TEST_F(LongBakesTest, AnotherMachineGoesOn) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  for (const Bake& b : bakes_) {
    remove({"out"});  // which is of another kind
    SCOPED_TRACE(b.name);
    Arguments job = b.job + Arguments{"-o", "out"};
    const bool draws = b.name != "probes";
    if (draws) job = job + Arguments{"--picture", "p.png"};
    const json counts = counts_of(job);
    const std::string whole = get("out"), picture = draws ? get("p.png") : "";
    const Arguments brute = {"--device", "reference"}, tree = {"--device", "cpu", "--threads", "1"};
    for (const bool by_brute_force : {true, false}) {
      remove({"out", "p.png"});
      // What is cut by brute force alone has nothing done before its end by a tree.
      if (!by_brute_force && !b.cut.empty()) continue;
      Bake first = b;
      first.cut = by_brute_force ? brute : tree;
      ASSERT_TRUE(leave_unfinished(first));
      const json status = json_of({"info", "out.partial"})["unfinished"];
      EXPECT_GT(status["done"], 0);
      EXPECT_LT(status["done"], status["of"]);
      const json again = counts_of(job + (by_brute_force ? tree : brute));
      EXPECT_EQ(again.dump(), counts.dump());
      expect_whole("out", whole);
      if (draws) {
        EXPECT_TRUE(get("p.png") == picture);
      }
    }
  }
}

TEST_F(LongBakesTest, OtherJobsAreRefusedAndNothingIsLost) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  json_of({"gen", "city", "--shapes", "60", "--seed", "5", "-o", "other.st"});
  for (const Bake& b : bakes_) {
    remove({"out"});  // which is of another kind
    SCOPED_TRACE(b.name);
    const Arguments job = b.job + Arguments{"-o", "out"};
    ASSERT_EQ(run(job).exit_code, 0);
    const std::string whole = get("out");
    remove({"out"});
    ASSERT_TRUE(leave_unfinished(b));
    const std::string partial = get("out.partial"), journal = get("out.journal");
    expect_refused(b.word, job + b.other);
    Arguments elsewhere = job;
    elsewhere[1] = "other.st";
    expect_refused(".hash", elsewhere);
    EXPECT_TRUE(run(job).said("resumes"));
    expect_whole("out", whole);
    put("out.partial", partial);
    put("out.journal", journal);
    EXPECT_FALSE(run(job + b.other + Arguments{"--restart"}).said("resumes"));
    EXPECT_NE(get("out"), whole);
    EXPECT_FALSE(exists("out.partial") || exists("out.journal"));
    remove({"out"});
  }
}

// Killed as it gives the file its name, all of it is done; before that, less.
TEST_F(LongBakesTest, StatusTellsHowMuchIsDone) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  for (const std::string name : {"classes", "probes"}) {
    SCOPED_TRACE(name);
    const Arguments job = bake(name).job + Arguments{"-o", "out", "--keep-every", "0"};
    const auto survives = [&](std::uint64_t call) {
      remove({"out", "out.partial", "out.journal"});
      return run_to(call, job).exit_code == 0;
    };
    std::uint64_t low = 0, high = 64;  // it dies at the call `low`, if any, and not at `high`
    while (!survives(high)) low = high, high *= 2;
    while (high - low > 1) (survives((low + high) / 2) ? high : low) = (low + high) / 2;
    double last = 0;
    std::uint64_t whole_at = 0;
    for (std::uint64_t call = low - 12; call <= low; ++call) {
      survives(call);
      if (!exists("out.partial")) continue;
      const json status = json_of({"info", "out.partial"})["unfinished"];
      const std::uint64_t rows = name == "probes" ? 300 : 100 * 100;
      EXPECT_EQ(status["of"], rows);
      EXPECT_LE(status["done"], rows);
      EXPECT_GE(status["share"], last);
      last = status["share"];
      if (last == 1) whole_at = call;
    }
    ASSERT_GT(whole_at, 0u);
    survives(whole_at);
    EXPECT_TRUE(run(job).said("100.00% was done"));
  }
}

// What a damaged journal does not vouch for is done again.
TEST_F(LongBakesTest, DamagedJournals) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  for (const Bake& b : bakes_) {
    remove({"out"});  // which is of another kind
    SCOPED_TRACE(b.name);
    const Arguments job = b.job + Arguments{"-o", "out"};
    const json counts = counts_of(job);
    const std::string whole = get("out");
    remove({"out"});
    ASSERT_TRUE(leave_unfinished(b));
    const std::string partial = get("out.partial"), journal = get("out.journal");
    for (std::uint64_t i = 0, n = scaled(6); i < n; ++i) {
      remove({"out"});
      put("out.partial", partial);
      std::string damaged = journal;
      if (i % 2 == 0) {
        damaged.resize(random_() % journal.size());
      } else {
        damaged[random_() % journal.size()] ^= static_cast<char>(1 + random_() % 255);
      }
      put("out.journal", damaged);
      // A version is refused, all else counts as far as it is whole.
      if (run(job).exit_code == 3) remove({"out.partial", "out.journal"});
      EXPECT_EQ(counts_of(job).dump(), counts.dump());
      expect_whole("out", whole);
    }
  }
}

}  // namespace
}  // namespace sightline::cli
