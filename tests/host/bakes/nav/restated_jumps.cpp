// One jump of a navigation map, by capsules cast at every shape of the scene.
#include "tests/host/bakes/nav/restated.hpp"

#include <sightline/geometry/overlap/overlaps.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/geometry/sweep/sweep.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::testing {
namespace {

constexpr int pieces = 16, landings_tried = 8;

/// The body in flight, and its way.
class Flight {
 public:
  Flight(const NavRestatement& v, const Vec3& from, const Vec3& to) : v_(v), from_(from), to_(to) {
    const Agent& a = v.map.agent;
    radius_ = std::min(a.radius, (a.height - a.climb) / 2) * 1023 / 1024;
    low_ = a.climb + radius_;
    high_ = std::max(low_, a.height - radius_);
  }

  bool is_free() const {
    const UpAxis up = v_.map.grid.up;
    struct Piece {
      Capsule body;
      Vec3 along;
    };
    std::vector<Piece> flight;
    Aabb around = empty_aabb();
    for (int k = 0; k < pieces; ++k) {
      const Vec3 p = feet(k), q = feet(k + 1);
      const Capsule body = {upright(Vec3{p.x, p.y, p.z + low_}, up),
                            upright(Vec3{p.x, p.y, p.z + high_}, up), radius_};
      flight.push_back({body, upright(Vec3{q.x - p.x, q.y - p.y, q.z - p.z}, up)});
      around = unite(around, bounds(body));
      const Vec3 end = upright(Vec3{q.x, q.y, q.z + low_}, up);
      around = unite(
          around, bounds(Capsule{end, upright(Vec3{q.x, q.y, q.z + high_}, up), radius_ * 1.001f}));
    }
    const ShapesView shapes = v_.scene.view();
    for (std::uint32_t id = 0; id < shapes.size(); ++id) {
      if (shapes.mask_of(id) == 0) continue;
      if (id < shapes.bounded() && !overlaps(around, shapes.bounds[id])) continue;
      for (const Piece& piece : flight) {
        const Hit hit = shapes.visit(id, [&](const auto& shape) {
          return cast_capsule(piece.body, piece.along, shape, Inside::solid, 0, 1);
        });
        if ((hit.flags & hit_flags::hit) != 0) return false;
      }
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

  const NavRestatement& v_;
  Vec3 from_, to_;
  float radius_ = 0, low_ = 0, high_ = 0;
};

/// Whether a jump at this side is looked for: never upward, and not where one can step.
bool is_wanted(const NavRestatement& v, const std::vector<std::uint32_t>& region,
               std::uint64_t from, std::uint64_t to, int side) {
  if (region[to] == none) return false;
  const double fall = double{v.map.top[from]} - v.map.top[to];
  if (fall < 0 || fall > v.map.jump_options.drop + v.slack()) return false;
  if (fall == 0 && (side == 0 || side == 3)) return false;  // told from the other side
  return region[from] != region[to] || fall > v.map.agent.climb + v.slack();
}

}  // namespace

std::optional<RestatedLanding> restated_landing(const NavRestatement& v,
                                                const std::vector<std::uint32_t>& region,
                                                std::uint64_t span, std::uint64_t column,
                                                int side) {
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
        return RestatedLanding{span, column, k, *there, side};
      }
    }
  }
  return std::nullopt;
}

}  // namespace sightline::testing
