#include "host/program/engine/ray_defaults.hpp"

#include "host/program/engine/bytes.hpp"

#include <sightline/intersect/line.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

std::uint32_t parse_shape(const std::string& text, const Scene& scene) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    const auto id = parsed<std::uint32_t>(text);
    if (id && *id < scene.size()) return *id;
  } else {
    const auto index = parsed<std::uint32_t>(text.substr(colon + 1));
    for (int k = 0; index && k < kind_count; ++k) {
      const auto kind = static_cast<Kind>(k);
      if (text.compare(0, colon, kind_name(kind)) == 0 && *index < scene.count(kind)) {
        return scene.id(kind, *index);
      }
    }
  }
  throw Error(ErrorKind::usage,
              fmt::format("--exclude {}: the scene of {} shapes has none of that id or kind:index",
                          text, scene.size()));
}

}  // namespace

bool has_radius(const CastArguments& a) {
  return a.radius || std::any_of(a.inputs.begin(), a.inputs.end(),
                                 [](const NamedFile& f) { return f.option == "--radius"; });
}

io::RayDefaults ray_defaults(const CastArguments& a, const Scene& scene) {
  io::RayDefaults defaults;
  if (a.t_min) defaults.t_min = *a.t_min;
  if (a.t_max) defaults.t_max = *a.t_max;
  if (a.mask) defaults.mask = *a.mask;
  if (a.radius) defaults.radius = *a.radius;
  for (std::size_t k = 0; k < a.exclude.size(); ++k) {
    defaults.exclude[k] = parse_shape(a.exclude[k], scene);
  }
  for (std::size_t k = 0; k < a.exclude_group.size(); ++k) {
    defaults.exclude_group[k] = a.exclude_group[k];
  }
  return defaults;
}

void refuse_overridden_columns(const CastArguments& a, const io::RaysSource& rays) {
  const auto refuse = [&](bool given, bool there, const char* option, const char* column) {
    if (given && there) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: {} has a column '{}' of its own", option, rays.name(), column));
    }
  };
  const io::RayColumns& columns = rays.columns();
  refuse(a.t_min.has_value(), columns.t_min, "--t-min", "t_min");
  refuse(a.t_max.has_value(), columns.t_max, "--t-max", "t_max");
  refuse(a.mask.has_value(), columns.mask, "--mask", "mask");
  refuse(!a.exclude.empty(), columns.exclude, "--exclude", "exclude");
  refuse(!a.exclude_group.empty(), columns.exclude_group, "--exclude-group", "exclude_group");
  refuse(has_radius(a), columns.radius, "--radius", "radius");
}

const char* reason_of_bad_ray(const Ray& ray) {
  if (!in_domain(ray.origin)) return "its origin is NaN, infinite or beyond 2^40";
  if (!is_finite(ray.direction)) return "its direction is NaN or infinite";
  if (!(0.0f <= ray.t_min && ray.t_min <= ray.t_max)) {
    return "its interval is not 0 <= t_min <= t_max";
  }
  return "its radius is not 0 <= radius <= 2^40";
}

}  // namespace sightline::cli
