// verify: navigation maps, recomputed by plain restatements of what docs/nav.md says.
#pragma once

#include "host/files/formats/nav_file.hpp"
#include "host/program/checks/verify.hpp"

namespace sightline::cli {

struct NavVerification {
  Job& job;
  const VerifyArguments& arguments;
  const NavMap& map;
  const Caster& judge;  ///< the reference
  PointsView from;      ///< none: all regions are kept

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

/// verify of a file that is a map: all of the below. Differences have the number of their column.
int verify_nav_file(Job& job, const VerifyArguments& arguments);

/// The sample's columns by the reference: spans, floors, slopes, and clearances over all shapes.
void verify_nav_columns(const NavVerification& v, Differences& differences);

/// Of all spans what follows from those: links, ledges, borders.
void verify_nav_layers(const NavVerification& v, Differences& differences);

/// What is walkable, regions, and what points reach; jumps: all that there should be in a full
/// check, else a sample of those that there are.
void verify_nav_regions(const NavVerification& v, Differences& differences);

/// A jump from a side of a span to the nearest landing that is free.
struct NavLanding {
  std::uint64_t span, column, landing, landing_column;
  int side;
};
/// The one of this side of a walkable span, judged by brute force; `region` [n] is that of what is
/// walkable, else none.
std::optional<NavLanding> nav_landing(const NavVerification& v,
                                      const std::vector<std::uint32_t>& region, std::uint64_t span,
                                      std::uint64_t column, int side);

}  // namespace sightline::cli
