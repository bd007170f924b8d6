#include "host/cuda_backend.hpp"

namespace sightline::detail {

bool cuda_is_present() noexcept { return false; }

std::unique_ptr<CastBackend> make_cuda_backend(const ShapesView&, const CasterOptions&) {
  throw Error(ErrorKind::device, "cuda: this build of sightline has no CUDA backend");
}

}  // namespace sightline::detail
