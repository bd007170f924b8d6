// Rotated boxes: how they are turned, as quaternions, matrices or poses.
#include "python/bindings/doc/boxes.hpp"
#include "python/bindings/module.hpp"

#include "host/files/formats/rotation.hpp"

#include <nanobind/stl/string.h>

#include <cmath>

namespace sightline::python {
namespace {

using Optional = Typed<"numpy.typing.ArrayLike | None">;

/// What says where boxes are, how large and how they are turned.
struct BoxArguments {
  Optional centers, half_extents, rotations, poses;
  const std::string& order;
};

/// The columns of boxes, center, half extents and rotation x, y, z, w, and what they point to.
struct Boxes {
  std::vector<Column<float>> columns;
  std::vector<Vec3> centers;
  std::vector<Quat> rotations;
};

template <class T>
Column<float> part(const std::vector<T>& of, const float* first, bool single) {
  if (single) return Column<float>(*first);
  return Column<float>(of.empty() ? nullptr : first, of.size(), sizeof(T));
}

/// The name of an argument's k-th element: "rotations[2,7]", or the argument's where it is for all.
std::string element(const char* name, const Shape& shape, std::size_t k) {
  if (shape.size() == 0) return name;
  std::string place;
  for (std::size_t i = shape.size(); i-- > 0; k /= shape[i]) {
    place = std::to_string(k % shape[i]) + (place.empty() ? "" : ",") + place;
  }
  return std::string(name) + "[" + place + "]";
}

/// Rotations that are made unit ones are told as the readers of files tell them.
class Normalised {
 public:
  void at(const std::string& element) {
    if (count_++ == 0) first_ = element;
  }
  void tell() const {
    if (count_ == 0) return;
    warn(fmt::format("{} {} normalised, the first that of {}", counted(count_, "rotations"),
                     io::agreeing(count_, "was", "were"), first_));
  }

 private:
  std::uint64_t count_ = 0;
  std::string first_;
};

/// Matrices of `sides` rows and columns: rotations or, of 4, poses, whose centers are taken, too.
void read_matrices(Arrays& arrays, nb::handle from, const char* name, std::size_t sides,
                   Boxes& boxes) {
  const auto [numbers, shape] = arrays.reals(from, name, {sides, sides});
  const std::size_t n = shape.elements(), size = sides * sides;
  Normalised normalised;
  for (std::size_t k = 0; k < n; ++k) {
    const double* m = numbers + k * size;
    std::array<double, 9> turn;
    for (std::size_t i = 0; i < 9; ++i) turn[i] = m[i / 3 * sides + i % 3];
    const auto found = io::rotation_of_matrix(turn);
    if (!found) {
      io::fail(ErrorKind::bad_input, "{} is no rotation: it scales, shears or mirrors",
               element(name, shape, k));
    }
    if (found->second > detail::unit_tolerance) normalised.at(element(name, shape, k));
    boxes.rotations.push_back(io::rounded(found->first));
    if (sides != 4) continue;
    if (!(std::max({std::abs(m[12]), std::abs(m[13]), std::abs(m[14]), std::abs(m[15] - 1)}) <=
          1e-6)) {
      io::fail(ErrorKind::bad_input,
               "{} has the last row {} {} {} {}, not 0 0 0 1: poses move columns, not rows",
               element(name, shape, k), m[12], m[13], m[14], m[15]);
    }
    boxes.centers.push_back(
        {static_cast<float>(m[3]), static_cast<float>(m[7]), static_cast<float>(m[11])});
  }
  normalised.tell();
  const bool single = shape.size() == 0;
  if (sides == 4) {
    const float* first = boxes.centers.empty() ? nullptr : &boxes.centers[0].x;
    for (int k = 0; k < 3; ++k) {
      boxes.columns[k] = part(boxes.centers, first == nullptr ? first : first + k, single);
    }
  }
  const float* first = boxes.rotations.empty() ? nullptr : &boxes.rotations[0].x;
  for (int k = 0; k < 4; ++k) {
    boxes.columns[6 + k] = part(boxes.rotations, first == nullptr ? first : first + k, single);
  }
}

/// Quaternions, of unit length where they are rounded as they are; others are made so before.
void read_quaternions(Arrays& arrays, nb::handle from, bool w_first, Boxes& boxes) {
  std::vector<Column<float>> given;
  arrays.columns(from, "rotations", 4, given);
  if (w_first) std::rotate(given.begin(), given.begin() + 1, given.end());
  const auto off = [&](std::uint64_t i) {
    return std::abs(io::length_of({given[0][i], given[1][i], given[2][i], given[3][i]}) - 1);
  };
  const bool single = given[0].data == nullptr;
  const std::uint64_t n = single ? 1 : given[0].count;
  bool unit = true;
  for (std::uint64_t i = 0; unit && i < n; ++i) unit = off(i) <= detail::unit_tolerance;
  std::copy(given.begin(), given.end(), boxes.columns.begin() + 6);
  if (unit) return;
  const auto [numbers, shape] = arrays.reals(from, "rotations", {4});
  Normalised normalised;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double* q = numbers + i * 4;
    io::Rotation turn =
        w_first ? io::Rotation{q[1], q[2], q[3], q[0]} : io::Rotation{q[0], q[1], q[2], q[3]};
    if (!(off(i) <= detail::unit_tolerance)) {
      if (!(io::length_of(turn) >= 1e-6)) {
        io::fail(ErrorKind::bad_input, "{} has no length", element("rotations", shape, i));
      }
      turn = io::normalised(turn);
      normalised.at(element("rotations", shape, i));
    }
    boxes.rotations.push_back(io::rounded(turn));
  }
  normalised.tell();
  for (int k = 0; k < 4; ++k) {
    boxes.columns[6 + k] = part(boxes.rotations, &boxes.rotations[0].x + k, single);
  }
}

/// Refuses arrays [...,4,4] that look like poses, and would be read as four quaternions each. Four
/// quaternions of unit length are taken, unless they are the rows of a pose, too.
void refuse_poses(nb::handle from) {
  if (!Arrays::ends_square(from, 4)) return;
  Arrays alone;  // what their number is compared with comes later
  const auto [numbers, shape] = alone.reals(from, "rotations", {4});
  const auto is_unit = [](const double* q) {
    return std::abs(io::length_of({q[0], q[1], q[2], q[3]}) - 1) <= detail::unit_tolerance;
  };
  for (std::size_t k = 0; k + 4 <= shape.elements(); k += 4) {
    const double* m = numbers + k * 4;
    if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1) continue;
    const bool turns =
        io::rotation_of_matrix({m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}).has_value();
    if (!turns && is_unit(m) && is_unit(m + 4) && is_unit(m + 8)) continue;
    refuse(
        "rotations hold the matrix of a pose, whose last row is 0 0 0 1, or four quaternions: "
        "give poses=, or as rotations matrices [n,3,3]");
  }
}

Boxes boxes_of(Arrays& arrays, const BoxArguments& a) {
  Boxes boxes;
  boxes.columns.resize(10);
  const bool w_first = choice(a.order, "order", {"xyzw", "wxyz"}) == 1;
  const bool poses = !a.poses.is_none();
  if (poses && !(a.centers.is_none() && a.rotations.is_none())) {
    refuse("poses say where boxes are and how they are turned: centers and rotations are too much");
  }
  if (!poses && (a.centers.is_none() || a.rotations.is_none())) {
    refuse("{} missing: boxes take centers and rotations, or poses",
           !a.rotations.is_none() ? "centers are"
           : a.centers.is_none()  ? "centers and rotations are"
                                  : "rotations are");
  }
  if (a.half_extents.is_none()) refuse("half_extents are missing");
  if (!poses && !w_first) refuse_poses(a.rotations);
  std::vector<Column<float>> given;
  if (!poses) arrays.columns(a.centers, "centers", 3, given);
  std::copy(given.begin(), given.end(), boxes.columns.begin());
  given.clear();
  arrays.columns(a.half_extents, "half_extents", 3, given);
  std::copy(given.begin(), given.end(), boxes.columns.begin() + 3);
  const nb::handle turns = poses ? a.poses : a.rotations;
  if (!poses && arrays.last_side(turns) != 3) {
    read_quaternions(arrays, turns, w_first, boxes);
    return boxes;
  }
  if (w_first)
    refuse("order is that of quaternions, and {} are matrices", poses ? "poses" : "rotations");
  read_matrices(arrays, turns, poses ? "poses" : "rotations", poses ? 4 : 3, boxes);
  return boxes;
}

using OrderWord = Word<"typing.Literal['xyzw', 'wxyz']">;

std::string words(const char* of) { return doc::text(of, fmt::arg("boxes", doc::boxes)); }

}  // namespace

void add_boxes(nb::class_<PyScene>& scene) {
  const auto order = nb::arg("order") = "xyzw";
  const auto none = [](const char* name) { return nb::arg(name) = nb::none(); };
  scene.def(
      "add_obbs",
      [](PyScene& s, Optional centers, Optional half_extents, Optional rotations, Optional poses,
         const OrderWord& word, ArrayLike mask, ArrayLike group, ArrayLike label) {
        Arrays arrays;
        const Boxes boxes = boxes_of(arrays, {centers, half_extents, rotations, poses, word});
        return s.scene.add(Kind::obb, arrays.count(), boxes.columns,
                           attributes_of(arrays, mask, group, label));
      },
      none("centers"), none("half_extents"), none("rotations"), nb::kw_only(), none("poses"), order,
      bits_argument("mask"), bits_argument("group"), nb::arg("label") = 0,
      words(doc::add_obbs).c_str());
  scene.def(
      "set_obbs",
      [](PyScene& s, std::uint32_t first, Optional centers, Optional half_extents,
         Optional rotations, Optional poses, const OrderWord& word) {
        Arrays arrays;
        const Boxes boxes = boxes_of(arrays, {centers, half_extents, rotations, poses, word});
        s.scene.set(Kind::obb, first, arrays.count(), boxes.columns);
      },
      nb::arg("first"), none("centers"), none("half_extents"), none("rotations"), nb::kw_only(),
      none("poses"), order, words(doc::set_obbs).c_str());
}

}  // namespace sightline::python
