// Cover in memory, and its columns in files.
#pragma once

#include <sightline/cover.hpp>

#include <vector>

namespace sightline::cli {

/// Cover of points [n].
struct CoverRows {
  std::vector<CoverHeight> height;
  std::vector<std::uint8_t> facing;
  std::vector<float> distance;
  std::vector<std::uint64_t> crouch, stand, left, right;

  void resize(std::uint64_t n) {
    height.resize(n), facing.resize(n), distance.resize(n);
    crouch.resize(n), stand.resize(n), left.resize(n), right.resize(n);
  }
  CoverView view() {
    return {height.data(), facing.data(), distance.data(), crouch.data(),
            stand.data(),  left.data(),   right.data()};
  }
};

/// Calls use(tensor, column) for each column of rows, in the order of a file's description.
template <class Rows, class Use>
void for_each_cover_column(Rows& rows, const Use& use) {
  use("height", rows.height);
  use("facing", rows.facing);
  use("distance", rows.distance);
  use("crouch", rows.crouch);
  use("stand", rows.stand);
  use("left", rows.left);
  use("right", rows.right);
}

}  // namespace sightline::cli
