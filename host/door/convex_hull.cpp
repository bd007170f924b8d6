// Quickhull (Barber, Dobkin and Huhdanpaa 1996): each face keeps points above its plane, of which
// the furthest joins the hull next. The faces that it is above make room for a fan from their
// border to it.
//
// Every new face has area. A point in line with an edge of the border would be in the plane of a
// face that it is above. Points above a removed face are above a face of the fan, or in the hull.
// For the plane of a face of the fan lies between the planes of the two faces at its edge.
#include "host/door/convex_hull.hpp"

#include "host/door/validate.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/exact/edge_sign.hpp>
#include <sightline/geometry/exact/wide_vec.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>

namespace sightline::detail {
namespace {

struct Face {
  std::array<std::uint32_t, 3> corner;
  std::array<std::uint32_t, 3> beside;  // the face behind the edge from corner k to corner k + 1
  std::vector<std::uint32_t> above;     // points above it that no other face keeps
  bool gone = false;
};

class Hull {
 public:
  explicit Hull(std::span<const Vec3> points) : points_(points) { begin(); }

  std::vector<std::array<std::uint32_t, 3>> finish() {
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      if (!faces_[f].gone && !faces_[f].above.empty()) add(furthest(f), f);
    }
    std::vector<std::array<std::uint32_t, 3>> corners;
    for (const Face& face : faces_) {
      if (!face.gone) corners.push_back(face.corner);
    }
    return corners;
  }

 private:
  /// +1 where d is above the plane of a, b, c, which run counterclockwise seen from there.
  int side(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) const {
    const Vec3& from = points_[a];
    return determinant_sign(split_difference(points_[d], from), split_difference(points_[b], from),
                            split_difference(points_[c], from));
  }
  int side(const Face& f, std::uint32_t p) const {
    return side(f.corner[0], f.corner[1], f.corner[2], p);
  }
  bool are_in_line(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const SplitVec3 u = split_difference(points_[b], points_[a]);
    const SplitVec3 v = split_difference(points_[c], points_[a]);
    return minor_sign(u, v, 0, 1) == 0 && minor_sign(u, v, 1, 2) == 0 &&
           minor_sign(u, v, 2, 0) == 0;
  }

  /// Makes a tetrahedron of four points that span a volume.
  void begin() {
    const auto n = static_cast<std::uint32_t>(points_.size());
    std::uint32_t a = 0, b = 1, c, d;
    while (b < n && points_[b] == points_[a]) ++b;
    for (c = b + 1; c < n && are_in_line(a, b, c);) ++c;
    for (d = c + 1; d < n && side(a, b, c, d) == 0;) ++d;
    if (d >= n) {
      throw Error(ErrorKind::bad_input, "the " + std::to_string(n) +
                                            " points span no volume: a hull needs four that are "
                                            "not in one plane");
    }
    if (side(a, b, c, d) > 0) std::swap(b, c);  // d is below a, b, c
    faces_ = {{{a, b, c}, {1, 2, 3}, {}},
              {{b, a, d}, {0, 3, 2}, {}},
              {{c, b, d}, {0, 1, 3}, {}},
              {{a, c, d}, {0, 2, 1}, {}}};
    for (std::uint32_t p = 0; p < n; ++p) keep(p, 0);
  }

  /// Gives the point to the first face from `first` on that it is above.
  void keep(std::uint32_t p, std::uint32_t first) {
    for (std::uint32_t f = first; f < faces_.size(); ++f) {
      if (side(faces_[f], p) <= 0) continue;
      faces_[f].above.push_back(p);
      return;
    }
  }

  /// The point furthest above the face, but for rounding.
  std::uint32_t furthest(std::uint32_t f) const {
    const auto& [a, b, c] = faces_[f].corner;
    const WideVec3 normal =
        cross(wide_diff(points_[b], points_[a]), wide_diff(points_[c], points_[a]));
    const auto height = [&](std::uint32_t p) { return dot(normal, widened(points_[p])); };
    return *std::max_element(
        faces_[f].above.begin(), faces_[f].above.end(),
        [&](std::uint32_t p, std::uint32_t q) { return height(p) < height(q); });
  }

  /// Adds a point that is above face `start`.
  void add(std::uint32_t p, std::uint32_t start) {
    std::vector<std::uint32_t> seen = {start};
    faces_[start].gone = true;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (const std::uint32_t other : faces_[seen[i]].beside) {
        if (faces_[other].gone || side(faces_[other], p) <= 0) continue;
        faces_[other].gone = true;
        seen.push_back(other);
      }
    }
    const auto first = static_cast<std::uint32_t>(faces_.size());
    std::unordered_map<std::uint32_t, std::uint32_t> from;  // new faces by where their edge begins
    for (const std::uint32_t f : seen) add_border(p, f, from);
    for (std::uint32_t f = first; f < faces_.size(); ++f) {  // a fan around p
      const std::uint32_t next = from.at(faces_[f].corner[1]);
      faces_[f].beside[1] = next;
      faces_[next].beside[2] = f;
    }
    for (const std::uint32_t f : seen) {
      for (const std::uint32_t q : faces_[f].above) {
        if (q != p) keep(q, first);
      }
      faces_[f].above = {};
    }
  }

  /// Adds a face from p to each edge of face `f` behind which a face stays.
  void add_border(std::uint32_t p, std::uint32_t f,
                  std::unordered_map<std::uint32_t, std::uint32_t>& from) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t other = faces_[f].beside[k];
      if (faces_[other].gone) continue;
      const std::uint32_t a = faces_[f].corner[k], b = faces_[f].corner[(k + 1) % 3];
      const auto made = static_cast<std::uint32_t>(faces_.size());
      faces_.push_back({{a, b, p}, {other, 0, 0}, {}});
      from[a] = made;
      for (int e = 0; e < 3; ++e) {
        if (faces_[other].corner[e] == b) faces_[other].beside[e] = made;
      }
    }
  }

  std::span<const Vec3> points_;
  std::vector<Face> faces_;
};

}  // namespace

std::vector<std::array<std::uint32_t, 3>> hull_faces(std::span<const Vec3> points) {
  if (points.data() == nullptr && !points.empty()) {
    throw Error(ErrorKind::usage, "the points are null");
  }
  if (points.size() > most_hull_points) {
    throw Error(ErrorKind::bad_input, "a hull takes " + std::to_string(most_hull_points) +
                                          " points at most, not " + std::to_string(points.size()));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (const char* why = bad_vector(points[i])) {
      throw Error(ErrorKind::bad_input, "point " + std::to_string(i) + " of a hull: " + why);
    }
  }
  return Hull(points).finish();
}

}  // namespace sightline::detail
