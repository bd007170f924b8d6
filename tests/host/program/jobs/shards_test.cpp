// Shards: in any order, on any device, run twice, stopped or killed and gone on with elsewhere,
// they are merged to the bytes of one run; others are refused, and a merge is whole or is not.
#include "host/program/results/shard_layout.hpp"

#include "host/files/formats/scene_file.hpp"
#include "tests/host/program/jobs/long_job.hpp"

#include <csignal>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

namespace sightline::cli {
namespace {

using nlohmann::json;

class ShardsTest : public LongJobTest {
 protected:
  const Arguments self_ = {"visibility", "city.st", "--from", "points.npy"};
  const Arguments pairs_ = self_ + Arguments{"--to", "few.npy"};
  const Arguments cast_ = {"cast", "city.st", "--rays", "rays.st", "--normals"};
  const Arguments rows_ = {"cast", "city.st", "--rays", "rays.st", "--query", "all", "--t-out"};
  const Arguments bits_ = {"cast", "city.st", "--rays", "rays.st", "--query", "any"};
  const Arguments areas_ = {"areas", "city.st", "--areas", "areas.json", "--samples", "8"};
  const Arguments cover_ = {"cover", "city.st", "--points", "points.npy", "--at", "1.7"};
  const Arguments probes_ = {"probes", "city.st", "--points", "few.npy", "--grid", "5"};
  const Arguments overlaps_ = {"overlap", "city.st", "--with", "bodies.st", "--query", "all"};
  const std::vector<Arguments> jobs_ = {self_,  pairs_, cast_,   rows_,    bits_,
                                        areas_, cover_, probes_, overlaps_};

  void SetUp() override {
    make_city(60, 20000);
    make_points(900);
    make_points(150, "few.npy", 2);
    make_areas(50);
    Scene bodies;
    for (int i = 0; i < 1000; ++i) {
      bodies.add_sphere({{static_cast<float>(i % 50) * 4, static_cast<float>(i / 50) * 9, 2}, 1});
    }
    io::write_scene(path("bodies.st"), bodies);
  }
  static Arguments shard(const Arguments& job, std::uint64_t i, std::uint64_t n,
                         const std::string& output = "out") {
    return job + Arguments{"-o", output, "--shard", std::to_string(i) + "/" + std::to_string(n)};
  }
  static std::string file(std::uint64_t i, std::uint64_t n) { return shard_file("out", {i, n}); }
  std::string whole(const Arguments& job) {
    EXPECT_EQ(run(job + Arguments{"-o", "whole"}).exit_code, 0);
    std::string bytes = get("whole");
    remove({"whole"});
    return bytes;
  }
  void run_all(const Arguments& job, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(run(shard(job, i, n)).exit_code, 0);
  }
  void remove_shards() {
    for (const std::string& name : names()) {
      if (name.starts_with("out")) std::filesystem::remove(path(name));
    }
  }
};

TEST_F(ShardsTest, AnyNumberInAnyOrderGivesTheSameBytes) {
  const Arguments ways[] = {
      {}, {"--device", "reference"}, {"--device", "cpu", "--threads", "1"}, {"--keep-every", "0"}};
  for (const Arguments& job : jobs_) {
    remove({"whole"});  // which is of another kind
    json plain = json_of(job, {"-o", "whole"})["counts"];
    const std::string bytes = get("whole");
    for (const std::uint64_t n : {1u, 3u, 8u}) {
      SCOPED_TRACE(job[0] + " in " + std::to_string(n));
      std::vector<std::uint64_t> order(n);
      std::iota(order.begin(), order.end(), 0u);
      std::shuffle(order.begin(), order.end(), random_);
      order.push_back(order[random_() % n]);  // run twice
      std::uint64_t all = 0;
      for (const std::uint64_t i : order) {
        const Outcome done = run(shard(job, i, n) + ways[random_() % 4]);
        ASSERT_EQ(done.exit_code, 0) << done.err;
        all += i == order.back() ? 0 : get(file(i, n)).size();
      }
      // Padding, a header each, and the rows or directions that all of them have.
      EXPECT_LT(all, bytes.size() + bytes.size() / 8 + n * 6000);
      const json merged = json_of({"merge", "-o", "out"})["counts"];
      EXPECT_TRUE(get("out") == bytes);
      for (const auto& [key, value] : merged.items()) {
        if (key != "segments" && plain.contains(key)) {
          EXPECT_EQ(value, plain[key]) << key;
        }
      }
      EXPECT_FALSE(exists("out.partial") || exists("out.journal"));
      remove_shards();
    }
  }
}

// On one machine it is stopped or killed, on another it goes on; the files are moved.
TEST_F(ShardsTest, StoppedOrKilledTheyGoOnElsewhere) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  std::filesystem::create_directory(path("there"));
  for (const Arguments& job : {self_, cast_, rows_, areas_, cover_}) {
    SCOPED_TRACE(job[0]);
    const std::string bytes = whole(job);
    run_all(job, 3);
    const std::string finished = get(file(1, 3));
    std::uint64_t went_on = 0;
    for (std::uint64_t call = 1;; call += 1 + random_() % (2 * call)) {
      remove({file(1, 3)});
      if (run_to(call, shard(job, 1, 3) + Arguments{"--keep-every", "0"}).exit_code == 0) break;
      for (const char* ending : {"", ".partial", ".journal"}) {
        const std::string name = file(1, 3) + ending;
        if (exists(name)) std::filesystem::rename(path(name), path("there/" + name));
      }
      const Outcome done = run(shard(job, 1, 3, "there/out"));
      ASSERT_EQ(done.exit_code, 0) << done.err;
      went_on += done.said("resumes");
      EXPECT_TRUE(job[0] == "areas" || get("there/" + file(1, 3)) == finished);
    }
    EXPECT_GT(went_on, 0u);
    ASSERT_EQ(run({"merge", file(2, 3), "there/" + file(1, 3), file(0, 3), "-o", "out"}).exit_code,
              0);
    EXPECT_TRUE(get("out") == bytes);
    remove_shards();
  }
}

TEST_F(ShardsTest, AStoppedShardSaysHowFarItIs) {
  make_points(6000, "many.npy", 5);
  const Arguments job = {"visibility", "city.st", "--from", "many.npy"};
  const Arguments slow = shard(job, 1, 2) + Arguments{"--threads", "1", "--keep-every", "0"};
  const std::string bytes = whole(job);
  ASSERT_EQ(run(shard(job, 0, 2)).exit_code, 0);
  int stops = 0;
  for (std::uint64_t ms = 20; stops == 0 && ms < 5000; ms += ms / 2) {
    remove_shards();
    const pid_t process = start(slow);
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    ::kill(process, SIGTERM);
    const Outcome stopped = wait_for(process);
    if (stopped.exit_code != 75) continue;
    ++stops;
    EXPECT_TRUE(stopped.said("% is done and kept: the same command resumes")) << stopped.err;
    ASSERT_EQ(run(shard(job, 0, 2)).exit_code, 0);
    expect_failure(3, {file(1, 2), "not finished", "% is done"}, {"merge", "-o", "out"});
    expect_failure(3, {file(1, 2), "not finished"}, {"merge", file(1, 2), "-o", "out"});
    const json all = json_of({"info", "out"});
    EXPECT_EQ(all["file"]["state"], "in shards");
    EXPECT_EQ(all["shards"][0]["done"], 1);
    EXPECT_EQ(all["shards"][0]["unfinished"], 1);
    EXPECT_EQ(all["shards"][0]["cells"], 36000000);
    EXPECT_GT(all["shards"][0]["share"], 0.49);
    EXPECT_LT(all["shards"][0]["share"], 1);
    const json one = json_of({"info", file(1, 2)})["unfinished"];
    EXPECT_LT(one["of"], 19000000);
    EXPECT_LT(one["done"], one["of"]);
    EXPECT_TRUE(run(slow).said("resumes"));
  }
  EXPECT_EQ(stops, 1) << "no signal came in time";
  ASSERT_EQ(run({"merge", "-o", "out"}).exit_code, 0);
  EXPECT_TRUE(get("out") == bytes);
  // Of one shard a unit has several tiles and their images.
  ASSERT_EQ(run(shard(job, 0, 1)).exit_code, 0);
  ASSERT_EQ(run({"merge", file(0, 1), "-o", "out"}).exit_code, 0);
  EXPECT_TRUE(get("out") == bytes);
}

TEST_F(ShardsTest, WhatDoesNotBelongTogetherIsRefused) {
  json_of({"gen", "city", "--shapes", "60", "--seed", "5", "-o", "other.st"});
  expect_failure(3, {"out: there are no shards beside it", "out.shard-0-of-2"},
                 {"merge", "-o", "out"});
  run_all(self_, 3);
  const auto expect_refused = [&](const std::string& word, const Arguments& other) {
    ASSERT_EQ(run(shard(other, 1, 3, "other")).exit_code, 0);
    expect_failure(3, {"other.shard-1-of-3: is a shard of another job", word, file(0, 3)},
                   {"merge", file(0, 3), "other.shard-1-of-3", file(2, 3), "-o", "out"});
  };
  expect_refused("its 'query.range' is '7'", self_ + Arguments{"--max-distance", "7"});
  expect_refused("'to.", pairs_);
  expect_refused("'scene.hash'", {"visibility", "other.st", "--from", "points.npy"});
  make_points(900, "moved.npy", 9);
  expect_refused("'from.hash'", {"visibility", "city.st", "--from", "moved.npy"});
  expect_refused("'sightline.file' is 'hits'", cast_);
  ASSERT_EQ(run(shard(self_, 1, 4, "other")).exit_code, 0);
  expect_failure(3, {"'shard.count' is '4'"},
                 {"merge", file(0, 3), "other.shard-1-of-4", "-o", "out"});
  // Missing.
  std::filesystem::rename(path(file(1, 3)), path("kept"));
  expect_failure(3, {"out: 1 of 3 shards is missing, the first is 1/3"}, {"merge", "-o", "out"});
  expect_failure(3, {"2 of 3 shards are missing"}, {"merge", file(2, 3), "-o", "out"});
  expect_failure(6, {"gone", "cannot be opened"}, {"merge", "gone", "-o", "out"});
  // A name is only a name, and the same shard may be there twice.
  const Outcome twice = run({"merge", file(2, 3), "kept", file(0, 3), file(2, 3), "-o", "out"});
  EXPECT_EQ(twice.exit_code, 0);
  EXPECT_TRUE(twice.said("is left out"));
  EXPECT_TRUE(get("out") == whole(self_));
  // Nothing else takes a shard for a result, nor merge a result for a shard.
  expect_failure(3, {"kept", "kind 'shard'", "merge"}, {"export", "kept", "-o", "x.csv"});
  expect_failure(3, {"out", "not a file of kind 'shard'"}, {"merge", "out", "-o", "x"});
  EXPECT_EQ(run({"info", "kept"}).exit_code, 0);
  expect_failure(2, {"named twice"}, {"merge", "kept", "-o", "kept"});
  ASSERT_EQ(run(shard(self_, 0, 2)).exit_code, 0);
  expect_failure(3, {"shards of 2 and of 3"}, {"merge", "-o", "out"});
  expect_failure(2, {"--picture"}, shard(self_, 0, 2) + Arguments{"--picture", "p.png"});
  for (const char* bad : {"2/2", "1", "-1/2", "0/0", "a/b", "1/2/3", "0/9999999"}) {
    expect_failure(2, {"--shard", bad}, self_ + Arguments{"-o", "x", "--shard", bad});
  }
}

TEST_F(ShardsTest, DamagedShardsAreRefused) {
  run_all(rows_, 2);
  const std::string good = get(file(1, 2));
  const Arguments merge = {"merge", "-o", "out"};
  put(file(1, 2), good.substr(0, good.size() - 5));
  expect_failure(3, {file(1, 2)}, merge);
  put(file(1, 2), good);
  // The offset of the last row, and one between, which would lead out of the items.
  const std::uint64_t last = column<std::uint64_t>(file(1, 2), "offsets").size() - 1;
  for (const std::uint64_t row : {last, std::uint64_t{777}}) {
    flip(file(1, 2), offset_of(file(1, 2), "offsets", 8 * row + 5));
    expect_failure(3, {file(1, 2), "offsets"}, merge);
    put(file(1, 2), good);
  }
  const auto claim = [&](const std::string& key, const std::string& value) {
    rewrite(file(0, 2), "claims", {{key, value}}, {});
    expect_failure(3, {"claims"}, {"merge", "claims", file(1, 2), "-o", "out"});
    remove({"claims"});
  };
  claim("shard.index", "2");
  claim("shard.count", "0");
  claim("shard.cut", "2");
  claim("shard.of", "no kind");
  claim("rays.count", "20001");
  claim("rays.count", "18446744073709551614");
}

TEST_F(ShardsTest, AMergeIsWholeOrIsNot) {
  if (!can_kill_at_calls()) GTEST_SKIP() << "nothing can be preloaded";
  for (const Arguments& job : {self_, rows_}) {
    const std::string bytes = whole(job);
    remove_shards();
    run_all(job, 3);
    const Arguments merge = {"merge", "-o", "out"};
    std::uint64_t kills = 0;
    for (std::uint64_t call = 1; run_to(call, merge).exit_code != 0;
         call += 1 + random_() % (1 + call / 2)) {
      ++kills;
      if (exists("out")) {
        EXPECT_TRUE(get("out") == bytes);
      }
      if (random_() % 2 == 0) {
        EXPECT_EQ(run(merge).exit_code, 0);
        expect_whole("out", bytes);
      }
      remove({"out"});
    }
    EXPECT_GT(kills, 5u);
    expect_whole("out", bytes);
  }
  // The work of a job that would write the same file is not thrown away.
  remove({"out"});
  ASSERT_TRUE(leave_unfinished(cast_ + Arguments{"-o", "out", "--device", "reference"}));
  expect_failure(6, {"out.partial", "unfinished"}, {"merge", "-o", "out"});
}

TEST_F(ShardsTest, AFullDisk) {
  const RunOptions full{20000, ""};
  expect_failure(6, {file(0, 2)}, shard(cast_, 0, 2) + Arguments{"--device", "cpu"}, full);
  run_all(cast_, 2);
  expect_failure(6, {"out"}, {"merge", "-o", "out"}, full);
  ASSERT_EQ(run({"merge", "-o", "out"}).exit_code, 0);
  EXPECT_TRUE(get("out") == whole(cast_));
}

TEST_F(ShardsTest, BadRaysAreToldByTheWholeAsByOneRun) {
  std::string bytes = get("rays.st");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::uint64_t ray : {7u, 19999u}) {
    std::memcpy(bytes.data() + offset_of("rays.st", "origin", ray * 12), &nan, sizeof nan);
  }
  put("rays.st", bytes);
  for (const Arguments& job : {cast_, rows_}) {
    std::uint64_t refused = 0;
    for (std::uint64_t i = 0; i < 8; ++i) {
      const Outcome strict = run(shard(job, i, 8) + Arguments{"--strict"});
      refused += strict.exit_code == 3 && (strict.said("ray 7:") || strict.said("ray 19999:"));
    }
    EXPECT_EQ(refused, 2u);
    run_all(job, 8);
    EXPECT_EQ(json_of({"merge", "-o", "out"})["counts"]["bad_rays"], 2);
    EXPECT_TRUE(get("out") == whole(job));
    remove_shards();
  }
}

TEST_F(ShardsTest, NothingAndLittleAreSharedToo) {
  write_npy("none.npy", 0, 3);
  write_npy("one.npy", 1, 3);
  for (const Arguments& job :
       {Arguments{"visibility", "city.st", "--from", "none.npy"},
        {"visibility", "city.st", "--from", "one.npy", "--to", "none.npy"},
        {"visibility", "city.st", "--from", "one.npy"},
        {"cast", "city.st", "--origins", "none.npy", "--directions", "none.npy", "--query", "all"},
        {"distance", "city.st", "--points", "one.npy"}}) {
    SCOPED_TRACE(job[3]);
    run_all(job, 3);
    const Outcome merged = run({"merge", "-o", "out"});
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
    EXPECT_TRUE(get("out") == whole(job));
    EXPECT_EQ(json_of({"info", "out"})["shards"][0]["done"], 3);
    remove_shards();
  }
}

// Every cell is one shard's, in a place of its own, and none has much more work than another.
TEST(ShardLayout, CoversTheGridEvenly) {
  const std::vector<Column> bits = {{"bits", io::Dtype::u64, {0, 0}, Layout::bits}};
  const std::vector<Column> cells = {{"class", io::Dtype::u8, {0, 0}}};
  const Grid grids[] = {{3000}, {1}, {70, 900, true}, {700, 90, true}, {777, 777, true, true}};
  for (const Grid& grid : grids) {
    for (const std::uint64_t n : {1u, 2u, 3u, 7u, 64u}) {
      for (const auto& columns : {bits, cells}) {
        SCOPED_TRACE(std::to_string(grid.rows) + " x " + std::to_string(grid.columns) + " in " +
                     std::to_string(n));
        std::vector<int> owners(grid.cells());
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
          const ShardLayout share(grid, columns, Shard{i, n});
          std::set<std::pair<std::uint64_t, std::uint64_t>> places;
          for (const io::GridPart& unit : share.units()) {
            for (std::uint64_t r = unit.row; r < unit.row + unit.rows; ++r) {
              for (std::uint64_t c = unit.column; c < unit.column + unit.columns; ++c) {
                ++owners[r * grid.columns + c];
                if (grid.mirrored && unit.row != unit.column) ++owners[c * grid.columns + r];
                const auto place = share.place({r, 1, c, 1});
                ASSERT_TRUE(place && place->row < share.grid().rows &&
                            place->column < share.grid().columns);
                ASSERT_TRUE(places.insert({place->row, place->column}).second);
              }
            }
          }
          sum += share.cells();
        }
        EXPECT_EQ(sum, grid.cells());
        EXPECT_EQ(std::ranges::count(owners, 1), static_cast<std::ptrdiff_t>(grid.cells()));
      }
    }
  }
  const Grid large[] = {{100'000'000}, {50'000, 70'000, true}, {60'000, 60'000, true, true}};
  for (const Grid& grid : large) {
    for (const std::uint64_t n : {2u, 3u, 8u, 100u}) {
      for (const auto* columns : {&bits, &cells}) {
        std::uint64_t most = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
          most = std::max(most, ShardLayout(grid, *columns, Shard{i, n}).cells());
        }
        // Of small tiles of bits there are few.
        const double more = columns == &bits && grid.pairs ? 1.2 : 1.06;
        EXPECT_LT(static_cast<double>(most * n), more * static_cast<double>(grid.cells()))
            << grid.rows << " x " << grid.columns << " in " << n;
      }
    }
  }
}

}  // namespace
}  // namespace sightline::cli
