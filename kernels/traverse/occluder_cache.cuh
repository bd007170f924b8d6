// What blocked the targets of a tile last: docs/concepts/inside-gpu.md, "Blockers".
#pragma once

#include "kernels/traverse/team.cuh"

#include <sightline/ray.hpp>

namespace sightline::kernels {

/// Targets of a tile, each seen from neighbouring viewpoints.
inline constexpr std::uint32_t tile_columns = 64;
/// Words of 32 pairs of a tile, at most.
inline constexpr int most_tile_words = 128;

/// The leaves that blocked a tile's targets last. Where neighbours stand close together, most
/// targets are blocked by what blocked them for the viewpoint before, so its leaf waits from a
/// ray's start. Whether that pays is learnt: a leaf that blocks again saves several tests' time.
template <class Team>
class Blockers {
 public:
  enum class Worth {
    nothing,
    a_try,
    a_wait,  ///< until more lanes test leaves at once
  };

  SIGHTLINE_HD void clear(int lane) {
    for (auto k = static_cast<std::uint32_t>(lane); k < tile_columns; k += warp_size) {
      words_.write(k, none);
    }
    if (lane == 0) words_.write(score_at, at_first);
  }
  /// none: nothing has.
  SIGHTLINE_HD std::uint32_t of(std::uint32_t column) { return words_.read(column); }
  /// In all lanes.
  SIGHTLINE_HD Worth worth(const Team& team) {
    typename Team::template Lanes<std::uint32_t> read;
    team.each([&](int lane) { read[lane] = lane == 0 ? words_.read(score_at) : 0; });
    const auto now = static_cast<std::int32_t>(team.broadcast(read, 0));
    return now <= 0 ? Worth::nothing : now <= sure ? Worth::a_try : Worth::a_wait;
  }
  SIGHTLINE_HD void learn(std::uint32_t column, std::uint32_t leaf, bool blocked) {
    if (words_.read(column) == leaf) {
      words_.add(score_at, blocked ? saved_tests : -1u);
    } else if (blocked) {
      words_.write(column, leaf);
    }
  }

 private:
  static constexpr std::uint32_t score_at = tile_columns, saved_tests = 4;
  static constexpr std::int32_t at_first = 16, sure = 48;
  typename Team::template Words<tile_columns + 1> words_;
};

}  // namespace sightline::kernels
