// Prefetching of shapes.
#pragma once

#include <sightline/shapes/shapes.hpp>

namespace sightline::detail {

/// Prefetches a bounded shape.
inline void prefetch(const ShapesView& shapes, std::uint32_t id) {
  shapes.locate_bounded(id, [&]<class S>(ShapeTag<S>, std::uint32_t i) {
    ShapeTraits<S>::fields([i](const char*, const auto* column) { __builtin_prefetch(column + i); },
                           shapes.of<S>());
  });
}

}  // namespace sightline::detail
