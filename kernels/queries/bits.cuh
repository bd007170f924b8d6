// Bit matrices, by warps: transposing 32 x 32 blocks, and permuting rows and columns.
#pragma once

#include "kernels/launch/grid.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/traverse/team.cuh"

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

/// Words [32 piece, ...) of a row of `row_words`, whose bit j is is_set(j): lane l stores word l,
/// so that stores are coalesced. Returns how many bits are set; in all lanes.
template <class Team, class IsSet>
SIGHTLINE_HD std::uint64_t put_words(const Team& team, std::uint32_t* row, std::uint64_t row_words,
                                     std::uint64_t piece, IsSet&& is_set) {
  const std::uint64_t first_word = piece * warp_size;
  typename Team::template Lanes<bool> bit;
  typename Team::template Lanes<std::uint32_t> own;
  std::uint64_t ones = 0;
  for (int w = 0; w < warp_size && first_word + static_cast<std::uint64_t>(w) < row_words; ++w) {
    team.each([&](int lane) {
      bit[lane] = is_set((first_word + static_cast<std::uint64_t>(w)) * warp_size +
                         static_cast<std::uint64_t>(lane));
    });
    const std::uint32_t word = team.ballot(bit);
    ones += count_ones(word);
    team.each([&](int lane) {
      if (lane == w) own[lane] = word;
    });
  }
  team.each([&](int lane) {
    const std::uint64_t word = first_word + static_cast<std::uint64_t>(lane);
    if (word < row_words) row[word] = own[lane];
  });
  return ones;
}

/// Warps of a reordering job: one for every 32 words of a row.
SIGHTLINE_HD std::uint64_t reorder_pieces(const ReorderBitsJob& job) {
  return job.rows * pieces(job.row_words, warp_size);
}

/// Piece k of the job.
template <class Team>
SIGHTLINE_HD void reorder_piece(const Team& team, const ReorderBitsJob& job, std::uint64_t k) {
  const std::uint64_t pieces_of_row = pieces(job.row_words, warp_size);
  const std::uint64_t row = k / pieces_of_row;
  const std::uint64_t from = job.first_row + row;
  const std::uint32_t* in =
      job.in + (job.row_rank == nullptr ? from : job.row_rank[from]) * job.row_words;
  const std::uint64_t ones = put_words(
      team, job.out + row * job.row_words, job.row_words, k % pieces_of_row, [&](std::uint64_t j) {
        if (j >= job.columns) return false;
        const std::uint64_t column = job.column_rank == nullptr ? j : job.column_rank[j];
        return (in[column / warp_size] >> (column % warp_size) & 1u) != 0;
      });
  if (job.visible != nullptr && ones != 0) team.once([&] { Team::add(job.visible, ones); });
}

}  // namespace sightline::kernels
