#include "host/files/import/doom/level.hpp"

#include "host/files/core/file.hpp"
#include "host/files/import/doom/geometry.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

constexpr std::int32_t thickness = 64;
constexpr std::uint64_t most_boxes = std::uint64_t{1} << 24;

/// Cells [first, last) of a row, and of the rows above down to the row where it began.
struct Rectangle {
  std::uint64_t first, last;
  std::uint32_t sector;
  std::int64_t low_y;  ///< doubled

  bool continues(const Rectangle& r) const {
    return first == r.first && last == r.last && sector == r.sector;
  }
};

std::vector<Rectangle> runs_of(const std::vector<std::uint32_t>& sectors, std::int64_t low_y) {
  std::vector<Rectangle> runs;
  for (std::uint64_t k = 0; k < sectors.size(); ++k) {
    if (sectors[k] == doom_none) continue;
    const bool goes_on = !runs.empty() && runs.back().last == k && runs.back().sector == sectors[k];
    if (goes_on) {
      ++runs.back().last;
    } else {
      runs.push_back({k, k + 1, sectors[k], low_y});
    }
  }
  return runs;
}

class Slabs {
 public:
  Slabs(Scene& scene, const DoomMap& map, std::uint32_t cell)
      : scene_(scene), map_(map), cell_(cell) {
    for (const DoomSector& s : map.sectors) {
      lowest_ = std::min(lowest_, s.floor - thickness);
      highest_ = std::max(highest_, s.ceiling + thickness);
    }
  }

  void add(const Rectangle& r, std::int64_t first, std::int64_t high_y) {
    const auto x = [&](std::uint64_t k) {
      return static_cast<float>(first + 2 * cell_ * static_cast<std::int64_t>(k) - cell_) / 2;
    };
    const DoomSector& s = map_.sectors[r.sector];
    Attributes attributes;
    attributes.group = r.sector;
    attributes.label = (std::uint64_t{1} << 32) + r.sector;
    const float low_y = static_cast<float>(r.low_y) / 2, y = static_cast<float>(high_y) / 2;
    const auto box = [&](std::int32_t low, std::int32_t high) {
      scene_.add_aabb(
          {{x(r.first), low_y, static_cast<float>(low)}, {x(r.last), y, static_cast<float>(high)}},
          attributes);
      ++count_;
    };
    box(lowest_, s.floor);
    box(s.ceiling, highest_);
    if (count_ > most_boxes) {
      fail(ErrorKind::usage, "{}: map {}: floors in cells of {} units give more than {} boxes",
           map_.file, map_.name, cell_, most_boxes);
    }
  }
  std::uint64_t count() const { return count_; }

 private:
  Scene& scene_;
  const DoomMap& map_;
  std::int64_t cell_;
  std::int32_t lowest_ = 0, highest_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

std::uint64_t add_floors(Scene& scene, const DoomMap& map, std::uint32_t cell) {
  Slabs slabs(scene, map, cell);
  std::vector<Rectangle> open;
  std::int64_t first = 0, low_y = 0;
  std::uint64_t several = 0;
  for (const DoubledRow& row : rows_of_cells(map, cell)) {
    poll();
    first = row.first;
    low_y = row.y - cell;
    std::vector<Rectangle> runs = runs_of(sectors_along(map, row, several), low_y);
    for (const Rectangle& old : open) {
      const auto at = std::lower_bound(
          runs.begin(), runs.end(), old,
          [](const Rectangle& a, const Rectangle& b) { return a.first < b.first; });
      if (at != runs.end() && at->continues(old)) {
        at->low_y = old.low_y;
      } else {
        slabs.add(old, first, low_y);
      }
    }
    open = std::move(runs);
    low_y += 2 * std::int64_t{cell};
  }
  for (const Rectangle& old : open) slabs.add(old, first, low_y);
  return slabs.count();
}

}  // namespace sightline::io
