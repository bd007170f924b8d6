// The plan, the count of calls, and the errors they leave behind.
#include "tests/standin/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sightline::standin {
namespace {

/// What cudaGetLastError tells of the calling thread, under the plan of that generation.
struct LastError {
  cudaError_t error = cudaSuccess;
  std::uint64_t generation = 0;
};
thread_local LastError last_error;

void remember(cudaError_t error) {
  const std::uint64_t generation = machine().generation;
  if (error != cudaSuccess) last_error = {error, generation};
  if (last_error.generation != generation) last_error = {cudaSuccess, generation};
}

[[noreturn]] void refuse(const char* name, const char* text) {
  std::fprintf(stderr, "standin: %s=%s makes no sense\n", name, text);
  std::abort();
}

/// An environment variable's number, `value` where there is none.
std::uint64_t number_of(const char* name, std::uint64_t value) {
  const char* text = std::getenv(name);
  if (text == nullptr) return value;
  char* end = nullptr;
  value = std::strtoull(text, &end, 10);
  if (end == text || *end != '\0') refuse(name, text);
  return value;
}

/// n[:error[:sticky|late]]
void read_fault(Plan& plan) {
  const char* name = "SIGHTLINE_STANDIN_FAIL";
  const char* text = std::getenv(name);
  if (text == nullptr) return;
  char* end = nullptr;
  plan.failing_call = std::strtoull(text, &end, 10);
  if (*end == ':') plan.error = static_cast<cudaError_t>(std::strtol(end + 1, &end, 10));
  const std::string how = end;
  plan.sticky = how == ":sticky";
  plan.report_late = how == ":late";
  if (!how.empty() && !plan.sticky && !plan.report_late) refuse(name, text);
}

Plan plan_of_environment() {
  Plan plan;
  plan.memory_bytes = number_of("SIGHTLINE_STANDIN_MEMORY", plan.memory_bytes);
  plan.devices = static_cast<int>(number_of("SIGHTLINE_STANDIN_DEVICES", 1));
  plan.seed = number_of("SIGHTLINE_STANDIN_SEED", plan.seed);
  read_fault(plan);
  return plan;
}

/// Does all work, and ends the threads.
void come_to_rest(std::unique_lock<std::mutex>& lock) {
  Machine& m = machine();
  finish_all(lock);
  for (const auto& stream : m.streams) {
    if (!stream->operations.back()->last) end_worker(*stream);
    if (stream->worker.joinable()) stream->worker.join();
  }
  forget_destroyed_streams();
}

void report_at_exit() {
  {
    std::unique_lock lock(machine().mutex);
    come_to_rest(lock);
  }
  if (std::getenv("SIGHTLINE_STANDIN_REPORT") == nullptr) return;
  const State s = state();
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::fprintf(stderr, "standin: %llu calls, %llu allocations, %llu streams, %llu events alive\n",
               number(s.calls), number(s.allocations), number(s.streams), number(s.events));
}

/// The context is gone, and with it the work.
void lose_context(cudaError_t error, std::unique_lock<std::mutex>& lock) {
  machine().lost.store(error, std::memory_order_relaxed);
  finish_all(lock);
}

}  // namespace

Schedule default_schedule() {
  const char* name = "SIGHTLINE_STANDIN_SCHEDULE";
  const char* text = std::getenv(name);
  const std::string schedule = text == nullptr ? "late" : text;
  if (schedule != "late" && schedule != "threads") refuse(name, text);
  return schedule == "late" ? Schedule::late : Schedule::threads;
}

Machine& machine() {
  // Never destroyed: threads of streams may still look.
  static Machine* const the_machine = [] {
    auto* m = new Machine;
    m->plan = plan_of_environment();
    m->random.seed(m->plan.seed);
    std::atexit(report_at_exit);
    return m;
  }();
  return *the_machine;
}

Call::Call(bool asynchronous, const char* name) : lock_(machine().mutex) {
  Machine& m = machine();
  ++m.calls;
  const cudaError_t lost = m.lost.load(std::memory_order_relaxed);
  if (lost != cudaSuccess) {
    lose_context(lost, lock_);
    error_ = lost;
  } else if (m.calls == m.plan.failing_call) {
    m.failed = name;
    if (m.plan.report_late && asynchronous) {
      fails_later_ = m.plan.error;
      return;
    }
    if (m.plan.sticky || m.plan.report_late) lose_context(m.plan.error, lock_);
    error_ = m.plan.error;
  }
}

cudaError_t Call::end(cudaError_t result) const {
  if (waits_ && result == cudaSuccess) result = machine().lost.load(std::memory_order_relaxed);
  remember(result);
  return result;
}

void set_plan(const Plan& plan) {
  Machine& m = machine();
  std::unique_lock lock(m.mutex);
  come_to_rest(lock);
  for (const auto& stream : m.streams) {
    auto start = std::make_shared<Operation>();
    start->done.raise();
    stream->at = start.get();
    stream->operations = {std::move(start)};
  }
  forget_destroyed_pools();
  for (const auto& [handle, event] : m.events) event->recorded = nullptr;
  m.plan = plan;
  ++m.generation;
  m.calls = 0;
  m.failed = "";
  m.random.seed(plan.seed);
  m.lost.store(cudaSuccess, std::memory_order_relaxed);
  m.peak_bytes = 0;
  for (const auto& [device, bytes] : m.used_bytes) m.peak_bytes += bytes;
}

Plan plan() {
  const std::lock_guard lock(machine().mutex);
  return machine().plan;
}

State state() {
  Machine& m = machine();
  const std::lock_guard lock(m.mutex);
  forget_destroyed_pools();
  State s;
  s.calls = m.calls;
  s.failed = m.failed;
  s.allocations = m.allocations.size();
  for (const auto& [handle, pool] : m.pools) s.pools += !pool->destroyed;
  s.events = m.events.size();
  for (const auto& [device, bytes] : m.used_bytes) s.device_bytes += bytes;
  s.peak_device_bytes = m.peak_bytes;
  for (const auto& stream : m.streams) {
    const bool is_default = std::any_of(m.default_streams.begin(), m.default_streams.end(),
                                        [&](const auto& d) { return d.second == stream.get(); });
    s.streams += !stream->destroyed && !is_default;
    for (const auto& operation : stream->operations) s.unfinished += !operation->done.raised();
  }
  return s;
}

cudaError_t launch(cudaStream_t stream, std::function<void()> work) {
  Call call(true);
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr || found->device != current_device()) {
    return call.end(cudaErrorInvalidResourceHandle);
  }
  enqueue(*found, std::move(work), call.fails_later());
  return call.end(cudaSuccess);
}

}  // namespace sightline::standin

using sightline::standin::machine;

cudaError_t cudaPeekAtLastError() {
  const std::lock_guard lock(machine().mutex);
  sightline::standin::remember(machine().lost.load(std::memory_order_relaxed));
  return sightline::standin::last_error.error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  sightline::standin::last_error.error = cudaSuccess;
  return error;
}
