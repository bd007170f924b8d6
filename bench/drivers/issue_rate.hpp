// How many instructions a second the device issues when they are all that it does.
#pragma once

#include <cstdint>

struct CUstream_st;

namespace sightline::bench {

/// What the instructions are of: products with a sum of floats go to one pipe at the full rate,
/// byte permutes like most integer work to another at half of it.
enum class Pipe { fma, integer };

inline constexpr unsigned issue_block = 256;
inline constexpr std::uint64_t issued_by_warp_a_round = 256;

/// Puts a kernel into the stream whose warps do nothing else: issued_by_warp_a_round in each of so
/// many rounds. Returns at once; errors are the runtime's last one. `sink`: on the device, one
/// word.
void issue(CUstream_st* stream, Pipe pipe, unsigned blocks, unsigned rounds, std::uint32_t* sink);

}  // namespace sightline::bench
