// The cuda backend on devices that are short of memory, old, busy, several or absent: what only
// the stand-in device can be made to be.
#include "tests/standin/standin.hpp"
#include "host/cuda/use_device.hpp"
#include "tests/host/cuda/fixture.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/refusal.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sightline::testing {
namespace {

using standin::Plan;
using standin::set_plan;

class StandinTest : public ::testing::Test {
 protected:
  void TearDown() override {
    set_plan({});
    cuda::forget_devices();
    EXPECT_EQ(standin::state().allocations, 0u);
    EXPECT_EQ(standin::state().pools, 0u);
    EXPECT_EQ(standin::state().streams, 0u);
    EXPECT_EQ(standin::state().events, 0u);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Moves the limit to what is in use and so much more.
void leave_memory(std::uint64_t bytes) {
  Plan plan;
  plan.memory_bytes = standin::state().device_bytes + bytes;
  set_plan(plan);
}

TEST_F(StandinTest, TakesSmallerChunksWhereMemoryIsShort) {
  const Scene scene = make_scene(SceneFamily::random, 80, 1);
  const std::vector<Ray> rays = trouble(scene, 5000, 2);
  const Caster truth(scene, ReferenceOptions{});
  const Answers expected = answers_of(truth, rows_of(rays), Inside::solid);
  for (const std::uint64_t left : {std::uint64_t{1} << 20, std::uint64_t{200000},
                                   std::uint64_t{40000}, std::uint64_t{30000}}) {
    set_plan({});
    const Caster cuda(scene, CudaOptions{});
    leave_memory(left);
    const Answers seen = answers_of(cuda, rows_of(rays), Inside::solid);
    EXPECT_EQ(first_difference(expected, seen), rays.size()) << left;
    EXPECT_LE(standin::state().peak_device_bytes, standin::plan().memory_bytes);
  }
}

TEST_F(StandinTest, NamesTheBytesWhereNotEvenTheSmallestChunkFits) {
  const Scene scene = make_scene(SceneFamily::random, 80, 3);
  const std::vector<Ray> rays = trouble(scene, 1000, 4);
  const Caster truth(scene, ReferenceOptions{}), cuda(scene, CudaOptions{});
  Answers a(rays.size());
  leave_memory(100);
  const std::string words =
      refusal(ErrorKind::out_of_memory, [&] { cuda.closest_hit(rows_of(rays), a.view()); });
  EXPECT_TRUE(contains(words, "bytes")) << words;
  EXPECT_TRUE(contains(words, "cudaMalloc")) << words;
  // As soon as there is memory again, there are answers again.
  set_plan({});
  EXPECT_EQ(first_difference(answers_of(truth, rows_of(rays), Inside::solid),
                             answers_of(cuda, rows_of(rays), Inside::solid)),
            rays.size());
}

TEST_F(StandinTest, NamesTheBytesOfASceneThatDoesNotFit) {
  const Scene scene = make_scene(SceneFamily::random, 3000, 5);
  Plan plan;
  plan.memory_bytes = 100000;
  set_plan(plan);
  const std::string words =
      refusal(ErrorKind::out_of_memory, [&] { Caster cuda(scene, CudaOptions{}); });
  EXPECT_TRUE(contains(words, " bytes")) << words;
}

TEST_F(StandinTest, SeesTheSameWhereTheMatrixDoesNotFit) {
  const Scene scene = make_scene(SceneFamily::city, 60, 6);
  const TroublePoints points(scene, 700, 7);
  const Caster truth(scene, ReferenceOptions{});
  std::vector<std::uint64_t> expected(700 * 11), bits(700 * 11, 1);
  const VisibilityReport report = truth.visibility(points.view(), expected);
  for (const Search search : {Search::brute_force, Search::tree}) {
    std::uint64_t calls[2] = {};
    for (const bool room : {true, false}) {
      set_plan({});
      const Caster cuda(scene, CudaOptions{.search = search});
      leave_memory(room ? 1 << 24 : 50000);
      const VisibilityReport seen = cuda.visibility(points.view(), bits);
      calls[room ? 1 : 0] = standin::state().calls;
      EXPECT_EQ(bits, expected) << room;
      EXPECT_EQ(seen, report);
    }
    EXPECT_GT(calls[0], calls[1]) << "the short memory was not felt";
  }
}

TEST_F(StandinTest, RefusesADeviceThatIsTooOld) {
  Plan plan;
  plan.major = 7, plan.minor = 0;
  set_plan(plan);
  cuda::forget_devices();
  EXPECT_TRUE(contains(cuda_devices().problem, "7.0 is older than 7.5")) << cuda_devices().problem;
  EXPECT_TRUE(contains(refusal(ErrorKind::device, [] { Caster cuda(Scene{}, CudaOptions{}); }),
                       "older than 7.5"));
  const Caster automatic(Scene{}, AutomaticOptions{});
  EXPECT_EQ(automatic.backend(), Backend::cpu);
  EXPECT_TRUE(contains(automatic.description(), "older than 7.5")) << automatic.description();
  plan.minor = 5;
  set_plan(plan);
  cuda::forget_devices();
  EXPECT_EQ(Caster(Scene{}, AutomaticOptions{}).backend(), Backend::cuda);
}

TEST_F(StandinTest, SaysThatThereIsNoDevice) {
  Plan plan;
  plan.devices = 0;
  set_plan(plan);
  const CudaDevices found = cuda_devices();
  EXPECT_TRUE(found.devices.empty());
  EXPECT_TRUE(contains(found.problem, "no CUDA device")) << found.problem;
  EXPECT_TRUE(contains(refusal(ErrorKind::device, [] { Caster cuda(Scene{}, CudaOptions{}); }),
                       "no CUDA device"));
  EXPECT_TRUE(contains(Caster(Scene{}).description(), "no CUDA device"));
}

TEST_F(StandinTest, SaysThatTheDriverIsMissing) {
  Plan plan;
  plan.failing_call = 1;
  plan.error = cudaErrorInsufficientDriver;
  plan.sticky = true;
  set_plan(plan);
  EXPECT_TRUE(contains(cuda_devices().problem, "driver is missing")) << cuda_devices().problem;
  EXPECT_TRUE(contains(Caster(Scene{}).description(), "driver is missing"));
}

TEST_F(StandinTest, AsksWhatADeviceIsOnce) {
  const auto calls_of_looking = [] {
    const std::uint64_t before = standin::state().calls;
    EXPECT_EQ(cuda_devices().devices.size(), 3u);
    return standin::state().calls - before;
  };
  Plan plan;
  plan.devices = 3;
  plan.failing_call = 2;
  plan.error = cudaErrorUnknown;
  set_plan(plan);
  cuda::forget_devices();
  EXPECT_EQ(calls_of_looking(), 4u) << "and of one there was no answer";
  EXPECT_EQ(calls_of_looking(), 2u);
  EXPECT_EQ(calls_of_looking(), 1u);
  EXPECT_EQ(cuda_devices().devices[2].name, "stand-in device 2");
  cuda::forget_devices();
  EXPECT_EQ(calls_of_looking(), 4u);
}

// A device in exclusive mode is listed and answers questions; whatever needs a context fails.
TEST_F(StandinTest, SaysThatTheDeviceIsBusy) {
  const Scene scene = make_scene(SceneFamily::random, 80, 8);
  for (std::uint64_t call = 3; call <= 9; ++call) {
    Plan plan;
    plan.failing_call = call;
    plan.error = cudaErrorDevicesUnavailable;
    set_plan(plan);
    cuda::forget_devices();
    const std::string words =
        refusal(ErrorKind::device, [&] { Caster cuda(scene, CudaOptions{}); });
    EXPECT_TRUE(contains(words, "busy")) << words;
  }
  Plan plan;
  plan.failing_call = 6;
  plan.error = cudaErrorDevicesUnavailable;
  set_plan(plan);
  const Caster automatic(scene);
  EXPECT_EQ(automatic.backend(), Backend::cpu);
  EXPECT_TRUE(contains(automatic.description(), "busy")) << automatic.description();
}

TEST_F(StandinTest, SaysWhenTheProcessHasLostCuda) {
  const Scene scene = make_scene(SceneFamily::random, 80, 9);
  const std::vector<Ray> rays = trouble(scene, 300, 10);
  const Caster cuda(scene, CudaOptions{});
  Plan plan;
  plan.failing_call = 10;  // the launch
  plan.error = cudaErrorIllegalAddress;
  plan.sticky = plan.report_late = true;
  set_plan(plan);
  Answers a(rays.size());
  for (int i = 0; i < 2; ++i) {
    const std::string words =
        refusal(ErrorKind::device, [&] { cuda.closest_hit(rows_of(rays), a.view()); });
    EXPECT_TRUE(contains(words, "start the process again")) << words;
    EXPECT_TRUE(contains(words, "cudaErrorIllegalAddress")) << words;
  }
}

TEST_F(StandinTest, LeavesTheCallersDeviceCurrent) {
  Plan plan;
  plan.devices = 3;
  set_plan(plan);
  const Scene scene = make_scene(SceneFamily::random, 80, 11);
  const std::vector<Ray> rays = trouble(scene, 300, 12);
  const Answers expected =
      answers_of(Caster(scene, ReferenceOptions{}), rows_of(rays), Inside::solid);
  ASSERT_EQ(cudaSetDevice(2), cudaSuccess);
  {
    const Caster first(scene, CudaOptions{.device = 0}), second(scene, CudaOptions{.device = 1});
    for (const Caster* caster : {&first, &second}) {
      EXPECT_EQ(first_difference(expected, answers_of(*caster, rows_of(rays), Inside::solid)),
                rays.size());
    }
    void* memory = nullptr;
    ASSERT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
    EXPECT_TRUE(contains(
        refusal(ErrorKind::usage,
                [&] {
                  const std::vector<Ray> none_at_all;
                  RaysView view;
                  view.count = 1;
                  view.origin = view.direction = Vec3{1, 0, 0};
                  second.any_hit_on_device(view, {static_cast<std::uint64_t*>(memory), 1}, nullptr);
                }),
        "blocked is memory of cuda:2"));
    cudaFree(memory);
  }
  int current = -1;
  ASSERT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, 2);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST_F(StandinTest, AnswersAsBeforeWhereAnUpdateDoesNotFit) {
  const Scene scene = make_scene(SceneFamily::random, 300, 15);
  const Scene other = make_scene(SceneFamily::city, 2800, 16);  // more than builds left in the pool
  const std::vector<Ray> rays = trouble(scene, 300, 17);
  for (const TreeBuild build : {TreeBuild::fast, TreeBuild::careful}) {
    Caster cuda(scene, CudaOptions{.tree = build});
    const Answers before = answers_of(cuda, rows_of(rays), Inside::solid);
    const std::uint64_t held = cuda.memory_bytes();
    leave_memory(1000);
    const std::string words = refusal(ErrorKind::out_of_memory, [&] { cuda.update(other); });
    EXPECT_TRUE(contains(words, "beside the present one")) << words;
    set_plan({});
    EXPECT_EQ(first_difference(before, answers_of(cuda, rows_of(rays), Inside::solid)),
              rays.size());
    EXPECT_LE(cuda.memory_bytes(), held);
    cuda.update(other);
    EXPECT_EQ(first_difference(
                  answers_of(Caster(other, ReferenceOptions{}), rows_of(rays), Inside::solid),
                  answers_of(cuda, rows_of(rays), Inside::solid)),
              rays.size());
  }
}

// A tree that has been refitted is judged by the boxes it was built with, not by the last ones.
TEST_F(StandinTest, RebuildsATreeWhoseBoxesHaveBecomeTwiceAsLarge) {
  const auto row = [](float distance, bool shuffled) {
    Scene moved;
    for (int i = 0; i < 200; ++i) {
      const int place = shuffled ? i * 77 % 200 : i;
      moved.add_sphere({{static_cast<float>(place) * distance, 0, 0}, 0.25f});
    }
    return moved;
  };
  const auto calls_of = [](Caster& caster, const Scene& scene, Update how) {
    const std::uint64_t before = standin::state().calls;
    caster.update(scene, how);
    return standin::state().calls - before;
  };
  Caster cuda(row(1, false), CudaOptions{});
  // The first one also sums up the boxes as they were built.
  const std::uint64_t refitted = calls_of(cuda, row(1.4f, false), Update::automatic);
  EXPECT_LT(calls_of(cuda, row(1.8f, false), Update::automatic), refitted);
  EXPECT_GT(calls_of(cuda, row(1, true), Update::automatic), refitted);
}

// A build takes memory beside the tree, and a tree may be too deep: then the host builds it.
TEST_F(StandinTest, BuildsTreesOnTheHostThatTheDeviceCannot) {
  const Scene scene = make_scene(SceneFamily::random, 2000, 21);
  const std::vector<Ray> rays = trouble(scene, 300, 22);
  const Answers truth = answers_of(Caster(scene, ReferenceOptions{}), rows_of(rays), Inside::solid);
  const auto expect_answers = [&](const Caster& cuda, const std::string& description) {
    EXPECT_TRUE(contains(cuda.description(), description)) << cuda.description();
    EXPECT_EQ(first_difference(truth, answers_of(cuda, rows_of(rays), Inside::solid)), rays.size());
  };
  set_plan({});
  expect_answers(Caster(scene, CudaOptions{}), "tree built on the device");
  const std::string on_host = "tree built on the host: the device has too little memory to build";
  std::uint64_t built_on_host = 0;
  const std::uint64_t peak = standin::state().peak_device_bytes;
  for (std::uint64_t limit = peak; limit > 0; limit -= std::min(limit, peak / 32)) {
    Plan plan;
    plan.memory_bytes = limit;
    set_plan(plan);
    std::optional<Caster> cuda;
    try {
      cuda.emplace(scene, CudaOptions{});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::out_of_memory) << error.what();
      break;
    }
    set_plan({});
    if (contains(cuda->description(), "on the device")) continue;
    ++built_on_host;
    expect_answers(*cuda, on_host);
    cuda->update(scene, Update::refit);
    expect_answers(*cuda, on_host);
    cuda->update(scene, Update::rebuild);
    expect_answers(*cuda, "tree built on the device");
  }
  EXPECT_GT(built_on_host, 0u);
}

// Whatever is left, what the queries keep is more than the new scene and its build take.
TEST_F(StandinTest, GivesUpWhatQueriesKeepBeforeTheHostBuilds) {
  const Scene scene = make_scene(SceneFamily::random, 500, 24),
              other = make_scene(SceneFamily::random, 6000, 25);
  std::vector<Ray> rays(100'000);
  for (Ray& ray : rays) ray.t_min = -1;  // bad, so that they take memory and no time
  for (std::uint64_t left = 0; left <= 2'400'000; left += 100'000) {
    set_plan({});
    Caster cuda(scene, CudaOptions{.search = Search::tree});
    answers_of(cuda, rows_of(rays), Inside::solid);
    leave_memory(left);
    cuda.update(other, Update::rebuild);
    EXPECT_TRUE(contains(cuda.description(), "tree built on the device"))
        << left << ": " << cuda.description();
  }
}

TEST_F(StandinTest, BuildsTreesOnTheHostThatWouldBeTooDeep) {
  Scene chains;  // of 60 levels along each axis
  for (int i = 0; i < 6000; ++i) {
    const float x = std::ldexp(1.0f, i / 3 % 189 - 149);
    chains.add_sphere({{i % 3 == 0 ? x : 0, i % 3 == 1 ? x : 0, i % 3 == 2 ? x : 0}, 0.001f});
  }
  const std::vector<Ray> rays = trouble(chains, 300, 23);
  const Caster cuda(chains, CudaOptions{});
  EXPECT_TRUE(contains(cuda.description(), "tree built on the host: one that the device built"))
      << cuda.description();
  EXPECT_EQ(
      first_difference(answers_of(Caster(chains, ReferenceOptions{}), rows_of(rays), Inside::solid),
                       answers_of(cuda, rows_of(rays), Inside::solid)),
      rays.size());
}

// What the build keeps for the next one is given up for the wide tree.
TEST_F(StandinTest, MakesRoomForTheWideTree) {
  const Scene scene = make_scene(SceneFamily::random, 2000, 20);
  set_plan({});
  { const Caster cuda(scene, CudaOptions{}); }
  Plan plan;
  plan.memory_bytes = standin::state().peak_device_bytes - 1;
  set_plan(plan);
  EXPECT_NO_THROW(Caster(scene, CudaOptions{}));
}

// Once a frame's update has had its memory, the next one takes no more, and it is given up for
// what needs it.
TEST_F(StandinTest, KeepsTheMemoryOfItsBuildsForTheNext) {
  const Scene scene = make_scene(SceneFamily::random, 2000, 18);
  Caster cuda(scene, CudaOptions{});
  const auto held = [&] { return cuda.memory_bytes(); };
  cuda.update(scene, Update::rebuild);
  const std::uint64_t after_one = held();
  set_plan({});
  cuda.update(scene, Update::rebuild);
  EXPECT_EQ(held(), after_one);
  const std::uint64_t peak = standin::state().peak_device_bytes;
  leave_memory(0);
  const std::vector<Ray> rays = trouble(scene, 300, 19);
  EXPECT_EQ(
      first_difference(answers_of(Caster(scene, ReferenceOptions{}), rows_of(rays), Inside::solid),
                       answers_of(cuda, rows_of(rays), Inside::solid)),
      rays.size());
  EXPECT_LT(peak, 2 * after_one) << "the new scene, the old one, and the builder's memory once";
}

TEST_F(StandinTest, KeepsItsBuffersForTheNextQuery) {
  const Scene scene = make_scene(SceneFamily::random, 80, 13);
  const std::vector<Ray> rays = trouble(scene, 300, 14);
  const Caster cuda(scene, CudaOptions{});
  const std::uint64_t none_kept = standin::state().allocations;
  answers_of(cuda, rows_of(rays), Inside::solid);
  const standin::State before = standin::state();
  EXPECT_GT(before.allocations, none_kept);
  for (int i = 0; i < 3; ++i) answers_of(cuda, rows_of(rays), Inside::solid);
  EXPECT_EQ(standin::state().allocations, before.allocations);
  EXPECT_EQ(standin::state().peak_device_bytes, before.peak_device_bytes);
}

}  // namespace
}  // namespace sightline::testing
