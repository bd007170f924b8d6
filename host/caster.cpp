#include <sightline/caster.hpp>

#include "host/backend.hpp"
#include "host/choose_backend.hpp"
#include "host/cpu/cpu_backend.hpp"
#include "host/cuda_backend.hpp"
#include "host/fp_environment.hpp"
#include "host/reference.hpp"
#include "host/scene_columns.hpp"

#include <algorithm>
#include <new>

namespace sightline {

using detail::FpEnvironment;
using detail::SceneParts;
using detail::words_for;

struct Caster::Impl {
  Scene scene;
  Backend kind;
  std::unique_ptr<detail::CastBackend> backend;
  std::string why_not_cuda;  ///< see ChosenBackend
};

namespace {

/// What a backend reads: the reference alone looks bounds up by id.
ShapesView view_for(Backend kind, const Scene& scene) {
  return kind == Backend::reference ? scene.view() : SceneParts::view_without_bounds(scene);
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

void check_size(const char* name, std::uint64_t size, std::uint64_t rows, std::uint64_t words) {
  std::uint64_t expected = 0;
  if (__builtin_mul_overflow(rows, words, &expected) || size != expected) {
    throw Error(ErrorKind::usage, std::string(name) + " has " + std::to_string(size) +
                                      " words, not " + std::to_string(rows) + " x " +
                                      std::to_string(words));
  }
}

const char* reason_of_bad(const Ray& ray) {
  if (!in_domain(ray.origin)) return "its origin is NaN, infinite or beyond 2^40";
  if (!is_finite(ray.direction)) return "its direction is NaN or infinite";
  return "its interval is not 0 <= t_min <= t_max";
}

SIGHTLINE_NOINLINE void check_rays(const RaysView& rays, const CastOptions& options) {
  for (std::uint64_t i = 0; options.strict && i < rays.count; ++i) {
    const Ray ray = rays[i];
    if (is_bad(ray)) {
      throw Error(ErrorKind::bad_input,
                  "ray " + std::to_string(i) + " is bad: " + reason_of_bad(ray));
    }
  }
}

SIGHTLINE_NOINLINE void check(const VisibilityOptions& options) {
  if (!(0.0f <= options.margin && options.margin < 0.5f)) {
    throw Error(ErrorKind::usage, "the margin must be at least 0 and less than 0.5");
  }
  if (!(options.range >= 0.0f)) throw Error(ErrorKind::usage, "the range must be at least 0");
}

/// The view of shapes that ask.
ShapesView asking_view(const Scene& asking, const IdRange& of) {
  const ShapesView all = SceneParts::view_without_bounds(asking);
  const bool to_the_end = of.count == none;
  if (of.first > all.size() || (!to_the_end && of.count > all.size() - of.first)) {
    throw Error(ErrorKind::usage, "the ids of shapes that ask end at " +
                                      std::to_string(all.size()) + ", before " +
                                      std::to_string(of.first) +
                                      (to_the_end ? "" : " + " + std::to_string(of.count)));
  }
  const ShapesView some = all.slice(of.first, to_the_end ? all.size() - of.first : of.count);
  if (some.size() > some.bounded()) {
    throw Error(ErrorKind::usage, "planes cannot ask what they overlap: they have no bounds");
  }
  return some;
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

/// What the scene's columns take: the caller's numbers, frames, attributes, and bounds where they
/// are kept.
std::uint64_t scene_bytes(const Scene& scene) {
  const ShapesView shapes = SceneParts::view_without_bounds(scene);
  constexpr std::uint64_t vec3 = sizeof(Vec3), number = sizeof(float);
  constexpr std::uint64_t per_shape[kind_count] = {2 * vec3, 5 * vec3 + sizeof(Quat), vec3 + number,
                                                   2 * vec3 + number, vec3 + number};
  std::uint64_t bytes = SceneParts::has_bounds(scene) ? shapes.bounded() * sizeof(Aabb) : 0;
  for (int k = 0; k < kind_count; ++k) {
    const auto kind = static_cast<Kind>(k);
    const std::uint64_t each = per_shape[k] + (scene.has_masks(kind) ? 4 : 0) +
                               (scene.has_groups(kind) ? 4 : 0) + (scene.has_labels(kind) ? 8 : 0);
    bytes += each * scene.count(kind);
  }
  if (shapes.mask != nullptr) bytes += sizeof(std::uint32_t) * shapes.size();
  if (shapes.group != nullptr) bytes += sizeof(std::uint32_t) * shapes.size();
  return bytes;
}

}  // namespace

Caster::Caster(Scene scene, Backend backend, CasterOptions options) {
  const FpEnvironment environment;
  impl_ = std::make_unique<Impl>(Impl{std::move(scene), backend, nullptr, {}});
  if (backend != Backend::reference) SceneParts::drop_bounds(impl_->scene);
  auto chosen = detail::choose_backend<detail::CastBackend>(
      backend, options, [&](Backend kind, const CasterOptions& with) {
        return make_backend(kind, impl_->scene, with);
      });
  impl_->kind = chosen.kind;
  impl_->backend = std::move(chosen.backend);
  impl_->why_not_cuda = std::move(chosen.why_not_cuda);
}

Caster::Caster(Caster&&) noexcept = default;
Caster& Caster::operator=(Caster&&) noexcept = default;
Caster::~Caster() = default;

const Scene& Caster::scene() const { return impl_->scene; }
Backend Caster::backend() const { return impl_->kind; }
std::string Caster::description() const {
  return detail::described(*impl_->backend, impl_->why_not_cuda);
}
std::uint64_t Caster::memory_bytes() const {
  return scene_bytes(impl_->scene) + impl_->backend->memory_bytes();
}

CastReport Caster::closest_hit(const RaysView& rays, const HitsView& hits,
                               const CastOptions& options) const {
  const FpEnvironment environment;
  check_rays(rays, options);
  return impl_->backend->closest_hit(rays, hits, options.inside);
}

CastReport Caster::any_hit(const RaysView& rays, std::span<std::uint64_t> blocked,
                           const CastOptions& options) const {
  const FpEnvironment environment;
  check_size("blocked", blocked.size(), 1, words_for(rays.count));
  check_rays(rays, options);
  return impl_->backend->any_hit(rays, blocked.data(), options.inside);
}

VisibilityReport Caster::visibility(const PointsView& viewpoints, const PointsView& targets,
                                    std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
  const FpEnvironment environment;
  check(options);
  check_size("bits", bits.size(), viewpoints.count, words_for(targets.count));
  return impl_->backend->visibility(viewpoints, targets, bits.data(), sight_options(options));
}

VisibilityReport Caster::visibility(const PointsView& points, std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
  const FpEnvironment environment;
  check(options);
  check_size("bits", bits.size(), points.count, words_for(points.count));
  return impl_->backend->visibility(points, bits.data(), sight_options(options));
}

VisibilityReport Caster::visibility_pairs(const PointsView& from, const PointsView& to,
                                          std::span<std::uint64_t> bits,
                                          const VisibilityOptions& options) const {
  const FpEnvironment environment;
  check(options);
  if (from.count != to.count) {
    throw Error(ErrorKind::usage, "pairs need as many points on both sides, not " +
                                      std::to_string(from.count) + " and " +
                                      std::to_string(to.count));
  }
  check_size("bits", bits.size(), 1, words_for(from.count));
  return impl_->backend->visibility_pairs(from, to, bits.data(), sight_options(options));
}

OverlapReport Caster::overlap_any(const Scene& asking, std::span<std::uint64_t> bits,
                                  const IdRange& of) const {
  const FpEnvironment environment;
  const ShapesView shapes = asking_view(asking, of);
  check_size("bits", bits.size(), 1, words_for(shapes.size()));
  return impl_->backend->overlap_any(shapes, bits.data());
}

OverlapReport Caster::overlap_count(const Scene& asking, std::span<std::uint32_t> counts,
                                    const IdRange& of) const {
  const FpEnvironment environment;
  const ShapesView shapes = asking_view(asking, of);
  check_size("counts", counts.size(), 1, shapes.size());
  return impl_->backend->overlap_count(shapes, counts.data());
}

OverlapRows Caster::overlap_all(const Scene& asking, const IdRange& of) const {
  const FpEnvironment environment;
  const ShapesView shapes = asking_view(asking, of);
  try {
    return impl_->backend->overlap_all(shapes);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "there is no memory for all overlaps of " + std::to_string(shapes.size()) +
                    " shapes: ask for fewer at a time, or how many there are");
  }
}

NearestReport Caster::nearest(const PointsView& points, const NearestView& out,
                              const NearestOptions& options) const {
  const FpEnvironment environment;
  if (options.k == 0) throw Error(ErrorKind::usage, "k, the shapes a point, must be at least 1");
  if (!(options.range >= 0.0f)) throw Error(ErrorKind::usage, "the range must be at least 0");
  if (points.count > (std::uint64_t{1} << 59) / options.k) {
    throw Error(ErrorKind::usage, std::to_string(points.count) + " rows of " +
                                      std::to_string(options.k) + " are more than 2^59 elements");
  }
  try {
    return impl_->backend->nearest(points, options.k, options.range, out);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "there is no memory for rows of the " +
                                              std::to_string(options.k) + " nearest shapes, " +
                                              std::to_string(8 * std::uint64_t{options.k}) +
                                              " bytes a thread");
  }
}

void Caster::closest_hit_on_device(const RaysView& rays, const HitsView& hits, CudaStream stream,
                                   const CastOptions& options, CastCounts* counts) const {
  refuse_strict(options);
  impl_->backend->closest_hit_on_device(rays, hits, stream, options.inside, counts);
}

void Caster::any_hit_on_device(const RaysView& rays, std::uint64_t* blocked, CudaStream stream,
                               const CastOptions& options, CastCounts* counts) const {
  refuse_strict(options);
  impl_->backend->any_hit_on_device(rays, blocked, stream, options.inside, counts);
}

void Caster::update(Scene scene, Update how) {
  const FpEnvironment environment;
  if (!same_counts(scene, impl_->scene)) {
    if (how == Update::refit) {
      throw Error(ErrorKind::usage, "a refit needs as many shapes of every kind as before");
    }
    how = Update::rebuild;
  }
  impl_->backend->update(view_for(impl_->kind, scene), how);
  if (impl_->kind != Backend::reference) SceneParts::drop_bounds(scene);
  impl_->scene = std::move(scene);  // moves its columns, so that the view still holds
}

}  // namespace sightline
