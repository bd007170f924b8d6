#include "bench/rivals/embree_scene.hpp"
#include "bench/rivals/query_trees.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::rivals {

using embree3::DeviceRelease, embree3::SceneRelease;

namespace {

void give_bounds(const RTCBoundsFunctionArguments* args) {
  const Aabb& b = static_cast<const Aabb*>(args->geometryUserPtr)[args->primID];
  *args->bounds_o = {b.min.x, b.min.y, b.min.z, 0, b.max.x, b.max.y, b.max.z, 0};
}

/// What a call of an overlap query looks at.
struct OverlapCall {
  const FloatShape* shapes;
  const Aabb* bounds;
  FloatShape shape;
  Aabb box;
  bool is_ball;
  Found* found;
};

/// To stop, nothing remains in reach.
bool offer_overlap(RTCPointQueryFunctionArguments* args) {
  auto& call = *static_cast<OverlapCall*>(args->userPtr);
  const std::uint32_t id = args->primID;
  if (args->query->radius < 0) return false;
  if (!call.is_ball && !boxes_touch(call.box, call.bounds[id])) return false;
  if (!float_overlaps(call.shape, call.shapes[id]) || !call.found->add(id)) return false;
  args->query->radius = -1;
  return true;
}

struct Search {
  const FloatShape* shapes;
  Vec3 point;
  Near best;
};

bool offer_near(RTCPointQueryFunctionArguments* args) {
  auto& search = *static_cast<Search*>(args->userPtr);
  const Near here = {float_distance(search.shapes[args->primID], search.point), args->primID};
  if (!comes_before(here, search.best)) return false;
  search.best = here;
  args->query->radius = std::max(here.distance, 0.0f);
  return true;
}

class EmbreeQueries final : public QueryTree {
 public:
  explicit EmbreeQueries(const ShapesView& shapes)
      : shapes_(float_shapes(shapes)), bounds_(shapes.bounds), device_(rtcNewDevice(nullptr)) {
    if (device_ == nullptr) throw Error(ErrorKind::device, "Embree makes no device");
    scene_.reset(rtcNewScene(device_.get()));
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, shapes.bounded());
    rtcSetGeometryUserData(geometry, const_cast<Aabb*>(bounds_));
    rtcSetGeometryBoundsFunction(geometry, give_bounds, nullptr);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_.get(), geometry, 0);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_.get());
    if (rtcGetDeviceError(device_.get()) != RTC_ERROR_NONE) {
      throw Error(ErrorKind::device, "Embree fails to build");
    }
  }

  void overlaps(const ShapesView& queries, std::uint32_t i, Found& found) const override {
    OverlapCall call = {shapes_.data(),    bounds_, float_shape(queries, i),
                        queries.bounds[i], false,   &found};
    const FloatShape& s = call.shape;
    call.is_ball = s.kind == Kind::sphere;
    const float half = std::sqrt(dot3(s.half, s.half));
    ask(s.center, is_box(s) ? half : half + s.radius, offer_overlap, &call);
  }

  Near nearest(const Vec3& p) const override {
    Search search = {shapes_.data(), p, {}};
    ask(p, infinity, offer_near, &search);
    return search.best;
  }

 private:
  void ask(const Vec3& p, float radius, RTCPointQueryFunction function, void* user) const {
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    RTCPointQuery query = {p.x, p.y, p.z, 0, radius};
    rtcPointQuery(scene_.get(), &query, &context, function, user);
  }

  std::vector<FloatShape> shapes_;
  const Aabb* bounds_;
  std::unique_ptr<RTCDeviceTy, DeviceRelease> device_;
  std::unique_ptr<RTCSceneTy, SceneRelease> scene_;
};

}  // namespace

std::unique_ptr<QueryTree> embree_queries(const ShapesView& shapes) {
  return std::make_unique<EmbreeQueries>(shapes);
}

}  // namespace sightline::rivals
