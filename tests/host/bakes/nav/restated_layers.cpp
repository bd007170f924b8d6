// What of a navigation map follows from its spans: links, ledges and borders.
#include "tests/host/bakes/nav/restated.hpp"

#include <sightline/geometry/base/lane.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace sightline::testing {
namespace {

/// How one span sees the column at one of its sides.
struct Side {
  std::uint8_t link = no_link;
  bool exists = false, blocked = false, has_step = false;

  bool drops() const { return exists && link == no_link && !has_step && !blocked; }
  bool is_border() const { return link == no_link && !blocked; }
};

class Layers {
 public:
  explicit Layers(const NavRestatement& v) : v_(v), map_(v.map) {
    squares_.assign(map_.spans(), none);
    round_of_.assign(map_.spans(), 0);
    const double reach = 2 * double{map_.range} / map_.grid.cell;
    most_ = reach * reach;
  }

  Side side_of(std::uint64_t i, std::uint64_t column, int side) const {
    Side found;
    const std::optional<std::uint64_t> next = map_.neighbour(column, side);
    if (!next) return found;
    found.exists = true;
    const Agent& a = map_.agent;
    const double slack = v_.slack(), feet = map_.top[i];
    const std::uint64_t first = map_.offsets[*next], own = i - map_.offsets[column];
    for (std::uint64_t k = first; k < map_.offsets[*next + 1]; ++k) {
      const double floor = map_.top[k], step = std::abs(floor - feet);
      const bool higher = floor > feet + (double{a.climb} + slack);
      if (higher && map_.bottom[k] < feet + a.height - slack) found.blocked = true;
      if (step > double{a.climb} + slack) continue;
      found.has_step = true;
      const double room =
          std::min(floor + map_.headroom[k], feet + map_.headroom[i]) - std::max(floor, feet);
      if (!v_.is(k, nav_flags::surface) || room < a.height - slack) continue;
      if (k - first < no_link && own < no_link) found.link = static_cast<std::uint8_t>(k - first);
    }
    return found;
  }

  /// Walks from a border over what is linked and near enough to that side.
  void spread(std::uint64_t span, std::uint64_t column, int side) {
    struct Place {
      std::uint64_t span, column;
    };
    ++round_;
    std::vector<Place> queue = {{span, column}};
    round_of_[span] = round_;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const Place p = queue[at];
      const std::uint32_t square = square_to(p.column, column, side);
      if (square > most_) continue;
      squares_[p.span] = std::min(squares_[p.span], square);
      for (int s = 0; s < 4; ++s) {
        const std::optional<std::uint64_t> next = map_.linked(p.span, p.column, s);
        if (!next || round_of_[*next] == round_) continue;
        round_of_[*next] = round_;
        queue.push_back({*next, *map_.neighbour(p.column, s)});
      }
    }
  }

  float border(std::uint64_t i) const {
    if (!v_.is(i, nav_flags::surface)) return 0;
    if (squares_[i] == none) return map_.range;
    const double distance = std::sqrt(static_cast<double>(squares_[i])) / 2 * map_.grid.cell;
    return std::min(narrowed(distance), map_.range);
  }

 private:
  /// Four times the square of how many cells the middle of a column is from a side of another.
  std::uint32_t square_to(std::uint64_t column, std::uint64_t other, int side) const {
    const std::int64_t width = map_.grid.width;
    const auto a = static_cast<std::int64_t>(column), b = static_cast<std::int64_t>(other);
    const std::int64_t dx = a % width - b % width, dy = a / width - b / width;
    // How far it is beyond the middle of the other, towards the side, and beside it.
    const std::int64_t toward = std::array{-dx, dy, dx, -dy}[static_cast<std::size_t>(side)];
    const std::int64_t beside = std::abs(side % 2 == 0 ? dy : dx);
    const std::int64_t u = 2 * toward - 1, w = beside == 0 ? 0 : 2 * beside - 1;
    return static_cast<std::uint32_t>(u * u + w * w);
  }

  const NavRestatement& v_;
  const NavMap& map_;
  std::vector<std::uint32_t> squares_;
  std::vector<std::uint64_t> round_of_;
  std::uint64_t round_ = 0;
  double most_ = 0;
};

}  // namespace

void expect_restated_layers(const NavRestatement& v) {
  const NavMap& map = v.map;
  Layers layers(v);
  v.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    std::array<std::uint8_t, 4> links = {no_link, no_link, no_link, no_link};
    std::uint8_t ledges = 0;
    for (int side = 0; side < 4 && v.is(i, nav_flags::surface); ++side) {
      const Side s = layers.side_of(i, column, side);
      links[static_cast<std::size_t>(side)] = s.link;
      if (s.drops()) ledges = static_cast<std::uint8_t>(ledges | 1 << side);
      if (s.is_border()) layers.spread(i, column, side);
    }
    EXPECT_EQ(links, map.links[i]) << "column " << column << ", span " << i;
    EXPECT_EQ(ledges, map.ledges[i]) << "column " << column << ", span " << i;
  });
  v.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    EXPECT_EQ(bits_of(layers.border(i)), bits_of(map.border[i]))
        << "column " << column << ", span " << i;
  });
}

}  // namespace sightline::testing
