#include "host/cuda/queries/bit_rows.hpp"

#include "host/cuda/device/columns.hpp"

namespace sightline::cuda {

void store_rows(const BitRows& to, std::uint64_t begin, std::uint64_t n,
                const std::uint32_t* from) {
  if (to.stride == to.words) {
    copy_bytes(to.first + begin * to.stride, from, n * to.words * sizeof(std::uint64_t));
    return;
  }
  for (std::uint64_t i = 0; i < n; ++i) {
    copy_bytes(to.first + (begin + i) * to.stride, from + 2 * i * to.words,
               to.words * sizeof(std::uint64_t));
  }
}

}  // namespace sightline::cuda
