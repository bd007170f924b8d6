// areas: which areas see which, tile by tile.
#include "host/cli/bakes.hpp"
#include "host/cli/bytes.hpp"
#include "host/cli/memory.hpp"
#include "host/cli/progress.hpp"
#include "host/cli/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

/// Of a tile: what is worked out and its mirror image, classes and counts.
constexpr std::uint64_t pair_bytes = 2 * (sizeof(AreaClass) + sizeof(std::uint32_t));
/// What a call takes for bits and segments.
constexpr std::uint64_t call_bytes = 16 << 20;
constexpr std::uint64_t most_areas_on_a_side = 1024, most_segments = 1 << 24;

struct AreaJob {
  const Caster& caster;
  const AreaSamples& samples;
  VisibilityOptions options;
  bool counts;
  std::uint64_t tile_side;
};

struct Found {
  std::uint64_t by_class[3] = {};
  std::uint64_t segments = 0;
  std::vector<std::uint64_t> seen;  ///< [A], other areas that each one sees
};

/// Areas on the side of a tile.
std::uint64_t area_tile_side(const Job& job, const Caster& caster, const AreaSamples& samples) {
  const double mean = static_cast<double>(samples.point.size()) /
                      static_cast<double>(std::max<std::uint64_t>(1, samples.size()));
  const auto most = static_cast<double>(chunk_size(caster, most_segments));
  require_memory(job.common().max_memory, call_bytes, "the bits of samples");
  const std::uint64_t room = buffer_elements(job.common().max_memory, pair_bytes,
                                             most_areas_on_a_side * most_areas_on_a_side);
  std::uint64_t side = most_areas_on_a_side;
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

void work_out(const AreaJob& a, Tile& tile, Found& found) {
  tile.classes.resize(tile.size());
  if (!a.counts) {
    found.segments +=
        area_classes(a.caster, a.samples, tile.rows, tile.columns, tile.classes, a.options);
    return;
  }
  tile.visible.resize(tile.size());
  area_counts(a.caster, a.samples, tile.rows, tile.columns, tile.visible, a.options);
  for (std::uint64_t k = 0; k < tile.size(); ++k) {
    const std::uint64_t pairs = a.samples.count(tile.rows.first + k / tile.columns.count) *
                                a.samples.count(tile.columns.first + k % tile.columns.count);
    tile.classes[k] = area_class(tile.visible[k], pairs);
    found.segments += pairs;
  }
}

void keep(const AreaJob& a, const Tile& tile, io::ContainerWriter& writer, Found& found) {
  for (std::uint64_t i = 0; i < tile.rows.count; ++i) {
    const std::uint64_t row = tile.rows.first + i, in_tile = i * tile.columns.count;
    const std::uint64_t first = row * a.samples.size() + tile.columns.first;
    writer.write("class", first, tile.columns.count, tile.classes.data() + in_tile);
    if (a.counts) writer.write("visible", first, tile.columns.count, tile.visible.data() + in_tile);
    for (std::uint64_t j = 0; j < tile.columns.count; ++j) {
      const AreaClass c = tile.classes[in_tile + j];
      ++found.by_class[static_cast<int>(c)];
      found.seen[row] += c != AreaClass::hidden && row != tile.columns.first + j;
    }
  }
}

IdRange range_at(std::uint64_t first, std::uint64_t side, std::uint64_t size) {
  return {static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(std::min(side, size - first))};
}

/// Tiles on and above the diagonal; the others are their mirror images.
Found bake_areas(Job& job, const AreaJob& a, io::ContainerWriter& writer) {
  Found found;
  const std::uint64_t n = a.samples.size();
  found.seen.resize(n);
  std::vector<std::uint32_t> counts(n);
  for (std::uint64_t i = 0; i < n; ++i) counts[i] = static_cast<std::uint32_t>(a.samples.count(i));
  writer.write("samples", 0, n, counts.data());
  std::uint64_t done = 0;
  Progress progress("areas", "pairs of areas", n * n, job.common().quiet);
  for (std::uint64_t i = 0; i < n; i += a.tile_side) {
    for (std::uint64_t j = i; j < n; j += a.tile_side) {
      progress.update(done);
      Tile tile{range_at(i, a.tile_side, n), range_at(j, a.tile_side, n), {}, {}};
      work_out(a, tile, found);
      keep(a, tile, writer, found);
      if (i != j) keep(a, tile.mirrored(), writer, found);
      done += tile.size() * (i == j ? 1 : 2);
    }
  }
  progress.update(done);
  return found;
}

void tell_found(Job& job, const Found& found, double seconds) {
  const double rate = static_cast<double>(found.segments) / std::max(seconds, 1e-9);
  const auto [hidden, partly, fully] = found.by_class;
  job.set("/counts/pairs", hidden + partly + fully);
  job.set("/counts/hidden", hidden);
  job.set("/counts/partly", partly);
  job.set("/counts/fully", fully);
  job.set("/counts/segments", found.segments);
  job.set("/rates/segments_per_second", rate);
  job.say(
      fmt::format("baked   {} pairs of areas by {} segments in {:.2f} s ({} segments/s): {} "
                  "not, {} partly, {} fully visible",
                  grouped(hidden + partly + fully), grouped(found.segments), seconds,
                  short_number(rate), grouped(hidden), grouped(partly), grouped(fully)));
}

void draw_areas(Job& job, const AreasArguments& a, const AreaJob& bake, const Found& found,
                const io::Metadata& metadata) {
  const std::uint64_t n = bake.samples.size();
  std::vector<float> share;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double others = static_cast<double>(std::max<std::uint64_t>(n, 2) - 1);
    share.resize(bake.samples.offsets[i + 1],
                 static_cast<float>(static_cast<double>(found.seen[i]) / others));
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
  io::ContainerWriter writer = io::create_bake(a.output, p);
  const Found found = job.timed("areas", [&] { return bake_areas(job, bake, writer); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_found(job, found, seconds.count());
  if (!a.picture.empty()) draw_areas(job, a, bake, found, scene.metadata);
  commit(job, writer);
  return 0;
}

}  // namespace sightline::cli
