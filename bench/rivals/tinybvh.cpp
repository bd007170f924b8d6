// tinybvh as a rival. Of its layouts only the binary one calls back for shapes of others, one ray
// at a time. No inline arithmetic of include/ may be used here: products and sums are fused.
#include "bench/rivals/block_scene.hpp"
#include "bench/rivals/one_ray.hpp"
#include "bench/rivals/ray_rivals.hpp"
#include "bench/rivals/shape_records.hpp"

#define NO_DOUBLE_PRECISION_SUPPORT
#define NO_INDEXED_GEOMETRY
#define TINYBVH_IMPLEMENTATION
#include <tiny_bvh.h>

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <algorithm>
#include <bit>

namespace sightline::rivals::tinybvh {
namespace {

namespace lib = ::tinybvh;

struct Variant {
  const char* name;
  bool full_sweep;  ///< every place to split is tried, not eight bins
  bool optimized;   ///< subtrees are inserted anew where that lowers the cost
  bool ordered;     ///< records in Morton order
};

constexpr Variant all_variants[] = {
    {"binned", false, false, false},
    {"binned, optimized", false, true, false},
    {"full sweep", true, false, false},
    {"full sweep, Morton order", true, false, true},
};

// What test() counts on.
static_assert(static_cast<int>(Kind::aabb) == 0 && static_cast<int>(Kind::obb) == 1 &&
              static_cast<int>(Kind::sphere) == 2 && static_cast<int>(Kind::capsule) == 3);

/// The shape at a position of the records that the ray carries; its mask is its t_min.
OneHit test(const lib::Ray& ray, unsigned prim) {
  const auto& records = *static_cast<const ShapeRecords*>(ray.hit.auxData);
  const OneRay one = {&ray.O.x, &ray.D.x, &ray.rD.x, ray.hit.t};
  const auto& first = records.first;
  if (prim < first[1]) return test_one(one, records.aabbs[prim]);
  if (prim < first[2]) return test_one(one, records.obbs[prim - first[1]]);
  if (prim < first[3]) return test_one(one, records.spheres[prim - first[2]]);
  return test_one(one, records.capsules[prim - first[3]]);
}
bool intersect(lib::Ray& ray, unsigned prim) {
  const OneHit h = test(ray, prim);
  if (!h.hit) return false;
  ray.hit.t = h.t;
  ray.hit.prim = prim;
  return true;
}
bool is_occluded(const lib::Ray& ray, unsigned prim) { return test(ray, prim).hit; }

/// Its builders take triangles: one from corner to corner has the bounds of its shape.
void build(lib::BVH& bvh, const ShapesView& shapes, const ShapeRecords& records, const Variant& v,
           int threads) {
  const std::uint32_t n = shapes.bounded();
  std::vector<lib::bvhvec4> corners(3 * std::size_t{n});
  for (std::uint32_t k = 0; k < n; ++k) {
    const Aabb& b = shapes.bounds[records.id(k)];
    corners[3 * k] = {b.min.x, b.min.y, b.min.z, 0};
    corners[3 * k + 1] = corners[3 * k + 2] = {b.max.x, b.max.y, b.max.z, 0};
  }
  bvh.threadedBuild = threads > 1;
  bvh.useFullSweep = v.full_sweep;
  if (v.full_sweep) {
    bvh.Build(corners.data(), n);
  } else {
    bvh.BuildAVX(corners.data(), n);
  }
  if (v.optimized) {
    lib::BVH_Verbose tree;
    tree.ConvertFrom(bvh);
    tree.SplitLeafs(1);
    tree.Optimize();
    tree.MergeLeafs();
    bvh.ConvertFrom(tree);
  }
  bvh.verts = {};
  bvh.customIntersect = intersect;
  bvh.customIsOccluded = is_occluded;
}

class TinybvhScene final : public BlockScene {
 public:
  TinybvhScene(const ShapesView& shapes, const Variant& variant, int threads)
      : BlockScene(threads), records_(shapes, variant.ordered, true, true) {
    build(bvh_, shapes, records_, variant, threads);
  }

  /// With the bounds that it keeps for the next build.
  std::uint64_t memory_bytes() const override {
    return records_.memory_bytes() + bvh_.allocatedNodes * sizeof(lib::BVH::BVHNode) +
           bvh_.idxCount * (sizeof *bvh_.primIdx + sizeof *bvh_.fragment);
  }
  std::vector<std::string> ways() const override { return {"single", "single, sorted"}; }

 protected:
  bool is_sorted(std::size_t way) const override { return way == 1; }

  void closest_block(std::size_t, const RayBatch& batch, std::uint64_t begin, std::uint64_t end,
                     float* t, std::uint32_t* id) const override {
    cast(batch, begin, end, [&](lib::Ray& ray, std::uint64_t i) {
      bvh_.Intersect(ray);
      const bool hit = ray.hit.prim != none;
      t[i] = hit ? ray.hit.t : infinity;
      id[i] = hit ? records_.id(ray.hit.prim) : none;
    });
  }
  void any_block(std::size_t, const RayBatch& batch, std::uint64_t begin, std::uint64_t end,
                 std::uint8_t* blocked) const override {
    cast(batch, begin, end,
         [&](const lib::Ray& ray, std::uint64_t i) { blocked[i] = bvh_.IsOccluded(ray); });
  }

 private:
  /// Not by the constructor of its rays, which takes directions to length 1.
  template <class Query>
  void cast(const RayBatch& batch, std::uint64_t begin, std::uint64_t end, Query&& query) const {
    const BatchReader reader(batch, end);
    const RayColumns& from = reader.columns();
    lib::Ray ray;
    ray.hit.auxData = const_cast<ShapeRecords*>(&records_);
    for (std::uint64_t p = begin; p < end; ++p) {
      reader.prefetch(p);
      const std::uint64_t i = reader.index(p);
      ray.O = {from.ox[i], from.oy[i], from.oz[i]};
      ray.mask = std::bit_cast<std::uint32_t>(from.t_min[i]);
      ray.D = {from.dx[i], from.dy[i], from.dz[i]};
      ray.rD = lib::tinybvh_rcp(ray.D);
      ray.hit.t = std::min(from.t_max[i], BVH_FAR);
      ray.hit.prim = none;
      query(ray, i);
    }
  }

  lib::BVH bvh_;
  ShapeRecords records_;
};

class Tinybvh final : public bench::Rival {
 public:
  std::string name() const override { return "tinybvh"; }
  std::string description() const override {
    const auto number = [](int part) { return std::to_string(part); };
    return "tinybvh " + number(TINY_BVH_VERSION_MAJOR) + "." + number(TINY_BVH_VERSION_MINOR) +
           "." + number(TINY_BVH_VERSION_SUB) + ", single rays";
  }

  std::vector<std::string> variants() const override {
    std::vector<std::string> names;
    for (const Variant& variant : all_variants) names.emplace_back(variant.name);
    return names;
  }

  std::unique_ptr<bench::RivalScene> build(std::size_t variant, const ShapesView& shapes,
                                           int threads) const override {
    refuse_planes(shapes, "tinybvh");
    if (shapes.count(Kind::triangle) > 0) {
      throw Error(ErrorKind::usage, "the scene holds triangles, which tinybvh is not given");
    }
    if (shapes.bounded() == 0) {
      throw Error(ErrorKind::usage, "the scene has no shapes, and tinybvh no tree of none");
    }
    return std::make_unique<TinybvhScene>(shapes, all_variants[variant], threads);
  }
};

}  // namespace

std::unique_ptr<bench::Rival> make_rival() { return std::make_unique<Tinybvh>(); }

}  // namespace sightline::rivals::tinybvh
