#include "host/program/engine/cover_points.hpp"

#include "host/files/core/file.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/progress.hpp"

#include <sightline/cover_places.hpp>

#include <fmt/format.h>

namespace sightline::cli {
namespace {

/// A map in a file, which must be of this scene.
NavMap read_map(Job& job, const std::string& file, const std::string& scene_hash,
                io::Metadata& metadata) {
  require_memory(job.common().max_memory, io::File(file).size(), fmt::format("map {}", file));
  NavMap map = io::read_nav(file, &metadata);
  job.set("/nav/file", file);
  const auto hash = metadata.find("scene.hash");
  if (hash != metadata.end() && hash->second == scene_hash) return map;
  throw Error(ErrorKind::bad_input, fmt::format("{}: is the map of another scene", file));
}

CoverPlaces find_places(Job& job, const Caster& caster, const NavMap& map,
                        const CoverOptions& cover, float spacing) {
  CoverPlaceOptions o;
  o.cover = cover;
  o.spacing = spacing;
  if (job.common().max_memory != 0) {
    const std::uint64_t held = current_memory_bytes();
    o.max_bytes = job.common().max_memory > held ? job.common().max_memory - held : 1;
  }
  Progress progress("cover", "places along walls", spans_along_walls(map).size(),
                    job.common().quiet);
  o.progress = [&](std::uint64_t done, std::uint64_t) { progress.update(done); };
  return job.timed("places", [&] { return find_cover_places(caster, map, o); });
}

}  // namespace

io::Points cover_points(Job& job, const CoverArguments& a, const Caster& caster,
                        const std::string& scene_hash, CoverOptions& options) {
  if (a.map.empty()) return load_points(job, a.points, "/points");
  io::Metadata metadata;
  const NavMap map = read_map(job, a.map, scene_hash, metadata);
  options.up = upright(Vec3{0, 0, 1}, map.grid.up);
  io::Points points;
  if (job.common().dry_run) {
    points.position.resize(3 * spans_along_walls(map).size());
    job.say(fmt::format("places  {} along walls, of which some are kept", grouped(points.count())));
    return points;
  }
  const CoverPlaces places = find_places(job, caster, map, options, a.spacing);
  for (const Vec3& p : places.position) {
    points.position.insert(points.position.end(), {p.x, p.y, p.z});
  }
  points.metadata = {{"unit", unit_of(metadata)}, {"up", map.grid.up == UpAxis::y ? "y" : "z"}};
  job.set("/points/file", a.places);
  job.set("/points/count", points.count());
  job.set("/counts/along_walls", places.along_walls);
  job.set("/counts/covered", places.covered);
  job.say(fmt::format("places  {} along walls, {} with cover, {} kept at {} apart",
                      grouped(places.along_walls), grouped(places.covered), grouped(points.count()),
                      a.spacing));
  return points;
}

}  // namespace sightline::cli
