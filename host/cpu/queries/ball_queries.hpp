// Balls over a small set of shapes: which overlap any, which bodies of them do, and how many each
// overlaps.
#pragma once

#include "host/backend/overlap_rows.hpp"
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/walk/ball_set.hpp"
#include "host/cpu/walk/body_set.hpp"
#include "host/cpu/walk/small_set.hpp"

#include <sightline/geometry/queries/overlap_query.hpp>

#include <bit>

namespace sightline::detail {

/// Balls over a small set, all of whose shapes have bounds, without masks.
struct BallQueries {
  const TreeSearch scene;
  const ShapesView& balls;

  /// Fewer balls are answered before the shapes are sorted.
  static constexpr std::uint32_t least_balls = 256;
  /// So many take some 30 microseconds, beside which it costs nothing to share them out.
  static constexpr std::uint64_t largest_part = 8192;

  static bool are_these(const ShapesView& shapes, const ShapesView& queries) {
    return shapes.size() == shapes.bounded() && shapes.mask == nullptr && queries.mask == nullptr &&
           queries.size() >= least_balls && queries.count(Kind::sphere) == queries.size() &&
           floats_are_mostly_sure(shapes, queries);
  }

  /// Calls find(first, n, their answers) for n bodies of so many balls, and then use(begin, end,
  /// answers). Answers behind the last are 0 when find is called. No more than `most` shapes are
  /// counted of a ball of which floats are not sure.
  template <class Find, class Use>
  OverlapReport answer(std::uint32_t body, std::uint32_t most, const Find& find,
                       const Use& use) const {
    ReportSum<OverlapReport> sum;
    const auto answer_part = [&](std::uint64_t begin, std::uint64_t end) {
      OverlapReport here{};
      for (std::uint64_t first = begin; first < end; first += BallColumns::most) {
        const auto n = static_cast<std::uint32_t>(std::min(end - first, BallColumns::most));
        std::uint32_t found[BallColumns::most + 8] = {};
        find(first, n, found);
        for (std::uint32_t k = 0; k < n; k += 8) {  // doubts are rare
          const auto doubts = loaded<Int8>(found + k) == static_cast<std::int32_t>(unsure_answer);
          for (std::uint32_t rest = bits_of_lanes(doubts); rest != 0; rest &= rest - 1) {
            const std::uint32_t i = k + static_cast<std::uint32_t>(__builtin_ctz(rest));
            if (i < n) found[i] = count_exactly(first + i, most);
          }
        }
        add(here, use(first, first + n, found));
      }
      sum += here;
    };
    // Words of bits are one part's.
    const std::uint64_t part = std::max<std::uint64_t>(largest_part / body / 64, 1) * 64;
    scene.threads.for_each_part(balls.size() / body, answer_part, part);
    return sum.total();
  }
  BallColumns columns(std::uint64_t first, std::uint32_t n) const {
    return BallColumns(balls.of<Sphere>().center + first, balls.of<Sphere>().radius + first, n);
  }
  std::uint32_t count_exactly(std::uint64_t i, std::uint32_t most) const {
    const auto q = overlap_query(balls.get<Sphere>(static_cast<std::uint32_t>(i)), 0xFFFFFFFFu);
    std::uint32_t found = 0;
    for (std::uint32_t id = 0; id < scene.shapes.size() && found < most; ++id) {
      found += overlaps_shape(q, scene.shapes, id);
    }
    return found;
  }

 private:
  /// They never are of points in boxes, nor beside capsules so short that their length underflows.
  static bool floats_are_mostly_sure(const ShapesView& shapes, const ShapesView& queries) {
    const float* const radius = queries.of<Sphere>().radius;
    for (std::uint64_t i = 0, n = queries.size(); i < n; i += 8) {
      const auto some = loaded<Float8>(radius + std::min(i, n - 8));
      if (bits_of_lanes(some == 0) != 0) return false;
    }
    for (std::uint32_t i = 0; i < shapes.count(Kind::capsule); ++i) {
      BallMargin margin;
      margin.take(seen_by_balls(shapes.get<Capsule>(i)));
      if (margin.length >= BallMargin::never_sure) return false;
    }
    return true;
  }
};

template <class Find>
OverlapReport answer_any(const BallQueries& queries, const OverlapAny& asked, const Find& find) {
  const auto use = [&](std::uint64_t begin, std::uint64_t end, const auto* found) {
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
  };
  return queries.answer(asked.body, 1, find, use);
}
inline OverlapReport answer_balls(const BallQueries& queries, const OverlapAny& asked) {
  const BallSet set(queries.scene.shapes);
  return answer_any(queries, asked, [&](std::uint64_t first, std::uint32_t n, auto* found) {
    BallColumns balls = queries.columns(first, n);
    set.any(balls, found);
  });
}
/// Bodies of eight balls and more.
inline OverlapReport answer_bodies_of_balls(const BallQueries& queries, const OverlapAny& asked) {
  const BodySet set(queries.scene.shapes);
  return answer_any(queries, asked, [&](std::uint64_t first, std::uint32_t n, auto* found) {
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint64_t at = (first + k) * asked.body;
      const auto& balls = queries.balls.of<Sphere>();
      found[k] = set.any(balls.center + at, balls.radius + at, asked.body,
                         [&](std::uint64_t i) { return queries.count_exactly(at + i, 1) != 0; });
    }
  });
}
inline OverlapReport answer_balls(const BallQueries& queries, const OverlapCount& asked) {
  const BallSet set(queries.scene.shapes);
  const auto find = [&](std::uint64_t first, std::uint32_t n, std::uint32_t* found) {
    set.count(queries.columns(first, n), found);
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
  return queries.answer(1, most_of_small_set, find, use);
}

}  // namespace sightline::detail
