// Streams and events, as the runtime's calls give them.
#include "tests/standin/machine.hpp"

#include <cuda_profiler_api.h>

#include <algorithm>

namespace sightline::standin {
namespace {

CUstream_st* make_stream(int device, bool blocking) {
  Machine& m = machine();
  forget_destroyed_streams();
  auto stream = std::make_unique<CUstream_st>();
  stream->device = device;
  stream->blocking = blocking;
  stream->seed = m.random();
  auto start = std::make_shared<Operation>();
  start->stream = stream.get();
  start->done.raise();
  stream->at = start.get();
  stream->operations.push_back(std::move(start));
  m.streams.push_back(std::move(stream));
  return m.streams.back().get();
}

CUstream_st* default_stream(int device) {
  Machine& m = machine();
  const auto it = m.default_streams.find(device);
  if (it != m.default_streams.end()) return it->second;
  CUstream_st* const stream = make_stream(device, false);
  // What the streams that block hold already comes before its first operation.
  m.default_streams.emplace(device, stream);
  return stream;
}

CUevent_st* find_event(cudaEvent_t handle) {
  const auto it = machine().events.find(handle);
  return it == machine().events.end() ? nullptr : it->second.get();
}

cudaError_t make_event(cudaEvent_t* event, unsigned flags) {
  if (event == nullptr || (flags & ~cudaEventDisableTiming) != 0) return cudaErrorInvalidValue;
  auto made = std::make_unique<CUevent_st>();
  made->device = current_device();
  made->timed = flags == 0;
  *event = made.get();
  machine().events.emplace(*event, std::move(made));
  return cudaSuccess;
}

}  // namespace

CUstream_st* find_stream(cudaStream_t handle) {
  if (handle == nullptr) return default_stream(current_device());
  const auto& streams = machine().streams;
  const auto it = std::find_if(streams.begin(), streams.end(), [&](const auto& stream) {
    return stream.get() == handle && !stream->destroyed;
  });
  return it == streams.end() ? nullptr : it->get();
}

}  // namespace sightline::standin

using namespace sightline::standin;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  if (stream == nullptr || flags > cudaStreamNonBlocking) return call.end(cudaErrorInvalidValue);
  *stream = make_stream(current_device(), flags != cudaStreamNonBlocking);
  return call.end(cudaSuccess);
}

// Does not wait: what is in the stream is still done.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const Call call;
  CUstream_st* const found = stream == nullptr ? nullptr : find_stream(stream);
  if (found == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  end_worker(*found);
  found->destroyed = true;
  return call.end(call.error());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUstream_st* const found = find_stream(stream);
  if (found == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  finish(std::shared_ptr(found->operations.back()), call.lock());
  keep_to_thresholds();
  return call.end(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUstream_st* const found = find_stream(stream);
  const CUevent_st* const found_event = find_event(event);
  if (found == nullptr || found_event == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (flags != 0) return call.end(cudaErrorInvalidValue);
  if (found_event->recorded != nullptr) {
    enqueue(*found, nullptr, cudaSuccess, found_event->recorded);
  }
  return call.end(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  return call.end(make_event(event, 0));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  return call.end(make_event(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Call call;
  if (machine().events.erase(event) == 0) return call.end(cudaErrorInvalidResourceHandle);
  return call.end(call.error());
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  CUstream_st* const found = find_stream(stream);
  CUevent_st* const found_event = find_event(event);
  if (found == nullptr || found_event == nullptr || found->device != found_event->device) {
    return call.end(cudaErrorInvalidResourceHandle);
  }
  found_event->recorded = enqueue(*found, nullptr);
  return call.end(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  const CUevent_st* const found = find_event(event);
  if (found == nullptr) return call.end(cudaErrorInvalidResourceHandle);
  if (found->recorded != nullptr) finish(std::shared_ptr(found->recorded), call.lock());
  keep_to_thresholds();
  return call.end(cudaSuccess);
}

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  if (milliseconds == nullptr) return call.end(cudaErrorInvalidValue);
  const CUevent_st *const from = find_event(start), *const to = find_event(end);
  for (const CUevent_st* event : {from, to}) {
    if (event == nullptr || !event->timed || event->recorded == nullptr) {
      return call.end(cudaErrorInvalidResourceHandle);
    }
  }
  for (const CUevent_st* event : {from, to}) {
    if (!event->recorded->done.raised()) return call.end(cudaErrorNotReady);
  }
  *milliseconds =
      std::chrono::duration<float, std::milli>(to->recorded->ended - from->recorded->ended).count();
  return call.end(cudaSuccess);
}
