// Bit matrices, by warps: transposing 32 x 32 blocks, and permuting rows and columns.
#pragma once

#include "kernels/grid.hpp"
#include "kernels/launch.hpp"
#include "kernels/team.cuh"

namespace sightline::kernels {

/// Transposes a 32 x 32 bit matrix of which lane r holds row r. Blocks of 16, 8, 4, 2 and 1 columns
/// are swapped across the diagonal.
template <class Team, class Words>
SIGHTLINE_HD void transpose(const Team& team, Words& word) {
  std::uint32_t low = 0x0000FFFFu;  // columns whose index lacks the bit `width`
  for (int width = warp_size / 2; width > 0; width /= 2) {
    const Words other = team.exchange(word, width);
    team.each([&](int lane) {
      word[lane] = (lane & width) == 0 ? (word[lane] & low) | ((other[lane] & low) << width)
                                       : (word[lane] & ~low) | ((other[lane] & ~low) >> width);
    });
    low ^= low << (width / 2);
  }
}

/// Warps of a reordering job: one for every 32 words of a row.
SIGHTLINE_HD std::uint64_t reorder_pieces(const ReorderBitsJob& job) {
  return job.rows * pieces(job.row_words, warp_size);
}

/// Piece k of the job.
template <class Team>
SIGHTLINE_HD void reorder_piece(const Team& team, const ReorderBitsJob& job, std::uint64_t k) {
  const std::uint64_t pieces_of_row = pieces(job.row_words, warp_size);
  const std::uint64_t row = k / pieces_of_row, first_word = k % pieces_of_row * warp_size;
  const std::uint64_t from = job.first_row + row;
  const std::uint32_t* in =
      job.in + (job.row_rank == nullptr ? from : job.row_rank[from]) * job.row_words;
  typename Team::template Lanes<bool> bit;
  typename Team::template Lanes<std::uint32_t> own;
  std::uint64_t ones = 0;
  for (int w = 0; w < warp_size && first_word + static_cast<std::uint64_t>(w) < job.row_words;
       ++w) {
    team.each([&](int lane) {
      const std::uint64_t j = (first_word + static_cast<std::uint64_t>(w)) * warp_size +
                              static_cast<std::uint64_t>(lane);
      bit[lane] = false;
      if (j >= job.columns) return;
      const std::uint64_t column = job.column_rank == nullptr ? j : job.column_rank[j];
      bit[lane] = (in[column / warp_size] >> (column % warp_size) & 1u) != 0;
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
    if (word < job.row_words) job.out[row * job.row_words + word] = own[lane];
  });
  if (job.visible != nullptr && ones != 0) team.once([&] { Team::add(job.visible, ones); });
}

}  // namespace sightline::kernels
