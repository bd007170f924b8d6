// Two components.
#pragma once

namespace sightline {

template <class F>
struct Vec2T {
  F x, y;
};
using Vec2 = Vec2T<float>;

}  // namespace sightline
