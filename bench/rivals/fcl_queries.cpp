#include "bench/rivals/query_trees.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <fcl/fcl.h>

namespace sightline::rivals {
namespace {

/// In doubles, which the library is compiled for: in floats all of it would be compiled here.
using Object = fcl::CollisionObjectd;

fcl::Vector3d to_fcl(const Vec3& v) { return {v.x, v.y, v.z}; }

/// As FCL has it: boxes and capsules around their middle, capsules along z.
std::unique_ptr<Object> object_of(const FloatShape& s) {
  fcl::Transform3d place = fcl::Transform3d::Identity();
  place.translation() = to_fcl(s.center);
  std::shared_ptr<fcl::CollisionGeometryd> geometry;
  if (is_box(s)) {
    geometry = std::make_shared<fcl::Boxd>(2 * s.half.x, 2 * s.half.y, 2 * s.half.z);
    if (s.kind == Kind::obb) {
      for (int i = 0; i < 3; ++i) place.linear().col(i) = to_fcl(s.axis[i]);
    }
  } else if (s.kind == Kind::sphere) {
    geometry = std::make_shared<fcl::Sphered>(s.radius);
  } else {
    const fcl::Vector3d half = to_fcl(s.half);
    geometry = std::make_shared<fcl::Capsuled>(s.radius, 2 * half.norm());
    place.linear() =
        Eigen::Quaterniond::FromTwoVectors(fcl::Vector3d::UnitZ(), half).toRotationMatrix();
  }
  return std::make_unique<Object>(geometry, place);
}

std::uint32_t id_of(const Object* object) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
}

struct OverlapCall {
  const FloatShape* shapes;
  FloatShape shape;
  const Object* object;
  bool own;
  Found* found;
};

bool offer_overlap(Object* a, Object* b, void* data) {
  auto& call = *static_cast<OverlapCall*>(data);
  Object* const other = a == call.object ? b : a;
  const std::uint32_t id = id_of(other);
  bool meets;
  if (call.own) {
    const fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    meets = fcl::collide(a, b, request, result) > 0;
  } else {
    meets = float_overlaps(call.shape, call.shapes[id]);
  }
  return meets && call.found->add(id);
}

struct Search {
  const FloatShape* shapes;
  Vec3 point;
  const Object* object;
  bool own;
  Near best;
};

bool offer_near(Object* a, Object* b, void* data, double& reach) {
  auto& search = *static_cast<Search*>(data);
  const std::uint32_t id = id_of(a == search.object ? b : a);
  float distance;
  if (search.own) {
    const fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    fcl::distance(a, b, request, result);
    distance = static_cast<float>(result.min_distance);
  } else {
    distance = float_distance(search.shapes[id], search.point);
  }
  const Near here = {distance, id};
  if (comes_before(here, search.best)) search.best = here;
  // Boxes at 0 must be looked at still: something in them may be deeper.
  reach = std::max(static_cast<double>(search.best.distance), 1e-30);
  return false;
}

class FclQueries final : public QueryTree {
 public:
  FclQueries(const ShapesView& shapes, bool own) : shapes_(float_shapes(shapes)), own_(own) {
    std::vector<Object*> all;
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
      objects_.push_back(object_of(shapes_[id]));
      objects_[id]->setUserData(reinterpret_cast<void*>(std::uintptr_t{id}));
      all.push_back(objects_[id].get());
    }
    tree_.registerObjects(all);
    tree_.setup();
  }

  void overlaps(const ShapesView& queries, std::uint32_t i, Found& found) const override {
    const FloatShape shape = float_shape(queries, i);
    const std::unique_ptr<Object> object = object_of(shape);
    OverlapCall call = {shapes_.data(), shape, object.get(), own_, &found};
    tree_.collide(object.get(), &call, offer_overlap);
  }

  Near nearest(const Vec3& p) const override {
    FloatShape point;
    point.kind = Kind::sphere;
    point.center = p;
    point.half = {0, 0, 0};
    const std::unique_ptr<Object> object = object_of(point);
    Search search = {shapes_.data(), p, object.get(), own_, {}};
    tree_.distance(object.get(), &search, offer_near);
    return search.best;
  }

  bool signs() const override { return !own_; }

 private:
  std::vector<FloatShape> shapes_;
  bool own_;
  std::vector<std::unique_ptr<Object>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd tree_;
};

}  // namespace

std::unique_ptr<QueryTree> fcl_queries(const ShapesView& shapes) {
  return std::make_unique<FclQueries>(shapes, false);
}
std::unique_ptr<QueryTree> fcl_own_queries(const ShapesView& shapes) {
  return std::make_unique<FclQueries>(shapes, true);
}

}  // namespace sightline::rivals
