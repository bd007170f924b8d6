#include "host/door/caster_impl.hpp"

#include "host/door/choose_backend.hpp"
#include "host/door/scene_columns.hpp"

namespace sightline {

using detail::answered;
using detail::check_array;
using detail::SceneParts;

namespace {

/// What a backend reads: the reference alone looks bounds up by id.
ShapesView view_for(Backend kind, const Scene& scene) {
  return kind == Backend::reference ? scene.view() : scene.view_without_bounds();
}

// WHERE BACKENDS MEET: the one place.
struct MakeBackend {
  const Scene& scene;

  auto operator()(const ReferenceOptions&) const {
    return detail::make_reference_backend(view_for(Backend::reference, scene));
  }
  auto operator()(const CpuOptions& options) const {
    return detail::make_cpu_backend(view_for(Backend::cpu, scene), options);
  }
  auto operator()(const CudaOptions& options) const {
    return detail::make_cuda_backend(view_for(Backend::cuda, scene), options);
  }
};

/// Rays that are on the device already, whose columns cannot be read here.
RaysView device_rays(const RaysView& rays, const CastOptions& options) {
  detail::check(detail::policy_of(options));
  if (options.strict) {
    throw Error(ErrorKind::usage, "strict is not for rays on the device: look at their counts");
  }
  if (detail::have_radii(rays)) {
    throw Error(ErrorKind::usage, "rays on the device have no radii: ask with rays of the host");
  }
  return detail::counted(rays);
}

bool same_counts(const Scene& a, const Scene& b) {
  for (int k = 0; k < kind_count; ++k) {
    if (a.count(static_cast<Kind>(k)) != b.count(static_cast<Kind>(k))) return false;
  }
  return true;
}

/// One ray's as columns of common values, which the backends need not look through.
RaysView view_of(const Ray& ray) {
  return {.origin = ray.origin,
          .direction = ray.direction,
          .t_min = ray.t_min,
          .t_max = ray.t_max,
          .mask = ray.mask,
          .exclude = {ray.exclude[0], ray.exclude[1]},
          .exclude_group = {ray.exclude_group[0], ray.exclude_group[1]},
          .count = 1};
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
  bytes += sizeof(std::uint32_t) * SceneParts::mesh_numbers(scene);
  if (shapes.mask != nullptr) bytes += sizeof(std::uint32_t) * shapes.size();
  if (shapes.group != nullptr) bytes += sizeof(std::uint32_t) * shapes.size();
  return bytes;
}

}  // namespace

CasterOptions default_options(Backend backend) {
  detail::check_choice(backend, Backend::cuda, "backend");
  if (backend == Backend::reference) return ReferenceOptions{};
  if (backend == Backend::cpu) return CpuOptions{};
  return CudaOptions{};
}

Caster::Caster(Scene scene, const CasterOptions& options) {
  answered([&] {
    impl_ = std::make_unique<Impl>(Impl{std::move(scene), {}});
    if (!std::holds_alternative<ReferenceOptions>(options)) SceneParts::drop_bounds(impl_->scene);
    impl_->chosen = detail::choose_backend<detail::CastBackend>(options, MakeBackend{impl_->scene});
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
Backend Caster::backend() const { return impl().chosen.kind; }
std::string Caster::description() const {
  return answered([&] { return detail::described(impl().chosen); });
}
std::uint64_t Caster::memory_bytes() const {
  const Impl& own = impl();
  return answered([&] { return scene_bytes(own.scene) + own.backend().memory_bytes(); });
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

template <class>
Hits Caster::closest_hit(const RaysView& given, const HitsOptions& options) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const RaysView rays = detail::counted(given);
    Hits hits = detail::hits_of(rays.count, options.normals);
    hits.report =
        closest_hit(rays, detail::arrays_of(hits), {options.inside, options.strict, options.side});
    return hits;
  });
}
template Hits Caster::closest_hit<void>(const RaysView&, const HitsOptions&) const;

template <class>
CastReport Caster::closest_hit(const RaysView& rays, const HitArrays& hits,
                               const CastOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    detail::ClosestHits asked{rays, {}, detail::policy_of(options)};
    detail::check_rays(asked.rays, options);
    asked.hits = detail::pointers(hits, asked.rays.count);
    const bool thick = detail::have_radii(asked.rays);
    return detail::closest_hits(thick ? own.backend_for_thick(options.side) : own.backend(), asked);
  });
}
template CastReport Caster::closest_hit<void>(const RaysView&, const HitArrays&,
                                              const CastOptions&) const;

template <class>
Bits<CastReport> Caster::any_hit(const RaysView& given, const CastOptions& options) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const RaysView rays = detail::counted(given);
    Bits<CastReport> blocked(rays.count);
    blocked.report = any_hit(rays, blocked.words, options);
    return blocked;
  });
}
template Bits<CastReport> Caster::any_hit<void>(const RaysView&, const CastOptions&) const;

template <class>
CastReport Caster::any_hit(const RaysView& rays, std::span<std::uint64_t> blocked,
                           const CastOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    detail::AnyHits asked{rays, blocked.data(), detail::policy_of(options)};
    detail::check_rays(asked.rays, options);
    check_array("blocked", blocked, bit_words(asked.rays.count));
    if (!detail::have_radii(asked.rays)) return own.backend().answer(asked);
    return own.backend_for_thick(options.side)
        .answer(detail::AnySweeps{{asked.rays}, asked.blocked, asked.policy});
  });
}
template CastReport Caster::any_hit<void>(const RaysView&, std::span<std::uint64_t>,
                                          const CastOptions&) const;

void Caster::closest_hit_on_device(const RaysView& given, const HitArrays& hits, CudaStream stream,
                                   const CastOptions& options, CastCounts* counts) const {
  const Impl& own = impl();
  answered([&] {
    const RaysView rays = device_rays(given, options);
    own.backend().closest_hit_on_device(rays, detail::pointers(hits, rays.count), stream,
                                        detail::policy_of(options), counts);
  });
}

void Caster::any_hit_on_device(const RaysView& given, std::span<std::uint64_t> blocked,
                               CudaStream stream, const CastOptions& options,
                               CastCounts* counts) const {
  const Impl& own = impl();
  answered([&] {
    const RaysView rays = device_rays(given, options);
    check_array("blocked", blocked, bit_words(rays.count));
    own.backend().any_hit_on_device(rays, blocked.data(), stream, detail::policy_of(options),
                                    counts);
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
    own.backend().update(view_for(own.chosen.kind, scene), how);
    if (own.chosen.kind != Backend::reference) SceneParts::drop_bounds(scene);
    own.scene = std::move(scene);  // moves its columns, so that the view still holds
  });
}

}  // namespace sightline
