// Numbers that affect the speed of kernels, never their answers.
#pragma once

namespace sightline::kernels {

// For traversal of wide trees: blocks of one warp that a multiprocessor should hold at once, and
// the most that one of this architecture can.
inline constexpr int wide_closest_blocks = 24;
inline constexpr int wide_any_blocks = 24;
inline constexpr int box_search_blocks = 24;
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800 || __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870)
inline constexpr int most_blocks = 16;
#else
inline constexpr int most_blocks = 32;
#endif

// Blocks of block_size threads that a multiprocessor should hold at once. With 65,536 registers a
// thread then has at most 128 (for 4) or 96 (for 5); ptxas reports that none of these spills,
// except for 8 bytes of capsules that move.
inline constexpr int closest_hit_blocks = 4;
inline constexpr int any_hit_blocks = 4;
inline constexpr int sight_blocks = 5;
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
