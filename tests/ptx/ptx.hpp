// An interpreter of PTX, the assembly that nvcc makes of the kernels: so compiled device code, with
// Thrust's and CUB's, runs where there is no GPU, and what a GPU would leave unseen is an error: an
// address out of bounds, a lane that a barrier waits for in vain, a race.
// docs/project/testing-without-gpu.md says what it proves and what it cannot.
//
// An instruction is done for all lanes of a warp that are at it, so a register is 32 lanes wide.
// Each lane has a program counter and a stack of calls of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::ptx {

/// What is wrong with a module, or what a kernel did wrong.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  /// 0: in step, that is all lanes of a warp together as far as they can, warps in turns.
  /// Otherwise lanes and warps go on in an order that this number makes.
  std::uint64_t seed = 0;
  bool races = false;      ///< look for them, and for shared memory that is read before written
  bool weak = false;       ///< with a seed: stores are delayed until a fence or barrier
  unsigned resident = 4;   ///< blocks side by side
  unsigned quantum = 400;  ///< instructions of a warp before another's turn
  /// For mutants of the compiled code: `file.cuh:line`, whose barriers, fences and masks are left
  /// out.
  std::string without;
};

/// At first what the environment says: SIGHTLINE_PTX_SEED=n, SIGHTLINE_PTX_RACES=1,
/// SIGHTLINE_PTX_WEAK=1, SIGHTLINE_PTX_RESIDENT=n, SIGHTLINE_PTX_WITHOUT=file.cuh:line.
Options& options();

struct Dim {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// Memory that a kernel may touch.
struct Range {
  std::uint64_t begin = 0, end = 0;
};

struct Launch {
  Dim grid, block;
  const void* const* arguments = nullptr;
  std::size_t dynamic_shared = 0;
  std::vector<Range> memory;  ///< in ascending order
};

struct Module;
struct Function;

/// Reads a module. Throws an Error that names every form of an opcode that the interpreter has not.
Module& load(std::string name, std::string text);
/// The entry of this name; null: there is none.
Function* find_entry(Module& module, std::string_view name);
/// The bytes of each of its parameters.
std::vector<std::size_t> parameter_sizes(const Function& function);
/// Runs a grid to its end. One at a time, whichever thread calls.
void launch(Function& function, const Launch& what);

/// Races that were seen, each line of the PTX once; forgotten when asked.
std::vector<std::string> take_races();

}  // namespace sightline::ptx
