// The columns of cover in files.
#pragma once

#include <sightline/cover.hpp>

namespace sightline::cli {

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
