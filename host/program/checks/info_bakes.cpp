// info about areas and bakes.
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/bake_file.hpp"
#include "host/program/checks/info.hpp"
#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

/// Calls use(first, n) for parts of [0, total).
template <class Use>
void for_each_part(std::uint64_t total, const Use& use) {
  constexpr std::uint64_t part = 1 << 18;
  for (std::uint64_t first = 0; first < total; first += part) {
    use(first, std::min(part, total - first));
  }
}

void tell_classes(const Facts& facts, const io::BakeReader& bake) {
  const std::uint64_t n = bake.parameters().areas;
  std::uint64_t by_class[256] = {};
  std::vector<std::uint8_t> row(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    bake.read("class", i * n, n, row.data());
    for (const std::uint8_t c : row) ++by_class[c];
  }
  facts.add("/counts/hidden", "not visible", by_class[0]);
  facts.add("/counts/partly", "partly", by_class[1]);
  facts.add("/counts/fully", "fully", by_class[2]);
}

void tell_sets(const Facts& facts, const io::BakeReader& bake) {
  const std::uint64_t n = bake.parameters().areas;
  std::uint64_t visible = 0;
  std::vector<std::uint64_t> row(words_for(n));
  for (std::uint64_t i = 0; i < n; ++i) {
    bake.read("bits", i * row.size(), row.size(), row.data());
    visible += count_bits(row);
  }
  facts.add("/counts/visible", "visible pairs", visible);
  facts.add("/counts/differences", "ids of lists", bake.parameters().differences);
}

void tell_exposure(const Facts& facts, const io::BakeReader& bake) {
  const io::BakeParameters& p = bake.parameters();
  std::uint64_t visible = 0, unseen = 0;
  std::uint32_t most = 0;
  for_each_part(p.points, [&](std::uint64_t first, std::uint64_t n) {
    std::vector<std::uint32_t> counts(n);
    bake.read("count", first, n, counts.data());
    for (const std::uint32_t count : counts) {
      visible += count, unseen += count == 0, most = std::max(most, count);
    }
  });
  facts.add("/counts/viewpoints", "viewpoints", p.viewpoints);
  facts.add("/counts/targets", "targets", p.points);
  facts.add("/counts/visible", "visible pairs", visible);
  facts.add("/counts/unseen", "unseen targets", unseen);
  facts.add("/counts/most", "most viewpoints", std::uint64_t{most});
}

void tell_cover(const Facts& facts, const io::BakeReader& bake) {
  const io::BakeParameters& p = bake.parameters();
  std::uint64_t by_height[256] = {};
  for_each_part(p.points, [&](std::uint64_t first, std::uint64_t n) {
    std::vector<std::uint8_t> height(n);
    bake.read("height", first, n, height.data());
    for (const std::uint8_t h : height) ++by_height[h];
  });
  facts.add("/counts/points", "points", p.points);
  facts.add("/counts/crouch", "cover to crouch", by_height[1]);
  facts.add("/counts/stand", "cover to stand", by_height[2]);
  facts.add("/query/directions", "directions", std::uint64_t{p.cover.directions});
}

}  // namespace

void tell_areas(const Facts& facts, const std::string& file) {
  const Areas areas = io::read_areas(file, "");
  facts.add("/counts/areas", "areas", areas.size());
  facts.add("/counts/corners", "corners", std::uint64_t{areas.corner.size()});
}

void tell_bake(const Facts& facts, const std::string& file) {
  const io::BakeReader bake(file);
  const io::BakeParameters& p = bake.parameters();
  if (io::is_of_areas(p.kind)) {
    facts.add("/counts/areas", "areas", p.areas);
    p.kind == io::BakeKind::visible_sets ? tell_sets(facts, bake) : tell_classes(facts, bake);
  } else if (p.kind == io::BakeKind::exposure) {
    tell_exposure(facts, bake);
  } else if (p.kind == io::BakeKind::probes) {
    facts.add("/counts/points", "points", p.points);
    facts.add("/query/grid", "directions", std::uint64_t{p.grid} * p.grid);
  } else {
    tell_cover(facts, bake);
  }
  if (p.kind != io::BakeKind::cover) facts.add("/query/range", "range", fmt::format("{}", p.range));
}

}  // namespace sightline::cli
