// verify: a navigation map is baked again, and some of its columns are found by brute force.
#include "host/files/core/text_file.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/program/jobs/progress.hpp"
#include "host/program/results/input_files.hpp"
#include "host/program/results/verify.hpp"

#include <sightline/geometry/distance/horizontal_distance.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sightline::cli {
namespace {

struct TrueSpan {
  float bottom = 0, top = 0, headroom = 0, slope_cosine = 0, clearance = 0;
  std::uint32_t shape = 0;
  std::uint8_t flags = 0;  ///< those of the span alone: floor, surface, clear
};

/// The multiple of a 4096th of the map's size, as a power of two, below its lowest height.
float ray_start(const NavGrid& grid) {
  const double low = grid.lowest(), high = grid.highest();
  const double most = std::max({high - low, std::abs(low), std::abs(high), 0x1p-60});
  double size = 1;
  while (size > most) size /= 2;
  while (size * 2 <= most) size *= 2;
  return static_cast<float>(std::floor(low * 4096 / size) * size / 4096);
}

/// Spans and floors of a column by one ray and every shape of the scene.
class ReferenceColumns {
 public:
  ReferenceColumns(const NavMap& map, const Caster& reference, std::uint32_t mask)
      : reference_(reference),
        map_(map),
        mask_(mask),
        start_(ray_start(map.grid)),
        slack_(double{map.grid.cell_height} / 1024) {
    const long double radians = map_.agent.slope * std::numbers::pi_v<long double> / 180;
    least_slope_cosine_ = static_cast<float>(static_cast<double>(std::cos(radians)) - 0x1p-20);
    const Vec3 up = upright(Vec3{0, 0, 1}, map_.grid.up);
    up_.direction = up;
    down_.direction = -up;
    down_.t_max.common = map_.agent.height;
    up_.mask = down_.mask = mask;
    const ShapesView shapes = reference.scene().view();
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
      boxes_.push_back(upright(shapes.bounds[id], map_.grid.up));
    }
  }

  std::vector<TrueSpan> spans(std::uint64_t column) const {
    std::vector<TrueSpan> spans = solid(column);
    for (TrueSpan& s : spans) {
      const bool inside =
          s.top >= map_.grid.lowest() - slack_ && s.top <= map_.grid.highest() + slack_;
      if (!inside || s.headroom < map_.agent.height - slack_) continue;
      s.flags = nav_flags::floor;
      s.slope_cosine = slope_cosine(column, s.top);
      if (!(s.slope_cosine >= least_slope_cosine_)) continue;
      s.flags |= nav_flags::surface;
      s.clearance = clearance(column, s);
      if (s.clearance >= map_.agent.radius) s.flags |= nav_flags::clear;
    }
    return spans;
  }

 private:
  std::vector<TrueSpan> solid(std::uint64_t column) const {
    const Vec3 origin = map_.grid.at(column, start_);
    RaysView ray = up_;
    ray.origin = origin;
    const HitRows hits = reference_.all_hits(ray, {.t_out = true});
    struct Solid {
      double from, to;
      std::uint32_t shape;
    };
    std::vector<Solid> solids;
    for (std::size_t k = 0; k < hits.id.size(); ++k) {
      const double from = double{start_} + hits.t[k], to = double{start_} + hits.t_out[k];
      if (solids.empty() || solids.back().to + slack_ < from) {
        solids.push_back({from, to, hits.id[k]});
      } else if (solids.back().to < to) {
        solids.back() = {solids.back().from, to, hits.id[k]};
      }
    }
    std::vector<TrueSpan> spans;
    for (std::size_t k = 0; k < solids.size(); ++k) {
      const Solid& s = solids[k];
      if (s.from > map_.grid.highest() + slack_ || s.to < map_.grid.lowest() - slack_) continue;
      TrueSpan span;
      span.bottom = narrowed(s.from);
      span.top = narrowed(s.to);
      const double above = k + 1 < solids.size() ? solids[k + 1].from : double{infinity};
      span.headroom = s.to == infinity ? 0 : narrowed(above - s.to);
      span.shape = s.shape;
      spans.push_back(span);
    }
    return spans;
  }

  float slope_cosine(std::uint64_t column, float top) const {
    const Vec3 eye = map_.grid.at(column, top + map_.agent.height / 2);
    RaysView ray = down_;
    ray.origin = eye;
    Vec3 normal;
    reference_.closest_hit(ray, {.normal = {&normal, 1}});
    return upright(normal, map_.grid.up).z;
  }

  /// Over all shapes but the one that is stood on.
  float clearance(std::uint64_t column, const TrueSpan& s) const {
    const Vec3 at = upright(map_.grid.at(column, 0), map_.grid.up);
    const VerticalSegment body = {at.x, at.y, s.top + double{map_.agent.climb} + slack_,
                                  s.top + double{map_.agent.height} - slack_};
    const ShapesView shapes = reference_.scene().view();
    double least = map_.range;
    for (std::uint32_t id = 0; id < shapes.size(); ++id) {
      if (id == s.shape || (shapes.mask_of(id) & mask_) == 0) continue;
      if (id < boxes_.size() && is_far(boxes_[id], body)) continue;
      const double distance = shapes.visit(id, [&](const auto& shape) {
        return horizontal_distance(body, upright(shape, map_.grid.up));
      });
      least = std::min(least, distance);
    }
    return narrowed(least) + 0.0f;
  }

  /// Whether the box, and so what is in it, is nowhere within the range of the body.
  bool is_far(const Aabb& box, const VerticalSegment& body) const {
    const double x = body.x, y = body.y, r = map_.range;
    return box.min.z > body.high || box.max.z < body.low || box.min.x > x + r ||
           box.max.x < x - r || box.min.y > y + r || box.max.y < y - r;
  }

  const Caster& reference_;
  const NavMap& map_;
  std::uint32_t mask_;
  std::vector<Aabb> boxes_;  ///< of shapes that have bounds, z up
  float start_;
  double slack_;
  float least_slope_cosine_;
  RaysView up_, down_;
};

/// The name of the first column in which the file says something else, or null.
const char* other(const NavMap& map, std::uint64_t i, const TrueSpan& s) {
  constexpr int alone = nav_flags::floor | nav_flags::surface | nav_flags::clear;
  const auto same = [](float a, float b) { return bits_of(a) == bits_of(b); };
  if (!same(map.bottom[i], s.bottom)) return "bottom";
  if (!same(map.top[i], s.top)) return "top";
  if (!same(map.headroom[i], s.headroom)) return "headroom";
  if (map.shape[i] != s.shape) return "shape";
  if (!same(map.slope_cosine[i], s.slope_cosine)) return "upness";
  if (!same(map.clearance[i], s.clearance)) return "clearance";
  return (map.flags[i] & alone) != s.flags ? "flags" : nullptr;
}

void compare_columns(Job& job, const NavMap& map, const Caster& caster, std::uint32_t mask,
                     const Sample& sample, Differences& differences) {
  const ReferenceColumns reference(map, caster, mask);
  constexpr std::uint64_t size = 64;
  Progress progress("verify", "columns", sample.count, job.common().quiet);
  for_each_piece(
      (sample.count + size - 1) / size, job.common().threads, progress, [&](std::uint64_t piece) {
        const std::uint64_t begin = piece * size, end = std::min(begin + size, sample.count);
        for (std::uint64_t k = begin; k < end; ++k) {
          const std::uint64_t c = sample[k], first = map.offsets[c];
          const std::vector<TrueSpan> spans = reference.spans(c);
          if (spans.size() != map.offsets[c + 1] - first) {
            differences.add(c, fmt::format("column {}: the file has {} spans, the reference {}", c,
                                           map.offsets[c + 1] - first, spans.size()));
            continue;
          }
          for (std::size_t s = 0; s < spans.size(); ++s) {
            const char* const name = other(map, first + s, spans[s]);
            if (name == nullptr) continue;
            differences.add(
                c, fmt::format("column {}, span {}: the file has another {} than the reference", c,
                               first + s, name));
            break;
          }
        }
        differences.add_checked(end - begin);
        return end - begin;
      });
}

/// Every byte of the map against the same bake by the cpu. Such differences come after those of
/// columns.
void compare_bake(const NavMap& map, const NavMap& again, Differences& differences) {
  const std::vector<io::NavColumn> file = io::nav_columns(map), bake = io::nav_columns(again);
  for (std::size_t k = 0; k < file.size(); ++k) {
    if (file[k].shape != bake[k].shape) {
      differences.add(map.grid.columns(),
                      fmt::format("{}: the file has {}, the bake {}", file[k].name,
                                  io::to_string(file[k].shape), io::to_string(bake[k].shape)));
      continue;
    }
    const auto* const a = static_cast<const std::byte*>(file[k].data);
    const auto* const b = static_cast<const std::byte*>(bake[k].data);
    const std::uint64_t bytes = *io::tensor_bytes(file[k].dtype, file[k].shape);
    const auto at = static_cast<std::uint64_t>(std::mismatch(a, a + bytes, b).first - a);
    if (at == bytes) continue;
    differences.add(map.grid.columns(), fmt::format("{}: element {} is not that of the bake",
                                                    file[k].name, at * file[k].shape[0] / bytes));
  }
}

}  // namespace

int verify_nav_file(Job& job, const VerifyArguments& a) {
  io::Metadata metadata;
  const NavMap map = io::read_nav(a.result, &metadata);
  job.set("/result/file", a.result);
  job.set("/result/kind", "nav");
  require_answers_version(
      a.result, io::number_from<std::uint32_t>(metadata["sightline.answers"]).value_or(0));
  InputFiles in(job, a.inputs, a.result, "a navigation map");
  if (a.scalar) in.ask_reference();
  Input points = {"--from", "/from", "points that say what is kept", "points",
                  metadata["from.hash"]};
  io::Points from;
  if (!points.hash.empty()) from = in.points(points, false);
  io::Metadata scene;
  const Caster reference = in.caster(metadata["scene.hash"], scene);
  in.refuse_others();
  in.refuse_kinds(reference, Refused::without_columns, "navigation maps");
  const std::uint64_t columns = map.grid.columns();
  const Sample sample = sample_of(a, columns);
  if (job.common().dry_run) return report_dry_run(job, sample, "columns");
  NavOptions options;
  options.agent = map.agent;
  options.cell = map.grid.cell;
  options.cell_height = map.grid.cell_height;
  options.up = map.grid.up;
  options.bounds = map.grid.bounds;
  options.jumps = map.jump_options;
  options.from = from.view();
  options.range = map.range;
  if (const auto mask = metadata.find("query.mask"); mask != metadata.end()) {
    const auto bits = io::number_from<std::uint32_t>(mask->second);
    if (!bits) {
      io::fail(ErrorKind::bad_input, "{}: bad metadata: 'query.mask' is {}", a.result,
               io::in_quotes(mask->second));
    }
    options.mask = *bits;
  }
  Differences differences;
  job.timed("verify", [&] {
    compare_columns(job, map, reference, options.mask, sample, differences);
    in.naming_result([&] {
      Progress progress("verify", "steps of the bake", 1, job.common().quiet);
      options.progress = [&](const char*, std::uint64_t, std::uint64_t) { progress.update(0); };
      const Caster cpu(Scene(reference.scene()), CpuOptions{.threads = job.common().threads});
      compare_bake(map, bake_nav(cpu, options), differences);
    });
  });
  return report_outcome(job, differences, columns, a, "columns");
}

}  // namespace sightline::cli
