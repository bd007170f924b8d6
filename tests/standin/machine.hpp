// What the stand-in device keeps books of; its own files only.
//
// Host threads keep the books under one mutex. The threads that do the streams' work never take
// it: they are ordered with the host and with each other by an operation's two signals alone, that
// is by what CUDA promises, so that the thread sanitizer sees every ordering that is missing.
#pragma once

#include "tests/standin/signal.hpp"
#include "tests/standin/standin.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

namespace sightline::standin {

/// One thing in a stream's queue. Host threads alone make, hold and drop it.
struct Operation {
  std::function<void()> work;  ///< empty: a mark
  std::vector<std::shared_ptr<Operation>> after;
  CUstream_st* stream = nullptr;
  cudaError_t fails = cudaSuccess;              ///< the context is lost here, with this error
  bool last = false;                            ///< the stream's thread ends here
  Operation* next = nullptr;                    ///< to be read once `linked`
  std::chrono::steady_clock::time_point ended;  ///< to be read once `done`
  Signal linked, done;
};

}  // namespace sightline::standin

struct CUstream_st {
  int device = 0;
  bool blocking = false;   ///< waits for the default stream, and it for this one
  bool destroyed = false;  ///< kept until its work is done
  std::uint64_t seed = 0;
  /// From one that is done to the last. A new stream starts with an empty one, done.
  std::deque<std::shared_ptr<sightline::standin::Operation>> operations;
  /// The last operation that was done, by a host thread.
  sightline::standin::Operation* at = nullptr;
  std::thread worker;
};

struct CUmemPoolHandle_st {
  int device = 0;
  std::uint64_t threshold = 0, reserved = 0;  ///< `reserved` bytes are taken from the device
  bool destroyed = false;                     ///< kept until nothing is in use
};

struct CUevent_st {
  int device = 0;
  bool timed = false;
  std::shared_ptr<sightline::standin::Operation> recorded;
};

namespace sightline::standin {

struct Allocation {
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
  int device = 0;
  bool pinned = false;                 ///< host memory
  CUmemPoolHandle_st* pool = nullptr;  ///< its bytes are among the pool's
  /// Where it was given back in a stream's order; when that is done it is free.
  std::shared_ptr<Operation> released;
};

struct Machine {
  std::mutex mutex;
  Plan plan;
  std::uint64_t generation = 0;  ///< of the plan
  std::uint64_t calls = 0;
  const char* failed = "";  ///< the call that the plan has made fail
  std::mt19937_64 random;
  std::map<const std::byte*, Allocation> allocations;  ///< by where they begin
  std::map<int, std::uint64_t> used_bytes;             ///< by device
  std::uint64_t peak_bytes = 0;
  std::unordered_map<CUmemPoolHandle_st*, std::unique_ptr<CUmemPoolHandle_st>> pools;
  std::vector<std::unique_ptr<CUstream_st>> streams;
  std::map<int, CUstream_st*> default_streams;  ///< by device
  std::unordered_map<CUevent_st*, std::unique_ptr<CUevent_st>> events;
  /// The error with which the context was lost, also by a stream's thread.
  std::atomic<cudaError_t> lost = cudaSuccess;
};
Machine& machine();

/// One runtime call or launch: holds the books, and has been counted.
class Call {
 public:
  /// `asynchronous`: what it does may fail later. The name is the calling function's.
  explicit Call(bool asynchronous = false, const char* name = __builtin_FUNCTION());

  /// What it has to return at once; success: it may go on.
  cudaError_t error() const { return error_; }
  /// What its operation is to fail with.
  cudaError_t fails_later() const { return fails_later_; }
  /// The call's result, which an error leaves behind for cudaGetLastError.
  cudaError_t end(cudaError_t result) const;
  /// For waiting: such a call also tells what was lost meanwhile. The others do not, since a
  /// stream's thread may lose the context after they have made what they return.
  std::unique_lock<std::mutex>& lock() {
    waits_ = true;
    return lock_;
  }

 private:
  std::unique_lock<std::mutex> lock_;
  bool waits_ = false;
  cudaError_t error_ = cudaSuccess, fails_later_ = cudaSuccess;
};

/// The device of the calling thread.
int& current_device();

// All below want the books held.

/// The stream of a handle, the default stream of the current device for null; null: no such.
CUstream_st* find_stream(cudaStream_t handle);
std::shared_ptr<Operation> enqueue(CUstream_st& stream, std::function<void()> work,
                                   cudaError_t fails = cudaSuccess,
                                   std::shared_ptr<Operation> after = nullptr);
/// Waits until it is done.
void finish(const std::shared_ptr<Operation>& operation, std::unique_lock<std::mutex>& lock);
/// Waits until everything is done that is in the streams now.
void finish_all(std::unique_lock<std::mutex>& lock);
/// Lets the stream's thread end after what is in the stream now; it can be joined.
void end_worker(CUstream_st& stream);
/// Forgets the destroyed streams whose work is done.
void forget_destroyed_streams();
/// Frees what was given back in the order of a stream that has come there.
void free_released();
/// Takes so many bytes of a device's memory; false: there are not so many.
bool take_bytes(int device, std::uint64_t bytes);
/// Host memory that stands for it, whose bytes have been taken; null for none.
std::byte* make_memory(const Allocation& kind);
/// Forgets the destroyed pools of which nothing is in use.
void forget_destroyed_pools();
/// Pools give back what is not in use and beyond their thresholds.
void keep_to_thresholds();

}  // namespace sightline::standin
