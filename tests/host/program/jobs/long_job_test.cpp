// Long jobs: killed at any call or moment, the same command goes on to the same bytes; other jobs
// are refused; status tells how far they are.
#include "tests/host/program/jobs/long_job.hpp"
#include "host/files/core/file.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <sys/file.h>

#include <csignal>
#include <fcntl.h>

#include <chrono>
#include <thread>

namespace sightline::cli {
namespace {

using nlohmann::json;

TEST_F(LongJobTest, VisibilityOfASetAgainstItself) {
  expect_to_survive({"visibility", "city.st", "--from", "points.npy", "--range", "30"});
}

TEST_F(LongJobTest, Visibility) {
  expect_to_survive({"visibility", "city.st", "--from", "few.npy", "--to", "points.npy"});
}

TEST_F(LongJobTest, ClosestHits) {
  expect_to_survive({"cast", "city.st", "--rays", "rays.st", "--normals"});
}

TEST_F(LongJobTest, AllHits) {
  expect_to_survive({"cast", "city.st", "--rays", "rays.st", "--query", "all"});
}

TEST_F(LongJobTest, CountedHits) {
  expect_to_survive({"cast", "city.st", "--rays", "rays.st", "--query", "count"});
}

TEST_F(LongJobTest, Distance) {
  make_points(80000, "many.npy", 3);
  expect_to_survive({"distance", "city.st", "--points", "many.npy", "--k", "4"});
}

TEST_F(LongJobTest, Overlaps) {
  Scene queries;
  for (int i = 0; i < 160000; ++i) {
    queries.add_sphere({{static_cast<float>(i % 283), static_cast<float>(i / 283), 2}, 1});
  }
  io::write_scene(path("asking.st"), queries);
  expect_to_survive({"overlap", "city.st", "--with", "asking.st", "--query", "all"});
}

TEST_F(LongJobTest, Flat) {
  put("set.json", R"({"dimensions": 2, "circle": [{"center": [9, 9], "radius": 50}]})");
  write_npy("segments.npy", 400000, 4);
  expect_to_survive({"flat", "set.json", "--segments", "segments.npy"});
}

// Whatever ran before and runs after: threads, memory, devices; and counts are of the whole.
TEST_F(LongJobTest, AnotherMachineGoesOn) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  const Arguments cast = {"cast", "city.st", "--rays", "rays.st", "-o", "out"};
  const Arguments sight = {"visibility", "city.st", "--from", "points.npy", "-o", "out"};
  const Arguments fields = sight + Arguments{"--directions", "looks.npy", "--half-angle", "60"};
  write_npy("looks.npy", 2500, 3);
  for (const Arguments& job : {cast, sight, fields}) {
    remove({"out"});  // which is of another kind
    const json whole = json_of(job);
    const std::string bytes = get("out");
    const std::string memory = little_memory(job);
    const Arguments ways[] = {
        {"--device", "reference"}, {"--device", "cpu", "--threads", "1"}, {"--max-memory", memory}};
    for (std::size_t before = 0; before < 3; ++before) {
      remove({"out"});
      if (job[0] == "cast") {
        EXPECT_TRUE(leave_unfinished(job + ways[before]));
      } else {  // after the first record: tiles are written by rows, of brute force 512
        const Arguments every = job + ways[before] + Arguments{"--keep-every", "0"};
        EXPECT_NE(run_to(before == 0 ? 700 : 2200, every).exit_code, 0);
      }
      const json report = json_of(job + ways[(before + 1 + random_() % 2) % 3]);
      expect_whole("out", bytes);
      EXPECT_EQ(report["counts"].dump(), whole["counts"].dump());
    }
  }
}

TEST_F(LongJobTest, APictureIsOfTheWhole) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  const Arguments job = {"visibility", "city.st",   "--from", "points.npy",   "-o",
                         "out",        "--picture", "p.png",  "--keep-every", "0"};
  ASSERT_EQ(run(job).exit_code, 0);
  const std::string picture = get("p.png");
  remove({"out", "p.png"});
  EXPECT_NE(run_to(2500, job).exit_code, 0);
  EXPECT_TRUE(run(job).said("resumes"));
  EXPECT_TRUE(get("p.png") == picture);
}

TEST_F(LongJobTest, StrictTellsTheBadRayOfWhatWasDone) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  std::string bytes = get("rays.st");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + offset_of("rays.st", "origin", 7 * 12), &nan, sizeof nan);
  put("rays.st", bytes);
  for (const Arguments& query : {Arguments{}, {"--query", "count"}}) {
    remove({"out"});  // which is of another kind
    const Arguments job = Arguments{"cast", "city.st", "--rays", "rays.st", "-o", "out"} + query;
    EXPECT_TRUE(leave_unfinished(job + Arguments{"--max-memory", little_memory(job)}));
    const Outcome strict = run(job + Arguments{"--strict"});
    EXPECT_EQ(strict.exit_code, 3) << strict.err;
    EXPECT_TRUE(strict.said("ray 7:")) << strict.err;
    const json report = json_of(job);
    EXPECT_EQ(report["counts"]["bad_rays"], 1);
    EXPECT_EQ(report["counts"]["first_bad_ray"], 7);
    remove({"out"});
  }
}

TEST_F(LongJobTest, OtherJobsAreRefusedAndNothingIsLost) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  const Arguments job = {"visibility", "city.st", "--from", "points.npy", "-o", "out"};
  ASSERT_EQ(run(job).exit_code, 0);
  const std::string whole = get("out");
  remove({"out"});
  EXPECT_NE(run_to(2500, job + Arguments{"--keep-every", "0"}).exit_code, 0);
  const std::string partial = get("out.partial"), journal = get("out.journal");
  make_points(2500, "moved.npy", 9);
  json_of({"gen", "city", "--shapes", "120", "--seed", "5", "-o", "other.st"});
  expect_refused("query.range", job + Arguments{"--range", "7"});
  expect_refused("query.margin", job + Arguments{"--margin", "0.01"});
  expect_refused("query.inside", job + Arguments{"--inside", "ignore"});
  expect_refused("to.", job + Arguments{"--to", "few.npy"});
  expect_refused("from.hash", {"visibility", "city.st", "--from", "moved.npy", "-o", "out"});
  expect_refused("scene.hash", {"visibility", "other.st", "--from", "points.npy", "-o", "out"});
  expect_refused("sightline.file", {"cast", "city.st", "--rays", "rays.st", "-o", "out"});
  // Nor may a file that is no long job take its place.
  expect_failure(6, {"out.partial", "unfinished"}, {"gen", "city", "--shapes", "9", "-o", "out"});
  EXPECT_TRUE(get("out.partial") == partial && get("out.journal") == journal);
  EXPECT_TRUE(run(job).said("resumes"));
  expect_whole("out", whole);
  // --restart begins anew.
  remove({"out"});
  EXPECT_NE(run_to(2500, job + Arguments{"--keep-every", "0"}).exit_code, 0);
  EXPECT_FALSE(run(job + Arguments{"--restart", "--range", "7"}).said("resumes"));
  EXPECT_NE(get("out"), whole);
  EXPECT_FALSE(exists("out.partial") || exists("out.journal"));
}

TEST_F(LongJobTest, TwoAtOnceAndTheirStatus) {
  const Arguments job = {"cast", "city.st", "--rays", "rays.st", "-o", "out"};
  expect_failure(6, {"out"}, {"info", "out"});
  put("out.partial", "left by a job without a journal");
  expect_failure(2, {"out.partial", "named twice"}, {"info", "out", "--json", "out.partial"});
  json status = json_of({"info", "out"});
  EXPECT_EQ(status["file"]["state"], "unfinished");
  EXPECT_EQ(status["unfinished"]["resumable"], false);
  const int file = ::open(path("out.partial").c_str(), O_RDWR);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(json_of({"info", "out"})["file"]["state"], "at work");
  EXPECT_EQ(json_of({"info", "out.partial"})["file"]["state"], "at work");
  expect_failure(6, {"out.partial", "another writer"}, job);
  expect_failure(6, {"out.partial", "another writer"}, job + Arguments{"--restart"});
  ::close(file);
  EXPECT_EQ(run(job).exit_code, 0);
  status = json_of({"info", "out"});
  EXPECT_EQ(status["file"]["state"], "complete");
  EXPECT_EQ(status["file"]["kind"], "hits");
  EXPECT_EQ(status["metadata"]["rays.count"], std::to_string(ray_count));
  if (!can_kill_at_calls()) return;
  EXPECT_TRUE(leave_unfinished(job + Arguments{"--max-memory", little_memory(job)}));
  status = json_of({"info", "out"});
  EXPECT_EQ(status["file"]["state"], "unfinished");
  EXPECT_EQ(status["older_result"], get("out").size());
  EXPECT_EQ(status["file"]["kind"], "hits");
  const json& unfinished = status["unfinished"];
  EXPECT_EQ(unfinished["resumable"], true);
  EXPECT_EQ(unfinished["of"], ray_count);
  EXPECT_GT(unfinished["done"], 0);
  EXPECT_LT(unfinished["done"], ray_count);
  EXPECT_GT(unfinished["rate_per_second"], 0);
  EXPECT_EQ(unfinished["metadata"]["sightline.file"], "hits");
}

// It is what ended the run, and is read once more to tell what is kept.
TEST_F(LongJobTest, AJournalThatIsNoFile) {
  put("out.partial", "something");
  std::filesystem::create_directory(path("out.journal"));
  expect_failure(6, {"out.journal", "not a regular file"},
                 {"cast", "city.st", "--rays", "rays.st", "-o", "out"});
}

// Killed as it removes the journal of a result that has its name; then the next run is killed, too.
TEST_F(LongJobTest, AJournalThatOutlivedItsJob) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  const Arguments job = {"cast", "city.st", "--rays", "rays.st",      "--query",
                         "any",  "-o",      "out",    "--keep-every", "0"};
  std::string journal;
  for (std::uint64_t call = 1; run_to(call, job).exit_code != 0; ++call) {
    if (exists("out") && !exists("out.partial") && exists("out.journal")) {
      journal = get("out.journal");
    }
    remove({"out", "out.partial", "out.journal"});
  }
  ASSERT_FALSE(journal.empty());
  const std::string whole = get("out");
  for (std::uint64_t call = 1; call < 12; ++call) {
    remove({"out", "out.partial"});
    put("out.journal", journal);
    EXPECT_NE(run_to(call, job).exit_code, 0);
    EXPECT_EQ(run(job).exit_code, 0);
    expect_whole("out", whole);
  }
}

// By the clock, with the journal as the program keeps it.
TEST_F(LongJobTest, KilledAtRandomMoments) {
  const Arguments jobs[] = {
      {"visibility", "city.st", "--from", "points.npy", "-o", "out", "--keep-every", "0"},
      {"cast", "city.st", "--rays", "rays.st", "-o", "out", "--keep-every", "0.01"},
      {"distance", "city.st", "--points", "points.npy", "--k", "8", "-o", "out"}};
  for (const Arguments& job : jobs) {
    remove({"out"});  // which is of another kind
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(run(job).exit_code, 0);
    const auto once = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begin);
    const std::string whole = get("out");
    for (std::uint64_t i = 0, n = scaled(6); i < n; ++i) {
      remove({"out"});
      for (int kills = 0; kills < 3; ++kills) {
        const pid_t process = start(job);
        std::this_thread::sleep_for(once * static_cast<long>(random_() % 1000) / 1000);
        ::kill(process, SIGKILL);
        wait_for(process);
        if (exists("out")) {
          EXPECT_TRUE(get("out") == whole);
        }
      }
      const Outcome done = run(job);
      ASSERT_EQ(done.exit_code, 0) << done.err;
      expect_whole("out", whole);
    }
  }
}

}  // namespace
}  // namespace sightline::cli
