// A navigation map as JSON, for editors.
#include "host/files/core/file.hpp"
#include "host/files/formats/nav_file.hpp"

#include <nlohmann/json.hpp>

namespace sightline::io {
namespace {

using nlohmann::ordered_json;

ordered_json point(const Vec3& p) { return {p.x, p.y, p.z}; }

/// Walkable floors that are linked along x: from the first to the last.
struct Run {
  std::uint64_t first_column, last_column, first, last;
};

std::optional<std::uint64_t> next_of(const NavMap& map, std::uint64_t i, std::uint64_t column) {
  const std::uint8_t place = map.links[i][2];
  if (place == no_link) return std::nullopt;
  const std::uint64_t next = map.offsets[column + 1] + place;
  return (map.flags[next] & nav_flags::walkable) != 0 ? std::optional(next) : std::nullopt;
}

bool begins_run(const NavMap& map, std::uint64_t i, std::uint64_t column) {
  if ((map.flags[i] & nav_flags::walkable) == 0) return false;
  const std::uint8_t place = map.links[i][0];
  if (place == no_link) return true;
  return (map.flags[map.offsets[column - 1] + place] & nav_flags::walkable) == 0;
}

ordered_json runs(const NavMap& map) {
  ordered_json list = ordered_json::array();
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
      if (!begins_run(map, i, c)) continue;
      poll();
      Run run = {c, c, i, i};
      while (const auto next = next_of(map, run.last, run.last_column)) {
        run.last = *next;
        ++run.last_column;
      }
      list.push_back({{"region", map.region[i]},
                      {"from", point(map.grid.at(run.first_column, map.top[run.first]))},
                      {"to", point(map.grid.at(run.last_column, map.top[run.last]))}});
    }
  }
  return list;
}

}  // namespace

std::uint64_t nav_json_bytes(const NavMap& map) {
  constexpr std::uint64_t bytes_each = 1024;  // as a document and as text
  std::uint64_t n = map.regions.size() + map.jumps.size();
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) n += begins_run(map, i, c);
  }
  return n * bytes_each;
}

void write_nav_json(const std::string& name, const NavMap& map, const Metadata& metadata) {
  ordered_json document;
  const auto unit = metadata.find("unit");
  document["unit"] = unit == metadata.end() ? "m" : unit->second;
  document["up"] = map.grid.up == UpAxis::y ? "y" : "z";
  const Agent& a = map.agent;
  document["agent"] = {
      {"radius", a.radius}, {"height", a.height}, {"climb", a.climb}, {"slope", a.slope}};
  document["cell"] = map.grid.cell;
  document["regions"] = ordered_json::array();
  for (const NavRegion& r : map.regions) {
    document["regions"].push_back({{"area", r.area}, {"min", point(r.min)}, {"max", point(r.max)}});
  }
  document["runs"] = runs(map);
  document["jumps"] = ordered_json::array();
  for (std::uint64_t k = 0; k < map.jumps.size(); ++k) {
    document["jumps"].push_back({{"from", point(map.jumps.from[k])},
                                 {"to", point(map.jumps.to[k])},
                                 {"both_ways", map.jumps.both_ways[k] != 0}});
  }
  write_file(name, document.dump() + "\n");
}

}  // namespace sightline::io
