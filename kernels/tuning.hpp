// Numbers that decide how fast kernels run, never what they answer.
#pragma once

namespace sightline::kernels {

// Blocks of one warp that a multiprocessor is to hold at once, for traversal of wide trees.
inline constexpr int wide_closest_blocks = 16;
inline constexpr int wide_any_blocks = 16;

// Blocks of block_size threads that a multiprocessor is to hold at once. 65,536 registers then give
// a thread at most 128 (for 4) or 96 (for 5); ptxas says of each kernel that it spills none.
inline constexpr int closest_hit_blocks = 4;
inline constexpr int any_hit_blocks = 4;
inline constexpr int cast_each_blocks = 5;
inline constexpr int sight_blocks = 5;
inline constexpr int self_sight_blocks = 4;
inline constexpr int obb_overlap_blocks = 2;
inline constexpr int other_overlap_blocks = 3;
inline constexpr int nearest_blocks = 3;
inline constexpr int clearance_blocks = 2;
inline constexpr int sweep_blocks = 2;
inline constexpr int flat_overlap_blocks = 6;
inline constexpr int flat_cast_blocks = 4;
inline constexpr int all_hits_blocks = 4;
inline constexpr int hploc_blocks = 8;  // at most 64 registers

}  // namespace sightline::kernels
