// Spheres over few shapes: which overlap any, which bodies of them do, and how many each overlaps.
#pragma once

#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/shapes/shape_kernels.hpp"

#include <sightline/geometry/queries/overlap_query.hpp>

#include <bit>

namespace sightline::detail {

/// Spheres over few shapes, all of which have bounds, without masks.
struct SpheresOverFew {
  const CpuScene& scene;
  const ShapesView& spheres;

  /// Fewer spheres are answered before the shapes are sorted.
  static constexpr std::uint32_t least_spheres = 256;
  /// So many take some 30 microseconds, beside which it costs nothing to share them out.
  static constexpr std::uint64_t largest_part = 8192;

  static bool are_these(const ShapesView& shapes, const ShapesView& queries) {
    return shapes.size() == shapes.bounded() && shapes.mask == nullptr && queries.mask == nullptr &&
           queries.size() >= least_spheres && queries.count(Kind::sphere) == queries.size() &&
           floats_are_mostly_certain(shapes, queries);
  }

  const Vec3* center(std::uint64_t i) const { return spheres.of<Sphere>().center + i; }
  const float* radius(std::uint64_t i) const { return spheres.of<Sphere>().radius + i; }

  /// Of n spheres, or bodies of so many spheres each: calls find(first, n, doubts), which answers
  /// up to most_spheres of them as a kernel does, settle(i) for each of which it is not sure, and
  /// report(begin, end). Words of bits are one part's.
  template <class Find, class Settle, class Report>
  OverlapReport answer(std::uint32_t body, const Find& find, const Settle& settle,
                       const Report& report) const {
    ReportSum<OverlapReport> sum;
    const auto answer_part = [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t first = begin; first < end; first += most_spheres) {
        const auto n =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(end - first, most_spheres));
        std::uint32_t doubts[most_spheres];
        const std::uint32_t unsure = find(first, n, doubts);
        for (std::uint32_t k = 0; k < unsure; ++k) settle(first + doubts[k]);
      }
      sum += report(begin, end);
    };
    const std::uint64_t part = std::max<std::uint64_t>(largest_part / body / 64, 1) * 64;
    scene.threads.for_each_part(spheres.size() / body, answer_part, part);
    return sum.total();
  }
  /// The same of bits; find(first, n, bits, doubts) writes those of these.
  template <class Find>
  OverlapReport answer_any(const OverlapAny& asked, const Find& find) const {
    std::uint64_t* const bits = asked.bits;
    return answer(
        asked.body,
        [&](std::uint64_t first, std::uint32_t n, std::uint32_t* doubts) {
          return find(first, n, bits + first / 64, doubts);
        },
        [&](std::uint64_t i) {
          std::uint32_t found = 0;
          for (std::uint64_t k = 0; k < asked.body && found == 0; ++k) {
            found = count_exactly(i * asked.body + k, 1);
          }
          bits[i / 64] |= std::uint64_t{found} << i % 64;
        },
        [&](std::uint64_t begin, std::uint64_t end) {
          OverlapReport report = {end - begin, 0, 0};
          for (std::uint64_t w = begin / 64; w < bit_words(end); ++w) {
            report.overlapping += static_cast<std::uint64_t>(std::popcount(bits[w]));
          }
          return report;
        });
  }
  /// How many shapes a sphere overlaps, at most so many.
  std::uint32_t count_exactly(std::uint64_t i, std::uint32_t most) const {
    const auto q = overlap_query(spheres.get<Sphere>(static_cast<std::uint32_t>(i)), 0xFFFFFFFFu);
    std::uint32_t found = 0;
    for (std::uint32_t id = 0; id < scene.shapes.size() && found < most; ++id) {
      found += overlaps_shape(q, scene.shapes, id);
    }
    return found;
  }

 private:
  /// They never are of points in boxes, beside shapes that lanes do not decide, nor beside capsules
  /// so short that their length underflows.
  static bool floats_are_mostly_certain(const ShapesView& shapes, const ShapesView& queries) {
    const float* const radius = queries.of<Sphere>().radius;
    std::uint32_t points = 0;
    for (std::uint32_t i = 0; i < queries.size(); ++i) points |= std::uint32_t{radius[i] == 0};
    SphereMargin margin;
    for (std::uint32_t i = 0; i < shapes.count(Kind::capsule); ++i) {
      margin.take(lane_form(shapes.get<Capsule>(i)));
    }
    std::uint32_t undecided = 0;
    ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
      if constexpr (is_bounded<S> && std::is_same_v<LaneForm<S>, NeverCertain>) {
        undecided += shapes.count(kind_for<S>);
      }
    });
    return points == 0 && undecided == 0 && margin.length < SphereMargin::never_certain;
  }
};

inline OverlapReport answer_spheres(const SpheresOverFew& queries, const OverlapAny& asked) {
  const FewInBlocks few(queries.scene.shapes);
  const ShapeBlocks shapes = few.view();
  return queries.answer_any(
      asked, [&](std::uint64_t first, std::uint32_t n, std::uint64_t* bits, std::uint32_t* doubts) {
        return queries.scene.simd.shapes.spheres_any(shapes, queries.center(first),
                                                     queries.radius(first), n, bits, doubts);
      });
}
/// Bodies of eight spheres and more.
inline OverlapReport answer_bodies_of_spheres(const SpheresOverFew& queries,
                                              const OverlapAny& asked) {
  const ShapesForBodies few(queries.scene.shapes);
  const ShapesForBodiesView shapes = few.view();
  return queries.answer_any(
      asked, [&](std::uint64_t first, std::uint32_t n, std::uint64_t* bits, std::uint32_t* doubts) {
        const std::uint64_t at = first * asked.body;
        return queries.scene.simd.shapes.bodies_any(shapes, queries.center(at), queries.radius(at),
                                                    asked.body, n, bits, doubts);
      });
}
inline OverlapReport answer_spheres(const SpheresOverFew& queries, const OverlapCount& asked) {
  const FewInBlocks few(queries.scene.shapes);
  const ShapeBlocks shapes = few.view();
  std::uint32_t* const counts = asked.counts;
  return queries.answer(
      1,
      [&](std::uint64_t first, std::uint32_t n, std::uint32_t* doubts) {
        return queries.scene.simd.shapes.spheres_count(
            shapes, queries.center(first), queries.radius(first), n, counts + first, doubts);
      },
      [&](std::uint64_t i) { counts[i] = queries.count_exactly(i, most_tested_in_turn); },
      [&](std::uint64_t begin, std::uint64_t end) {
        OverlapReport report = {end - begin, 0, 0};
        for (std::uint64_t i = begin; i < end; ++i) {
          report.overlapping += counts[i] > 0;
          report.pairs += counts[i];
        }
        return report;
      });
}

}  // namespace sightline::detail
