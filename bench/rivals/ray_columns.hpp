// The columns of a batch of rays, read without asking each time whether one is a common value.
#pragma once

#include <sightline/ray.hpp>

namespace sightline::rivals {

/// A column of floats; the view that it is of must outlive it.
class Floats {
 public:
  explicit Floats(const Column<float>& c)
      : base_(reinterpret_cast<const char*>(c.data == nullptr ? &c.common : c.data)),
        stride_(c.data == nullptr ? 0 : c.stride) {}
  float operator[](std::uint64_t i) const { return *reinterpret_cast<const float*>(at(i)); }
  void prefetch(std::uint64_t i) const { __builtin_prefetch(at(i)); }
  /// Every ray has the same value.
  bool is_common() const { return stride_ == 0; }

 private:
  const char* at(std::uint64_t i) const { return base_ + static_cast<std::ptrdiff_t>(i) * stride_; }

  const char* base_;
  std::ptrdiff_t stride_;
};

/// What a rival looks at.
struct RayColumns {
  Floats ox, oy, oz, dx, dy, dz, t_min, t_max;

  explicit RayColumns(const RaysView& rays)
      : ox(rays.origin.x),
        oy(rays.origin.y),
        oz(rays.origin.z),
        dx(rays.direction.x),
        dy(rays.direction.y),
        dz(rays.direction.z),
        t_min(rays.t_min),
        t_max(rays.t_max) {}
};

}  // namespace sightline::rivals
