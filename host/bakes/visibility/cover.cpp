#include "host/bakes/visibility/at_once.hpp"
#include "host/common/checks.hpp"
#include "host/common/fp_environment.hpp"
#include "host/common/rays_alone.hpp"

#include <sightline/cover.hpp>
#include <sightline/error.hpp>
#include <sightline/geometry/exact/wide_vec.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>

#include <algorithm>
#include <cmath>

namespace sightline {
namespace {

void check(const CoverOptions& o) {
  const std::uint32_t k = o.directions;
  const bool even = k >= 4 && k <= 64 && (k & (k - 1)) == 0;
  const bool upright = o.up.x == 0 && (o.up.y == 0 || o.up.z == 0) && o.up.y + o.up.z == 1;
  const auto is_length = [](float x) { return x >= 0 && x <= domain_limit; };
  const bool lengths = is_length(o.radius) && is_length(o.reach) && is_length(o.lean) &&
                       is_length(o.view) && is_length(o.crouch) && is_length(o.stand) &&
                       o.radius <= o.reach && o.crouch <= o.stand && o.at >= -domain_limit &&
                       o.at <= domain_limit;
  if (even && upright && lengths) return;
  throw Error(ErrorKind::usage,
              "cover has 4, 8, 16, 32 or 64 directions, y or z up, lengths of at least 0, a radius "
              "of at most its reach, and crouching eyes not above standing ones");
}

/// The cosine and sine of an angle.
struct Turn {
  double cosine, sine;
};
Turn product(const Turn& a, const Turn& b) {
  return {a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
}

SIGHTLINE_NOINLINE void fill(std::uint32_t n, const Vec3& up, std::vector<Vec3>& directions) {
  Turn step{0, 1};
  for (std::uint32_t k = 4; k < n; k *= 2) {
    const double cosine = std::sqrt((1 + step.cosine) / 2);
    step = {cosine, step.sine / (2 * cosine)};
  }
  Turn turn{1, 0};
  for (std::uint32_t k = 0; k < n / 4; ++k) {
    const auto c = narrowed(turn.cosine), s = narrowed(turn.sine);
    directions.push_back({c, s, 0});
    turn = product(turn, step);
  }
  // The other quarters are exact rotations of the first.
  for (std::uint32_t k = n / 4; k < n; ++k) {
    const Vec3 d = directions[k - n / 4];
    directions.push_back({0.0f - d.y, d.x, 0});
  }
  // up x first is y where z is up, and -z where y is.
  if (up.y != 0) {
    for (Vec3& d : directions) d = {d.x, 0, 0.0f - d.y};
  }
}

/// A point moved by a vector times a length, rounded once.
SIGHTLINE_NOINLINE Vec3 moved(const Vec3& p, const Vec3& by, float length) {
  return narrowed(widened(p) + widened(by) * length);
}

/// Points with their masks and exclusions.
struct Eyes {
  std::vector<SightPoint> points;

  void add(SightPoint p, const Vec3& at) {
    p.position = at;
    points.push_back(p);
  }
  PointsView view() const { return PointsView::rows(points); }
  /// Rays from the points in directions [n].
  RaysView rays(const std::vector<Vec3>& directions, float length) const {
    const PointsView p = view();
    RaysView v{p.position, directions};
    v.t_max = length;
    v.mask = p.mask;
    v.exclude[0] = p.exclude;
    v.exclude_group[0] = p.exclude_group;
    return v;
  }
};

/// Which points are not bad and neither in nor touching a shape.
Bits<VisibilityReport> free_of(const Caster& caster, const Eyes& eyes) {
  return caster.visibility_pairs(eyes.view(), eyes.view());
}

/// Cover of some points, at most as many as rays are asked at once.
class CoverChunk {
 public:
  CoverChunk(const Caster& caster, const CoverOptions& options, const std::vector<Vec3>& directions)
      : caster_(caster), o_(options), directions_(directions) {}

  void run(const PointsView& points, const CoverView& out, CoverReport& report) {
    for (std::uint64_t i = 0; i < points.count; ++i) {
      out.height[i] = CoverHeight::no_cover;
      out.facing[i] = 0;
      out.distance[i] = infinity;
      out.crouch[i] = out.stand[i] = out.left[i] = out.right[i] = 0;
    }
    find_candidates(points);
    report.candidates += candidate_.size();
    crouching(out);
    standing(out);
    leaning(out, out.left, k() / 4);
    leaning(out, out.right, k() - k() / 4);
    for (const std::uint64_t i : candidate_) {
      if (out.crouch[i] == 0) continue;
      out.height[i] = out.stand[i] != 0 ? CoverHeight::stand : CoverHeight::crouch;
      ++(out.stand[i] != 0 ? report.stand : report.crouch);
    }
  }

 private:
  std::uint32_t k() const { return o_.directions; }

  void find_candidates(const PointsView& points) {
    candidate_.clear(), low_.points.clear(), high_.points.clear();
    Eyes low;
    for (std::uint64_t i = 0; i < points.count; ++i) {
      low.add(points[i], moved(points[i].position, o_.up, o_.crouch - o_.at));
    }
    const auto is_free = free_of(caster_, low);
    std::vector<float> distance(points.count);
    caster_.nearest(low.view(), {.distance = distance}, {1, o_.reach});
    for (std::uint64_t i = 0; i < points.count; ++i) {
      if (!is_free[i] || !(o_.radius <= distance[i] && distance[i] <= o_.reach)) continue;
      candidate_.push_back(i);
      low_.points.push_back(low.points[i]);
      high_.add(points[i], moved(points[i].position, o_.up, o_.stand - o_.at));
    }
  }

  /// Sets up all directions from each of these eyes.
  void make_rays(const Eyes& eyes) {
    around_.points.clear(), toward_.clear();
    for (const SightPoint& eye : eyes.points) {
      for (const Vec3& d : directions_) around_.points.push_back(eye), toward_.push_back(d);
    }
  }

  void crouching(const CoverView& out) {
    make_rays(low_);
    const std::uint64_t n = toward_.size();
    std::vector<float> t(n);
    std::vector<std::uint32_t> id(n);
    caster_.closest_hit(around_.rays(toward_, o_.reach), {.t = t, .id = id});
    for (std::uint64_t r = 0; r < n; ++r) {
      if (id[r] == none) continue;
      const std::uint64_t i = candidate_[r / k()];
      out.crouch[i] |= std::uint64_t{1} << (r % k());
      if (!(t[r] < out.distance[i])) continue;
      out.distance[i] = t[r];
      out.facing[i] = static_cast<std::uint8_t>(r % k());
    }
  }

  void standing(const CoverView& out) {
    make_rays(high_);
    const auto blocked = caster_.any_hit(around_.rays(toward_, o_.reach));
    const auto is_free = free_of(caster_, high_);
    for (std::uint64_t r = 0; r < toward_.size(); ++r) {
      const std::uint64_t i = candidate_[r / k()], bit = std::uint64_t{1} << (r % k());
      if (is_free[r / k()] && blocked[r]) out.stand[i] |= out.crouch[i] & bit;
    }
  }

  /// From the positions `lean` away in the direction `turn` steps further around.
  void leaning(const CoverView& out, std::span<std::uint64_t> mask, std::uint32_t turn) {
    Eyes from;
    around_.points.clear(), toward_.clear();
    std::vector<std::uint64_t> ray;
    for (std::uint64_t c = 0; c < candidate_.size(); ++c) {
      const SightPoint& eye = high_.points[c];
      for (std::uint32_t d = 0; d < k(); ++d) {
        if ((out.stand[candidate_[c]] >> d & 1) == 0) continue;
        from.points.push_back(eye);
        around_.add(eye, moved(eye.position, directions_[(d + turn) % k()], o_.lean));
        toward_.push_back(directions_[d]);
        ray.push_back(c * k() + d);
      }
    }
    const auto way = caster_.visibility_pairs(from.view(), around_.view());
    const auto blocked = caster_.any_hit(around_.rays(toward_, o_.view));
    for (std::uint64_t r = 0; r < ray.size(); ++r) {
      if (!way[r] || blocked[r]) continue;
      mask[candidate_[ray[r] / k()]] |= std::uint64_t{1} << (ray[r] % k());
    }
  }

  const Caster& caster_;
  const CoverOptions& o_;
  const std::vector<Vec3>& directions_;
  std::vector<std::uint64_t> candidate_;  ///< indices among the points
  Eyes low_, high_;                       ///< [candidates]
  Eyes around_;                           ///< [rays]
  std::vector<Vec3> toward_;              ///< [rays]
};

}  // namespace

std::vector<Vec3> cover_directions(std::uint32_t directions, const Vec3& up) {
  return detail::in_words([&] {
    CoverOptions o;
    o.directions = directions;
    o.up = up;
    check(o);
    std::vector<Vec3> all;
    const detail::FpEnvironment environment;
    fill(directions, up, all);
    return all;
  });
}

CoverRows cover(const Caster& caster, const PointsView& given, const CoverOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  return detail::in_words([&] {
    const PointsView points = detail::counted(given);
    CoverRows rows;
    rows.resize(points.count);
    rows.report = cover(caster, points, rows.view(), options);
    return rows;
  });
}

CoverReport cover(const Caster& caster, const PointsView& given, const CoverView& out,
                  const CoverOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  return detail::in_words([&] {
    check(options);
    detail::refuse_kinds(caster.scene(), Refused::without_columns, "bakes of cover");
    const PointsView points = detail::counted(given);
    const auto sized = [&](const char* name, const auto& array) {
      detail::check_array(name, array, points.count);
    };
    sized("height", out.height), sized("facing", out.facing), sized("distance", out.distance);
    sized("crouch", out.crouch), sized("stand", out.stand);
    sized("left", out.left), sized("right", out.right);
    const std::vector<Vec3> directions = cover_directions(options.directions, options.up);
    const detail::FpEnvironment environment;
    CoverReport report;
    report.points = points.count;
    CoverChunk chunk(caster, options, directions);
    const std::uint64_t at_once = detail::rays_at_once / options.directions;
    for (std::uint64_t first = 0; first < points.count; first += at_once) {
      const std::uint64_t n = std::min(at_once, points.count - first);
      chunk.run(points.slice(first, n), out.slice(first, n), report);
    }
    return report;
  });
}

}  // namespace sightline
