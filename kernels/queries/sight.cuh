// Line of sight without a tree: the kernels' bodies, for one warp at a time. Rays are made where
// they are traced, and only their bit is stored.
#pragma once

#include "kernels/queries/bits.cuh"
#include "kernels/traverse/brute_force.cuh"
#include "kernels/traverse/wide_walk.cuh"

namespace sightline::kernels {

/// Whether p and q see each other: see line_of_sight.hpp.
template <class Search>
SIGHTLINE_HD bool sees(const Search& search, const SightPoint& p, const SightPoint& q,
                       const SightOptions& options) {
  const SightQuery s = sight_query(p, q, options);
  return s.possible && !search.any_shape(s.query, [&](const auto& shape, float gate_near) {
    return blocks(s.query, shape, gate_near);
  });
}

/// Whether a good point lies in or touches a shape that its mask and exclusions admit.
template <class Search>
SIGHTLINE_HD bool touches(const Search& search, const SightPoint& p) {
  const Query q = touch_query(p);
  return search.any_shape(q, [&](const auto& shape, float gate_near) {
    return cast_past_gate(q, shape, gate_near).hit;
  });
}

SIGHTLINE_HD std::uint64_t index_at(const std::uint32_t* order, std::uint64_t i) {
  return order == nullptr ? i : order[i];
}
SIGHTLINE_HD SightPoint point_of(const PointsView& points, const std::uint32_t* order,
                                 std::uint64_t i) {
  return points[index_at(order, i)];
}

/// Node k of the job.
SIGHTLINE_HD void put_lowest_node(const LowestNodesJob& job, std::uint64_t k) {
  job.nodes[k] = lowest_node_around(job.scene.wide, point_of(job.points, job.order, k).position);
}
/// The one of these that a walk begins at.
SIGHTLINE_HD std::uint32_t node_at(const std::uint32_t* nodes, std::uint64_t k) {
  return nodes == nullptr ? 0 : nodes[k];
}

/// Which pairs of word k to test.
SIGHTLINE_HD std::uint32_t pair_mask_word(const SightJob& job, std::uint64_t k) {
  return job.pair_mask == nullptr ? 0xFFFFFFFFu : job.pair_mask[k];
}

/// Word k of the job's matrix: lane l traces target 32 (k % row_words) + l.
template <class Team, class Search>
SIGHTLINE_HD void sight_word(const Team& team, const Search& search, const SightJob& job,
                             std::uint64_t k) {
  const std::uint64_t i = k / job.row_words, first = k % job.row_words * warp_size;
  if (job.upper && first + warp_size <= i) return;
  const SightPoint viewpoint = point_of(job.viewpoints, job.row_order, i);
  const std::uint32_t mask = pair_mask_word(job, k);
  typename Team::template Lanes<bool> seen;
  team.each([&](int lane) {
    const std::uint64_t j = first + static_cast<std::uint64_t>(lane);
    seen[lane] = (mask >> lane & 1u) != 0 && j < job.targets.count && !(job.upper && j < i) &&
                 sees(search, viewpoint, point_of(job.targets, job.target_order, j), job.options);
  });
  const std::uint32_t word = team.ballot(seen);
  team.once([&] { job.bits[k] = word; });
}

/// How many squares of 32 x 32 pairs are on or above the diagonal.
SIGHTLINE_HD std::uint64_t self_sight_squares(const SelfSightJob& job) {
  return triangle_size(pieces(job.points.count, warp_size));
}

/// Writes a square, of which lane r holds row r, and its mirror image.
template <class Team, class Words>
SIGHTLINE_HD void store_square(const Team& team, const SelfSightJob& job, const MatrixEntry& square,
                               const Words& row) {
  const std::uint64_t side = pieces(job.points.count, warp_size);
  Words column = row;
  transpose(team, column);
  const bool on_diagonal = square.row == square.column;
  team.each([&](int lane) {
    const auto l = static_cast<std::uint64_t>(lane);
    std::uint32_t* of_row = job.bits + (square.row * warp_size + l) * job.row_words;
    std::uint32_t* of_column = job.bits + (square.column * warp_size + l) * job.row_words;
    if (on_diagonal) {
      of_row[square.column] = row[lane] | column[lane];
    } else {
      of_row[square.column] = row[lane];
      of_column[square.row] = column[lane];
    }
    if (square.column + 1 < side) return;
    for (std::uint64_t w = side; w < job.row_words; ++w) of_row[w] = 0;
  });
}

/// Its pairs on and above the diagonal.
SIGHTLINE_HD SightJob upper_half(const SelfSightJob& job) {
  return {job.scene, job.points, job.points, job.order,     job.options, job.bits, job.row_words,
          nullptr,   job.order,  true,       job.box_words, job.nodes,   job.nodes};
}

/// Square k of the job, of which the upper half is traced, and its mirror image.
template <class Team>
SIGHTLINE_HD void mirror_square(const Team& team, const SelfSightJob& job, std::uint64_t k) {
  const MatrixEntry square = triangle_entry(k, pieces(job.points.count, warp_size));
  typename Team::template Lanes<std::uint32_t> word;
  team.each([&](int lane) {
    const std::uint64_t r = square.row * warp_size + static_cast<std::uint64_t>(lane);
    word[lane] = r < job.points.count ? job.bits[r * job.row_words + square.column] : 0;
  });
  store_square(team, job, square, word);
}

/// Word k of the job: lane l traces pair 32 k + l.
template <class Team, class Search>
SIGHTLINE_HD void sight_pairs_word(const Team& team, const Search& search, const SightPairsJob& job,
                                   std::uint64_t k) {
  typename Team::template Lanes<bool> seen;
  team.each([&](int lane) {
    const std::uint64_t i = k * warp_size + static_cast<std::uint64_t>(lane);
    seen[lane] = i < job.from.count && sees(search, job.from[i], job.to[i], job.options);
  });
  const std::uint32_t word = team.ballot(seen);
  team.once([&] {
    job.bits[k] = word;
    if (job.visible != nullptr && word != 0) Team::add(job.visible, count_ones(word));
  });
}

/// Points 32 k + lane of the job.
template <class Team, class Search>
SIGHTLINE_HD void count_points_word(const Team& team, const Search& search,
                                    const CountPointsJob& job, std::uint64_t k) {
  typename Team::template Lanes<bool> bad, touching;
  team.each([&](int lane) {
    const std::uint64_t i = k * warp_size + static_cast<std::uint64_t>(lane);
    bad[lane] = touching[lane] = false;
    if (i >= job.points.count) return;
    const SightPoint p = job.points[i];
    bad[lane] = is_bad(p);
    touching[lane] = !bad[lane] && touches(search, p);
  });
  const std::uint32_t bad_word = team.ballot(bad), touching_word = team.ballot(touching);
  team.once([&] {
    if (bad_word != 0) Team::add(&job.counts->bad, count_ones(bad_word));
    if (touching_word != 0) Team::add(&job.counts->touching, count_ones(touching_word));
  });
}

}  // namespace sightline::kernels
