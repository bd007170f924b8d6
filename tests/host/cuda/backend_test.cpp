// The cuda backend against the reference, byte for byte: queries from host memory and from device
// memory, in chunks of any size, by several threads. Runs on whatever device there is.
#include "tests/host/cuda/fixture.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scale.hpp"

#include <cuda_runtime_api.h>

#include <deque>
#include <thread>

namespace sightline::testing {
namespace {

constexpr Search every_search[] = {Search::brute_force, Search::tree, Search::automatic};
constexpr TreeBuild every_build[] = {TreeBuild::fast, TreeBuild::careful};

using CudaBackendTest = CudaTest;

/// Closest hit and any hit in every policy, and their reports.
void expect_parity(const Caster& truth, const Caster& cuda, const std::vector<Ray>& rays,
                   const std::string& what) {
  const RaysView view = rows_of(rays);
  for (const Inside inside : every_policy) {
    const std::string where = what + ", policy " + std::to_string(static_cast<int>(inside));
    Answers a(rays.size()), b(rays.size());
    const CastOptions options{inside, false};
    EXPECT_EQ(truth.closest_hit(view, a.view(), options), cuda.closest_hit(view, b.view(), options))
        << where;
    EXPECT_EQ(truth.any_hit(view, a.blocked, options), cuda.any_hit(view, b.blocked, options))
        << where;
    const std::uint64_t i = first_difference(a, b);
    ASSERT_EQ(i, rays.size()) << where << ", ray " << i << ": " << text(rays[i]) << "; t " << a.t[i]
                              << " and " << b.t[i] << ", id " << a.id[i] << " and " << b.id[i];
  }
}

TEST_F(CudaBackendTest, GivesTheBytesOfTheReferenceByEverySearchAndTree) {
  const std::uint64_t rays = std::max<std::uint64_t>(200, scaled(4000));
  for (const SceneFamily family : ray_families) {
    for (const int shapes : {1, 2, 30, 150}) {
      const std::uint64_t seed = 77 + static_cast<std::uint64_t>(shapes);
      const Scene scene = make_scene(family, shapes, seed);
      const Caster truth(scene, ReferenceOptions{});
      const std::vector<Ray> all = trouble(scene, rays, seed);
      for (const Search search : every_search) {
        for (const TreeBuild build : every_build) {
          const Caster cuda(scene, CudaOptions{.search = search, .tree = build});
          expect_parity(truth, cuda, all,
                        std::string(name_of(family)) + " of " + std::to_string(shapes) + ", seed " +
                            std::to_string(seed) + ", " + cuda.description());
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_F(CudaBackendTest, CastsOverUpToFourShapesWithBoundsByBruteForce) {
  Scene scene;
  scene.add_plane({{0, 0, 1}, -9});
  for (int spheres = 1; spheres <= 6; ++spheres) {
    scene.add_sphere({{static_cast<float>(3 * spheres), 0, 0}, 1});
    const std::string words = Caster(scene, CudaOptions{}).description();
    EXPECT_EQ(words.find("brute force") != std::string::npos, spheres <= 4) << words;
  }
}

TEST_F(CudaBackendTest, AnswersNothingForNothing) {
  const Caster cuda(Scene{}, CudaOptions{});
  EXPECT_EQ(cuda.closest_hit(RaysView{}, HitArrays{}).rays, 0u);
  EXPECT_EQ(cuda.any_hit(RaysView{}, std::span<std::uint64_t>()).rays, 0u);
  EXPECT_EQ(cuda.visibility(PointsView{}).report.pairs, 0u);
  EXPECT_EQ(cuda.visibility_pairs({}, {}).report.pairs, 0u);
  const std::vector<Ray> one(1);
  Answers a(1);
  EXPECT_EQ(cuda.closest_hit(rows_of(one), a.view()).hits, 0u);
  EXPECT_EQ(a.id[0], none);
}

TEST_F(CudaBackendTest, GivesTheSameBytesInChunksOfAnySize) {
  const Scene scene = make_scene(SceneFamily::random, 100, 5);
  const Caster truth(scene, ReferenceOptions{});
  const std::vector<Ray> rays = trouble(scene, 1000, 6);
  for (const std::uint64_t chunk : {1, 63, 64, 65, 333, 999, 1000, 1001}) {
    const Caster cuda(scene, CudaOptions{.chunk = chunk});
    expect_parity(truth, cuda, rays, "chunks of " + std::to_string(chunk));
    if (HasFatalFailure()) return;
  }
}

/// Rays as separate columns, some of them common.
struct Columns {
  std::vector<float> x, y, z, t_max;
  std::vector<std::uint32_t> exclude;

  explicit Columns(const std::vector<Ray>& rays) {
    for (const Ray& ray : rays) {
      x.push_back(ray.origin.x), y.push_back(ray.origin.y), z.push_back(ray.origin.z);
      t_max.push_back(ray.t_max);
      exclude.push_back(ray.exclude[0]);
    }
  }
  RaysView view() const {
    RaysView v;
    v.count = x.size();
    v.origin = {x, y, z};
    v.direction = Vec3{1, -0.25f, 0};
    v.t_max = t_max;
    v.exclude[1] = exclude;
    v.mask.common = 0x0F0F0F0F;
    return v;
  }
};

TEST_F(CudaBackendTest, TakesColumnsAndCommonValuesAndLeavesOutWhatIsNotAskedFor) {
  const Scene scene = make_scene(SceneFamily::city, 120, 8);
  const Caster truth(scene, ReferenceOptions{});
  const Columns columns(trouble(scene, 700, 9));
  const RaysView rays = columns.view();
  Answers a(rays.count);
  truth.closest_hit(rays, a.view());
  const Caster cuda(scene, CudaOptions{.chunk = 300});
  for (int asked = 0; asked < 16; ++asked) {
    Answers b(rays.count), untouched(rays.count);
    HitArrays hits = b.view();
    if ((asked & 1) == 0) hits.t = {};
    if ((asked & 2) == 0) hits.id = {};
    if ((asked & 4) == 0) hits.flags = {};
    if ((asked & 8) == 0) hits.normal = {};
    cuda.closest_hit(rays, hits);
    EXPECT_TRUE(same_bytes(b.t, (asked & 1) != 0 ? a.t : untouched.t)) << asked;
    EXPECT_TRUE(same_bytes(b.id, (asked & 2) != 0 ? a.id : untouched.id)) << asked;
    EXPECT_TRUE(same_bytes(b.flags, (asked & 4) != 0 ? a.flags : untouched.flags)) << asked;
    EXPECT_TRUE(same_bytes(b.normal, (asked & 8) != 0 ? a.normal : untouched.normal)) << asked;
  }
}

TEST_F(CudaBackendTest, AnswersManyThreadsAtOnce) {
  const Scene scene = make_scene(SceneFamily::random, 90, 15);
  const Caster truth(scene, ReferenceOptions{});
  const Caster cuda(scene, CudaOptions{.chunk = 200});
  const std::vector<Ray> rays = trouble(scene, 900, 16);
  const Answers expected = answers_of(truth, rows_of(rays), Inside::solid);
  std::vector<Answers> seen(6, Answers(rays.size()));
  std::vector<std::thread> threads;
  for (Answers& a : seen) {
    threads.emplace_back([&] { a = answers_of(cuda, rows_of(rays), Inside::solid); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Answers& a : seen) EXPECT_EQ(first_difference(expected, a), rays.size());
}

/// A copy in device memory.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(data_, values.data(), bytes(), cudaMemcpyHostToDevice, nullptr),
              cudaSuccess);
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  T* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  /// What it holds once the default stream's work is done.
  std::vector<T> back() const {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaMemcpyAsync(values.data(), data_, bytes(), cudaMemcpyDeviceToHost, nullptr),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

/// The rays of rows_of() on the device.
struct RaysOnDevice {
  OnDevice<Ray> memory;
  RaysView view;

  explicit RaysOnDevice(const std::vector<Ray>& rays)
      : memory(rays), view(RaysView::rows({memory.data(), rays.size()})) {}
};

TEST_F(CudaBackendTest, AnswersRaysThatAreOnTheDevice) {
  const Scene scene = make_scene(SceneFamily::random, 100, 25);
  const Caster truth(scene, ReferenceOptions{});
  const Caster cuda(scene, CudaOptions{});
  const std::vector<Ray> rays = trouble(scene, 777, 26);
  Answers a(rays.size()), empty(rays.size());
  const CastReport report = truth.closest_hit(rows_of(rays), a.view());
  truth.any_hit(rows_of(rays), a.blocked);

  const RaysOnDevice on_device(rays);
  const OnDevice<float> t(empty.t);
  const OnDevice<std::uint32_t> id(empty.id);
  const OnDevice<std::uint8_t> flags(empty.flags);
  const OnDevice<Vec3> normal(empty.normal);
  const OnDevice<std::uint64_t> blocked(empty.blocked);
  const OnDevice<CastCounts> closest_counts(std::vector<CastCounts>{{9, 9, 9}});
  const OnDevice<CastCounts> any_counts(std::vector<CastCounts>{{9, 9, 9}});
  const std::uint64_t n = rays.size();
  cuda.closest_hit_on_device(on_device.view,
                             {{t.data(), n}, {id.data(), n}, {flags.data(), n}, {normal.data(), n}},
                             nullptr, {}, closest_counts.data());
  cuda.any_hit_on_device(on_device.view, {blocked.data(), empty.blocked.size()}, nullptr, {},
                         any_counts.data());

  Answers b(rays.size());
  b.t = t.back(), b.id = id.back(), b.flags = flags.back(), b.normal = normal.back();
  b.blocked = blocked.back();
  EXPECT_EQ(first_difference(a, b), rays.size());
  for (const CastCounts& counts : {closest_counts.back()[0], any_counts.back()[0]}) {
    EXPECT_EQ(counts.hits, report.hits);
    EXPECT_EQ(counts.bad_rays, report.bad_rays);
    EXPECT_GT(counts.bad_rays, 0u);
    EXPECT_EQ(counts.first_bad_ray, report.first_bad_ray);
  }
}

/// A call in a stream of its caller's.
struct CallInAStream {
  std::vector<Ray> rays;
  Answers expected;
  RaysOnDevice on_device;
  OnDevice<float> t;
  OnDevice<std::uint32_t> id;
  OnDevice<std::uint64_t> blocked;
  OnDevice<std::uint8_t> slow{std::vector<std::uint8_t>(std::size_t{1} << 24)};
  cudaStream_t stream = nullptr;
  void* pinned = nullptr;  ///< the rays

  CallInAStream(const Scene& scene, std::uint64_t n, std::uint64_t seed)
      : rays(trouble(scene, n, seed)),
        expected(answers_of(Caster(scene, ReferenceOptions{}), rows_of(rays), Inside::solid)),
        on_device(rays),
        t(expected.t),
        id(expected.id),
        blocked(expected.blocked) {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaHostAlloc(&pinned, on_device.memory.bytes(), cudaHostAllocDefault), cudaSuccess);
    std::memcpy(pinned, rays.data(), on_device.memory.bytes());
    spoil(on_device.memory, nullptr), spoil(t, nullptr), spoil(id, nullptr);
    spoil(blocked, nullptr);
  }
  ~CallInAStream() {
    cudaStreamDestroy(stream);
    cudaFreeHost(pinned);
  }
  CallInAStream(const CallInAStream&) = delete;
  CallInAStream& operator=(const CallInAStream&) = delete;

  template <class T>
  static void spoil(const OnDevice<T>& memory, cudaStream_t in) {
    EXPECT_EQ(cudaMemsetAsync(memory.data(), 0xFF, memory.bytes(), in), cudaSuccess);
  }
  /// The rays come after work that takes its time, and are gone when they have been cast.
  void cast_late(const Caster& caster) {
    for (int k = 0; k < 32; ++k) spoil(slow, stream);
    EXPECT_EQ(cudaMemcpyAsync(on_device.memory.data(), pinned, on_device.memory.bytes(),
                              cudaMemcpyHostToDevice, stream),
              cudaSuccess);
    const std::uint64_t n = rays.size();
    caster.closest_hit_on_device(on_device.view, {{t.data(), n}, {id.data(), n}, {}, {}}, stream);
    caster.any_hit_on_device(on_device.view, {blocked.data(), expected.blocked.size()}, stream);
    spoil(on_device.memory, stream);
  }
};

TEST_F(CudaBackendTest, AnswersInTheCallersStreamsRaysThatComeLateToTwoCasters) {
  const Scene scenes[] = {make_scene(SceneFamily::random, 100, 41),
                          make_scene(SceneFamily::city, 120, 42)};
  const Caster casters[] = {Caster(scenes[0], CudaOptions{}),
                            Caster(scenes[1], CudaOptions{.search = Search::tree})};
  std::deque<CallInAStream> calls;
  for (std::uint64_t k = 0; k < 6; ++k) calls.emplace_back(scenes[k % 2], 2000 + k, 50 + k);
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  for (std::size_t k = 0; k < 6; ++k) calls[k].cast_late(casters[k % 2]);
  for (std::size_t k = 6; k-- > 0;) {
    const CallInAStream& call = calls[k];
    ASSERT_EQ(cudaStreamSynchronize(call.stream), cudaSuccess);
    EXPECT_TRUE(same_bytes(call.t.back(), call.expected.t)) << k;
    EXPECT_TRUE(call.id.back() == call.expected.id) << k;
    EXPECT_TRUE(call.blocked.back() == call.expected.blocked) << k;
  }
}

TEST_F(CudaBackendTest, RefusesArraysThatTheDeviceCannotReachByName) {
  const Scene scene = make_scene(SceneFamily::random, 20, 35);
  const Caster cuda(scene, CudaOptions{});
  const std::vector<Ray> rays = trouble(scene, 100, 36);
  const RaysOnDevice on_device(rays);
  Answers host(rays.size());
  const OnDevice<std::uint64_t> blocked(host.blocked);
  CastCounts counts;
  const auto expect_refused = [](const std::string& why, const auto& f) {
    expect_error(ErrorKind::usage, {why}, f);
  };
  const auto closest = [&](const RaysView& view, const HitArrays& hits, const std::string& why) {
    expect_refused(why, [&] { cuda.closest_hit_on_device(view, hits, nullptr); });
  };
  const std::span<std::uint64_t> bits_on_device(blocked.data(), host.blocked.size());
  const auto any = [&](std::span<std::uint64_t> bits, CastCounts* to, const std::string& why) {
    expect_refused(why, [&] { cuda.any_hit_on_device(on_device.view, bits, nullptr, {}, to); });
  };
  closest(rows_of(rays), {}, "rays.origin.x is host memory");
  RaysView mixed = on_device.view;
  mixed.exclude[1] = rows_of(rays).exclude[1];
  closest(mixed, {}, "rays.exclude[1] is host memory");
  mixed = on_device.view;
  mixed.t_max.stride = 3;
  closest(mixed, {}, "rays.t_max has a stride");
  mixed = on_device.view;
  mixed.t_max.data =
      reinterpret_cast<const float*>(reinterpret_cast<const char*>(mixed.t_max.data) + 2);
  closest(mixed, {}, "rays.t_max is not aligned");
  closest(on_device.view, host.view(), "hits.t is host memory");
  closest(on_device.view, {.normal = host.normal}, "hits.normal is host memory");
  any(host.blocked, nullptr, "blocked is host memory");
  any({}, nullptr, "blocked has 0 elements");
  any(bits_on_device, &counts, "counts is host memory");
  expect_refused("strict", [&] {
    cuda.any_hit_on_device(on_device.view, bits_on_device, nullptr, {Inside::solid, true});
  });
  // Nothing of this has hurt the device.
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_NO_THROW(cuda.any_hit_on_device(on_device.view, bits_on_device, nullptr));
  const Caster cpu(scene, CpuOptions{});
  expect_refused("cuda backend",
                 [&] { cpu.any_hit_on_device(on_device.view, bits_on_device, nullptr); });
}

TEST_F(CudaBackendTest, NamesADeviceThatIsNotThere) {
  for (const int device : {-1, 97}) {
    expect_error(ErrorKind::device, {"cuda:" + std::to_string(device)},
                 [&] { Caster(Scene{}, CudaOptions{.device = device}); });
  }
}

}  // namespace
}  // namespace sightline::testing
