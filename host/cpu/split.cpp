#include "host/cpu/split.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

constexpr int bin_count = 16;

float component(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

float doubled_center(const Aabb& box, int axis) {
  return component(box.min, axis) + component(box.max, axis);
}

void grow(Aabb& box, const Aabb& other) { box = unite(other, box); }

/// Which bin of an axis a centre falls in; the first and the last bin are never empty.
struct Binning {
  float low = 0, scale = 0;
  bool usable = false;

  Binning() = default;
  Binning(const Aabb& centers, int axis) : low(component(centers.min, axis)) {
    const float width = component(centers.max, axis) - low;
    scale = static_cast<float>(bin_count) / width;
    usable = width > 0 && scale <= largest_float;
  }
  int operator()(float center) const {
    return std::min(bin_count - 1, static_cast<int>((center - low) * scale));
  }
};

struct Bin {
  Aabb box = empty_aabb();
  std::uint32_t count = 0;
};

struct Split {
  float cost = infinity;
  std::uint32_t imbalance = 0, left = 0;
  int axis = 0, last_left_bin = -1;
};

/// The cheapest of an axis's splits; among equals (flat boxes cost nothing) the most even.
void offer_splits(const Bin (&bins)[bin_count], int axis, std::uint32_t total, Split& best) {
  float right_cost[bin_count];
  Bin right;
  for (int b = bin_count - 1; b > 0; --b) {
    if (bins[b].count != 0) grow(right.box, bins[b].box);
    right.count += bins[b].count;
    right_cost[b] = half_area(right.box) * static_cast<float>(right.count);
  }
  Bin left;
  for (int b = 0; b + 1 < bin_count; ++b) {
    if (bins[b].count == 0) continue;
    grow(left.box, bins[b].box);
    left.count += bins[b].count;
    const std::uint32_t rest = total - left.count;
    const float cost = half_area(left.box) * static_cast<float>(left.count) + right_cost[b + 1];
    const std::uint32_t imbalance = left.count > rest ? left.count - rest : rest - left.count;
    if (cost < best.cost || (cost == best.cost && imbalance < best.imbalance)) {
      best = {cost, imbalance, left.count, axis, b};
    }
  }
}

}  // namespace

BuildExtent extent_of(std::span<const BuildItem> items) {
  BuildExtent e = {empty_aabb(), empty_aabb()};
  for (const BuildItem& item : items) {
    grow(e.box, item.box);
    const Vec3 c = {doubled_center(item.box, 0), doubled_center(item.box, 1),
                    doubled_center(item.box, 2)};
    grow(e.centers, {c, c});
  }
  return e;
}

std::uint32_t split_by_sah(std::span<BuildItem> items, const BuildExtent& extent) {
  if (items.size() == 2) return 1;
  const Binning binning[3] = {{extent.centers, 0}, {extent.centers, 1}, {extent.centers, 2}};
  Bin bins[3][bin_count];
  for (const BuildItem& item : items) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!binning[axis].usable) continue;
      Bin& bin = bins[axis][binning[axis](doubled_center(item.box, axis))];
      grow(bin.box, item.box);
      ++bin.count;
    }
  }
  Split best;
  const auto total = static_cast<std::uint32_t>(items.size());
  for (int axis = 0; axis < 3; ++axis) {
    if (binning[axis].usable) offer_splits(bins[axis], axis, total, best);
  }
  if (best.last_left_bin < 0) return split_equally(items, extent);
  std::partition(items.begin(), items.end(), [&](const BuildItem& item) {
    return binning[best.axis](doubled_center(item.box, best.axis)) <= best.last_left_bin;
  });
  return best.left;
}

std::uint32_t split_equally(std::span<BuildItem> items, const BuildExtent& extent) {
  const auto width = [&](int axis) {
    return component(extent.centers.max, axis) - component(extent.centers.min, axis);
  };
  int axis = width(1) > width(0) ? 1 : 0;
  if (width(2) > width(axis)) axis = 2;
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  std::nth_element(items.begin(), middle, items.end(), [&](const auto& a, const auto& b) {
    const float ca = doubled_center(a.box, axis), cb = doubled_center(b.box, axis);
    return ca < cb || (ca == cb && a.id < b.id);
  });
  return static_cast<std::uint32_t>(items.size() / 2);
}

}  // namespace sightline::detail
