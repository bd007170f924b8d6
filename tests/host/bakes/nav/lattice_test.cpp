// Whole bakes of lattices of boxes, against an oracle that knows them as integers.
#include "tests/oracle/dice.hpp"
#include "tests/support/scale.hpp"

#include <sightline/nav.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sightline::testing {
namespace {

using oracle::Dice;

constexpr int lattice_side = 12, unit_range = 4;
constexpr int agent_height = 4, agent_climb = 1;  // in half units
constexpr double agent_radius = 1.25;

struct LatticeSpan {
  int column, bottom, top;  // heights in half units
};

/// One box per span, exactly as wide as its cell, from the lowest up.
struct Lattice {
  std::vector<LatticeSpan> spans;  // by column

  int first_of(int column) const {
    int i = 0;
    while (i < static_cast<int>(spans.size()) && spans[i].column < column) ++i;
    return i;
  }
  int headroom(int i) const {
    const bool last =
        i + 1 == static_cast<int>(spans.size()) || spans[i + 1].column != spans[i].column;
    return last ? 1000 : spans[i + 1].bottom - spans[i].top;
  }
  bool is_floor(int i) const { return headroom(i) >= agent_height; }
};

Lattice some_lattice(Dice& dice) {
  Lattice lattice;
  const double flat = dice.between(0, 9) / 10.0;
  for (int c = 0; c < lattice_side * lattice_side; ++c) {
    if (dice.chance(0.05)) continue;
    const int top = dice.chance(flat) ? 0 : dice.between(0, 6);
    lattice.spans.push_back({c, -2, top});
    if (dice.chance(0.2)) {
      const int bottom = top + dice.between(1, 7);
      lattice.spans.push_back({c, bottom, bottom + dice.between(0, 3)});
    }
  }
  return lattice;
}

Scene scene_of(const Lattice& lattice) {
  Scene scene;
  for (const LatticeSpan& s : lattice.spans) {
    const auto x = static_cast<float>(s.column % lattice_side),
               y = static_cast<float>(s.column / lattice_side);
    scene.add_aabb({{x, y, 0.5f * static_cast<float>(s.bottom)},
                    {x + 1, y + 1, 0.5f * static_cast<float>(s.top)}});
  }
  return scene;
}

NavOptions lattice_options() {
  NavOptions o;
  o.agent = {static_cast<float>(agent_radius), 0.5f * agent_height, 0.5f * agent_climb, 45};
  o.cell = 1;
  o.cell_height = 0.25f;
  o.range = unit_range;
  o.bounds = {{0, 0, -4}, {lattice_side, lattice_side, 40}};
  return o;
}

int beside(int column, int k) {
  constexpr int dx[4] = {-1, 0, 1, 0}, dy[4] = {0, 1, 0, -1};
  const int x = column % lattice_side + dx[k], y = column / lattice_side + dy[k];
  return x < 0 || y < 0 || x >= lattice_side || y >= lattice_side ? -1 : y * lattice_side + x;
}

bool are_linked(const Lattice& l, int a, int b) {
  const LatticeSpan &s = l.spans[a], &t = l.spans[b];
  if (!l.is_floor(a) || !l.is_floor(b) || std::abs(s.top - t.top) > agent_climb) return false;
  const int ceiling = std::min(s.top + l.headroom(a), t.top + l.headroom(b));
  return ceiling - std::max(s.top, t.top) >= agent_height;
}

/// The one linked to a at its side k, or -1.
int link_of(const Lattice& l, int a, int k) {
  const int column = beside(l.spans[a].column, k);
  for (int b = 0; column >= 0 && b < static_cast<int>(l.spans.size()); ++b) {
    if (l.spans[b].column == column && are_linked(l, a, b)) return b;
  }
  return -1;
}

/// Whether the body that stands on a would stick in something of the column.
bool is_in_the_way(const Lattice& l, int a, int column) {
  const int low = l.spans[a].top + agent_climb, high = l.spans[a].top + agent_height;
  return std::any_of(l.spans.begin(), l.spans.end(), [&](const LatticeSpan& s) {
    return s.column == column && s.top > low && s.bottom < high;
  });
}

double clearance_of(const Lattice& l, int a) {
  const int x = l.spans[a].column % lattice_side, y = l.spans[a].column / lattice_side;
  double least = unit_range;
  for (int c = 0; c < lattice_side * lattice_side; ++c) {
    if (c == l.spans[a].column || !is_in_the_way(l, a, c)) continue;
    const double dx = std::max(0.0, std::abs(c % lattice_side - x) - 0.5);
    const double dy = std::max(0.0, std::abs(c / lattice_side - y) - 0.5);
    least = std::min(least, std::hypot(dx, dy));
  }
  return least;
}

double to_side(int a_column, int column, int k) {
  const double x = a_column % lattice_side - column % lattice_side,
               y = a_column / lattice_side - column / lattice_side;
  const double along = k == 0 ? -x : k == 1 ? y : k == 2 ? x : -y;
  const double across = k % 2 == 0 ? y : x;
  return std::hypot(along - 0.5, std::max(0.0, std::abs(across) - 0.5));
}

/// Border distances: over what is connected within the range of the lattice.
std::vector<double> borders_of(const Lattice& l) {
  const int n = static_cast<int>(l.spans.size());
  std::vector<double> least(n, unit_range);
  for (int a = 0; a < n; ++a) {
    for (int k = 0; k < 4 && l.is_floor(a); ++k) {
      const int next = beside(l.spans[a].column, k);
      if (link_of(l, a, k) >= 0) continue;
      if (next >= 0 && is_in_the_way(l, a, next)) continue;
      std::vector<int> set(n);
      std::iota(set.begin(), set.end(), 0);
      const auto root = [&](int i) {
        while (set[i] != i) i = set[i];
        return i;
      };
      const auto within = [&](int i) {
        return to_side(l.spans[i].column, l.spans[a].column, k) <= unit_range;
      };
      for (int i = 0; i < n; ++i) {
        for (int s = 0; s < 4 && within(i); ++s) {
          const int j = link_of(l, i, s);
          if (j >= 0 && within(j)) set[root(i)] = root(j);
        }
      }
      for (int i = 0; i < n; ++i) {
        if (root(i) != root(a) || !within(i)) continue;
        least[i] = std::min(least[i], to_side(l.spans[i].column, l.spans[a].column, k));
      }
    }
  }
  return least;
}

void expect_map_of(const Lattice& l, const NavMap& map) {
  const int n = static_cast<int>(l.spans.size());
  ASSERT_EQ(map.spans(), l.spans.size());
  const std::vector<double> borders = borders_of(l);
  std::vector<bool> walkable(n);
  for (int i = 0; i < n; ++i) {
    const LatticeSpan& s = l.spans[i];
    EXPECT_EQ(map.bottom[i], 0.5f * static_cast<float>(s.bottom));
    EXPECT_EQ(map.top[i], 0.5f * static_cast<float>(s.top));
    EXPECT_EQ(map.shape[i], static_cast<std::uint32_t>(i));
    EXPECT_EQ(map.headroom[i],
              l.headroom(i) == 1000 ? infinity : 0.5f * static_cast<float>(l.headroom(i)));
    if (!l.is_floor(i)) {
      EXPECT_EQ(map.flags[i], 0);
      continue;
    }
    EXPECT_EQ(map.slope_cosine[i], 1);
    const double clearance = clearance_of(l, i);
    EXPECT_EQ(map.clearance[i], static_cast<float>(clearance)) << i;
    EXPECT_FLOAT_EQ(map.border[i], static_cast<float>(borders[i])) << i;
    int flags = nav_flags::floor | nav_flags::surface;
    if (clearance >= agent_radius) flags |= nav_flags::clear;
    walkable[i] = clearance >= agent_radius && borders[i] >= agent_radius;
    if (walkable[i]) flags |= nav_flags::walkable;
    EXPECT_EQ(map.flags[i], flags) << i;
    for (int k = 0; k < 4; ++k) {
      const int link = link_of(l, i, k);
      const int next = beside(s.column, k);
      EXPECT_EQ(map.links[i][k], link < 0 ? no_link : link - l.first_of(next)) << i << " " << k;
      const bool step = std::any_of(l.spans.begin(), l.spans.end(), [&](const LatticeSpan& t) {
        return t.column == next && std::abs(t.top - s.top) <= agent_climb;
      });
      const bool drops = next >= 0 && link < 0 && !step && !is_in_the_way(l, i, next);
      EXPECT_EQ((map.ledges[i] >> k & 1) != 0, drops) << i << " " << k;
    }
  }
  // Regions: as the links connect what is walkable.
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(map.region[i] != none, walkable[i]);
    for (int k = 0; k < 4; ++k) {
      const int j = link_of(l, i, k);
      if (walkable[i] && j >= 0 && walkable[j]) {
        EXPECT_EQ(map.region[i], map.region[j]);
      }
    }
  }
}

TEST(NavLattice, IsBakedAsIntegersSay) {
  std::uint64_t walkable = 0, ledges = 0, regions = 0;
  for (std::uint64_t seed = 1; seed <= scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const Lattice lattice = some_lattice(dice);
    const Caster caster(scene_of(lattice),
                        default_options(seed % 2 == 0 ? Backend::reference : Backend::cpu));
    const NavMap map = bake_nav(caster, lattice_options());
    expect_map_of(lattice, map);
    for (std::uint64_t i = 0; i < map.spans(); ++i) {
      if ((map.flags[i] & nav_flags::walkable) != 0) ++walkable;
      if (map.ledges[i] != 0) ++ledges;
    }
    regions = std::max<std::uint64_t>(regions, map.regions.size());
  }
  EXPECT_GT(walkable, 0u);
  EXPECT_GT(ledges, 0u);
  if (scaled(60) >= 10) {
    EXPECT_GT(regions, 1u);
  }
}

}  // namespace
}  // namespace sightline::testing
