#include "host/files/formats/scene_tensors.hpp"

#include "host/files/core/tensor_source.hpp"

namespace sightline::io {
namespace {

/// The attributes of one kind that differ from their defaults.
template <class T>
void add_attribute(const Scene& scene, Kind kind, const char* field, Dtype dtype, bool given,
                   T Attributes::*member, std::vector<TensorSource>& out) {
  if (!given) return;
  const std::uint32_t begin = scene.id(kind, 0);
  out.push_back(column_source<T>(
      tensor_name(kind, field), dtype, scene.count(kind),
      [&scene, begin, member](std::uint32_t i) { return scene.attributes(begin + i).*member; }));
}

}  // namespace

std::string tensor_name(Kind kind, const char* field) {
  return std::string(kind_name(kind)) + '.' + field;
}

std::vector<TensorSource> scene_tensors(const Scene& scene) {
  std::vector<TensorSource> tensors;
  const ShapesView shapes = scene.view_without_bounds();
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    constexpr Kind kind = kind_for<S>;
    if (scene.count(kind) == 0) return;
    ShapeTraits<Given<S>>::fields(
        [&](const char* field, const auto* column) {
          tensors.push_back(dense_source(tensor_name(kind, field), scene.count(kind), column));
        },
        shapes.of<S>());
    add_attribute(scene, kind, "mask", Dtype::u32, scene.has_masks(kind), &Attributes::mask,
                  tensors);
    add_attribute(scene, kind, "group", Dtype::u32, scene.has_groups(kind), &Attributes::group,
                  tensors);
    add_attribute(scene, kind, "label", Dtype::u64, scene.has_labels(kind), &Attributes::label,
                  tensors);
  });
  return tensors;
}

}  // namespace sightline::io
