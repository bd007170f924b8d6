// areas: which areas see which, tile by tile.
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/tiled_job.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

/// Of a tile: what is worked out and its mirror image, classes and counts.
constexpr std::uint64_t pair_bytes = 2 * (sizeof(AreaClass) + sizeof(std::uint32_t));
/// What a call takes for bits and segments.
constexpr std::uint64_t call_bytes = 16 << 20;
constexpr std::uint64_t most_area_side = 1024, most_segments = 1 << 24;

struct AreaJob {
  const Caster& caster;
  const AreaSamples& samples;
  VisibilityOptions options;
  bool counts;
  std::uint64_t tile_side;
};

/// Areas on the side of a tile.
std::uint64_t area_tile_side(const Job& job, const Caster& caster, const AreaSamples& samples) {
  const double mean = static_cast<double>(samples.point.size()) /
                      static_cast<double>(std::max<std::uint64_t>(1, samples.size()));
  const auto most = static_cast<double>(chunk_size(caster, most_segments));
  require_memory(job.common().max_memory, call_bytes, "the bits of samples");
  const std::uint64_t room =
      buffer_elements(job.common().max_memory, pair_bytes, most_area_side * most_area_side);
  std::uint64_t side = most_area_side;
  while (side > 8 && (static_cast<double>(side * side) * mean * mean > most || side * side > room))
    side /= 2;
  return side;
}

struct Tile {
  IdRange rows, columns;
  std::vector<AreaClass> classes;
  std::vector<std::uint32_t> visible;  ///< empty without counts

  std::uint64_t size() const { return std::uint64_t{rows.count} * columns.count; }
  Tile mirrored() const {
    Tile m{columns, rows, std::vector<AreaClass>(size()), {}};
    m.visible.resize(visible.size());
    for (std::uint64_t i = 0; i < rows.count; ++i) {
      for (std::uint64_t j = 0; j < columns.count; ++j) {
        const std::uint64_t from = i * columns.count + j, to = j * rows.count + i;
        m.classes[to] = classes[from];
        if (!visible.empty()) m.visible[to] = visible[from];
      }
    }
    return m;
  }
};

/// Returns the number of segments.
std::uint64_t work_out(const AreaJob& a, Tile& tile) {
  tile.classes.resize(tile.size());
  if (!a.counts) {
    return area_classes(a.caster, a.samples, tile.rows, tile.columns, tile.classes, a.options);
  }
  tile.visible.resize(tile.size());
  area_counts(a.caster, a.samples, tile.rows, tile.columns, tile.visible, a.options);
  std::uint64_t segments = 0;
  for (std::uint64_t k = 0; k < tile.size(); ++k) {
    const std::uint64_t pairs = a.samples.count(tile.rows.first + k / tile.columns.count) *
                                a.samples.count(tile.columns.first + k % tile.columns.count);
    tile.classes[k] = area_class(tile.visible[k], pairs);
    segments += pairs;
  }
  return segments;
}

/// Writes a tile and counts its classes, as the first three sums.
void keep(const AreaJob& a, const Tile& tile, io::ContainerWriter& writer, io::JobCounts& counts) {
  for (std::uint64_t i = 0; i < tile.rows.count; ++i) {
    const std::uint64_t row = tile.rows.first + i, in_tile = i * tile.columns.count;
    const std::uint64_t first = row * a.samples.size() + tile.columns.first;
    writer.write("class", first, tile.columns.count, tile.classes.data() + in_tile);
    if (a.counts) writer.write("visible", first, tile.columns.count, tile.visible.data() + in_tile);
  }
  for (const AreaClass c : tile.classes) ++counts.sum[static_cast<std::size_t>(c)];
}

IdRange range_of(std::uint64_t first, std::uint64_t count) {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)};
}

/// Tiles on and above the diagonal; the others are their mirror images. Counts pairs by class, and
/// segments.
io::JobCounts bake_areas(const Job& job, const AreaJob& a, io::ContainerWriter& writer) {
  const std::uint64_t n = a.samples.size();
  std::vector<std::uint32_t> samples(n);
  for (std::uint64_t i = 0; i < n; ++i) samples[i] = static_cast<std::uint32_t>(a.samples.count(i));
  writer.write("samples", 0, n, samples.data());
  const auto work = [&](const io::GridPart& part) {
    Tile tile{range_of(part.row, part.rows), range_of(part.column, part.columns), {}, {}};
    io::JobCounts counts;
    counts.sum[3] = work_out(a, tile);
    keep(a, tile, writer, counts);
    if (part.row != part.column) keep(a, tile.mirrored(), writer, counts);
    return counts;
  };
  return work_on_tiles(job, writer, {"areas", "pairs of areas", n, n, a.tile_side, true}, work);
}

/// [A], the other areas that each one sees; read from what was written.
std::vector<std::uint64_t> seen_by_area(const io::ContainerWriter& writer, std::uint64_t n) {
  std::vector<std::uint64_t> seen(n);
  std::vector<AreaClass> row(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    writer.read("class", i * n, n, row.data());
    for (std::uint64_t j = 0; j < n; ++j) seen[i] += j != i && row[j] != AreaClass::hidden;
  }
  return seen;
}

void tell_found(Job& job, const io::JobCounts& found, std::uint64_t segments_before,
                double seconds) {
  const std::uint64_t hidden = found.sum[0], partly = found.sum[1], fully = found.sum[2];
  const std::uint64_t segments = found.sum[3];
  const double rate = static_cast<double>(segments - segments_before) / std::max(seconds, 1e-9);
  job.set("/counts/pairs", hidden + partly + fully);
  job.set("/counts/hidden", hidden);
  job.set("/counts/partly", partly);
  job.set("/counts/fully", fully);
  job.set("/counts/segments", segments);
  job.set("/rates/segments_per_second", rate);
  job.say(
      fmt::format("baked   {} pairs of areas by {} segments in {:.2f} s ({} segments/s): {} "
                  "not, {} partly, {} fully visible",
                  grouped(hidden + partly + fully), grouped(segments), seconds, short_number(rate),
                  grouped(hidden), grouped(partly), grouped(fully)));
}

void draw_areas(Job& job, const AreasArguments& a, const AreaJob& bake,
                const std::vector<std::uint64_t>& seen, const io::Metadata& metadata) {
  const std::uint64_t n = bake.samples.size();
  std::vector<float> share;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double others = static_cast<double>(std::max<std::uint64_t>(n, 2) - 1);
    share.resize(bake.samples.offsets[i + 1],
                 static_cast<float>(static_cast<double>(seen[i]) / others));
  }
  draw_shares(job, a.picture, bake.caster, metadata, bake.samples.view(), std::move(share),
              "share of the other areas seen");
}

}  // namespace

int run_areas(Job& job, const AreasArguments& a) {
  refuse_same_files(job, {a.scene, a.areas}, {a.output, a.picture});
  LoadedScene scene = load_scene(job, a.scene);
  const AreaSamples all = load_areas(job, a.areas, a.samples, up_of(scene.metadata));
  io::BakeParameters p;
  p.scene_hash = scene.hash;
  p.inside = a.inside;
  p.range = a.range;
  p.samples_hash = io::samples_hash(all);
  p.areas = all.size();
  p.area_samples = a.samples.value_or(0);
  p.counts = !a.classes;
  job.set("/areas/hash", p.samples_hash);
  const Caster caster = build_caster(job, std::move(scene.scene));
  const AreaSamples samples = load_free_samples(job, caster, all, a.inside);
  const AreaJob bake{
      caster, samples, {a.range, 0, a.inside}, p.counts, area_tile_side(job, caster, samples)};
  job.set("/chunk/tile_side", bake.tile_side);
  if (job.common().dry_run) {
    const std::uint64_t bytes = p.areas * p.areas * (p.counts ? 5 : 1) + p.areas * 4;
    job.set("/bytes/result", bytes);
    job.say(fmt::format("would classify {} pairs of areas, in tiles of {} x {}",
                        grouped(p.areas * p.areas), bake.tile_side, bake.tile_side));
    job.say(fmt::format("would write {}", format_bytes(bytes)));
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  io::ContainerWriter writer = open_bake(job, a.output, p, a.keeping);
  const io::JobCounts found = job.timed("areas", [&] { return bake_areas(job, bake, writer); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_found(job, found, done_before(writer).counts.sum[3], seconds.count());
  if (!a.picture.empty()) {
    draw_areas(job, a, bake, seen_by_area(writer, p.areas), scene.metadata);
  }
  commit(job, writer);
  return 0;
}

}  // namespace sightline::cli
