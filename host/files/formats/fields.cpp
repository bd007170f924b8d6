#include "host/files/formats/fields.hpp"

#include "host/files/core/hash.hpp"

#include <sightline/math/degrees.hpp>

#include <cstring>

namespace sightline::io {

Fields Fields::whole(std::uint64_t n) const {
  const Field all_around;
  Fields f = *this;
  if (f.direction.empty()) {
    const Vec3& d = all_around.direction;
    for (std::uint64_t i = 0; i < n; ++i) f.direction.insert(f.direction.end(), {d.x, d.y, d.z});
  }
  if (f.cosine.empty()) f.cosine.assign(n, all_around.cosine);
  if (f.sine.empty()) f.sine.assign(n, all_around.sine);
  if (f.range.empty()) f.range.assign(n, all_around.range);
  return f;
}

FieldsView Fields::view(FieldShape shape) const {
  FieldsView v;
  v.shape = shape;
  if (!direction.empty()) v.direction = Vec3Column::rows(direction);
  if (!cosine.empty()) v.cosine = cosine;
  if (!sine.empty()) v.sine = sine;
  if (!range.empty()) v.range = range;
  return v;
}

std::string fields_hash(const Fields& fields, std::uint64_t n) {
  const Fields all = fields.whole(n);
  std::vector<TensorSource> tensors;
  const auto add = [&](const char* name, const Shape& shape, const std::vector<float>& values) {
    tensors.push_back(
        {name, Dtype::f32, shape, [&values](std::uint64_t first, std::uint64_t count, void* to) {
           std::memcpy(to, values.data() + first, count * sizeof(float));
         }});
  };
  add("point.direction", {n, 3}, all.direction);
  add("point.cosine", {n}, all.cosine);
  add("point.sine", {n}, all.sine);
  add("point.range", {n}, all.range);
  return content_hash(std::move(tensors));
}

HalfAngle half_angle(float degrees) {
  return {narrowed(cosine_of_degrees(degrees)), narrowed(sine_of_degrees(degrees))};
}

}  // namespace sightline::io
