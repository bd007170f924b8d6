// The interface between the door, which has checked sizes, and the backends for 2D.
#pragma once

#include <sightline/flat_caster.hpp>

namespace sightline::detail {

/// One set on one backend; its queries may be called from many threads at once. Bad queries find
/// nothing; the door counts them.
class FlatBackend {
 public:
  FlatBackend() = default;
  FlatBackend(const FlatBackend&) = delete;
  FlatBackend& operator=(const FlatBackend&) = delete;
  virtual ~FlatBackend() = default;

  /// bits [bit_words(circles.count)].
  virtual OverlapReport overlap_any(const CirclesView& circles, std::uint64_t* bits) const = 0;
  /// counts [circles.count].
  virtual OverlapReport overlap_count(const CirclesView& circles, std::uint32_t* counts) const = 0;
  virtual OverlapRows overlap_all(const CirclesView& circles) const = 0;
  /// Returns how many segments hit something.
  virtual std::uint64_t cast(const SegmentsView& segments, const HitsView& hits,
                             Inside inside) const = 0;

  virtual std::string description() const = 0;
  /// Memory held beside the set, in bytes.
  virtual std::uint64_t memory_bytes() const = 0;
};

// The views must outlive the backend; shapes.low is not null.

/// Brute force, one thread: the other backends are compared with it.
std::unique_ptr<FlatBackend> make_reference_flat_backend(const FlatShapesView& shapes);
/// A tree where that is faster, and all cores.
std::unique_ptr<FlatBackend> make_cpu_flat_backend(const FlatShapesView& shapes,
                                                   const CasterOptions& options);
/// Throws as make_cuda_backend does.
std::unique_ptr<FlatBackend> make_cuda_flat_backend(const FlatShapesView& shapes,
                                                    const CasterOptions& options);

}  // namespace sightline::detail
