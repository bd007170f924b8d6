#include "host/cuda/device/handles.hpp"

namespace sightline::cuda {

DeviceGuard::DeviceGuard(int device) {
  check(cudaGetDevice(&callers_), "cudaGetDevice");
  if (callers_ == device) return;
  check(cudaSetDevice(device), "cudaSetDevice");
  changed_ = true;
}

DeviceGuard::~DeviceGuard() {
  if (changed_) ignore(cudaSetDevice(callers_));
}

OwnStream::OwnStream() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}

OwnStream::~OwnStream() {
  ignore(cudaStreamSynchronize(stream_));
  ignore(cudaStreamDestroy(stream_));
}

void OwnStream::synchronize(Where where) const {
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", where);
}

}  // namespace sightline::cuda
