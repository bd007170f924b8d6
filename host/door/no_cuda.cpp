#include "host/backend/backend.hpp"
#include "host/backend/flat_backend.hpp"
#include "host/common/checks.hpp"

#include <sightline/caster.hpp>

namespace sightline {

CudaDevices cuda_devices() {
  return detail::in_words([] {
    return CudaDevices{{}, "this build of sightline has no CUDA backend"};
  });
}

namespace {

[[noreturn]] void no_device() {
  throw Error(ErrorKind::device,
              "there is no CUDA device to use: this build of sightline has no CUDA backend");
}

}  // namespace

std::unique_ptr<detail::CastBackend> detail::make_cuda_backend(const ShapesView&,
                                                               const CudaOptions&) {
  no_device();
}
std::unique_ptr<detail::FlatBackend> detail::make_cuda_flat_backend(const FlatShapesView&,
                                                                    const CudaOptions&) {
  no_device();
}

}  // namespace sightline
