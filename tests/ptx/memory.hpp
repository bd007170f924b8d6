// What loads, stores and atomics have in common.
#pragma once

#include "tests/ptx/lanes.hpp"

namespace sightline::ptx {

/// An access of one lane.
struct Touch {
  Warp& warp;
  const Instruction& instruction;
  int lane;
  std::uint64_t address;  ///< the host's
  std::uint32_t bytes;
};

/// Where in the host's memory an access goes. Stops at one that is not the lane's, and tells the
/// looking for races.
char* place(Warp& warp, const Instruction& instruction, int lane, std::uint32_t bytes);

/// Looks for another access to the same bytes that nothing orders with this one.
void look_for_races(const Touch& touch, bool in_shared);
/// A block begins: nobody has touched its memory.
void forget_shared(Block& block);
/// A grid begins: nobody has touched any memory.
void forget_global();
/// What was ordered by a barrier of a warp's lanes, or by a fence of one.
void order_warp(Warp& warp, std::uint32_t members);
void order_fence(Warp& warp, std::uint32_t lanes, Scope scope);

// Stores that are delayed, by which grids of chance run.
void store_late(const Touch& touch, const void* value);
/// Puts into `value` what the lane sees of stores that are not in memory yet.
void see_pending(const Touch& touch, void* value);
/// Lets go what an atomic at these bytes comes after.
void settle(const Touch& touch);
void settle_block(Block& block);
/// Lets some stores of the block into memory, in any order.
void settle_some(Warp& warp);
void raise_pending(Warp& warp, std::uint32_t lanes, Seen seen);
void settle_lanes(Warp& warp, std::uint32_t lanes);

/// Of atom and red; null: there is no such form.
Handler find_atomic(std::string_view operation, const Type& type);

}  // namespace sightline::ptx
