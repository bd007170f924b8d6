// A line against a box with a radius: faces, edges and corners rounded.
#pragma once

#include <sightline/geometry/sweep/local_line.hpp>
#include <sightline/geometry/sweep/slab_box.hpp>

namespace sightline {

/// Times between which a line neither enters nor leaves a slab of the box.
struct SlabPiece {
  double from = -infinity, to = infinity;
  /// Keeps the later or the earlier part, if t is inside. Branch-free, since it is unpredictable.
  SIGHTLINE_HD void cut(double t, bool later) {
    const bool within = (from < t) & (t < to);
    from = (within & later) ? t : from;
    to = (within & !later) ? t : to;
  }
};

/// The vector from the box to the line in a piece: gap + t * growth, over the slabs that the line
/// is outside of.
struct SlabGap {
  WideVec3 gap, growth;
  int outside;
  int axis;     ///< the last slab that it is outside of
  double side;  ///< -1 below it, +1 above
};

/// The squared distance from the box is convex along the line and piecewise quadratic, one parabola
/// for each set of slabs that the point is outside of. At the six planes between them it is
/// compared with radius^2, and its slope with 0, without division; that finds the parabola by which
/// the line enters and leaves, or where it is nearest if it misses.
/// Source: derived in docs/project/proofs/overlap-distance-sweep.md.
template <class Basis>
struct BoxPart {
  LocalLine line;
  SlabBox<Basis> box;
  double radius;

  double begin[3], speed[3];  ///< of the line, across the slabs
  double enter[3], leave[3];  ///< when it is in a slab; if never, +inf below it, or -inf above
  SlabPiece first, last;      ///< where it enters and leaves
  bool reached = false;       ///< it is within the radius at one of the planes

  SIGHTLINE_HD BoxPart(const LocalLine& l, const SlabBox<Basis>& b, double r)
      : line(l), box(b), radius(r) {
    for (int i = 0; i < 3; ++i) {
      begin[i] = box.basis.across(i, line.origin);
      speed[i] = box.basis.across(i, line.direction);
      const double to_low = box.low[i] - begin[i], to_high = box.high[i] - begin[i];
      if (speed[i] == 0) {
        enter[i] = to_low > 0 ? infinity : -infinity;
        leave[i] = to_high < 0 ? -infinity : infinity;
      } else {
        enter[i] = (speed[i] < 0 ? to_high : to_low) / speed[i];
        leave[i] = (speed[i] < 0 ? to_low : to_high) / speed[i];
      }
    }
    cut_at<0>();
    cut_at<1>();
    cut_at<2>();
  }

  /// Cuts the pieces at both planes of slab I.
  template <int I>
  SIGHTLINE_HD void cut_at() {
    if (speed[I] == 0) return;
    const bool backward = speed[I] < 0;
    cut_at<I>(backward ? box.high[I] : box.low[I], enter[I]);
    cut_at<I>(backward ? box.low[I] : box.high[I], leave[I]);
  }
  /// At a plane that is crossed at t. All lengths are multiplied by |speed[I]|.
  template <int I>
  SIGHTLINE_HD void cut_at(double plane, double t) {
    const double scale = speed[I] < 0 ? -speed[I] : speed[I];
    const double way = speed[I] < 0 ? begin[I] - plane : plane - begin[I];
    double g[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (int j = 0; j < 3; ++j) {
      if (j == I) continue;
      const double y = begin[j] * scale + way * speed[j];
      const double low = box.low[j] * scale, high = box.high[j] * scale;
      const double above = low > y ? low : y;
      g[j] = y - (high < above ? high : above);
      v[j] = g[j] == 0 ? 0 : speed[j];
    }
    const WideVec3 gap = box.basis.placed(g);
    const bool inside = square(gap) <= radius * radius * (scale * scale);
    const bool nears = dot(gap, box.basis.placed(v)) < 0;
    reached = reached | inside;
    first.cut(t, !inside & nears);
    last.cut(t, inside | nears);
  }

  SIGHTLINE_HD SlabGap gap_in(const SlabPiece& piece) const {
    SlabGap r{};
    double g[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
      const bool before = enter[i] >= piece.to, after = leave[i] <= piece.from;
      const bool beside = before | after, below = before == (speed[i] >= 0);
      g[i] = beside ? begin[i] - (below ? box.low[i] : box.high[i]) : 0;
      v[i] = beside ? speed[i] : 0;
      r.outside += beside;
      r.axis = beside ? i : r.axis;
      r.side = beside ? (below ? -1 : 1) : r.side;
    }
    r.gap = box.basis.placed(g);
    r.growth = box.basis.placed(v);
    return r;
  }

  /// |growth|^2 times (radius^2 - the minimum of the squared distance), which is 0 for one slab.
  SIGHTLINE_HD double room(const SlabGap& s) const {
    const double aside = s.outside > 1 ? square(cross(s.gap, s.growth)) : 0;
    return radius * radius * square(s.growth) - aside;
  }

  /// The time at which the distance is the radius, clamped to the piece.
  SIGHTLINE_HD double crossing(const SlabPiece& piece, double towards) const {
    const SlabGap s = gap_in(piece);
    const double aa = square(s.growth), d = room(s), root = d > 0 ? wide_sqrt(d) : 0;
    if (!(aa > 0)) return towards < 0 ? piece.to : piece.from;
    const double t = (root * towards - dot(s.gap, s.growth)) / aa;
    return t < piece.from ? piece.from : t > piece.to ? piece.to : t;
  }

  SIGHTLINE_HD WideInterval interval() const {
    WideInterval r;
    r.hit = reached;
    if (!reached) {
      const SlabGap s = gap_in(first);
      r.hit = s.outside > 1 && room(s) >= 0;
    }
    if (r.hit) r.t_in = crossing(first, -1), r.t_out = crossing(last, +1);
    return r;
  }

  /// The vector from the box to the line's point at t; 0 at an edge without a radius.
  SIGHTLINE_HD WideVec3 way_out(double t, bool at_exit) const {
    const SlabGap s = gap_in(at_exit ? last : first);
    if (s.outside == 1) return box.basis.normal(s.axis) * s.side;
    return (s.gap + s.growth * t) * (radius > 0 ? 1.0 : 0.0);
  }
};

}  // namespace sightline
