// What info tells of each kind of file.
#include "host/files/core/npy.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/formats/scene_tensors.hpp"
#include "host/program/checks/info.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/inputs.hpp"
#include "host/program/engine/interrupt.hpp"
#include "host/program/results/run.hpp"

#include <sightline/intersect/line.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t chunk = 1 << 18;

/// Calls use(first, n) for consecutive pieces of [0, count).
template <class F>
void for_each_chunk(std::uint64_t count, std::uint64_t size, F use) {
  for (std::uint64_t first = 0; first < count; first += size) {
    poll_interrupt();
    use(first, std::min(size, count - first));
  }
}

struct Bounds {
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  std::uint64_t bad = 0;  ///< NaN, infinite or beyond 2^40, and not within
  void add(const Vec3& p) {
    if (!in_domain(p)) {
      ++bad;
      return;
    }
    low = {min(p.x, low.x), min(p.y, low.y), min(p.z, low.z)};
    high = {max(p.x, high.x), max(p.y, high.y), max(p.z, high.z)};
  }
  void describe(const Facts& facts, std::uint64_t count, const char* bad_ones) const {
    if (bad > 0) facts.add("/counts/bad", bad_ones, bad);
    if (count > bad) facts.add_bounds(low, high);
  }
};

template <class SomeKind, class Shapes>
void describe_shapes(const Facts& facts, const Shapes& shapes, int kinds) {
  facts.add("/scene/shapes", "shapes", shapes.size());
  for (int k = 0; k < kinds; ++k) {
    const auto kind = static_cast<SomeKind>(k);
    const std::string name(io::kind_name(kind));
    facts.job().set("/scene/" + name, std::uint64_t{shapes.count(kind)});
    if (shapes.count(kind) > 0) facts.line("  " + name, fmt::format("{}", shapes.count(kind)));
  }
}

}  // namespace

void describe_scene(const Facts& facts, const std::string& file) {
  io::Metadata metadata;
  io::Notes notes;
  const Scene scene = io::read_scene(file, &metadata, &notes);
  for (const std::string& note : notes) facts.job().warn(note);
  describe_shapes<Kind>(facts, scene, kind_count);
  const Aabb bounds = scene.bounds();
  if (bounds.min.x <= bounds.max.x) facts.add_bounds(bounds.min, bounds.max);
  facts.add("/scene/unit", "unit", unit_of(metadata));
  facts.add("/scene/up", "up", std::string(up_of(metadata) == UpAxis::y ? "y" : "z"));
  facts.add("/scene/hash", "hash", io::scene_hash(scene));
}

void describe_flat_scene(const Facts& facts, const std::string& file) {
  const FlatScene set = io::read_flat_scene(file);
  describe_shapes<FlatKind>(facts, set, flat_kind_count);
  const Aabb2 bounds = set.bounds();
  if (bounds.min.x <= bounds.max.x) {
    facts.line("bounds", fmt::format("({}, {}) to ({}, {})", bounds.min.x, bounds.min.y,
                                     bounds.max.x, bounds.max.y));
  }
  facts.add("/scene/hash", "hash", io::flat_hash(set));
}

void describe_rays(const Facts& facts, const std::string& file) {
  const io::RaysSource rays(file);
  Bounds origins;
  io::RayBuffer buffer;
  for_each_chunk(rays.count(), chunk, [&](std::uint64_t first, std::uint64_t n) {
    const RaysView view = rays.read(first, n, buffer);
    for (std::uint64_t i = 0; i < n; ++i) origins.add(view.origin[i]);
  });
  facts.add("/counts/rays", "rays", rays.count());
  const io::RayColumns& c = rays.columns();
  std::string columns = "origin direction";
  if (c.t_min) columns += " t_min";
  if (c.t_max) columns += " t_max";
  if (c.mask) columns += " mask";
  if (c.exclude) columns += " exclude";
  if (c.exclude_group) columns += " exclude_group";
  if (c.radius) columns += " radius";
  facts.add("/rays/columns", "columns", columns);
  origins.describe(facts, rays.count(), "bad origins");
  facts.add("/rays/hash", "hash", rays.hash());
}

void describe_points(const Facts& facts, const std::string& file) {
  const io::Points points = io::read_points(file);
  const PointsView view = points.view();
  Bounds bounds;
  for (std::uint64_t i = 0; i < view.count; ++i) bounds.add(view.position[i]);
  facts.add("/counts/points", "points", points.count());
  bounds.describe(facts, points.count(), "bad points");
  facts.add("/points/hash", "hash", io::points_hash(points));
  if (points.fields.empty()) return;
  facts.add("/fields/hash", "fields of view", io::fields_hash(points.fields, points.count()));
}

void describe_array(const Facts& facts, const std::string& file) {
  const io::NpyReader array(file);
  facts.add("/array/dtype", "dtype",
            array.rounded() ? "F64, read as F32" : std::string(io::dtype_name(array.dtype())));
  facts.add("/array/shape", "shape", io::to_string(array.shape()));
  if (array.dtype() == io::Dtype::f32 && io::matches(array.shape(), {io::any_size, 3})) {
    facts.add("/file/kind", "holds", std::string("points (or origins, or directions)"));
    describe_points(facts, file);
  } else {
    facts.add("/file/kind", "holds", std::string("an array"));
  }
}

void describe_nav_map(const Facts& facts, const std::string& file) {
  const NavMap map = io::read_nav(file);
  std::uint64_t walkable = 0;
  for (const std::uint8_t flags : map.flags) walkable += (flags & nav_flags::walkable) != 0;
  facts.add("/counts/columns", "columns", map.grid.columns());
  facts.add("/counts/spans", "spans", map.spans());
  facts.add("/counts/walkable", "walkable", walkable);
  facts.add("/counts/regions", "regions", std::uint64_t{map.regions.size()});
}

void describe_result(const Facts& facts, const std::string& name) {
  const ResultFile file(name);
  Result& r = file.result();
  io::JobCounts counts;
  file.for_each_block([&](Block& block) { r.tally(block, counts); });
  Parameters reported(facts.job());
  r.visit(reported);
  facts.add("/counts/" + std::string(r.names().counts), std::string(r.names().unit),
            r.grid().cells());
  for (const Counted& c : r.counted(counts)) {
    if (c.shown == Shown::by_runs || c.shown == Shown::in_reports) continue;
    facts.job().set(Result::key_of(c), c.value);
    facts.line(c.words, c.of == 0 ? grouped(c.value)
                                  : fmt::format("{} of {} ({:.2f}%)", grouped(c.value),
                                                grouped(c.of), percent(c.value, c.of)));
  }
}

void describe_areas(const Facts& facts, const std::string& file) {
  const Areas areas = io::read_areas(file, "");
  facts.add("/counts/areas", "areas", areas.size());
  facts.add("/counts/corners", "corners", std::uint64_t{areas.corner.size()});
}

}  // namespace sightline::cli
