// Navigation maps once more, by plain restatements of what docs/concepts/navigation.md says.
#pragma once

#include <sightline/nav.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace sightline::testing {

/// A map to be looked at, and what it was baked from.
struct NavRestatement {
  const NavMap& map;
  const Scene& scene;
  PointsView from;  ///< none: all regions are kept

  double slack() const { return double{map.grid.cell_height} / 1024; }
  bool is(std::uint64_t span, std::uint8_t flag) const { return (map.flags[span] & flag) != 0; }
  /// Calls use(span, column) for all of them.
  template <class Use>
  void for_each_span(Use&& use) const {
    for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
      for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) use(i, c);
    }
  }
};

/// What follows from the spans of a map: links, ledges, borders.
void expect_restated_layers(const NavRestatement& v);
/// What is walkable, regions, what points reach, and all jumps.
void expect_restated_regions(const NavRestatement& v);

/// A jump from a side of a span to the nearest landing that is free.
struct RestatedLanding {
  std::uint64_t span, column, landing, landing_column;
  int side;
};
/// The one of this side of a walkable span, by brute force; `region` [n] is that of what is
/// walkable, else none.
std::optional<RestatedLanding> restated_landing(const NavRestatement& v,
                                                const std::vector<std::uint32_t>& region,
                                                std::uint64_t span, std::uint64_t column, int side);

}  // namespace sightline::testing
