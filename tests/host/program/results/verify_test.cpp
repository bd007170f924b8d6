#include "tests/host/program/program.hpp"

#include <sightline/ray.hpp>

namespace sightline::cli {
namespace {

using nlohmann::json;

class VerifyTest : public ProgramTest {
 protected:
  void SetUp() override {
    make_city(120, 500);
    make_points(90);
    make_points(75, "targets.npy", 2);
    json_of({"cast", "city.st", "--rays", "rays.st", "--normals", "-o", "hits.st"});
    json_of({"cast", "city.st", "--rays", "rays.st", "--query", "any", "-o", "any.st"});
    json_of({"visibility", "city.st", "--from", "points.npy", "-o", "self.st"});
    json_of(
        {"visibility", "city.st", "--from", "points.npy", "--to", "targets.npy", "-o", "vis.st"});
  }

  void expect_same(Arguments arguments, std::uint64_t checked) {
    const auto report = json_of(std::move(arguments));
    EXPECT_EQ(report["verify"]["checked"], checked);
    EXPECT_EQ(report["verify"]["different"], 0);
  }

  const Arguments hits = {"verify", "hits.st", "--scene", "city.st", "--rays", "rays.st"};
  const Arguments any = {"verify", "any.st", "--scene", "city.st", "--rays", "rays.st"};
  const Arguments self = {"verify", "self.st", "--scene", "city.st", "--from", "points.npy"};
  const Arguments vis = {"verify", "vis.st",     "--scene", "city.st",
                         "--from", "points.npy", "--to",    "targets.npy"};
};

TEST_F(VerifyTest, RightResultsPass) {
  for (const auto& job : {hits, any}) {
    expect_same(job + Arguments{"--full"}, 500);
    expect_same(job + Arguments{"--sample", "77"}, 77);
    expect_same(job + Arguments{"--sample", "9999", "--seed", "4"}, 500);
    expect_same(job + Arguments{"--sample", "50", "--scalar"}, 50);
  }
  expect_same(self + Arguments{"--full"}, 8100);
  expect_same(self + Arguments{"--sample", "300", "--threads", "3"}, 300);
  expect_same(self + Arguments{"--sample", "300", "--scalar"}, 300);
  expect_same(vis + Arguments{"--full"}, 90 * 75);
  expect_same(vis + Arguments{"--sample", "300"}, 300);
}

// As points that see each other do.
TEST_F(VerifyTest, AFileMayServeTwice) {
  const Arguments jobs[] = {{"visibility", "city.st", "--from", "points.npy"},
                            {"exposure", "city.st", "--from", "points.npy", "--to", "points.npy"},
                            {"distance", "city.st", "--points", "points.npy", "--to", "points.npy"},
                            {"overlap", "bodies.json", "--with", "bodies.json"}};
  put("bodies.json", R"({"sphere": [{"center": [0, 0, 0], "radius": 1}]})");
  for (const auto& job : jobs) {
    SCOPED_TRACE(job[0]);
    std::filesystem::remove(path("r.st"));  // which is of another kind
    json_of(job, {"-o", "r.st"});
    const std::string& points = job.back();
    json_of({"verify", "r.st", job[1], points});
    if (job[1] == points) continue;
    json_of({"verify", "r.st", job[1], points, points});
    json_of({"verify", "r.st", job[1], job[2], points});
  }
  expect_failure(2, {"vis.st", "name its targets with --to"},
                 {"verify", "vis.st", "city.st", "points.npy"});
}

TEST_F(VerifyTest, ThreeDistancesAreNoVector) {
  json_of({"distance", "city.st", "--points", "points.npy", "--k", "3", "-o", "near.st"});
  flip("near.st", offset_of("near.st", "distance", 4 * (3 * 7 + 1)));
  const Outcome done = run({"verify", "near.st", "city.st", "points.npy", "--full"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(done.said("point 7: the file has distance ") && done.said(" at place 1, "))
      << done.err;
}

TEST_F(VerifyTest, OneWrongByteIsFound) {
  const std::string good = get("hits.st");
  struct Place {
    const char* tensor;
    std::uint64_t byte, index;
  };
  for (const Place& place : {Place{"t", 4 * 17, 17}, Place{"id", 4 * 499 + 3, 499},
                             Place{"flags", 0, 0}, Place{"normal", 12 * 250 + 5, 250}}) {
    SCOPED_TRACE(place.tensor);
    put("hits.st", good);
    flip("hits.st", offset_of("hits.st", place.tensor, place.byte));
    expect_difference(hits + Arguments{"--full"}, place.index);
  }
  // A sample of all but a few finds it too, unless it falls on those.
  const Outcome sampled = run(hits + Arguments{"--sample", "500"});
  EXPECT_EQ(sampled.exit_code, 1) << sampled.err;
}

TEST_F(VerifyTest, OneWrongBitIsFound) {
  flip("any.st", offset_of("any.st", "blocked", 9), 4);
  expect_difference(any + Arguments{"--full"}, 74);
  flip("vis.st", offset_of("vis.st", "bits", 8 * (2 * 30 + 1)), 2);
  expect_difference(vis + Arguments{"--full"}, 30 * 75 + 65);
  flip("self.st", offset_of("self.st", "bits", 8 * (2 * 89)), 1);
  expect_difference(self + Arguments{"--full"}, 89 * 90);
}

TEST_F(VerifyTest, PaddingMustBeZero) {
  flip("any.st", offset_of("any.st", "blocked", 8 * 7 + 7), 128);
  expect_difference(any + Arguments{"--full"}, 500);
  flip("vis.st", offset_of("vis.st", "bits", 8 * 2 * 3 + 15), 128);
  EXPECT_EQ(run(vis + Arguments{"--full"}).exit_code, 1);
}

TEST_F(VerifyTest, FilesThatDoNotBelongTogetherAreRefused) {
  const io::ContainerReader result(path("hits.st"));
  const std::string scene_hash = result.metadata("scene.hash");
  const std::string rays_hash = result.metadata("rays.hash");
  std::filesystem::copy(path("city.st"), path("other.st"));
  flip("other.st", offset_of("other.st", "sphere.center", 2));
  std::filesystem::copy(path("rays.st"), path("other-rays.st"));
  flip("other-rays.st", offset_of("other-rays.st", "direction", 40));
  make_points(90, "other.npy", 3);
  expect_failure(3, {"hits.st", "other.st", scene_hash, "has hash"},
                 {"verify", "hits.st", "--scene", "other.st", "--rays", "rays.st"});
  expect_failure(3, {"hits.st", "other-rays.st", rays_hash, "has hash"},
                 {"verify", "hits.st", "--scene", "city.st", "--rays", "other-rays.st"});
  expect_failure(3, {"self.st", "other.npy", "has hash"},
                 {"verify", "self.st", "--scene", "city.st", "--from", "other.npy"});
  expect_failure(3, {"vis.st", "--to"},
                 {"verify", "vis.st", "--scene", "city.st", "--from", "points.npy"});
  expect_failure(
      3, {"vis.st", "other.npy", "has hash"},
      {"verify", "vis.st", "--scene", "city.st", "--from", "points.npy", "--to", "other.npy"});
}

// Right answers to some of the rays or points are not the answer to all of them.
TEST_F(VerifyTest, ResultsOfAnotherLengthAreRefused) {
  rewrite("hits.st", "short.st", {{"rays.count", "100"}},
          {{"t", {100}}, {"id", {100}}, {"flags", {100}}, {"normal", {100, 3}}});
  expect_failure(3, {"short.st", "answers to 100 rays", "rays.st has 500"},
                 {"verify", "short.st", "--scene", "city.st", "--rays", "rays.st"});
  rewrite("vis.st", "short-vis.st", {{"from.count", "30"}}, {{"bits", {30, 2}}});
  expect_failure(3, {"short-vis.st", "answers to 30 viewpoints", "points.npy has 90"},
                 {"verify", "short-vis.st", "--scene", "city.st", "--from", "points.npy", "--to",
                  "targets.npy"});
}

// Nobody has to say which file was which.
TEST_F(VerifyTest, FilesAreKnownByTheirHashes) {
  expect_same({"verify", "hits.st", "rays.st", "city.st", "--full"}, 500);
  expect_same({"verify", "vis.st", "targets.npy", "points.npy", "city.st", "--full"}, 90 * 75);
  expect_same({"verify", "self.st", "points.npy", "--scene", "city.st", "--full"}, 90 * 90);
  make_points(90, "other.npy", 3);
  expect_failure(2, {"vis.st", "not computed from other.npy"},
                 {"verify", "vis.st", "targets.npy", "points.npy", "city.st", "other.npy"});
  expect_failure(3, {"vis.st", "targets", "other.npy has hash"},
                 {"verify", "vis.st", "points.npy", "city.st", "other.npy"});
  expect_failure(2, {"self.st", "name its scene with --scene"},
                 {"verify", "self.st", "points.npy"});
  expect_failure(2, {"self.st", "name its viewpoints with --from"},
                 {"verify", "self.st", "city.st"});
  expect_failure(3, {"hits.st", "rays of hash", "--rays"},
                 {"verify", "hits.st", "city.st", "points.npy"});
}

TEST_F(VerifyTest, AnswersOfAnotherVersionAreRefused) {
  std::string bytes = get("hits.st");
  const std::string key = "\"sightline.answers\":\"";
  const std::size_t at = bytes.find(key);
  ASSERT_NE(at, std::string::npos);
  bytes[at + key.size()] = '9';
  put("hits.st", bytes);
  expect_failure(3, {"hits.st", "version 9"}, hits);
}

TEST_F(VerifyTest, InputsOfTheOtherKindAreAUsageError) {
  expect_failure(2, {"--from"}, {"verify", "vis.st", "--scene", "city.st", "--rays", "rays.st"});
  expect_failure(2, {"--rays"},
                 {"verify", "hits.st", "--scene", "city.st", "--from", "points.npy"});
  expect_failure(3, {"city.st"}, {"verify", "city.st", "--scene", "city.st", "--rays", "rays.st"});
}

TEST_F(VerifyTest, ParametersOfTheQueryAreTheResults) {
  json_of({"cast", "city.st", "--rays", "rays.st", "--t-max", "30", "--mask", "3", "--exclude",
           "capsule:2", "--inside", "ignore", "-o", "q.st"});
  expect_same({"verify", "q.st", "--scene", "city.st", "--rays", "rays.st", "--full"}, 500);
  expect_same({"verify", "q.st", "--scene", "city.st", "--rays", "rays.st", "--sample", "100"},
              100);
  json_of({"visibility", "city.st", "--from", "points.npy", "--range", "40", "--margin", "0.1",
           "--inside", "surface", "-o", "v.st"});
  expect_same({"verify", "v.st", "--scene", "city.st", "--from", "points.npy", "--full"}, 8100);
}

}  // namespace
}  // namespace sightline::cli
