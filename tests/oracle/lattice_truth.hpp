// Where a line enters and leaves a shape, decided in integers: rays and shapes on a lattice.
//
// Each shape is judged by comparing the unknown ends t_in and t_out with a given rational T: the
// point at T is inside, outside or on the surface, and the direction's sign there says which end
// is near. Nothing is divided and no root is taken, so nothing is rounded.
#pragma once

namespace sightline::oracle {

// The type is an extension, which -Wpedantic need not hear about.
__extension__ typedef __int128 Int;

struct IntVec {
  Int x, y, z;
};
inline IntVec operator+(IntVec a, IntVec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline IntVec operator-(IntVec a, IntVec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline IntVec operator*(IntVec a, Int s) { return {a.x * s, a.y * s, a.z * s}; }
inline Int dot(IntVec a, IntVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline IntVec cross(IntVec a, IntVec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline int sign(Int v) { return (v > 0) - (v < 0); }

/// The line o + t * d; d is not 0.
struct IntLine {
  IntVec o, d;
};

/// numerator / denominator, denominator > 0.
struct Rational {
  Int num, den;
};

/// The signs of t_in - T and t_out - T.
struct Ends {
  int in, out;
};

/// den * (the point at T - base).
inline IntVec point_at(const IntLine& line, Rational t, IntVec base) {
  return (line.o - base) * t.den + line.d * t.num;
}

/// The ends as seen from a point whose distance to the core exceeds the radius by something of
/// sign `outside`, `along` being the sign of (point - nearest core point) . d.
inline Ends ends_of_round(int outside, int along) {
  if (outside < 0) return {-1, +1};
  if (outside > 0) return along < 0 ? Ends{+1, +1} : Ends{-1, -1};
  return {along > 0 ? -1 : 0, along < 0 ? +1 : 0};
}

struct IntBall {
  IntVec center;
  Int radius;

  bool meets(const IntLine& line) const {
    const IntVec w = line.o - center;
    const Int b = dot(w, line.d);
    return b * b >= dot(line.d, line.d) * (dot(w, w) - radius * radius);
  }
  Ends ends(const IntLine& line, Rational t) const {
    const IntVec p = point_at(line, t, center);
    const Int r = radius * t.den;
    return ends_of_round(sign(dot(p, p) - r * r), sign(dot(p, line.d)));
  }
};

struct IntCapsule {
  IntVec a, b;
  Int radius;

  /// Minimises |(o - a - s e) x d|^2 over s in [0, 1].
  bool meets(const IntLine& line) const {
    const IntVec m = cross(line.o - a, line.d), n = cross(line.o - b, line.d);
    const IntVec g = cross(b - a, line.d);
    const Int limit = radius * radius * dot(line.d, line.d), mg = dot(m, g), gg = dot(g, g);
    if (mg <= 0) return dot(m, m) <= limit;
    if (mg >= gg) return dot(n, n) <= limit;
    return dot(m, m) * gg - mg * mg <= limit * gg;
  }
  Ends ends(const IntLine& line, Rational t) const {
    const IntVec e = b - a;
    const Int ee = dot(e, e);
    if (ee == 0) return IntBall{a, radius}.ends(line, t);
    const IntVec p = point_at(line, t, a);
    const Int pe = dot(p, e), whole = ee * t.den;
    const Int s = pe < 0 ? 0 : pe > whole ? whole : pe;
    const IntVec from_core = p * ee - e * s;  // ee * den * (point - nearest core point)
    const Int r = radius * whole;
    const int outside = sign(dot(from_core, from_core) - r * r);
    const int along = sign(dot(from_core, line.d));
    const IntVec g = cross(e, line.d);
    if (outside == 0 && along == 0 && dot(g, g) == 0) {  // slides along the side
      const int to_a = sign(dot(e, line.d)) * -sign(pe),
                to_b = sign(dot(e, line.d)) * sign(whole - pe);
      return to_a < to_b ? Ends{to_a, to_b} : Ends{to_b, to_a};
    }
    return ends_of_round(outside, along);
  }
};

struct IntCylinder {
  IntVec a, b;
  Int radius;

  /// Whether A t^2 + 2 B t + C, which is not positive within the infinite cylinder, is so somewhere
  /// between the planes: at one of them, or at its least if that is between.
  bool meets(const IntLine& line) const {
    const IntVec e = b - a, w = line.o - a;
    const Int ee = dot(e, e), we = dot(w, e), de = dot(line.d, e);
    const Int square = dot(line.d, line.d) * ee - de * de, half = dot(w, line.d) * ee - we * de;
    const Int rest = (dot(w, w) - radius * radius) * ee - we * we;
    if (de == 0) return we >= 0 && we <= ee && half * half >= square * rest;
    const auto within_at = [&](Int num) {
      return square * num * num + 2 * half * num * de + rest * de * de <= 0;
    };
    if (within_at(-we) || within_at(ee - we)) return true;
    const Int least = we * square - half * de;  // the height of the least, times `square`
    return square > 0 && half * half >= square * rest && least >= 0 && least <= ee * square;
  }
  Ends ends(const IntLine& line, Rational t) const {
    const IntVec e = b - a, p = point_at(line, t, a);
    const Int ee = dot(e, e), pe = dot(p, e), de = dot(line.d, e), whole = ee * t.den;
    const Int r = radius * t.den;
    const int past = sign(pe - whole);
    const IntVec g = cross(e, line.d);
    Ends ends{-1, +1};
    if (dot(g, g) != 0) {
      ends = ends_of_round(sign(dot(p, p) * ee - pe * pe - r * r * ee),
                           sign(dot(p, line.d) * ee - pe * de));
    }
    const int in = de > 0 ? -sign(pe) : de < 0 ? past : -1;
    const int out = de > 0 ? -past : de < 0 ? sign(pe) : +1;
    return {in > ends.in ? in : ends.in, out < ends.out ? out : ends.out};
  }
};

/// The points with lo[i] <= axis[i] . x <= hi[i]: boxes, and with huge bounds half-spaces.
struct IntSlabs {
  IntVec axis[3];
  Int lo[3], hi[3];

  struct Along {
    Int near, far, speed;
  };
  Along along(const IntLine& line, int i) const {
    const Int p = dot(axis[i], line.o), v = dot(axis[i], line.d);
    return v < 0 ? Along{p - hi[i], p - lo[i], -v} : Along{lo[i] - p, hi[i] - p, v};
  }
  bool meets(const IntLine& line) const {
    for (int i = 0; i < 3; ++i) {
      const Along x = along(line, i);
      if (x.speed == 0 && (x.near > 0 || x.far < 0)) return false;
      for (int j = 0; j < 3; ++j) {
        const Along y = along(line, j);
        if (x.speed > 0 && y.speed > 0 && x.near * y.speed > y.far * x.speed) return false;
      }
    }
    return true;
  }
  Ends ends(const IntLine& line, Rational t) const {
    Ends e{-1, +1};
    for (int i = 0; i < 3; ++i) {
      const Along x = along(line, i);
      if (x.speed == 0) continue;
      const int in = sign(x.near * t.den - x.speed * t.num);
      const int out = sign(x.far * t.den - x.speed * t.num);
      e.in = in > e.in ? in : e.in;
      e.out = out < e.out ? out : e.out;
    }
    return e;
  }
};

/// The half-space normal . x <= offset.
struct IntHalfSpace {
  IntVec normal;
  Int offset;

  bool meets(const IntLine& line) const {
    return dot(normal, line.d) != 0 || dot(normal, line.o) <= offset;
  }
  Ends ends(const IntLine& line, Rational t) const {
    const Int v = dot(normal, line.d);
    const int excess = sign(dot(normal, point_at(line, t, {0, 0, 0})) - offset * t.den);
    if (v == 0) return {-1, +1};
    return v > 0 ? Ends{-1, -excess} : Ends{excess, +1};
  }
  /// Whether t_out is finite.
  bool is_left(const IntLine& line) const { return dot(normal, line.d) > 0; }
};

}  // namespace sightline::oracle
