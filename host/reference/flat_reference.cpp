// The judge of 2D: brute force over every shape, one thread, no tree.
#include "host/backend/backend.hpp"
#include "host/backend/flat_backend.hpp"
#include "host/backend/overlap_loops.hpp"
#include "host/flat/flat_loops.hpp"

namespace sightline::detail {
namespace {

auto asked_by(const FlatShapesView& shapes, const CirclesView& circles) {
  return [&](std::uint64_t i, const auto& leaf) {
    if (is_bad(circles[i])) return;
    for_each_overlap_of_all(shapes, circle_query(circles[i], circles.mask[i]), leaf);
  };
}

class FlatReference final : public FlatBackend {
 public:
  explicit FlatReference(const FlatShapesView& shapes) : shapes_(shapes) {}

  OverlapReport overlap_any(const CirclesView& circles, std::uint64_t* bits) const override {
    std::fill_n(bits, words_for(circles.count), 0);
    return {circles.count, mark_overlapping(0, circles.count, asked_by(shapes_, circles), bits), 0};
  }
  OverlapReport overlap_count(const CirclesView& circles, std::uint32_t* counts) const override {
    return count_overlaps(0, circles.count, asked_by(shapes_, circles), counts);
  }
  OverlapRows overlap_all(const CirclesView& circles) const override {
    OverlapRows rows;
    rows.offsets.resize(circles.count + 1);
    append_overlaps(0, circles.count, asked_by(shapes_, circles), rows.ids,
                    rows.offsets.data() + 1);
    return rows;
  }
  std::uint64_t cast(const SegmentsView& segments, const HitsView& hits,
                     Inside inside) const override {
    return cast_segments(segments, 0, segments.count, inside, hits,
                         [&](SegmentSearch& s) { offer_every_shape(shapes_, s); });
  }

  std::string description() const override { return "reference: brute force, 1 thread"; }
  std::uint64_t memory_bytes() const override { return 0; }

 private:
  FlatShapesView shapes_;
};

}  // namespace

std::unique_ptr<FlatBackend> make_reference_flat_backend(const FlatShapesView& shapes) {
  return std::make_unique<FlatReference>(shapes);
}

}  // namespace sightline::detail
