// What runs: a grid, its blocks, their warps.
#pragma once

#include "tests/ptx/program.hpp"

#include <random>

namespace sightline::ptx {

inline constexpr int warp_lanes = 32;
inline constexpr std::uint32_t all_lanes = ~0u;
/// Where shared memory begins in its own space, so that no address in it is null.
inline constexpr std::uint64_t shared_base = 1024;

struct Frame {
  Function* function = nullptr;
  std::int32_t words = 0, wides = 0, predicates = 0;  ///< where its registers begin
  std::int64_t local = 0, parameters = 0;
  std::uint32_t back = 0;  ///< where the caller goes on
  const Call* call = nullptr;
};

struct Block;
struct Grid;

struct Warp {
  // Of the frame that runs; [1]: the module's constants.
  const std::uint32_t* words[2] = {};
  const std::uint64_t* wides[2] = {};
  std::uint32_t* predicates = nullptr;
  Frame frame;
  Grid* grid = nullptr;
  Block* block = nullptr;
  std::uint32_t index = 0;  ///< in the block
  std::uint32_t mask = 0;   ///< the lanes that run, all at `pc`
  std::uint32_t pc = 0;
  std::uint32_t limit = 0;  ///< where the next lanes wait
  std::uint32_t exited = 0, waiting_warp = 0, waiting_block = 0;
  std::uint32_t pcs[warp_lanes] = {}, members[warp_lanes] = {};
  std::uint32_t tick = 0;                            ///< barriers of this warp so far
  std::uint32_t known[warp_lanes][warp_lanes] = {};  ///< the tick up to which one knows another
  std::vector<Frame> frames[warp_lanes];
  std::vector<std::uint32_t> all_words, all_predicates;
  std::vector<std::uint64_t> all_wides;
  std::vector<std::uint64_t> local, parameters;  ///< of all lanes, lane by lane
  std::size_t local_bytes = 0, parameter_bytes = 0;

  bool is_done() const { return exited == all_lanes; }
  std::uint32_t ready() const { return ~(exited | waiting_warp | waiting_block); }
  char* local_of(int lane) {
    return reinterpret_cast<char*>(local.data()) + static_cast<std::size_t>(lane) * local_bytes;
  }
  char* parameters_of(int lane) {
    return reinterpret_cast<char*>(parameters.data()) +
           static_cast<std::size_t>(lane) * parameter_bytes;
  }
};

/// Who touched a byte last. Times count the barriers of a block, those of a warp, and all fences
/// and atomics of a grid.
struct Touched {
  std::uint32_t write_block = 0, read_block = 0;  ///< its number and 1; 0: none yet
  std::uint32_t write_phase = 0, read_phase = 0;
  std::uint32_t write_tick = 0, read_tick = 0, readers = 0;
  std::uint64_t write_time = 0, read_time = 0;
  std::uint16_t write_warp = 0, read_warp = 0;
  std::uint8_t writer = 0;
  bool strong = false;  ///< the write was an atomic or the like
};

enum class Seen : std::uint8_t { by_lane, by_warp, by_block };

/// A store that is not in memory yet.
struct Pending {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0, lane = 0;  ///< the lane's number in the block
  Seen seen = Seen::by_lane;
  unsigned char value[16] = {};
};

struct Block {
  Dim id;
  std::uint64_t number = 0;           ///< in the grid
  std::vector<std::uint64_t> shared;  ///< its memory, eight bytes each
  std::size_t shared_bytes = 0;
  std::vector<Warp*> warps;
  std::uint32_t live = 0, arrived = 0;  ///< lanes
  bool running = false, any = false, every = true;
  std::uint32_t phase = 0;       ///< barriers of this block so far
  std::vector<Touched> bytes;    ///< of `shared`, where races are looked for
  std::vector<Pending> pending;  ///< stores in a block's order

  char* memory() { return reinterpret_cast<char*>(shared.data()); }
};

struct Grid {
  const Launch* launch = nullptr;
  Function* function = nullptr;
  std::vector<std::uint64_t> parameters;
  std::vector<Range> memory;
  Range last;  ///< of `memory`, where the last access was
  std::mt19937_64 random;
  bool by_chance = false, races = false, weak = false;
  std::deque<Warp> warps;
  std::vector<Block> blocks;  ///< those that are resident
};

/// Ends the launch: says where the lane is, and why.
[[noreturn]] void stop(const Warp& warp, const Instruction& instruction, int lane,
                       const std::string& why);

/// `file:line` of a place, and of those that it was inlined at, the innermost first.
std::string name_of(const Module& module, std::uint32_t place, bool with_callers = false);

/// Makes the frame's registers those of the warp.
void enter(Warp& warp, const Frame& frame);
/// Chooses the lanes that go on; false: none can.
bool pick(Warp& warp);
/// Does some instructions of a warp that can go on.
void run_some(Warp& warp, unsigned most);
/// Does an instruction that lanes wait for each other at, or parts their ways.
/// False: the warp is at rest.
bool run_flow(Warp& warp, const Instruction& instruction, std::uint32_t mask);
/// The lanes that wait for all of their block, and those of their warp, if all are there now.
void release_block(Block& block);
void release_warp(Warp& warp);

/// Where SIGHTLINE_PTX_COUNTS names a file, what was executed is written there at the end.
void count_at_exit();

/// The address of a symbol for a lane.
std::uint64_t address_of(Warp& warp, const Operand& symbol, int lane);

}  // namespace sightline::ptx
