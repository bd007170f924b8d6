#include "bench/rivals/block_scene.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <xmmintrin.h>

#include <algorithm>
#include <cstring>

namespace sightline::rivals {
namespace {

constexpr std::uint64_t block_rays = 4096;  // of one task; a multiple of 64

/// Flushes denormals, as Embree's manual asks for, while it lives.
class FlushDenormals {
 public:
  FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040u); }
  ~FlushDenormals() { _mm_setcsr(saved_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_;
};

/// Bit i of the word: bytes[i] of 64, each 0 or 1.
std::uint64_t pack(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (int k = 0; k < 8; ++k) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + 8 * k, sizeof eight);
    word |= (eight * 0x0102040810204080u >> 56) << (8 * k);
  }
  return word;
}

template <class Work>
void for_each_block(std::uint64_t n, Work&& work) {
  tbb::parallel_for(std::uint64_t{0}, (n + block_rays - 1) / block_rays, [&](std::uint64_t b) {
    const FlushDenormals flush;
    work(b * block_rays, std::min((b + 1) * block_rays, n));
  });
}

}  // namespace

BlockScene::BlockScene(int threads) : arena_(threads) {
  // Without this, more threads than cores would quietly be fewer.
  if (threads > tbb::info::default_concurrency()) {
    more_threads_.emplace(tbb::global_control::max_allowed_parallelism,
                          static_cast<std::size_t>(threads));
  }
}

void BlockScene::closest_hit(std::size_t way, const RaysView& rays, float* t, std::uint32_t* id) {
  arena_.execute([&] {
    const RayBatch batch = batch_of(way, rays);
    for_each_block(rays.size(), [&](std::uint64_t begin, std::uint64_t end) {
      closest_block(way, batch, begin, end, t, id);
    });
  });
}

void BlockScene::any_hit(std::size_t way, const RaysView& rays, std::uint64_t* blocked) {
  bytes_.resize((rays.size() + 63) / 64 * 64);
  std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(rays.size()), bytes_.end(), 0);
  const auto pack_block = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; i += 64) blocked[i / 64] = pack(&bytes_[i]);
  };
  arena_.execute([&] {
    const RayBatch batch = batch_of(way, rays);
    for_each_block(rays.size(), [&](std::uint64_t begin, std::uint64_t end) {
      any_block(way, batch, begin, end, bytes_.data());
      if (batch.order == nullptr) pack_block(begin, end);
    });
    if (batch.order != nullptr) for_each_block(rays.size(), pack_block);
  });
}

}  // namespace sightline::rivals
