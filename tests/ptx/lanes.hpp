// What handlers are written with: an operand's 32 lanes, and loops over those of a mask.
#pragma once

#include "tests/ptx/engine.hpp"
#include "tests/ptx/lexer.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace sightline::ptx {

/// The lanes of a register or constant, read as T: signed and floats lie in the same slots.
template <class T>
const T* source(const Warp& warp, const Operand& operand) {
  if constexpr (sizeof(T) == 8) {
    return reinterpret_cast<const T*>(warp.wides[operand.constant] + operand.slot * warp_lanes);
  } else {
    static_assert(sizeof(T) == 4);
    return reinterpret_cast<const T*>(warp.words[operand.constant] + operand.slot * warp_lanes);
  }
}

template <class T>
T* target(Warp& warp, const Operand& operand) {
  return const_cast<T*>(source<T>(warp, operand));
}

/// A bit a lane.
inline std::uint32_t predicate(const Warp& warp, const Operand& operand) {
  const std::uint32_t constant = operand.slot != 0 ? all_lanes : 0;
  const std::uint32_t value = operand.constant ? constant : warp.predicates[operand.slot];
  return operand.negated ? ~value : value;
}

inline void set_predicate(Warp& warp, const Operand& operand, std::uint32_t value,
                          std::uint32_t mask) {
  if (operand.kind != Operand::Kind::reg) return;
  std::uint32_t& bits = warp.predicates[operand.slot];
  bits = (bits & ~mask) | (value & mask);
}

template <class F>
void each_lane(std::uint32_t mask, F&& f) {
  for (std::uint32_t left = mask; left != 0; left &= left - 1) f(std::countr_zero(left));
}

/// to[lane] = f(lane) for the lanes of the mask. The loops over all lanes are for the vectoriser:
/// f has no effect where the mask has no bit.
template <class T, class F>
void put(T* __restrict to, std::uint32_t mask, F&& f) {
  if (mask == all_lanes) {
    for (int lane = 0; lane < warp_lanes; ++lane) to[lane] = f(lane);
  } else if (std::popcount(mask) <= 4) {
    each_lane(mask, [&](int lane) { to[lane] = f(lane); });
  } else {
    for (int lane = 0; lane < warp_lanes; ++lane) {
      const T value = f(lane);
      to[lane] = (mask >> lane & 1) != 0 ? value : to[lane];
    }
  }
}

/// The same for what may only be computed, or is only quick, lane by lane.
template <class T, class F>
void put_each(T* to, std::uint32_t mask, F&& f) {
  each_lane(mask, [&](int lane) { to[lane] = f(lane); });
}

/// A NaN that an instruction of f32 makes is this one; those of f64 keep their payload.
inline float canonical(float value) {
  return value == value ? value : std::bit_cast<float>(0x7FFFFFFFu);
}
inline double canonical(double value) { return value; }

/// An instruction without memory: its handler, and the files of its operands, the target first:
/// p predicate, h half, w word, d wide.
struct Form {
  Handler run = nullptr;
  std::string_view files;
  Handler from_wide = nullptr;  ///< of a conversion: of the low bits of a wide register
};
using Forms = std::unordered_map<std::string, Form>;

// Each adds those of its file.
void add_arithmetic(Forms& forms);
void add_bits(Forms& forms);
void add_comparisons(Forms& forms);
void add_conversions(Forms& forms);

/// All of them.
const Forms& forms();
/// Of memory, warps and moves; null or false: there is no such form.
Handler find_move(const Instruction& instruction, const std::vector<std::string_view>& parts);
bool find_memory(const std::vector<std::string_view>& parts, Instruction& instruction, Type& type);
/// A quicker handler for the plainest of loads, else its own.
Handler quick_load(const Instruction& load);
bool find_warp_form(const std::string& name, Instruction& instruction);

}  // namespace sightline::ptx
