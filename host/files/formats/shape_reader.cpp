#include "host/files/formats/shape_reader.hpp"

#include "host/files/core/affine.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr double radian = 57.29577951308232;  // in degrees

/// The order is that of the matrices' product.
constexpr const char* euler_keys[] = {
    "euler_xyz_degrees", "euler_xzy_degrees", "euler_yxz_degrees", "euler_yzx_degrees",
    "euler_zxy_degrees", "euler_zyx_degrees", "euler_xyz_radians", "euler_xzy_radians",
    "euler_yxz_radians", "euler_yzx_radians", "euler_zxy_radians", "euler_zyx_radians"};
constexpr const char* quaternion_keys[] = {"rotation", "quaternion"};

struct Box {
  Double3 low, high, center, half;
};

Box read_box(TextFields& in) {
  Box b;
  const bool low = in.has("min"), corners = in.has("max") || low, center = in.has("center");
  const bool size = in.has("size"), extents = in.has("extents"), half = in.has("half_extents");
  if (!corners && !(center && (size || extents || half))) {
    in.refuse_lacking("'min' and 'max', or 'center' with 'size' or 'half_extents'");
  }
  if (corners + center > 1 || corners + size + extents + half > 1) {
    in.fail("gives its box twice: 'min' and 'max', or 'center' with 'size' or 'half_extents'");
  }
  if (corners) {
    b.low = in.reals<3>("min");
    b.high = in.reals<3>("max");
  } else {
    b.center = in.reals<3>("center");
    b.half = in.reals<3>(size ? "size" : extents ? "extents" : "half_extents");
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (corners) {
      b.center[k] = (b.low[k] + b.high[k]) / 2;
      b.half[k] = (b.high[k] - b.low[k]) / 2;
    } else {
      if (!half) b.half[k] /= 2;
      b.low[k] = b.center[k] - b.half[k];
      b.high[k] = b.center[k] + b.half[k];
    }
  }
  return b;
}

void read_field(TextFields& in, const char* field, float& to) { to = in.number(field); }
void read_field(TextFields& in, const char* field, Vec3& to) { to = in.vec3(field); }

/// A coordinate axis that an entry names.
std::optional<Double3> named_axis(std::string_view name) {
  if (name.size() != 1) return std::nullopt;
  const std::size_t k = std::string_view("xyzXYZ").find(name[0]);
  if (k == std::string_view::npos) return std::nullopt;
  Double3 axis = {};
  axis[k % 3] = 1;
  return axis;
}

std::array<double, 9> matrix_of(TextFields& in) {
  if (!in.holds_lists("matrix")) return in.reals<9>("matrix");
  const auto rows = in.real_rows<3>("matrix");
  std::array<double, 9> m = {};
  if (rows.size() != 3) in.fail("'matrix' is not three rows of 3 numbers");
  for (std::size_t i = 0; i < 9; ++i) m[i] = rows[i / 3][i % 3];
  return m;
}

}  // namespace

/// Nothing where the entry gives none.
std::optional<Rotation> ShapeReader::rotation(TextFields& in, Kind kind) {
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
    if (off <= detail::unit_tolerance) return q;
    if (length_of(q) < 1e-6) in.fail("'{}' has no length", quaternion);
    q = normalised(q);
  } else {
    return std::nullopt;
  }
  if (off > detail::unit_tolerance && normalised_++ == 0) {
    first_normalised_ = fmt::format("{} {}", kind_name(kind), scene_.count(kind));
  }
  return q;
}

/// Of unit length, from the end a of a capsule or cylinder to its end b.
Double3 ShapeReader::axis_of(Kind kind, TextFields& in) {
  const bool named = in.has("axis");
  const std::optional<Rotation> turn = rotation(in, kind);
  if (named && turn) in.fail("gives its direction twice: 'axis' and a rotation");
  if (named && in.holds_list("axis")) {
    Double3 axis = in.reals<3>("axis");
    const double size = length(axis);
    if (!(size > 0)) in.fail("'axis' has no length");
    for (double& v : axis) v /= size;
    return axis;
  }
  if (named) {
    const auto axis = in.holds_text("axis") ? named_axis(in.text("axis")) : std::nullopt;
    if (!axis) in.fail("'axis' is neither x, y or z nor a list of 3 numbers");
    return *axis;
  }
  has_used_up_ = true;
  const Double3 axis = *named_axis({&up_, 1});
  return turn ? turned(axis, *turn) : axis;
}

/// Of a cylinder the height is that of its segment.
double ShapeReader::segment_height(Kind kind, TextFields& in, double radius) const {
  const bool whole = in.has("height");
  if (kind == Kind::cylinder) {
    const double height = in.real("height");
    if (!(height > 0)) in.fail("has height {}, not above 0", height);
    return height;
  }
  if (whole == in.has("segment_height")) {
    if (whole) in.fail("gives its height twice: 'height' and 'segment_height'");
    in.refuse_lacking("'height', from end to end, or 'segment_height', between the ends' centers");
  }
  const double height = in.real(whole ? "height" : "segment_height");
  const double segment = whole ? height - 2 * radius : height;
  if (!(segment >= 0) && whole) {
    in.fail(
        "has height {} from end to end, less than twice its radius {}; 'segment_height' is "
        "between the ends' centers",
        height, radius);
  }
  if (!(segment >= 0)) in.fail("has segment_height {}, less than 0", height);
  return segment;
}

/// The ends a and b, and the radius.
Capsule ShapeReader::rounded_segment(Kind kind, const std::array<double, 7>& n) {
  rounding_.shape(kind, scene_.count(kind), n);
  return {rounded(Double3{n[0], n[1], n[2]}), rounded(Double3{n[3], n[4], n[5]}),
          static_cast<float>(n[6])};
}

Capsule ShapeReader::segment_by_height(Kind kind, TextFields& in) {
  const Double3 center = in.reals<3>("center");
  const double radius = in.real("radius"), segment = segment_height(kind, in, radius);
  const Double3 axis = axis_of(kind, in);
  Double3 a{}, b{};
  for (std::size_t k = 0; k < 3; ++k) {
    a[k] = center[k] - axis[k] * (segment / 2);
    b[k] = center[k] + axis[k] * (segment / 2);
  }
  return rounded_segment(kind, {a[0], a[1], a[2], b[0], b[1], b[2], radius});
}

/// A capsule, or a cylinder about the same segment.
Capsule ShapeReader::segment(Kind kind, TextFields& in) {
  const bool segment = in.has("a"), ends = in.has("b") || segment, center = in.has("center");
  if (!ends && !center) {
    in.has("height"), in.has("radius");
    if (kind == Kind::cylinder) in.refuse_lacking("'a' and 'b', or 'center' with 'height'");
    in.has("segment_height");
    in.refuse_lacking("'a' and 'b', or 'center' with 'height' or 'segment_height'");
  }
  if (ends && center) in.fail("gives its place twice: 'a' and 'b', or 'center' with a height");
  if (center) return segment_by_height(kind, in);
  const Double3 a = in.reals<3>("a"), b = in.reals<3>("b");
  const double radius = in.real("radius");
  return rounded_segment(kind, {a[0], a[1], a[2], b[0], b[1], b[2], radius});
}

Attributes ShapeReader::attributes(TextFields& in) {
  const Attributes otherwise;
  return {in.whole("mask", otherwise.mask), in.whole("group", otherwise.group),
          names_.read_label(in, scene_.size(), false)};
}

template <class S>
Given<S> ShapeReader::read(TextFields& in) {
  using Taken = Given<S>;
  constexpr Kind kind = kind_for<S>;
  const std::uint64_t index = scene_.count(kind);
  if constexpr (std::is_same_v<Taken, Aabb> || std::is_same_v<Taken, Obb>) {
    const Box box = read_box(in);
    if (in.has("extents") && first_extents_.empty()) {
      first_extents_ = fmt::format("{} {}", kind_name(kind), index);
    }
    rounding_.begin(kind_name(kind), index);
    if constexpr (kind == Kind::aabb) {
      rounding_.box(box.low, box.high);
      return {rounded(box.low), rounded(box.high)};
    } else {
      rounding_.ball(box.center, least_size(box.half));
      return {rounded(box.center), rounded(box.half),
              rounded(rotation(in, kind).value_or(Rotation{0, 0, 0, 1}))};
    }
  } else if constexpr (std::is_same_v<Taken, Capsule> || std::is_same_v<Taken, Cylinder>) {
    const Capsule s = segment(kind, in);
    return {s.a, s.b, s.radius};
  } else if constexpr (std::is_same_v<Taken, Sphere>) {
    const Double3 center = in.reals<3>("center");
    const double radius = in.real("radius");
    rounding_.begin(kind_name(kind), index);
    rounding_.ball(center, radius);
    return {rounded(center), static_cast<float>(radius)};
  } else if constexpr (std::is_same_v<Taken, Triangle>) {
    const Double3 a = in.reals<3>("a"), b = in.reals<3>("b"), c = in.reals<3>("c");
    const std::array<double, 9> numbers = {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]};
    rounding_.shape(kind, index, numbers);
    return {rounded(a), rounded(b), rounded(c)};
  } else {
    Taken shape;
    ShapeTraits<Taken>::fields([&](const char* field, auto& to) { read_field(in, field, to); },
                               shape);
    return shape;
  }
}

/// As export writes them.
void ShapeReader::check_id(Kind kind, TextFields& in) const {
  const std::string id = in.text_or_number("id");
  std::uint64_t later = 0;
  for (int k = static_cast<int>(kind) + 1; k < kind_count; ++k) {
    later += scene_.count(static_cast<Kind>(k));
  }
  if (id == std::to_string(scene_.size()) && later == 0) return;
  in.fail(
      "has 'id' {}, but ids number the shapes kind by kind from 0: a word of your own is a 'name', "
      "a number a 'label'; leave out 'id' to number them anew",
      in_quotes(id));
}

void ShapeReader::add(Kind kind, TextFields& in) {
  with_kind(kind, [&]<class S>(ShapeTag<S>) {
    const auto shape = read<S>(in);
    const Attributes own = attributes(in);
    if (in.has("id")) check_id(kind, in);
    in.refuse_unknown();
    in.naming_place([&] { scene_.add(shape, own); });
  });
}

Scene ShapeReader::take(const std::string& file, Metadata* metadata, Notes* notes) {
  if (metadata != nullptr) names_.give_to(*metadata);
  if (notes == nullptr) return std::move(scene_);
  if (normalised_ > 0) {
    notes->push_back(fmt::format("{}: {} rotation{} normalised, the first that of {}", file,
                                 normalised_, normalised_ == 1 ? " was" : "s were",
                                 first_normalised_));
  }
  if (!first_extents_.empty()) {
    notes->push_back(
        fmt::format("{}: 'extents' of {} are taken as full sizes, as trimesh has them; where they "
                    "are halves, as in Unity, name them 'half_extents'",
                    file, first_extents_));
  }
  rounding_.add_note(file, notes);
  return std::move(scene_);
}

}  // namespace sightline::io
