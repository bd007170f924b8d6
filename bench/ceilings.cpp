#include "bench/gpu_rates.hpp"

#include "bench/device_timing.hpp"
#include "bench/issue_rate.hpp"

#include <sightline/devices.hpp>

namespace sightline::bench {
namespace {

void copy(void* to, const void* from, std::uint64_t bytes, cudaMemcpyKind kind,
          const cuda::OwnStream& stream) {
  cuda::check(cudaMemcpyAsync(to, from, bytes, kind, stream.get()), "cudaMemcpyAsync");
}

Row row(const char* how, std::uint64_t bytes, std::vector<double> seconds) {
  const auto amount = static_cast<double>(bytes);
  return {"copy", how, "", 0, "bytes", amount, std::move(seconds), amount};
}

void measure_device(Table& table, const cuda::OwnStream& stream, Stopwatch& watch,
                    std::uint64_t device_bytes) {
  const cuda::DeviceMemory from(device_bytes), to(device_bytes);
  cuda::check(cudaMemsetAsync(from.data(), 0x5A, device_bytes, stream.get()), "cudaMemsetAsync");
  table.add(row("device to device, read + write", 2 * device_bytes, sample([&] {
                  return watch.seconds([&] {
                    copy(to.data(), from.data(), device_bytes, cudaMemcpyDeviceToDevice, stream);
                  });
                })));
}

void measure_link(Table& table, const cuda::OwnStream& stream, Stopwatch& watch,
                  std::uint64_t link_bytes) {
  const cuda::DeviceMemory down(link_bytes), up(link_bytes);
  const cuda::PinnedMemory host_down(link_bytes), host_up(link_bytes);
  const cuda::OwnStream other;
  const auto to_device = [&] {
    copy(down.data(), host_down.data(), link_bytes, cudaMemcpyHostToDevice, stream);
  };
  table.add(
      row("host to device, pinned", link_bytes, sample([&] { return watch.seconds(to_device); })));
  table.add(row("device to host, pinned", link_bytes, sample([&] {
                  return watch.seconds([&] {
                    copy(host_up.data(), up.data(), link_bytes, cudaMemcpyDeviceToHost, stream);
                  });
                })));
  table.add(row("both ways at once, pinned", 2 * link_bytes, sample([&] {
                  return host_seconds([&] {
                    to_device();
                    copy(host_up.data(), up.data(), link_bytes, cudaMemcpyDeviceToHost, other);
                    stream.synchronize();
                    other.synchronize();
                  });
                })));
}

/// Instructions of warps, as many at once as a multiprocessor holds.
void measure_issue(Table& table, const cuda::OwnStream& stream, Stopwatch& watch, unsigned rounds) {
  constexpr unsigned blocks_of_one = 2048 / issue_block, warp_size = 32;
  const auto blocks =
      blocks_of_one * static_cast<unsigned>(cuda_devices().devices.at(0).multiprocessors);
  const cuda::DeviceMemory sink(sizeof(std::uint32_t));
  const auto instructions = static_cast<double>(std::uint64_t{blocks} * (issue_block / warp_size) *
                                                rounds * issued_by_warp_a_round);
  for (const Pipe pipe : {Pipe::fma, Pipe::integer}) {
    const char* how = pipe == Pipe::fma ? "float fma" : "byte permutes";
    table.add({"issue", how, "", 0, "warp instructions", instructions, sample([&] {
                 return watch.seconds([&] {
                   issue(stream.get(), pipe, blocks, rounds,
                         reinterpret_cast<std::uint32_t*>(sink.data()));
                   cuda::check_launch("issue");
                 });
               })});
  }
}

}  // namespace

void measure_ceilings(Table& table, std::uint64_t device_bytes) {
  const cuda::OwnStream stream;
  Stopwatch watch(stream.get());
  measure_device(table, stream, watch, device_bytes);
  measure_link(table, stream, watch, device_bytes / 4);
  measure_issue(table, stream, watch, 2000);
}

}  // namespace sightline::bench
