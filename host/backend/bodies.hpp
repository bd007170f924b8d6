// Whether any shape of a body overlaps a scene, from the answers for single shapes.
#pragma once

#include "host/backend/queries.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace sightline::detail {

inline bool bit_of(const std::vector<std::uint64_t>& bits, std::uint64_t i) {
  return (bits[i / 64] >> i % 64 & 1) != 0;
}

/// answer(OverlapAny) answers for single shapes; all are asked.
template <class Answer>
OverlapReport fold_bodies(const OverlapAny& asked, const Answer& answer) {
  const std::uint64_t shapes = asked.queries.size(), bodies = shapes / asked.body;
  std::vector<std::uint64_t> each(bit_words(shapes));
  answer(OverlapAny{asked.queries, each.data()});
  OverlapReport report = {bodies, 0, 0};
  std::fill_n(asked.bits, bit_words(bodies), 0);
  for (std::uint64_t b = 0; b < bodies; ++b) {
    bool any = false;
    for (std::uint64_t k = 0; k < asked.body; ++k) any |= bit_of(each, b * asked.body + k);
    asked.bits[b / 64] |= std::uint64_t{any} << b % 64;
    report.overlapping += any;
  }
  return report;
}

/// Copies of some of a view's shapes, with their masks.
class PickedShapes {
 public:
  /// The shapes with these ascending ids, none of them a plane; valid until the next call.
  ShapesView pick(const ShapesView& from, std::span<const std::uint32_t> ids) {
    ShapesView view;
    const auto place_of = [&](std::uint32_t id) {
      return static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    };
    for (int k = 0; k <= kind_count; ++k) view.begin[k] = place_of(from.begin[k]);
    ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
      constexpr int k = static_cast<int>(kind_for<S>);
      const auto own = ids.subspan(view.begin[k], view.begin[k + 1] - view.begin[k]);
      for_each_column<S>(
          [&](const char*, auto& to, auto& room, const auto* column) {
            if (column == nullptr) return;
            room.resize(own.size());
            for (std::size_t i = 0; i < own.size(); ++i) room[i] = column[own[i] - from.begin[k]];
            to = room.data();
          },
          view.of<S>(), columns_of<S>(columns_), from.of<S>());
    });
    if (from.mask == nullptr) return view;
    mask_.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) mask_[i] = from.mask[ids[i]];
    view.mask = mask_.data();
    return view;
  }

 private:
  template <class T>
  using OwnedColumn = std::vector<T>;

  ShapeKinds::Columns<OwnedColumn> columns_;
  std::vector<std::uint32_t> mask_;
};

/// As fold_bodies(), where a search costs more than a copy: first one shape of each body is asked,
/// then two more, four more and so on, of the bodies for which nothing has been found.
template <class Answer>
OverlapReport answer_bodies(const OverlapAny& asked, const Answer& answer) {
  constexpr std::uint32_t few = 512;                // shapes; a call for each round costs more
  constexpr std::uint32_t most_together = 1 << 20;  // shapes: 68 MB of OBBs with masks
  if (asked.queries.size() < few) return fold_bodies(asked, answer);
  const std::uint32_t bodies = asked.queries.size() / asked.body;
  std::vector<std::uint32_t> open(bodies), ids;
  std::iota(open.begin(), open.end(), 0u);
  PickedShapes picked;
  std::vector<std::uint64_t> found;
  std::fill_n(asked.bits, bit_words(bodies), 0);
  for (std::uint32_t first = 0, n = 1; first < asked.body; first += n, n = 2 * n) {
    n = std::min({n, asked.body - first, most_together});
    const std::size_t step = most_together / n;
    std::size_t left = 0;
    for (std::size_t begin = 0; begin < open.size(); begin += step) {
      const std::size_t end = std::min(open.size(), begin + step);
      ids.clear();
      for (std::size_t i = begin; i < end; ++i) {
        for (std::uint32_t k = 0; k < n; ++k) ids.push_back(open[i] * asked.body + first + k);
      }
      found.resize(bit_words(ids.size()));
      answer(OverlapAny{picked.pick(asked.queries, ids), found.data()});
      for (std::size_t i = begin; i < end; ++i) {
        bool any = false;
        for (std::uint32_t k = 0; k < n; ++k) any |= bit_of(found, (i - begin) * n + k);
        if (any) {
          asked.bits[open[i] / 64] |= std::uint64_t{1} << open[i] % 64;
        } else {
          open[left++] = open[i];
        }
      }
    }
    open.resize(left);
  }
  return {bodies, bodies - open.size(), 0};
}

}  // namespace sightline::detail
