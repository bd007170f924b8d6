// Results of rays: what the command line says of them, how they are read, and the bad ones.
#pragma once

#include "host/files/core/text_file.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/results/result.hpp"

#include <sightline/geometry/intersect/line.hpp>

#include <algorithm>

namespace sightline::cli {

/// An id, or kind:index.
inline std::uint32_t parse_shape(const std::string& text, const Scene& scene) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    const auto id = io::number_from<std::uint32_t>(text);
    if (id && *id < scene.size()) return *id;
  } else {
    const auto index = io::number_from<std::uint32_t>(text.substr(colon + 1));
    for (int k = 0; index && k < kind_count; ++k) {
      const auto kind = static_cast<Kind>(k);
      if (text.compare(0, colon, kind_name(kind)) == 0 && *index < scene.count(kind)) {
        return scene.id(kind, *index);
      }
    }
  }
  io::fail(ErrorKind::usage,
           "--exclude {}: the scene of {} shapes has none of that id or kind:index",
           io::in_quotes(text), scene.size());
}

/// Why a bad ray is one.
inline const char* reason_of_bad_ray(const Ray& ray) {
  if (!in_domain(ray.origin)) return "its origin is NaN, infinite or beyond 2^40";
  if (!is_finite(ray.direction)) return "its direction is NaN or infinite";
  if (!(0.0f <= ray.t_min && ray.t_min <= ray.t_max)) {
    return "its interval is not 0 <= t_min <= t_max";
  }
  return "its radius is not 0 <= radius <= 2^40";
}

/// What the command line gives every ray whose file does not say it.
struct RayOptions {
  std::optional<float> t_min, t_max, radius;
  std::optional<std::uint32_t> mask;
  std::vector<std::string> exclude;
  std::vector<std::uint32_t> exclude_group;

  io::RayDefaults defaults(const Scene& scene) const {
    io::RayDefaults d;
    d.t_min = t_min.value_or(d.t_min);
    d.t_max = t_max.value_or(d.t_max);
    d.mask = mask.value_or(d.mask);
    d.radius = radius.value_or(d.radius);
    int k = 0;
    for (const std::string& shape : exclude) d.exclude[k++] = parse_shape(shape, scene);
    k = 0;
    for (const std::uint32_t group : exclude_group) d.exclude_group[k++] = group;
    return d;
  }

  /// Throws Error{usage} when an option would give what the file of rays has already.
  void refuse_columns_of(const io::RaysSource& rays, bool has_radius) const {
    const auto refuse = [&](bool given, bool there, const char* option, const char* column) {
      if (!given || !there) return;
      io::fail(ErrorKind::usage, "{}: {} has a column '{}' of its own", option, rays.name(),
               column);
    };
    const io::RayColumns& columns = rays.columns();
    refuse(t_min.has_value(), columns.t_min, "--t-min", "t_min");
    refuse(t_max.has_value(), columns.t_max, "--t-max", "t_max");
    refuse(mask.has_value(), columns.mask, "--mask", "mask");
    refuse(!exclude.empty(), columns.exclude, "--exclude", "exclude");
    refuse(!exclude_group.empty(), columns.exclude_group, "--exclude-group", "exclude_group");
    refuse(has_radius, columns.radius, "--radius", "radius");
  }
};

/// What all questions about rays ask.
struct RayQuestion {
  RayOptions rays;
  CastOptions options = {};  ///< `strict`: a bad ray is an error
};

/// What all questions about rays have. `bad` is the place of the bad ones among the counts.
class RayResult : public Result {
 public:
  RayResult(const Names& names, const RayQuestion& a, std::size_t bad, bool radii = false)
      : Result(names, {"--rays", "/rays", "rays"}),
        options_(a.options),
        asked_(a.rays),
        bad_(bad),
        radii_(radii) {}

  void visit(Parameters& p) override {
    visit_policy(p);
    visit_rays(p);
  }
  void load(InputFiles& in) override {
    caster_ = in.caster(scene_hash, scene_);
    if (!in.verifies()) defaults_ = asked_.defaults(caster().scene());
    rays_ = in.rays(input_, defaults_, [&](const io::RaysSource& rays) {
      if (!in.verifies()) asked_.refuse_columns_of(rays, asked_.radius || in.has("--radius"));
    });
    if (!radii_ && rays_->columns().radius) {
      io::fail(ErrorKind::usage, "{}: rays with radii are for closest and any hits alone",
               rays_->name());
    }
    if (defaults_.radius != 0 || rays_->columns().radius) {
      in.refuse_kinds(caster(), Refused::rays_alone, "thick rays");
      refuse_side();
    }
  }
  // Large enough that threads do not wait for each other, small enough to be interrupted soon.
  Cost cost(const Job&) const override {
    return {1 << 20, copies_in_memory(backend()) * rays_->bytes_per_ray()};
  }
  void refuse_bad(std::uint64_t ray) const {
    if (!options_.strict) return;
    io::RayBuffer buffer;
    io::fail(ErrorKind::bad_input, "{}: ray {}: {}", rays_->name(), ray,
             reason_of_bad_ray(rays_->read(ray, 1, buffer)[0]));
  }
  void report(Job& job, const Done& done) const override {
    if (done.counts.first_bad == io::JobCounts::no_bad) return;
    job.set("/counts/first_bad_ray", done.counts.first_bad);
    const std::uint64_t bad = done.counts.sum[bad_];
    job.warn("{}: {} of {} {}; the first is ray {}", rays_->name(), grouped(bad),
             plural(input_.count, "rays"),
             agreeing(bad, "is bad and counts as a miss", "are bad and count as misses"),
             done.counts.first_bad);
  }

 protected:
  void visit_policy(Parameters& p) {
    p.inside(options_.inside);
    p.side(options_.side);
  }
  /// Bad rays are found by their counts.
  CastOptions not_strict() const { return {options_.inside, false, options_.side}; }
  /// Throws Error{usage} for a side filter that rays with radii do not pass.
  void refuse_side() const {
    if (options_.side == Side::both || caster().scene().count(Kind::triangle) == 0) return;
    io::fail(ErrorKind::usage,
             "--side: rays with radii take no side filter, and the scene has triangles");
  }
  void visit_rays(Parameters& p, std::uint64_t most = ~std::uint64_t{0}) {
    p.input("rays", input_, most);
    p.number("query.t_min", defaults_.t_min);
    p.number("query.t_max", defaults_.t_max);
    p.number("query.mask", defaults_.mask);
    p.pair("query.exclude", defaults_.exclude);
    p.pair("query.exclude_group", defaults_.exclude_group);
    if (!p.has("query.radius", defaults_.radius != 0.0f)) return;
    p.number("query.radius", defaults_.radius, std::numeric_limits<float>::denorm_min());
  }

  CastOptions options_;
  std::optional<io::RaysSource> rays_;

 private:
  RayOptions asked_;
  std::size_t bad_;
  bool radii_;
  io::RayDefaults defaults_;
};

}  // namespace sightline::cli
