#include "host/cuda_backend.hpp"

namespace sightline {

CudaDevices cuda_devices() { return {{}, "this build of sightline has no CUDA backend"}; }

std::unique_ptr<detail::CastBackend> detail::make_cuda_backend(const ShapesView&,
                                                               const CasterOptions&) {
  throw Error(ErrorKind::device,
              "there is no CUDA device to use: this build of sightline has no CUDA backend");
}

}  // namespace sightline
