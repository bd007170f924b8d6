// What the machine can do, and what its first calls cost.
#include "bench/drivers/device.hpp"

#include "bench/drivers/issue_rate.hpp"
#include "bench/harness/device_timing.hpp"

#include <sightline/caster.hpp>

namespace sightline::bench {
namespace {

void add_copy(const char* name, double times_bytes,
              const std::function<double(std::uint64_t, cudaStream_t)>& seconds_of) {
  add(std::string("copy/") + name, [=](benchmark::State& state) {
    const std::uint64_t bytes =
        std::min<std::uint64_t>(options().load.count * 256, std::uint64_t{1} << 29);
    const cuda::OwnStream stream;
    if (!measure(state, [&] { return seconds_of(bytes, stream.get()); })) return;
    count_rate(state, "bytes", times_bytes * static_cast<double>(bytes));
  });
}

void copy(void* to, const void* from, std::uint64_t bytes, cudaMemcpyKind kind, cudaStream_t s) {
  cuda::check(cudaMemcpyAsync(to, from, bytes, kind, s), "cudaMemcpyAsync");
}

/// Memory of both sides, kept.
struct Buffers {
  cuda::DeviceMemory one, other;
  cuda::PinnedMemory host_one, host_other;
  explicit Buffers(std::uint64_t n) : one(n), other(n), host_one(n), host_other(n) {}
  static Buffers& of(std::uint64_t bytes) {
    static Buffers& buffers = *new Buffers(bytes);  // see World::of
    return buffers;
  }
};

/// Instructions of warps, as many at once as a multiprocessor holds.
void add_issue(const char* name, Pipe pipe) {
  add(std::string("issue/") + name, [=](benchmark::State& state) {
    constexpr unsigned blocks_of_one = 2048 / issue_block, warp_size = 32, rounds = 2000;
    const auto blocks =
        blocks_of_one * static_cast<unsigned>(cuda_devices().devices.at(0).multiprocessors);
    const cuda::OwnStream stream;
    Stopwatch watch(stream.get());
    const cuda::DeviceMemory sink(sizeof(std::uint32_t));
    if (!measure(state, [&] {
          return watch.seconds([&] {
            issue(stream.get(), pipe, blocks, rounds,
                  reinterpret_cast<std::uint32_t*>(sink.data()));
            cuda::check_launch("issue");
          });
        })) {
      return;
    }
    count_rate(state, "warp_instructions",
               static_cast<double>(std::uint64_t{blocks} * (issue_block / warp_size) * rounds *
                                   issued_by_warp_a_round));
  });
}

/// One call, nothing warmed up; rays and room for the answers are made before.
double seconds_of_call(World& world, std::optional<Caster>& caster, const std::string& what) {
  if (what == "construct") {
    return taken_by([&] { caster.emplace(world.scene(), CudaOptions{}); }).wall;
  }
  const Question q = what == "visibility"
                         ? sight_question(world, what)
                         : ray_question(world, what, what == "any" ? "los" : "incoherent");
  Answers answers = q.room(q.count);
  if (!caster) caster.emplace(world.scene(), CudaOptions{});
  return taken_by([&] { q.ask(*caster, q.count, answers); }).wall;
}

}  // namespace

void add_ceilings() {
  add_copy("within_device", 2, [](std::uint64_t n, cudaStream_t s) {
    Buffers& b = Buffers::of(n);
    return Stopwatch(s).seconds(
        [&] { copy(b.other.data(), b.one.data(), n, cudaMemcpyDeviceToDevice, s); });
  });
  add_copy("to_device", 1, [](std::uint64_t n, cudaStream_t s) {
    Buffers& b = Buffers::of(n);
    return Stopwatch(s).seconds(
        [&] { copy(b.one.data(), b.host_one.data(), n, cudaMemcpyHostToDevice, s); });
  });
  add_copy("to_host", 1, [](std::uint64_t n, cudaStream_t s) {
    Buffers& b = Buffers::of(n);
    return Stopwatch(s).seconds(
        [&] { copy(b.host_other.data(), b.other.data(), n, cudaMemcpyDeviceToHost, s); });
  });
  add_copy("both_ways", 2, [](std::uint64_t n, cudaStream_t s) {
    Buffers& b = Buffers::of(n);
    const cuda::OwnStream second;
    return taken_by([&] {
             copy(b.one.data(), b.host_one.data(), n, cudaMemcpyHostToDevice, s);
             copy(b.host_other.data(), b.other.data(), n, cudaMemcpyDeviceToHost, second.get());
             cuda::check(cudaStreamSynchronize(s), "cudaStreamSynchronize");
             second.synchronize();
           })
        .wall;
  });
  add_issue("fma", Pipe::fma);
  add_issue("byte_permute", Pipe::integer);
}

void add_first_calls() {
  const SceneName scene =
      options().scene.empty()
          ? SceneName{"city", std::min<std::uint64_t>(options().largest, 100'000)}
          : SceneName{options().scene, 0};
  for (const char* what : {"construct", "closest", "any", "visibility"}) {
    for (const char* number : {"1", "2"}) {
      const std::string name = "first_calls/" + scene.text() + "/" + what + "/call:" + number;
      const auto run = [=](benchmark::State& state) {
        static auto& caster = *new std::optional<Caster>;  // see World::of
        World& world = World::of(scene.scene, scene.shapes, options().load);
        for (auto _ : state) state.SetIterationTime(seconds_of_call(world, caster, what));
      };
      benchmark::RegisterBenchmark(name.c_str(), run)
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace sightline::bench
