// Loads and stores, and whether a lane may touch what it does.
#include "tests/ptx/memory.hpp"

#include <algorithm>

namespace sightline::ptx {
namespace {

bool holds(const Range& range, std::uint64_t address, std::uint32_t bytes) {
  return address >= range.begin && address + bytes <= range.end;
}

/// Whether the range of the grid's memory with this address holds all bytes; it is the next guess.
bool is_in_memory(Grid& grid, std::uint64_t address, std::uint32_t bytes) {
  auto it = std::upper_bound(grid.memory.begin(), grid.memory.end(), address,
                             [](std::uint64_t a, const Range& r) { return a < r.begin; });
  if (it == grid.memory.begin() || !holds(*--it, address, bytes)) return false;
  grid.last = *it;
  return true;
}

bool is_in(const char* begin, std::size_t size, std::uint64_t address, std::uint32_t bytes) {
  const auto first = reinterpret_cast<std::uint64_t>(begin);
  return holds({first, first + size}, address, bytes);
}

[[noreturn]] void refuse(const Warp& w, const Instruction& i, int lane, std::uint64_t address,
                         std::uint32_t bytes) {
  stop(w, i, lane,
       "no memory of " + std::to_string(bytes) + " bytes at " + std::to_string(address));
}

std::uint64_t effective(Warp& w, const Instruction& i, int lane) {
  const Operand& o = i.s[0];
  const auto offset = static_cast<std::uint64_t>(o.offset);
  if (o.kind == Operand::Kind::symbol) return address_of(w, o, lane);
  if (o.file == File::wide) return source<std::uint64_t>(w, o)[lane] + offset;
  return static_cast<std::uint32_t>(source<std::uint32_t>(w, o)[lane] + offset);
}

/// Slowly: a generic address may lie in shared memory or be the lane's own local memory.
char* place_elsewhere(Warp& w, const Instruction& i, int lane, std::uint64_t address,
                      std::uint32_t bytes) {
  if (is_in(w.block->memory(), w.block->shared_bytes, address, bytes)) {
    if (i.space != Space::generic) refuse(w, i, lane, address, bytes);
    if (w.grid->races) look_for_races({w, i, lane, address, bytes}, true);
  } else if (is_in(w.local_of(lane), w.local_bytes, address, bytes)) {
    if (i.space == Space::global) refuse(w, i, lane, address, bytes);
  } else if (!is_in(w.parameters_of(lane), w.parameter_bytes, address, bytes)) {
    refuse(w, i, lane, address, bytes);
  }
  return reinterpret_cast<char*>(address);
}

char* place_shared(Warp& w, const Instruction& i, int lane, std::uint64_t address,
                   std::uint32_t bytes) {
  if (address < shared_base || address + bytes > shared_base + w.block->shared_bytes) {
    stop(w, i, lane,
         "shared memory has " + std::to_string(w.block->shared_bytes) + " bytes, none at " +
             std::to_string(static_cast<std::int64_t>(address - shared_base)));
  }
  char* const at = w.block->memory() + (address - shared_base);
  if (w.grid->races) look_for_races({w, i, lane, reinterpret_cast<std::uint64_t>(at), bytes}, true);
  return at;
}

}  // namespace

char* place(Warp& w, const Instruction& i, int lane, std::uint32_t bytes) {
  const std::uint64_t address = effective(w, i, lane);
  if ((address & (bytes - 1)) != 0) {
    stop(w, i, lane,
         "address " + std::to_string(address) + " is no multiple of " + std::to_string(bytes));
  }
  if (i.space == Space::shared) return place_shared(w, i, lane, address, bytes);
  const bool own = i.space == Space::local || i.space == Space::call_parameter;
  if (own || (!holds(w.grid->last, address, bytes) && !is_in_memory(*w.grid, address, bytes))) {
    return place_elsewhere(w, i, lane, address, bytes);
  }
  if (w.grid->races) look_for_races({w, i, lane, address, bytes}, false);
  return reinterpret_cast<char*>(address);
}

namespace {

bool is_delayed(const Warp& w, const Instruction& i) {
  return w.grid->weak &&
         (i.space == Space::generic || i.space == Space::global || i.space == Space::shared);
}

void load(Warp& w, const Instruction& i, std::uint32_t mask) {
  const std::uint32_t bytes = std::uint32_t{i.size} * i.count;
  each_lane(mask, [&](int lane) {
    char value[16];
    const char* const at = place(w, i, lane, bytes);
    std::memcpy(value, at, bytes);
    if (is_delayed(w, i))
      see_pending({w, i, lane, reinterpret_cast<std::uint64_t>(at), bytes}, value);
    for (int k = 0; k < i.count; ++k) {
      const Operand& d = i.d[k];
      if (d.kind != Operand::Kind::reg) continue;
      std::uint64_t v = 0;
      std::memcpy(&v, value + k * i.size, i.size);
      const int above = 64 - 8 * i.size;
      if (i.is_signed)
        v = static_cast<std::uint64_t>(static_cast<std::int64_t>(v << above) >> above);
      if (d.file == File::wide) {
        target<std::uint64_t>(w, d)[lane] = v;
      } else {
        const auto word = static_cast<std::uint32_t>(v);
        target<std::uint32_t>(w, d)[lane] = d.file == File::half ? word & 0xFFFF : word;
      }
    }
  });
}

/// The plainest and most frequent: an element into a register of its width.
template <class T>
void load_one(Warp& w, const Instruction& i, std::uint32_t mask) {
  if (is_delayed(w, i)) return load(w, i, mask);
  T* const to = target<T>(w, i.d[0]);
  each_lane(mask,
            [&](int lane) { std::memcpy(to + lane, place(w, i, lane, sizeof(T)), sizeof(T)); });
}

void store(Warp& w, const Instruction& i, std::uint32_t mask) {
  const std::uint32_t bytes = std::uint32_t{i.size} * i.count;
  each_lane(mask, [&](int lane) {
    char value[16];
    for (int k = 0; k < i.count; ++k) {
      const Operand& s = i.d[k];
      const void* const from = s.file == File::wide
                                   ? static_cast<const void*>(source<std::uint64_t>(w, s) + lane)
                                   : source<std::uint32_t>(w, s) + lane;
      std::memcpy(value + k * i.size, from, i.size);
    }
    char* const at = place(w, i, lane, bytes);
    if (is_delayed(w, i)) {
      store_late({w, i, lane, reinterpret_cast<std::uint64_t>(at), bytes}, value);
    } else {
      std::memcpy(at, value, bytes);
    }
  });
}

/// The words of a name after the first, taken one by one.
struct Words {
  const std::vector<std::string_view>& parts;
  std::size_t at = 1;
  std::string_view peek() const { return at < parts.size() ? parts[at] : std::string_view(); }
  bool take(std::string_view word) {
    if (peek() != word) return false;
    ++at;
    return true;
  }
};

bool take_scope(Words& words) {
  return words.take("cta") || words.take("gpu") || words.take("sys");
}

Space take_space(Words& words) {
  if (words.take("global")) return Space::global;
  if (words.take("shared")) return Space::shared;
  if (words.take("local")) return Space::local;
  return words.take("param") ? Space::parameter : Space::generic;
}

bool find_plain(Words& words, Instruction& i, Type& type) {
  const bool loads = words.parts[0] == "ld";
  const bool strong = words.take("volatile") || (words.take("relaxed") && take_scope(words));
  i.access = loads ? (strong ? Access::strong_load : Access::load)
                   : (strong ? Access::strong_store : Access::store);
  i.space = take_space(words);
  if (words.take("nc") && (!loads || strong || i.space != Space::global)) return false;
  i.count = words.take("v2") ? 2 : words.take("v4") ? 4 : 1;
  if (!find_type(words.peek(), type) || type.size == 0 || type.size * i.count > 16) return false;
  i.run = loads ? load : store;
  return words.at + 1 == words.parts.size();
}

}  // namespace

bool find_memory(const std::vector<std::string_view>& parts, Instruction& i, Type& type) {
  Words words{parts};
  if (parts[0] == "ld" || parts[0] == "st") {
    if (!find_plain(words, i, type)) return false;
  } else {
    const bool relaxed = words.take("relaxed");
    if (relaxed && !take_scope(words)) return false;
    i.access = Access::atomic;
    i.space = take_space(words);
    if (i.space == Space::local || i.space == Space::parameter || parts.size() != words.at + 2)
      return false;
    if (!find_type(parts.back(), type)) return false;
    i.run = find_atomic(words.peek(), type);
  }
  i.size = type.size;
  i.is_signed = type.kind == 's';
  return i.run != nullptr;
}

Handler quick_load(const Instruction& i) {
  if (i.access != Access::load || i.count != 1 || i.d[0].kind != Operand::Kind::reg) return i.run;
  if (i.size == 4 && i.d[0].file == File::word) return load_one<std::uint32_t>;
  return i.size == 8 ? load_one<std::uint64_t> : i.run;
}

}  // namespace sightline::ptx
