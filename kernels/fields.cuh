// Fields of view: the kernels' bodies, for one warp at a time.
#pragma once

#include "kernels/grid.hpp"
#include "kernels/sight.cuh"

#include <sightline/queries/field_of_view.hpp>

namespace sightline::kernels {

/// Warps of a job: one for every 32 words of a row.
SIGHTLINE_HD std::uint64_t field_pieces(const FieldsJob& job) {
  return job.viewpoints.count * pieces(job.row_words, warp_size);
}

/// Piece k of the job: lane l tests target 32 w + l of each word w, and stores word l.
template <class Team>
SIGHTLINE_HD void field_piece(const Team& team, const FieldsJob& job, std::uint64_t k) {
  const std::uint64_t pieces_of_row = pieces(job.row_words, warp_size);
  const std::uint64_t row = k / pieces_of_row, first_word = k % pieces_of_row * warp_size;
  const SightPoint viewpoint = job.viewpoints[row];
  const FieldTest field = field_test(job.fields[row], job.fields.shape);
  typename Team::template Lanes<bool> bit;
  typename Team::template Lanes<std::uint32_t> own;
  std::uint64_t ones = 0;
  for (int w = 0; w < warp_size && first_word + static_cast<std::uint64_t>(w) < job.row_words;
       ++w) {
    team.each([&](int lane) {
      const std::uint64_t j = (first_word + static_cast<std::uint64_t>(w)) * warp_size +
                              static_cast<std::uint64_t>(lane);
      bit[lane] = j < job.targets.count &&
                  in_field(field, viewpoint, point_of(job.targets, job.target_order, j));
    });
    const std::uint32_t word = team.ballot(bit);
    ones += count_ones(word);
    team.each([&](int lane) {
      if (lane == w) own[lane] = word;
    });
  }
  // All lanes store at once: coalesced.
  team.each([&](int lane) {
    const std::uint64_t word = first_word + static_cast<std::uint64_t>(lane);
    if (word < job.row_words) job.bits[row * job.row_words + word] = own[lane];
  });
  if (ones != 0) team.once([&] { Team::add(job.in_field, ones); });
}

}  // namespace sightline::kernels
