// A navigation map as JSON, for editors.
#include "host/files/core/file.hpp"
#include "host/files/formats/nav_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sightline::io {
namespace {

// The text is written at once: where memory ends, nlohmann::json's documents end the process.
template <class Value>
std::string json(const Value& value) {
  return nlohmann::json(value).dump();
}
std::string json(const Vec3& p) {
  return fmt::format("[{},{},{}]", json(p.x), json(p.y), json(p.z));
}
/// Begins the next element of a list.
void separate(std::string& list) {
  if (list.back() != '[') list += ',';
}

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

void append_runs(std::string& to, const NavMap& map) {
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
      if (!begins_run(map, i, c)) continue;
      poll();
      Run run = {c, c, i, i};
      while (const auto next = next_of(map, run.last, run.last_column)) {
        run.last = *next;
        ++run.last_column;
      }
      separate(to);
      to += fmt::format(R"({{"region":{},"from":{},"to":{}}})", json(map.region[i]),
                        json(map.grid.at(run.first_column, map.top[run.first])),
                        json(map.grid.at(run.last_column, map.top[run.last])));
    }
  }
}

}  // namespace

std::uint64_t nav_json_bytes(const NavMap& map) {
  constexpr std::uint64_t bytes_each = 512;  // 220 at most, in a string that grows by doubling
  std::uint64_t n = map.regions.size() + map.jumps.size();
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) n += begins_run(map, i, c);
  }
  return n * bytes_each;
}

void write_nav_json(const std::string& name, const NavMap& map, const Metadata& metadata) {
  const auto unit = metadata.find("unit");
  const Agent& a = map.agent;
  std::string text = fmt::format(
      R"({{"unit":{},"up":{},"agent":{{"radius":{},"height":{},"climb":{},"slope":{}}},"cell":{},)",
      json_string(unit == metadata.end() ? "m" : unit->second),
      json(map.grid.up == UpAxis::y ? "y" : "z"), json(a.radius), json(a.height), json(a.climb),
      json(a.slope), json(map.grid.cell));
  text += R"("regions":[)";
  for (const NavRegion& r : map.regions) {
    separate(text);
    text +=
        fmt::format(R"({{"area":{},"min":{},"max":{}}})", json(r.area), json(r.min), json(r.max));
  }
  text += R"(],"runs":[)";
  append_runs(text, map);
  text += R"(],"jumps":[)";
  for (std::uint64_t k = 0; k < map.jumps.size(); ++k) {
    separate(text);
    text += fmt::format(R"({{"from":{},"to":{},"both_ways":{}}})", json(map.jumps.from[k]),
                        json(map.jumps.to[k]), map.jumps.both_ways[k] != 0);
  }
  text += "]}\n";
  write_file(name, text);
}

}  // namespace sightline::io
