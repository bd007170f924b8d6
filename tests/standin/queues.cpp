// Who does the work of the streams, and when.
#include "tests/standin/machine.hpp"

#include <algorithm>
#include <cfenv>
#include <chrono>

namespace sightline::standin {
namespace {

/// A device knows nothing of the rounding and flushing that a host thread has set.
class DeviceEnvironment {
 public:
  DeviceEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DeviceEnvironment() { std::fesetenv(&saved_); }
  DeviceEnvironment(const DeviceEnvironment&) = delete;
  DeviceEnvironment& operator=(const DeviceEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};

/// Does one operation whose turn has come.
void perform(Operation& operation) {
  const DeviceEnvironment environment;
  Machine& m = machine();
  if (operation.fails != cudaSuccess) {
    cudaError_t none = cudaSuccess;
    m.lost.compare_exchange_strong(none, operation.fails, std::memory_order_relaxed);
  } else if (operation.work && m.lost.load(std::memory_order_relaxed) == cudaSuccess) {
    operation.work();
  }
  operation.work = nullptr;
  operation.ended = std::chrono::steady_clock::now();
  operation.done.raise();
}

/// A stream's own thread: all that comes after `done`.
void work_off(Operation* done, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (Operation* at = done;;) {
    at->linked.wait();
    at = at->next;
    for (const auto& earlier : at->after) earlier->done.wait();
    // Now and then another stream gets ahead.
    if (random() % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 100));
    const bool last = at->last;
    perform(*at);
    if (last) return;
  }
}

bool is_ready(const Operation& operation) {
  return std::all_of(operation.after.begin(), operation.after.end(),
                     [](const auto& earlier) { return earlier->done.raised(); });
}

/// What the stream does next; null: nothing.
Operation* front(const CUstream_st& stream) {
  return stream.at->linked.raised() ? stream.at->next : nullptr;
}

void perform_front(CUstream_st& stream) {
  Operation* const operation = front(stream);
  perform(*operation);
  stream.at = operation;
}

/// Does the one thing that `operation` waits for in the end, or itself.
void perform_for(Operation& operation) {
  Operation* wanted = &operation;
  for (;;) {
    wanted = front(*wanted->stream);
    const auto late = std::find_if(wanted->after.begin(), wanted->after.end(),
                                   [](const auto& earlier) { return !earlier->done.raised(); });
    if (late == wanted->after.end()) break;
    wanted = late->get();
  }
  perform_front(*wanted->stream);
}

/// Does the next thing of a stream that the seed picks; false: there is none.
bool perform_any() {
  Machine& m = machine();
  std::vector<CUstream_st*> ready;
  for (const auto& stream : m.streams) {
    const Operation* next = front(*stream);
    if (next != nullptr && is_ready(*next)) ready.push_back(stream.get());
  }
  if (ready.empty()) return false;
  perform_front(*ready[m.random() % ready.size()]);
  return true;
}

void finish_late(Operation& operation) {
  Machine& m = machine();
  const bool lazy = m.random() % 2 == 0;
  while (!operation.done.raised()) {
    if (lazy) {
      perform_for(operation);
    } else {
      perform_any();
    }
  }
  if (lazy) return;
  for (std::uint64_t more = m.random() % 4; more > 0 && perform_any(); --more) {
  }
}

/// Forgets what came before an operation that is done.
void forget_before(const Operation* operation) {
  for (const auto& stream : machine().streams) {
    auto& operations = stream->operations;
    const auto it = std::find_if(operations.begin(), operations.end(),
                                 [&](const auto& held) { return held.get() == operation; });
    if (stream.get() != operation->stream || it == operations.end()) continue;
    (*it)->after.clear();
    for (auto earlier = operations.begin(); earlier != it; ++earlier) (*earlier)->after.clear();
    operations.erase(operations.begin(), it);
  }
}

/// The default stream and those that block wait for each other.
void wait_for_default(const CUstream_st& stream, Operation& operation) {
  Machine& m = machine();
  const auto it = m.default_streams.find(stream.device);
  if (it == m.default_streams.end()) return;
  if (it->second != &stream) {
    if (stream.blocking) operation.after.push_back(it->second->operations.back());
    return;
  }
  for (const auto& other : m.streams) {
    if (other->blocking && other->device == stream.device && other.get() != &stream) {
      operation.after.push_back(other->operations.back());
    }
  }
}

void link(CUstream_st& stream, const std::shared_ptr<Operation>& operation) {
  const Plan& p = machine().plan;
  operation->stream = &stream;
  Operation* const before = stream.operations.back().get();
  stream.operations.push_back(operation);
  if (p.schedule == Schedule::threads && !stream.worker.joinable()) {
    stream.worker = std::thread(work_off, before, p.seed ^ stream.seed);
  }
  before->next = operation.get();
  before->linked.raise();
}

}  // namespace

std::shared_ptr<Operation> enqueue(CUstream_st& stream, std::function<void()> work,
                                   cudaError_t fails, std::shared_ptr<Operation> after) {
  auto operation = std::make_shared<Operation>();
  operation->work = std::move(work);
  operation->fails = fails;
  if (after != nullptr) operation->after.push_back(std::move(after));
  wait_for_default(stream, *operation);
  link(stream, operation);
  return operation;
}

void finish(const std::shared_ptr<Operation>& operation, std::unique_lock<std::mutex>& lock) {
  if (machine().plan.schedule == Schedule::late) {
    finish_late(*operation);
  } else {
    lock.unlock();
    operation->done.wait();
    lock.lock();
  }
  forget_before(operation.get());
}

void finish_all(std::unique_lock<std::mutex>& lock) {
  std::vector<std::shared_ptr<Operation>> tails;
  for (const auto& stream : machine().streams) tails.push_back(stream->operations.back());
  for (const auto& tail : tails) finish(tail, lock);
}

void end_worker(CUstream_st& stream) {
  if (!stream.worker.joinable()) return;
  auto operation = std::make_shared<Operation>();
  operation->last = true;
  link(stream, operation);
}

void forget_destroyed_streams() {
  std::erase_if(machine().streams, [](const auto& stream) {
    const bool gone = stream->destroyed && stream->operations.back()->done.raised();
    if (gone && stream->worker.joinable()) stream->worker.join();
    return gone;
  });
}

}  // namespace sightline::standin
