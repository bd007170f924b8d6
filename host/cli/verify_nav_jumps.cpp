// verify: one jump of a navigation map, by capsules cast at every shape of the scene.
#include "host/cli/verify_nav.hpp"

#include <array>
#include <cmath>

namespace sightline::cli {
namespace {

constexpr int pieces = 16, landings_tried = 8;

/// The body in flight, and its way.
class Flight {
 public:
  Flight(const NavVerification& v, const Vec3& from, const Vec3& to) : v_(v), from_(from), to_(to) {
    const Agent& a = v.map.agent;
    radius_ = std::min(a.radius, (a.height - a.climb) / 2) * 1023 / 1024;
    low_ = a.climb + radius_;
    high_ = std::max(low_, a.height - radius_);
  }

  bool is_free() const {
    const UpAxis up = v_.map.grid.up;
    Scene bodies;
    std::array<Vec3, pieces> along;
    for (int k = 0; k < pieces; ++k) {
      const Vec3 p = feet(k), q = feet(k + 1);
      bodies.add_capsule({upright(Vec3{p.x, p.y, p.z + low_}, up),
                          upright(Vec3{p.x, p.y, p.z + high_}, up), radius_});
      along[static_cast<std::size_t>(k)] = upright(Vec3{q.x - p.x, q.y - p.y, q.z - p.z}, up);
    }
    std::array<std::uint8_t, pieces> flags{};
    HitsView hits;
    hits.flags = flags.data();
    v_.judge.sweep(bodies, along, hits, {.t_max = 1});
    for (const std::uint8_t f : flags) {
      if ((f & hit_flags::hit) != 0) return false;
    }
    return true;
  }

 private:
  /// The parabola above the line, z up.
  Vec3 feet(int piece) const {
    const double s = piece / double{pieces};
    const double x = double{to_.x} - from_.x, y = double{to_.y} - from_.y;
    const double z = double{to_.z} - from_.z;
    const double lift = std::sqrt(x * x + y * y) + std::abs(z);
    return {narrowed(from_.x + x * s), narrowed(from_.y + y * s),
            narrowed(from_.z + z * s + lift * s * (1 - s))};
  }

  const NavVerification& v_;
  Vec3 from_, to_;
  float radius_ = 0, low_ = 0, high_ = 0;
};

/// Whether a jump at this side is looked for: never upward, and not where one can step.
bool is_wanted(const NavVerification& v, const std::vector<std::uint32_t>& region,
               std::uint64_t from, std::uint64_t to, int side) {
  if (region[to] == none) return false;
  const double fall = double{v.map.top[from]} - v.map.top[to];
  if (fall < 0 || fall > v.map.jump_options.drop + v.slack()) return false;
  if (fall == 0 && (side == 0 || side == 3)) return false;  // told from the other side
  return region[from] != region[to] || fall > v.map.agent.climb + v.slack();
}

}  // namespace

std::optional<NavLanding> nav_landing(const NavVerification& v,
                                      const std::vector<std::uint32_t>& region, std::uint64_t span,
                                      std::uint64_t column, int side) {
  const NavMap& map = v.map;
  const std::optional<std::uint64_t> step = map.linked(span, column, side);
  if (step && region[*step] != none) return std::nullopt;
  const auto place = [&](std::uint64_t i, std::uint64_t c) {
    return upright(map.grid.at(c, map.top[i]), map.grid.up);
  };
  const int reach = static_cast<int>(map.jump_options.distance / map.grid.cell);
  std::optional<std::uint64_t> there = map.neighbour(column, side);
  int tried = 0;
  for (int m = 2; m <= reach && there && tried < landings_tried; ++m) {
    there = map.neighbour(*there, side);
    if (!there) break;
    for (std::uint64_t k = map.offsets[*there]; k < map.offsets[*there + 1]; ++k) {
      if (!is_wanted(v, region, span, k, side)) continue;
      ++tried;
      if (Flight(v, place(span, column), place(k, *there)).is_free()) {
        return NavLanding{span, column, k, *there, side};
      }
    }
  }
  return std::nullopt;
}

}  // namespace sightline::cli
