#include "host/door/caster_impl.hpp"

#include "host/door/choose_backend.hpp"
#include "host/door/scene_columns.hpp"

#include <sightline/geometry/queries/field_of_view.hpp>

namespace sightline {

using detail::answered;
using detail::check_array;
using detail::check_columns;
using detail::SceneParts;

namespace {

/// What a backend reads: the reference alone looks bounds up by id.
ShapesView view_for(Backend kind, const Scene& scene) {
  return kind == Backend::reference ? scene.view() : scene.view_without_bounds();
}

// WHERE BACKENDS MEET: the one switch.
std::unique_ptr<detail::CastBackend> make_backend(Backend kind, const Scene& scene,
                                                  const CasterOptions& options) {
  const ShapesView shapes = view_for(kind, scene);
  switch (kind) {
    case Backend::reference:
      return detail::make_reference_backend(shapes);
    case Backend::cpu:
      return detail::make_cpu_backend(shapes, options);
    case Backend::cuda:
      return detail::make_cuda_backend(shapes, options);
    case Backend::automatic:
      break;
  }
  throw Error(ErrorKind::usage, "there is no such backend");
}

SIGHTLINE_NOINLINE void check(const VisibilityOptions& options) {
  detail::check(options.inside);
  if (!(0.0f <= options.margin && options.margin < 0.5f)) {
    throw Error(ErrorKind::usage, "the margin must be at least 0 and less than 0.5");
  }
  if (!(options.range >= 0.0f)) throw Error(ErrorKind::usage, "the range must be at least 0");
}

void refuse_strict(const CastOptions& options) {
  if (options.strict) {
    throw Error(ErrorKind::usage, "strict is not for rays on the device: look at their counts");
  }
}

bool same_counts(const Scene& a, const Scene& b) {
  for (int k = 0; k < kind_count; ++k) {
    if (a.count(static_cast<Kind>(k)) != b.count(static_cast<Kind>(k))) return false;
  }
  return true;
}

SightOptions sight_options(const VisibilityOptions& options) {
  return {options.range, options.margin, options.inside};
}

/// The report of a call without fields.
VisibilityReport all_around(VisibilityReport report) {
  report.in_field = report.pairs;
  return report;
}

/// One ray's as columns of common values, which the backends need not look through.
RaysView view_of(const Ray& ray) {
  return {1,
          ray.origin,
          ray.direction,
          ray.t_min,
          ray.t_max,
          ray.mask,
          {ray.exclude[0], ray.exclude[1]},
          {ray.exclude_group[0], ray.exclude_group[1]}};
}

SIGHTLINE_NOINLINE std::uint64_t count_bad(const FieldsView& fields, std::uint64_t n) {
  std::uint64_t bad = 0;
  for (std::uint64_t i = 0; i < n; ++i) bad += is_sound(fields[i], fields.shape) ? 0 : 1;
  return bad;
}

template <class T>
using Value = T;
template <class Shape>
using ShapeNumbers = typename ShapeTraits<Shape>::template Columns<Value>;

/// What the scene's columns take: the caller's numbers, frames, attributes, and bounds where they
/// are kept.
std::uint64_t scene_bytes(const Scene& scene) {
  const ShapesView shapes = scene.view_without_bounds();
  std::uint64_t bytes = SceneParts::has_bounds(scene) ? shapes.bounded() * sizeof(Aabb) : 0;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    constexpr Kind kind = kind_for<S>;
    const std::uint64_t each = sizeof(ShapeNumbers<S>) + (scene.has_masks(kind) ? 4 : 0) +
                               (scene.has_groups(kind) ? 4 : 0) + (scene.has_labels(kind) ? 8 : 0);
    bytes += each * scene.count(kind);
  });
  if (shapes.mask != nullptr) bytes += sizeof(std::uint32_t) * shapes.size();
  if (shapes.group != nullptr) bytes += sizeof(std::uint32_t) * shapes.size();
  return bytes;
}

}  // namespace

Caster::Caster(Scene scene, Backend backend, CasterOptions options) {
  answered([&] {
    impl_ = std::make_unique<Impl>(Impl{std::move(scene), backend, nullptr, {}});
    if (backend != Backend::reference) SceneParts::drop_bounds(impl_->scene);
    auto chosen = detail::choose_backend<detail::CastBackend>(
        backend, options, [&](Backend kind, const CasterOptions& with) {
          return make_backend(kind, impl_->scene, with);
        });
    impl_->kind = chosen.kind;
    impl_->backend = std::move(chosen.backend);
    impl_->why_not_cuda = std::move(chosen.why_not_cuda);
  });
}

Caster::Caster(Caster&&) noexcept = default;
Caster& Caster::operator=(Caster&&) noexcept = default;
Caster::~Caster() = default;

Caster::Impl& Caster::impl() const {
  if (!impl_) detail::refuse("this caster is empty: it has been moved from");
  return *impl_;
}

const Scene& Caster::scene() const { return impl().scene; }
Backend Caster::backend() const { return impl().kind; }
std::string Caster::description() const {
  return answered([&] { return detail::described(*impl().backend, impl_->why_not_cuda); });
}
std::uint64_t Caster::memory_bytes() const {
  const Impl& own = impl();
  return answered([&] { return scene_bytes(own.scene) + own.backend->memory_bytes(); });
}

Hit Caster::closest_hit(const Ray& ray, const CastOptions& options) const {
  Hit hit;
  closest_hit(view_of(ray), {{&hit.t, 1}, {&hit.id, 1}, {&hit.flags, 1}, {&hit.normal, 1}},
              options);
  return hit;
}

bool Caster::any_hit(const Ray& ray, const CastOptions& options) const {
  std::uint64_t blocked = 0;
  any_hit(view_of(ray), {&blocked, 1}, options);
  return blocked != 0;
}

CastReport Caster::closest_hit(const RaysView& rays, const HitArrays& hits,
                               const CastOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    const HitsView to = detail::pointers(hits, rays.count);
    detail::check_rays(rays, options);
    return own.backend->answer(detail::ClosestHits{rays, to, options.inside});
  });
}

CastReport Caster::any_hit(const RaysView& rays, std::span<std::uint64_t> blocked,
                           const CastOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check_array("blocked", blocked, bit_words(rays.count));
    detail::check_rays(rays, options);
    return own.backend->answer(detail::AnyHits{rays, blocked.data(), options.inside});
  });
}

VisibilityReport Caster::visibility(const PointsView& viewpoints, const PointsView& targets,
                                    std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check(options);
    check_columns(viewpoints), check_columns(targets);
    check_array("bits", bits, viewpoints.count, bit_words(targets.count));
    return all_around(own.backend->answer(detail::VisibilityMatrix{
        viewpoints, nullptr, targets, bits.data(), sight_options(options)}));
  });
}

VisibilityReport Caster::visibility(const PointsView& points, std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check(options);
    check_columns(points);
    check_array("bits", bits, points.count, bit_words(points.count));
    return all_around(
        own.backend->answer(detail::SelfVisibility{points, bits.data(), sight_options(options)}));
  });
}

VisibilityReport Caster::visibility(const PointsView& viewpoints, const FieldsView& fields,
                                    const PointsView& targets, std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check(options);
    detail::check_choice(fields.shape, FieldShape::sector_y_up, "shape of fields");
    check_columns(viewpoints), check_columns(targets);
    check_columns(fields, viewpoints.count);
    check_array("bits", bits, viewpoints.count, bit_words(targets.count));
    VisibilityReport report = own.backend->answer(detail::VisibilityMatrix{
        viewpoints, &fields, targets, bits.data(), sight_options(options)});
    report.bad_fields = count_bad(fields, viewpoints.count);
    return report;
  });
}

VisibilityReport Caster::visibility_pairs(const PointsView& from, const PointsView& to,
                                          std::span<std::uint64_t> bits,
                                          const VisibilityOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check(options);
    detail::check_pairs(from, to);
    check_array("bits", bits, bit_words(from.count));
    return all_around(own.backend->answer(
        detail::VisibilityPairs{from, to, bits.data(), sight_options(options)}));
  });
}

void Caster::closest_hit_on_device(const RaysView& rays, const HitArrays& hits, CudaStream stream,
                                   const CastOptions& options, CastCounts* counts) const {
  const Impl& own = impl();
  answered([&] {
    refuse_strict(options);
    detail::check_rays(rays, options);
    own.backend->closest_hit_on_device(rays, detail::pointers(hits, rays.count), stream,
                                       options.inside, counts);
  });
}

void Caster::any_hit_on_device(const RaysView& rays, std::span<std::uint64_t> blocked,
                               CudaStream stream, const CastOptions& options,
                               CastCounts* counts) const {
  const Impl& own = impl();
  answered([&] {
    refuse_strict(options);
    detail::check_rays(rays, options);
    check_array("blocked", blocked, bit_words(rays.count));
    own.backend->any_hit_on_device(rays, blocked.data(), stream, options.inside, counts);
  });
}

void Caster::update(Scene scene, Update how) {
  Impl& own = impl();
  answered([&] {
    detail::check_choice(how, Update::rebuild, "way of updating");
    if (!same_counts(scene, own.scene)) {
      if (how == Update::refit) {
        throw Error(ErrorKind::usage, "a refit needs as many shapes of every kind as before");
      }
      how = Update::rebuild;
    }
    own.backend->update(view_for(own.kind, scene), how);
    if (own.kind != Backend::reference) SceneParts::drop_bounds(scene);
    own.scene = std::move(scene);  // moves its columns, so that the view still holds
  });
}

}  // namespace sightline
