// Balls over a small set of shapes: which overlap any, and how many each overlaps.
#pragma once

#include "host/backend/overlap_rows.hpp"
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/walk/ball_set.hpp"
#include "host/cpu/walk/small_set.hpp"

#include <sightline/queries/overlap.hpp>

#include <bit>

namespace sightline::detail {

/// Balls over a small set, all of whose shapes have bounds, without masks.
struct BallQueries {
  const TreeSearch scene;
  const ShapesView& balls;
  const BallSet set = BallSet(scene.shapes);

  /// Fewer balls are answered before the shapes are sorted.
  static constexpr std::uint32_t least_balls = 256;
  /// So many take some 30 microseconds, beside which it costs nothing to share them out.
  static constexpr std::uint64_t largest_part = 8192;

  static bool are_these(const ShapesView& shapes, const ShapesView& queries) {
    return shapes.size() <= most_of_small_set && shapes.size() == shapes.bounded() &&
           shapes.mask == nullptr && queries.mask == nullptr && queries.size() >= least_balls &&
           queries.count(Kind::sphere) == queries.size() && floats_are_mostly_sure(shapes, queries);
  }

  /// Calls find(some balls, their answers), and then use(begin, end, answers). Answers behind the
  /// last are 0 when find is called. No more than `most` shapes are counted of a ball in doubt.
  template <class Find, class Use>
  OverlapReport answer(std::uint32_t most, const Find& find, const Use& use) const {
    ReportSum<OverlapReport> sum;
    const auto answer_part = [&](std::uint64_t begin, std::uint64_t end) {
      OverlapReport here{};
      for (std::uint64_t first = begin; first < end; first += BallColumns::most) {
        const auto n = static_cast<std::uint32_t>(std::min(end - first, BallColumns::most));
        BallColumns some;
        some.load(balls.of<Sphere>().center + first, balls.of<Sphere>().radius + first, n);
        std::uint32_t found[BallColumns::most + 8] = {};
        find(some, found);
        for (std::uint32_t k = 0; k < n; ++k) {
          if (found[k] == BallSet::unsure) found[k] = count_exactly(first + k, most);
        }
        add(here, use(first, first + n, found));
      }
      sum += here;
    };
    scene.threads.for_each_part(balls.size(), answer_part, largest_part);
    return sum.total();
  }

 private:
  /// They never are of points in boxes, nor beside capsules so short that their length underflows.
  static bool floats_are_mostly_sure(const ShapesView& shapes, const ShapesView& queries) {
    const float* const radius = queries.of<Sphere>().radius;
    for (std::uint32_t i = 0; i < queries.size(); ++i) {
      if (radius[i] == 0) return false;
    }
    for (std::uint32_t i = 0; i < shapes.count(Kind::capsule); ++i) {
      BallMargin margin;
      margin.take(seen_by_balls(shapes.get<Capsule>(i)));
      if (margin.length >= BallMargin::never_sure) return false;
    }
    return true;
  }
  std::uint32_t count_exactly(std::uint64_t i, std::uint32_t most) const {
    const auto q = overlap_query(balls.get<Sphere>(static_cast<std::uint32_t>(i)), 0xFFFFFFFFu);
    std::uint32_t found = 0;
    for (std::uint32_t id = 0; id < scene.shapes.size() && found < most; ++id) {
      found += overlaps_shape(q, scene.shapes, id);
    }
    return found;
  }
};

inline OverlapReport answer_balls(const BallQueries& queries, const OverlapAny& asked) {
  const auto find = [&](BallColumns& balls, std::uint32_t* found) {
    queries.set.any(balls, found);
  };
  return queries.answer(1, find, [&](std::uint64_t begin, std::uint64_t end, const auto* found) {
    OverlapReport report = {end - begin, 0, 0};
    for (std::uint64_t i = begin; i < end; i += 64) {
      std::uint64_t word = 0;
      for (std::uint64_t k = i; k < i + 64 && k < end; k += 8) {
        word |= std::uint64_t{bits_of_eight(found + (k - begin))} << (k - i);
      }
      asked.bits[i / 64] = word;
      report.overlapping += static_cast<std::uint64_t>(std::popcount(word));
    }
    return report;
  });
}
inline OverlapReport answer_balls(const BallQueries& queries, const OverlapCount& asked) {
  const auto find = [&](BallColumns& balls, std::uint32_t* found) {
    queries.set.count(balls, found);
  };
  const auto use = [&](std::uint64_t begin, std::uint64_t end, const auto* found) {
    OverlapReport report = {end - begin, 0, 0};
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint32_t n = found[i - begin];
      asked.counts[i] = n;
      report.overlapping += n > 0;
      report.pairs += n;
    }
    return report;
  };
  return queries.answer(most_of_small_set, find, use);
}

}  // namespace sightline::detail
