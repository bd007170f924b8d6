#include "tests/kernels/tree/systems.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sightline::testing {

const char* name_of(System system) {
  return system == System::tbb ? "tbb" : system == System::omp ? "omp" : "cpp";
}

std::span<const Thrust* const> every_thrust() {
  static const Thrust* const all[] = {&packaged_thrust, cccl};
  return {all, cccl == nullptr ? 1u : 2u};
}

kernels::Scratch CountedScratch::get() { return {this, allocate, release}; }

void* CountedScratch::allocate(void* self, std::size_t bytes) {
  auto& counted = *static_cast<CountedScratch*>(self);
  if (++counted.calls_ == counted.failing_) throw Error(ErrorKind::out_of_memory, "none left");
  void* memory = nullptr;
  constexpr std::size_t as_of_a_device = 256;
  if (posix_memalign(&memory, as_of_a_device, std::max<std::size_t>(bytes, 1)) != 0) {
    throw Error(ErrorKind::out_of_memory, "none left");
  }
  std::memset(memory, 0xA5, bytes);
  counted.bytes_ += bytes;
  counted.peak_bytes_ = std::max(counted.peak_bytes_, counted.bytes_);
  return memory;
}

void CountedScratch::release(void* self, void* memory, std::size_t bytes) {
  static_cast<CountedScratch*>(self)->bytes_ -= bytes;
  std::free(memory);
}

Tree build_tree(const ShapesView& shapes, const Building& building) {
  CountedScratch scratch;
  return packaged_thrust.build_tree(System::cpp, shapes, scratch.get(), building);
}

WideTree widen(const ShapesView& shapes, const BvhView& bvh) {
  CountedScratch scratch;
  return packaged_thrust.widen(System::cpp, shapes, bvh, scratch.get());
}

}  // namespace sightline::testing
