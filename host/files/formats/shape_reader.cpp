#include "host/files/formats/shape_reader.hpp"

#include "host/files/core/affine.hpp"
#include "host/files/formats/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr std::uint64_t most_name_bytes = 32 << 20;  // they share a header with the tensors
constexpr double radian = 57.29577951308232;         // in degrees

/// The order is that of the matrices' product.
constexpr const char* euler_keys[] = {
    "euler_xyz_degrees", "euler_xzy_degrees", "euler_yxz_degrees", "euler_yzx_degrees",
    "euler_zxy_degrees", "euler_zyx_degrees", "euler_xyz_radians", "euler_xzy_radians",
    "euler_yxz_radians", "euler_yzx_radians", "euler_zxy_radians", "euler_zyx_radians"};
constexpr const char* quaternion_keys[] = {"rotation", "quaternion"};

struct Box {
  std::array<double, 3> low, high, center, half;
};

Box read_box(Entry& in) {
  Box b;
  const bool low = in.has("min"), corners = in.has("max") || low, center = in.has("center");
  const bool size = in.has("size"), half = in.has("half_extents");
  if (!corners && !(center && (size || half))) {
    in.fail("lacks 'min' and 'max', or 'center' with 'size' or 'half_extents'");
  }
  if (corners + center > 1 || corners + size + half > 1) {
    in.fail("gives its box twice: 'min' and 'max', or 'center' with 'size' or 'half_extents'");
  }
  if (corners) {
    b.low = in.reals<3>("min");
    b.high = in.reals<3>("max");
  } else {
    b.center = in.reals<3>("center");
    b.half = in.reals<3>(size ? "size" : "half_extents");
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (corners) {
      b.center[k] = (b.low[k] + b.high[k]) / 2;
      b.half[k] = (b.high[k] - b.low[k]) / 2;
    } else {
      if (size) b.half[k] /= 2;
      b.low[k] = b.center[k] - b.half[k];
      b.high[k] = b.center[k] + b.half[k];
    }
  }
  return b;
}

void read_field(Entry& in, const char* field, float& to) { to = in.number(field); }
void read_field(Entry& in, const char* field, Vec3& to) { to = in.vec3(field); }

std::array<double, 9> matrix_of(Entry& in) {
  if (!in.holds_lists("matrix")) return in.reals<9>("matrix");
  const auto rows = in.real_rows<3>("matrix");
  std::array<double, 9> m = {};
  if (rows.size() != 3) in.fail("'matrix' is not three rows of 3 numbers");
  for (std::size_t i = 0; i < 9; ++i) m[i] = rows[i / 3][i % 3];
  return m;
}

}  // namespace

Quat ShapeReader::rotation(Entry& in) {
  const char* const quaternion = in.one_of(quaternion_keys);
  const char* const euler = in.one_of(euler_keys, "euler_yxz_degrees and the like");
  const bool matrix = in.has("matrix");
  if ((quaternion != nullptr) + (euler != nullptr) + matrix > 1)
    in.fail("gives its rotation twice");
  Rotation q = {0, 0, 0, 1};
  double off = 0;
  if (euler != nullptr) {
    const std::string_view name = euler;
    auto angles = in.reals<3>(euler);
    for (double& a : angles) a *= name.ends_with("radians") ? radian : 1;
    q = rotation_of_euler(angles, name.substr(6, 3));
  } else if (matrix) {
    const auto found = rotation_of_matrix(matrix_of(in));
    if (!found) in.fail("'matrix' is no rotation: it scales, shears or mirrors");
    q = found->first;
    off = found->second;
  } else if (quaternion != nullptr) {
    q = in.reals<4>(quaternion);
    const Quat given = rounded(q);
    const Rotation rounded = {given.x, given.y, given.z, given.w};
    off = std::abs(length_of(rounded) - 1);
    if (off <= detail::unit_tolerance) return given;
    if (length_of(q) < 1e-6) in.fail("'{}' has no length", quaternion);
    q = normalised(q);
  }
  if (off > detail::unit_tolerance && normalised_++ == 0) {
    first_normalised_ = scene_.count(Kind::obb);
  }
  return rounded(q);
}

std::uint64_t ShapeReader::label_of(Entry& in, std::string_view name) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; })) {
    in.fail("'name' holds control characters");
  }
  const auto [at, added] = label_of_.try_emplace(std::string(name), label_of_.size() + 1);
  if (added) names_ += std::string(name) + '\n';
  if (names_.size() > most_name_bytes) in.fail("'name' is one too many: they take over 32 MiB");
  return at->second;
}

Attributes ShapeReader::attributes(Entry& in) {
  const Attributes otherwise;
  Attributes a = {in.whole("mask", otherwise.mask), in.whole("group", otherwise.group),
                  in.whole("label", otherwise.label)};
  const std::string_view name = in.text("name");
  labels_ = labels_ || in.has("label");
  if (!name.empty()) a.label = label_of(in, name);
  if (labels_ && !label_of_.empty()) {
    in.fail("has labels and names in one file: a name is a label, numbered as it comes");
  }
  return a;
}

template <class Shape>
Shape ShapeReader::read(Entry& in) {
  Shape shape;
  if constexpr (std::is_same_v<Shape, Aabb>) {
    const Box box = read_box(in);
    shape = {rounded(box.low), rounded(box.high)};
  } else if constexpr (std::is_same_v<Shape, Obb>) {
    const Box box = read_box(in);
    shape = {rounded(box.center), rounded(box.half), rotation(in)};
  } else {
    ShapeTraits<Shape>::fields([&](const char* field, auto& to) { read_field(in, field, to); },
                               shape);
  }
  return shape;
}

void ShapeReader::add(Kind kind, Entry& in) {
  with_kind(kind, [&]<class S>(ShapeTag<S>) {
    const auto shape = read<Given<S>>(in);
    const Attributes own = attributes(in);
    in.refuse_unknown();
    in.naming_place([&] { scene_.add(shape, own); });
  });
}

Scene ShapeReader::take(const std::string& file, Metadata* metadata, Notes* notes) {
  if (metadata != nullptr && !names_.empty()) (*metadata)[names_key] = names_;
  if (notes != nullptr && normalised_ > 0) {
    notes->push_back(fmt::format("{}: {} rotation{} normalised, the first that of obb {}", file,
                                 normalised_, normalised_ == 1 ? " was" : "s were",
                                 first_normalised_));
  }
  return std::move(scene_);
}

}  // namespace sightline::io
