#include "host/tree/split.hpp"

#include "host/common/fp_environment.hpp"
#include "host/common/pages.hpp"
#include "host/tree/bins.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace sightline::detail {
namespace {

constexpr std::size_t large_range = 1u << 17;  // larger ranges are cut by several threads
constexpr std::size_t part_size = 1u << 14;    // shapes of a large range per task

/// Where the items of a range, or of a part of it, go.
struct Sides {
  BuildItem *left, *right;
};

/// The unions of centres on both sides.
struct SideCenters {
  Box8 left = empty_box8(), right = empty_box8();
};

/// Copies items to their sides, in order.
SIGHTLINE_NOINLINE SideCenters divide(std::span<const BuildItem> items, const Binning& binning,
                                      const SahChoice& choice, Sides to) {
  constexpr float beyond[3] = {0, infinity, 0};  // added to a centre, keeps it out of a union
  SideCenters centers;
  for (const BuildItem& item : items) {
    const int on_right = binning(item.box, choice.axis) >= choice.place;
    *(on_right ? to.right : to.left) = item;
    to.left += 1 - on_right;
    to.right += on_right;
    const Box8 center = box8_of_point(doubled_center(item.box));
    centers.left = minimum(centers.left, center + beyond[on_right]);
    centers.right = minimum(centers.right, center + beyond[on_right + 1]);
  }
  return centers;
}

/// A cut between bins; its centres are still to be set.
Cut cut_between(const Bins& bins, const Binning& binning, const SahChoice& choice) {
  Cut cut;
  cut.moved = true;
  cut.left = bins.shapes_of(choice.axis, 0, choice.place);
  cut.extent[0].box = bins.box_of(choice.axis, 0, choice.place);
  cut.extent[1].box = bins.box_of(choice.axis, choice.place, binning.bins());
  return cut;
}

Cut cut_medium(std::span<BuildItem> items, std::span<BuildItem> to, const Binning& binning) {
  Bins bins(binning.bins());
  bins.add(items, binning);
  const SahChoice choice = bins.cheapest();
  if (choice.axis < 0) return cut_equally(items);
  Cut cut = cut_between(bins, binning, choice);
  const SideCenters centers = divide(items, binning, choice, {to.data(), to.data() + cut.left});
  cut.extent[0].centers = centers.left;
  cut.extent[1].centers = centers.right;
  return cut;
}

template <class Task>
void for_each_part(std::size_t parts, const Task& task) {
  tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
    const FpEnvironment environment;
    task(part);
  });
}

/// The same cut as for smaller ranges, in parts with bins of their own that do not depend on the
/// threads.
Cut cut_large(std::span<BuildItem> items, std::span<BuildItem> to, const Binning& binning) {
  const std::size_t parts = (items.size() + part_size - 1) / part_size;
  const auto part_of = [&](std::size_t part) {
    const std::size_t first = part * part_size;
    return items.subspan(first, std::min(part_size, items.size() - first));
  };
  PageVector<Bins> bins_of(parts);
  for_each_part(parts, [&](std::size_t part) {
    bins_of[part].clear(binning.bins());
    bins_of[part].add(part_of(part), binning);
  });
  Bins bins(binning.bins());
  for (const Bins& part : bins_of) bins.add(part);
  const SahChoice choice = bins.cheapest();
  if (choice.axis < 0) return cut_equally(items);
  Cut cut = cut_between(bins, binning, choice);

  std::vector<Sides> sides(parts);
  Sides next = {to.data(), to.data() + cut.left};
  for (std::size_t part = 0; part < parts; ++part) {
    sides[part] = next;
    next.left += bins_of[part].shapes_of(choice.axis, 0, choice.place);
    next.right += bins_of[part].shapes_of(choice.axis, choice.place, binning.bins());
  }
  std::vector<SideCenters> centers(parts);
  for_each_part(parts, [&](std::size_t part) {
    centers[part] = divide(part_of(part), binning, choice, sides[part]);
  });
  for (const SideCenters& part : centers) {
    cut.extent[0].centers = minimum(cut.extent[0].centers, part.left);
    cut.extent[1].centers = minimum(cut.extent[1].centers, part.right);
  }
  return cut;
}

/// The order of a small range's shapes along the axes; stable for equal centres.
struct Order {
  std::uint8_t at[3][small_range];

  explicit Order(std::span<const BuildItem> items) {
    Float4 center[small_range];
    Int4 rank[small_range];
    const std::size_t n = items.size();
    for (std::size_t i = 0; i < n; ++i) {
      center[i] = doubled_center(items[i].box);
      rank[i] = Int4{};
      for (std::size_t j = 0; j < i; ++j) {
        const Int4 before = center[i] < center[j];  // -1 where true
        rank[j] -= before;
        rank[i] += before + 1;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (int axis = 0; axis < 3; ++axis) at[axis][rank[i][axis]] = static_cast<std::uint8_t>(i);
    }
  }
};

SahChoice cheapest(std::span<const BuildItem> items, const Order& order) {
  const int n = static_cast<int>(items.size());
  Float4 right_cost[small_range];
  Box8 box[3] = {empty_box8(), empty_box8(), empty_box8()};
  const auto grow = [&](int i) {
    for (int axis = 0; axis < 3; ++axis) {
      box[axis] = minimum(box[axis], items[order.at[axis][i]].box);
    }
    return half_areas(box[0], box[1], box[2]);
  };
  for (int i = n - 1; i > 0; --i) right_cost[i] = grow(i) * sah_weight(Int4{} + (n - i));
  for (Box8& b : box) b = empty_box8();
  SahBest best;
  for (int i = 1; i < n; ++i) {
    const Int4 left = Int4{} + i;
    best.offer(grow(i - 1) * sah_weight(left) + right_cost[i], left, n - left, i);
  }
  return best.choice();
}

Cut cut_pair(std::span<const BuildItem> items) {
  Cut cut;
  cut.left = 1;
  for (std::size_t i = 0; i < 2; ++i) cut.extent[i].box = items[i].box;
  return cut;
}

Cut cut_small(std::span<BuildItem> items) {
  const Order order(items);
  const SahChoice choice = cheapest(items, order);
  if (choice.axis < 0) return cut_equally(items);  // areas overflow
  BuildItem sorted[small_range];
  Cut cut;
  cut.left = static_cast<std::uint32_t>(choice.place);
  for (std::size_t i = 0; i < items.size(); ++i) {
    sorted[i] = items[order.at[choice.axis][i]];
    Box8& box = cut.extent[i >= cut.left].box;
    box = minimum(box, sorted[i].box);
  }
  std::copy_n(sorted, items.size(), items.begin());
  return cut;
}

}  // namespace

Cut cut_by_sah(std::span<BuildItem> items, std::span<BuildItem> to, const BuildExtent& extent) {
  if (items.size() == 2) return cut_pair(items);
  if (items.size() <= small_range) return cut_small(items);
  const Binning binning(extent.centers, bins_for(items.size()));
  return items.size() < large_range ? cut_medium(items, to, binning)
                                    : cut_large(items, to, binning);
}

Cut cut_equally(std::span<BuildItem> items) {
  BuildExtent all;
  for (const BuildItem& item : items) all.add(item);
  const Float4 width = -high_half(all.centers) - low_half(all.centers);
  int axis = width[1] > width[0] ? 1 : 0;
  if (width[2] > width[axis]) axis = 2;
  const std::size_t half = items.size() / 2;
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(items.begin(), middle, items.end(), [&](const auto& a, const auto& b) {
    const float ca = doubled_center(a.box)[axis], cb = doubled_center(b.box)[axis];
    return ca < cb || (ca == cb && a.id() < b.id());
  });
  Cut cut;
  cut.left = static_cast<std::uint32_t>(half);
  for (std::size_t i = 0; i < items.size(); ++i) cut.extent[i >= half].add(items[i]);
  return cut;
}

}  // namespace sightline::detail
