#include "host/files/formats/scene_tensors.hpp"

#include "host/files/core/tensor_source.hpp"

#include <array>

namespace sightline::io {
namespace {

/// Collects the tensors of one kind.
class KindTensors {
 public:
  KindTensors(const Scene& scene, Kind kind, std::vector<TensorSource>& out)
      : scene_(scene), kind_(kind), count_(scene.count(kind)), out_(out) {}

  /// A column of `get(index)`, a struct of floats.
  template <class Get>
  void column(const char* field, Get get) {
    out_.push_back(column_source(name(field), Dtype::f32, count_, get));
  }

  void attributes() {
    attribute("mask", Dtype::u32, scene_.has_masks(kind_), &Attributes::mask);
    attribute("group", Dtype::u32, scene_.has_groups(kind_), &Attributes::group);
    attribute("label", Dtype::u64, scene_.has_labels(kind_), &Attributes::label);
  }

 private:
  std::string name(const char* field) const { return std::string(kind_name(kind_)) + '.' + field; }

  template <class T>
  void attribute(const char* field, Dtype dtype, bool given, T Attributes::*member) {
    if (!given) return;
    out_.push_back(column_source<T>(name(field), dtype, count_,
                                    [&scene = scene_, begin = begin(), member](std::uint32_t i) {
                                      return scene.attributes(begin + i).*member;
                                    }));
  }

  std::uint32_t begin() const { return scene_.id(kind_, 0); }

  const Scene& scene_;
  Kind kind_;
  std::uint32_t count_;
  std::vector<TensorSource>& out_;
};

void add_columns(const Scene& scene, Kind kind, KindTensors& out) {
  using Index = std::uint32_t;
  switch (kind) {
    case Kind::aabb:
      out.column("min", [&scene](Index i) { return scene.aabb(i).min; });
      out.column("max", [&scene](Index i) { return scene.aabb(i).max; });
      break;
    case Kind::obb:
      out.column("center", [&scene](Index i) { return scene.obb(i).center; });
      out.column("half_extents", [&scene](Index i) { return scene.obb(i).half_extents; });
      out.column("rotation", [&scene](Index i) { return scene.obb(i).rotation; });
      break;
    case Kind::sphere:
      out.column("center", [&scene](Index i) { return scene.sphere(i).center; });
      out.column("radius", [&scene](Index i) { return scene.sphere(i).radius; });
      break;
    case Kind::capsule:
      out.column("a", [&scene](Index i) { return scene.capsule(i).a; });
      out.column("b", [&scene](Index i) { return scene.capsule(i).b; });
      out.column("radius", [&scene](Index i) { return scene.capsule(i).radius; });
      break;
    case Kind::plane:
      out.column("normal", [&scene](Index i) { return scene.plane(i).normal; });
      out.column("offset", [&scene](Index i) { return scene.plane(i).offset; });
      break;
  }
}

}  // namespace

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, kind_count> names = {"aabb", "obb", "sphere", "capsule",
                                                              "plane"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<TensorSource> scene_tensors(const Scene& scene) {
  static_assert(sizeof(Vec3) == 3 * sizeof(float) && sizeof(Quat) == 4 * sizeof(float));
  std::vector<TensorSource> tensors;
  for (int k = 0; k < kind_count; ++k) {
    const Kind kind = static_cast<Kind>(k);
    if (scene.count(kind) == 0) continue;
    KindTensors out(scene, kind, tensors);
    add_columns(scene, kind, out);
    out.attributes();
  }
  return tensors;
}

}  // namespace sightline::io
