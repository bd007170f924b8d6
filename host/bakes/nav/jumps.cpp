// Jumps and drops between walkable floors that no step connects, tested by capsule casts.
#include "host/bakes/nav/stages.hpp"

#include <sightline/geometry/base/lane.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace sightline::detail {
namespace {

constexpr std::uint64_t jumps_per_chunk = 1 << 12;
constexpr int pieces = 16;  ///< of a parabola
/// Memory of a piece of a jump: its body and motion, their scene, and the caster's own.
constexpr std::uint64_t body_bytes = 256;
constexpr int landings_tried = 8;  ///< the nearest ones, from one side of a floor
constexpr int steps[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};

struct JumpCandidate {
  std::uint64_t span, column, landing, landing_column;
  int side;
};

/// The body in flight: the capsule inscribed in the cylinder from climb to head, slightly thinner,
/// so that mere touching does not stop it.
struct Body {
  float radius, low, high;  ///< heights of the segment's ends above the feet
  explicit Body(const Agent& a) {
    radius = std::min(a.radius, (a.height - a.climb) / 2) * (1 - 0x1p-10f);
    low = a.climb + radius;
    high = std::max(low, a.height - radius);
  }
};

/// The path of the feet, where z is up: a parabola that is level or rising at its higher end, so
/// that it clears the edge. The path from a to b is that from b to a.
Vec3 feet_at(const Vec3& a, const Vec3& b, int piece) {
  const double s = static_cast<double>(piece) / pieces;
  const double dx = double{b.x} - a.x, dy = double{b.y} - a.y, dz = double{b.z} - a.z;
  const double lift = std::sqrt(dx * dx + dy * dy) + std::abs(dz);
  return {narrowed(a.x + dx * s), narrowed(a.y + dy * s),
          narrowed(a.z + dz * s + lift * s * (1 - s))};
}

class Jumper {
 public:
  explicit Jumper(NavBake& bake)
      : bake_(bake), map_(bake.map), body_(bake.map.agent), spacing_(4 * bake.map.agent.radius) {
    reach_ = static_cast<int>(bake.options.jumps.distance / map_.grid.cell);
  }

  /// Queues the possible landings beyond this side of a walkable floor.
  void find_landings(std::uint64_t span, std::uint64_t column, int side) {
    const auto i = static_cast<std::int64_t>(column % map_.grid.width);
    const auto j = static_cast<std::int64_t>(column / map_.grid.width);
    int tried = 0;
    for (int m = 2; m <= reach_ && tried < landings_tried; ++m) {
      const std::int64_t x = i + m * steps[side][0], y = j + m * steps[side][1];
      if (x < 0 || y < 0 || x >= map_.grid.width || y >= map_.grid.depth) break;
      const auto there =
          static_cast<std::uint64_t>(y) * map_.grid.width + static_cast<std::uint64_t>(x);
      for (std::uint64_t k = map_.offsets[there]; k < map_.offsets[there + 1]; ++k) {
        if (!is_wanted(span, k, side)) continue;
        todo_.push_back({span, column, k, there, side});
        ++tried;
      }
    }
    if (todo_.size() >= jumps_per_chunk) flush();
  }

  void flush() {
    // The memory of each kept jump in a set and in growing arrays.
    constexpr std::uint64_t bytes_each = 100 + 2 * (2 * sizeof(Vec3) + 17);
    bake_.require((taken_.size() + todo_.size()) * bytes_each +
                  todo_.size() * (sizeof(JumpCandidate) + pieces * body_bytes));
    const std::vector<bool> free = cast();
    std::uint64_t last = ~std::uint64_t{0};
    int last_side = -1;
    for (std::size_t k = 0; k < todo_.size(); ++k) {
      const JumpCandidate& jump = todo_[k];
      if (!free[k] || (jump.span == last && jump.side == last_side)) continue;
      last = jump.span;
      last_side = jump.side;
      keep(jump);
    }
    todo_.clear();
  }

 private:
  /// From the upper floor to the lower; between equal ones from low to high coordinates.
  bool is_wanted(std::uint64_t from, std::uint64_t to, int side) const {
    if (!bake_.is(to, nav_flags::walkable)) return false;
    const double fall = double{map_.top[from]} - map_.top[to];
    if (fall < 0 || fall > bake_.options.jumps.drop + bake_.slack) return false;
    if (fall == 0 && side != 1 && side != 2) return false;
    return map_.region[from] != map_.region[to] || fall > map_.agent.climb + bake_.slack;
  }

  std::vector<bool> cast() const {
    const std::size_t n = todo_.size();
    const UpAxis up = map_.grid.up;
    std::vector<Vec3> a(n * pieces), b(n * pieces), direction(n * pieces);
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 from = place(todo_[k].span, todo_[k].column);
      const Vec3 to = place(todo_[k].landing, todo_[k].landing_column);
      for (int s = 0; s < pieces; ++s) {
        const Vec3 p = feet_at(from, to, s), q = feet_at(from, to, s + 1);
        const std::size_t at = k * pieces + static_cast<std::size_t>(s);
        a[at] = upright(Vec3{p.x, p.y, p.z + body_.low}, up);
        b[at] = upright(Vec3{p.x, p.y, p.z + body_.high}, up);
        bake_.require_inside(a[at]), bake_.require_inside(b[at]);
        direction[at] = upright(Vec3{q.x - p.x, q.y - p.y, q.z - p.z}, up);
      }
    }
    Scene bodies;
    bodies.add_capsules(a.size(), a, b, body_.radius, {.mask = bake_.options.mask});
    std::vector<std::uint8_t> flags(a.size());
    bake_.caster.sweep(bodies, direction, {.flags = flags}, {.t_max = 1});
    std::vector<bool> free(n, true);
    for (std::size_t e = 0; e < flags.size(); ++e) {
      if ((flags[e] & hit_flags::hit) != 0) free[e / pieces] = false;
    }
    return free;
  }

  /// Keeps one jump for each pair of regions, side, and square of the map: neighbours are alike.
  void keep(const JumpCandidate& jump) {
    const Vec3 from = place(jump.span, jump.column);
    const auto square = [&](float x) {
      return static_cast<std::int64_t>(std::floor(x / std::max(spacing_, map_.grid.cell)));
    };
    const bool is_new = taken_
                            .insert({map_.region[jump.span], map_.region[jump.landing], jump.side,
                                     square(from.x), square(from.y)})
                            .second;
    if (!is_new) return;
    const UpAxis up = map_.grid.up;
    const Vec3 to = place(jump.landing, jump.landing_column);
    const bool both = double{from.z} - to.z <= bake_.options.jumps.rise + bake_.slack;
    map_.jumps.from.push_back(upright(from, up));
    map_.jumps.to.push_back(upright(to, up));
    map_.jumps.spans.push_back({jump.span, jump.landing});
    map_.jumps.both_ways.push_back(both ? 1 : 0);
  }

  Vec3 place(std::uint64_t span, std::uint64_t column) const {
    return upright(map_.grid.at(column, map_.top[span]), map_.grid.up);
  }

  NavBake& bake_;
  NavMap& map_;
  Body body_;
  float spacing_;
  int reach_;
  std::vector<JumpCandidate> todo_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, int, std::int64_t, std::int64_t>> taken_;
};

}  // namespace

void find_jumps(NavBake& bake) {
  const NavMap& map = bake.map;
  const NavJumpOptions& o = bake.options.jumps;
  if (o.distance == 0) return;
  Jumper jumper(bake);
  bake.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    if (i % 65536 == 0) bake.report("jumps", i, map.spans());
    if (!bake.is(i, nav_flags::walkable)) return;
    for (int side = 0; side < 4; ++side) {
      const std::optional<std::uint64_t> next = map.linked(i, column, side);
      if (!next || !bake.is(*next, nav_flags::walkable)) jumper.find_landings(i, column, side);
    }
  });
  jumper.flush();
  bake.report("jumps", map.spans(), map.spans());
}

}  // namespace sightline::detail
