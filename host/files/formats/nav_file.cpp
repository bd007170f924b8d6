#include "host/files/formats/nav_file.hpp"

#include <sightline/geometry/shapes/aabb.hpp>

#include "host/files/core/hash.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/core/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace sightline::io {
namespace {

constexpr char nav_kind[] = "nav";

/// Calls use(key, number) for every number of a map that is metadata.
template <class Map, class Use>
void for_each_number(Map& map, Use&& use) {
  use("agent.radius", map.agent.radius);
  use("agent.height", map.agent.height);
  use("agent.climb", map.agent.climb);
  use("agent.slope", map.agent.slope);
  use("grid.cell", map.grid.cell);
  use("grid.cell_height", map.grid.cell_height);
  use("grid.min_x", map.grid.bounds.min.x);
  use("grid.min_y", map.grid.bounds.min.y);
  use("grid.min_z", map.grid.bounds.min.z);
  use("grid.max_x", map.grid.bounds.max.x);
  use("grid.max_y", map.grid.bounds.max.y);
  use("grid.max_z", map.grid.bounds.max.z);
  use("grid.width", map.grid.width);
  use("grid.depth", map.grid.depth);
  use("range", map.range);
  use("jump.distance", map.jump_options.distance);
  use("jump.rise", map.jump_options.rise);
  use("jump.drop", map.jump_options.drop);
}

/// Calls use(name, dtype, numbers each, vector) for every column.
template <class Map, class Use>
void for_each_column(Map& map, Use&& use) {
  use("offsets", Dtype::u64, 1, map.offsets);
  use("bottom", Dtype::f32, 1, map.bottom);
  use("top", Dtype::f32, 1, map.top);
  use("headroom", Dtype::f32, 1, map.headroom);
  use("shape", Dtype::u32, 1, map.shape);
  use("upness", Dtype::f32, 1, map.slope_cosine);
  use("clearance", Dtype::f32, 1, map.clearance);
  use("border", Dtype::f32, 1, map.border);
  use("flags", Dtype::u8, 1, map.flags);
  use("ledges", Dtype::u8, 1, map.ledges);
  use("links", Dtype::u8, 4, map.links);
  use("region", Dtype::u32, 1, map.region);
  use("jump.from", Dtype::f32, 3, map.jumps.from);
  use("jump.to", Dtype::f32, 3, map.jumps.to);
  use("jump.spans", Dtype::u64, 2, map.jumps.spans);
  use("jump.both_ways", Dtype::u8, 1, map.jumps.both_ways);
}

template <class Number>
void read_number(const ContainerReader& reader, const std::string& key, Number& to) {
  const std::string text = reader.metadata(key);
  const std::optional<Number> value = number_from<Number>(text);
  if (!value || !std::isfinite(static_cast<double>(*value))) {
    refuse(reader.name(), "the metadata '{}' is not a number: {}", key, in_quotes(text));
  }
  to = *value;
}

void check(const std::string& file, const NavMap& map) {
  const std::uint64_t n = map.top.size();
  if (map.offsets.front() != 0 || map.offsets.back() != n) refuse(file, "offsets do not fit");
  const auto fall = std::ranges::is_sorted_until(map.offsets);
  if (fall != map.offsets.end()) {
    refuse(file, "offsets fall at column {}", fall - map.offsets.begin() - 1);
  }
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
      for (int side = 0; side < 4; ++side) {
        const std::uint8_t link = map.links[i][static_cast<std::size_t>(side)];
        if (link == no_link) continue;
        const auto next = map.neighbour(c, side);
        if (!next || map.offsets[*next] + link >= map.offsets[*next + 1]) {
          refuse(file, "span {} is linked to what is not there", i);
        }
      }
    }
  }
  for (std::uint64_t k = 0; k < map.jumps.size(); ++k) {
    const auto [from, to] = map.jumps.spans[k];
    if (from >= map.spans() || to >= map.spans()) {
      refuse(file, "jump {} is between spans that are not there", k);
    }
  }
}

/// Numbers of regions are those of the list, which is counted anew.
void count_regions(const std::string& file, NavMap& map) {
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
      const std::uint32_t r = map.region[i];
      if (r == none) continue;
      if (r > map.regions.size()) refuse(file, "span {} skips a region", i);
      const Vec3 p = map.grid.at(c, map.top[i]);
      if (r == map.regions.size()) map.regions.push_back({0, 0, p, p});
      NavRegion& region = map.regions[r];
      ++region.spans;
      const Aabb box = unite({region.min, region.max}, {p, p});
      region.min = box.min;
      region.max = box.max;
    }
  }
  const double cell_area = double{map.grid.cell} * map.grid.cell;
  for (NavRegion& region : map.regions) {
    region.area = static_cast<double>(region.spans) * cell_area;
  }
}

/// Grid, agent, range and what jumps were looked for as text.
Metadata nav_metadata(const NavMap& map) {
  Metadata metadata;
  for_each_number(map,
                  [&](const char* key, auto number) { metadata[key] = fmt::format("{}", number); });
  metadata["up"] = map.grid.up == UpAxis::y ? "y" : "z";
  return metadata;
}

}  // namespace

std::vector<NavColumn> nav_columns(const NavMap& map) {
  std::vector<NavColumn> columns;
  for_each_column(map, [&](const char* name, Dtype dtype, std::uint64_t width, const auto& values) {
    columns.push_back({name, dtype, rows_of(values.size(), width), values.data()});
  });
  return columns;
}

void write_nav(const std::string& name, const NavMap& map, const Metadata& more) {
  Metadata metadata = nav_metadata(map);
  metadata.insert(more.begin(), more.end());
  std::vector<TensorSource> tensors;
  for (const NavColumn& c : nav_columns(map)) {
    tensors.push_back(stored(c.name, c.dtype, c.shape, c.data));
  }
  write_tensors(name, nav_kind, tensors, metadata);
}

NavMap read_nav(const std::string& name, Metadata* metadata) {
  const ContainerReader reader(name);
  reader.expect_kind(nav_kind, true);
  NavMap map;
  for_each_number(map, [&](const char* key, auto& to) { read_number(reader, key, to); });
  map.grid.up = reader.metadata("up") == "y" ? UpAxis::y : UpAxis::z;
  std::vector<std::string_view> known;
  const TensorInfo& top = reader.expect("top", Dtype::f32, {any_size});
  const TensorInfo& jumps = reader.expect("jump.from", Dtype::f32, {any_size, 3});
  for_each_column(map, [&](const char* tensor, Dtype dtype, std::uint64_t width, auto& to) {
    const std::string_view named = tensor;
    const std::uint64_t rows = named == "offsets"           ? map.grid.columns() + 1
                               : named.starts_with("jump.") ? jumps.shape[0]
                                                            : top.shape[0];
    using Value = typename std::remove_reference_t<decltype(to)>::value_type;
    to = reader.column<Value>(&reader.expect(tensor, dtype, rows_of(rows, width)));
    known.push_back(tensor);
  });
  reader.refuse_unknown(known);
  check(name, map);
  count_regions(name, map);
  if (metadata != nullptr) *metadata = reader.metadata();
  return map;
}

bool is_nav(const std::string& name) {
  return ContainerReader(name).metadata(kind_key) == nav_kind;
}

void write_nav_arrays(const std::string& folder, const NavMap& map) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    fail(ErrorKind::io, "{} cannot be made: {}", folder, error.message());
  }
  for (const NavColumn& c : nav_columns(map)) {
    NpyWriter writer((std::filesystem::path(folder) / (c.name + ".npy")).string(), c.dtype,
                     c.shape);
    writer.write(0, *element_count(c.shape), c.data);
    writer.commit();
  }
}

}  // namespace sightline::io
