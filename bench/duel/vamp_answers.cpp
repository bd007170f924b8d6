#include "bench/duel/vamp_answers.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>

namespace sightline::bench {
namespace {

constexpr std::uint64_t part = 512;  // of VAMP's threads; a multiple of 64

void set(std::span<std::uint64_t> bits, std::uint64_t i, bool value) {
  bits[i / 64] |= std::uint64_t{value} << i % 64;
}

}  // namespace

std::unique_ptr<rivals::VampScene> vamp_scene_of(const ShapesView& shapes) {
  rivals::VampShapes to;
  for (std::uint32_t i = 0; i < shapes.count(Kind::aabb); ++i) {
    const Aabb s = shapes.get<Aabb>(i);
    const auto middle = [](float a, float b) { return 0.5f * (a + b); };
    const Vec3 c = {middle(s.min.x, s.max.x), middle(s.min.y, s.max.y), middle(s.min.z, s.max.z)};
    to.aligned_boxes.push_back({c.x, c.y, c.z, s.max.x - c.x, s.max.y - c.y, s.max.z - c.z});
  }
  for (std::uint32_t i = 0; i < shapes.count(Kind::obb); ++i) {
    const ObbFrame s = shapes.get<ObbFrame>(i);
    const Vec3 c = s.center, *a = s.axis, h = s.half_extents;
    to.boxes.push_back({c.x, c.y, c.z, a[0].x, a[0].y, a[0].z, a[1].x, a[1].y, a[1].z, a[2].x,
                        a[2].y, a[2].z, h.x, h.y, h.z});
  }
  for (std::uint32_t i = 0; i < shapes.count(Kind::sphere); ++i) {
    const Sphere s = shapes.get<Sphere>(i);
    to.spheres.push_back({s.center.x, s.center.y, s.center.z, s.radius});
  }
  for (std::uint32_t i = 0; i < shapes.count(Kind::capsule); ++i) {
    const Capsule s = shapes.get<Capsule>(i);
    to.capsules.push_back({s.a.x, s.a.y, s.a.z, s.b.x, s.b.y, s.b.z, s.radius});
  }
  return rivals::vamp_scene(to);
}

VampAnswers::VampAnswers(const rivals::VampScene& scene, const QueryBatch& batch, bool eights,
                         int threads)
    : scene_(scene),
      spheres_((batch.size() + 7) / 8),
      eights_(eights),
      hits_(batch.size()),
      arena_(threads) {
  const ShapesView view = batch.shapes.view();
  for (std::uint32_t i = 0; i < batch.size(); ++i) {
    const Sphere s = view.get<Sphere>(i);
    rivals::EightSpheres& to = spheres_[i / 8];
    to.x[i % 8] = s.center.x, to.y[i % 8] = s.center.y, to.z[i % 8] = s.center.z;
    to.radius[i % 8] = s.radius;
  }
}

void VampAnswers::answer(std::uint64_t n, Answers& to) {
  const auto ask = [&](std::uint64_t begin, std::uint64_t end) {
    std::uint8_t* hits = hits_.data() + begin;
    eights_ ? scene_.any(spheres_.data(), begin, end, hits)
            : scene_.each(spheres_.data(), begin, end, hits);
    std::fill(to.bits.begin() + static_cast<std::ptrdiff_t>(begin / 64),
              to.bits.begin() + static_cast<std::ptrdiff_t>((end + 63) / 64), 0);
    for (std::uint64_t i = begin; i < end; ++i) set(to.bits, i, hits_[i] != 0);
  };
  arena_.execute([&] {
    tbb::parallel_for(std::uint64_t{0}, (n + part - 1) / part,
                      [&](std::uint64_t p) { ask(p * part, std::min(n, (p + 1) * part)); });
  });
}

}  // namespace sightline::bench
