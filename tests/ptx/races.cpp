// Whether two accesses to a byte are in an order that the kernel made.
//
// Barriers order: all lanes of a block, or the members of a barrier of a warp. Votes and shuffles
// do not. Between blocks, and between warps of one phase, an order is a fence after the earlier
// access and an atomic (or a relaxed or volatile access) after it, then an atomic of whoever comes
// later, and a fence of it after that. Whether that atomic read what the other wrote is not looked
// at, and of the reads of a byte only the last is remembered: so a race may stay unseen, but what
// is reported is one.
#include "tests/ptx/memory.hpp"

#include <algorithm>
#include <array>
#include <mutex>

namespace sightline::ptx {
namespace {

/// When a block's or a warp's lanes came to fences and atomics.
struct Times {
  std::vector<std::uint64_t> fences, atomics;
};

struct Looking {
  using Page = std::array<Touched, 4096>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages;
  std::uint64_t last_number = ~0ull;
  Page* last = nullptr;
  std::unordered_map<std::uint64_t, Times> times;
  std::uint64_t now = 1;
};
Looking global;

std::mutex reports_mutex;
std::map<std::string, std::uint64_t> reports;

Touched& global_byte(std::uint64_t address) {
  const std::uint64_t number = address / 4096;
  if (number != global.last_number) {
    auto& page = global.pages[number];
    if (page == nullptr) page = std::make_unique<Looking::Page>();
    global.last = page.get();
    global.last_number = number;
  }
  return (*global.last)[address % 4096];
}

std::uint64_t key_of(std::uint64_t block, std::uint32_t warp) { return block * 64 + warp + 1; }
std::uint64_t key_of(std::uint64_t block) { return block * 64; }

/// The first of these after a time; 0: none.
std::uint64_t first_after(const std::vector<std::uint64_t>& times, std::uint64_t time) {
  const auto it = std::upper_bound(times.begin(), times.end(), time);
  return it == times.end() ? 0 : *it;
}

/// Whether fences and atomics can have put what `from` did at a time before what `to` does now.
bool is_handed_over(std::uint64_t from, std::uint64_t time, std::uint64_t to) {
  const std::uint64_t released = first_after(global.times[from].fences, time);
  if (released == 0) return false;
  const std::uint64_t published = first_after(global.times[from].atomics, released);
  if (published == 0) return false;
  const Times& other = global.times[to];
  const std::uint64_t acquired = first_after(other.atomics, published);
  return acquired != 0 && first_after(other.fences, acquired) != 0;
}

struct Earlier {
  std::uint64_t block;
  std::uint32_t warp, phase, tick, lanes;
  std::uint64_t time;
};

bool is_ordered(const Touch& t, const Earlier& e) {
  const Warp& w = t.warp;
  const Block& block = *w.block;
  if (e.block != block.number) return is_handed_over(key_of(e.block), e.time, key_of(block.number));
  if (e.phase != block.phase) return true;
  if (e.warp != w.index) {
    return is_handed_over(key_of(e.block, e.warp), e.time, key_of(block.number, w.index));
  }
  bool all = true;
  each_lane(e.lanes & ~(1u << t.lane), [&](int lane) { all &= w.known[t.lane][lane] >= e.tick; });
  return all;
}

void report(const Touch& t, const char* what) {
  const Function& f = *t.warp.frame.function;
  const std::string line = std::string(what) + " at " + name_of(*f.module, t.instruction.source) +
                           " (PTX line " + std::to_string(t.instruction.line) + ") in " + f.name;
  const std::lock_guard lock(reports_mutex);
  if (reports[line]++ == 0) std::fprintf(stderr, "ptx: %s\n", line.c_str());
}

void look_at(const Touch& t, Touched& byte, bool writes, bool strong, bool reads) {
  const Block& block = *t.warp.block;
  const auto me = static_cast<std::uint32_t>(block.number + 1);
  if (byte.write_block != 0 && !(strong && byte.strong)) {
    const Earlier e{byte.write_block - 1u, byte.write_warp,   byte.write_phase,
                    byte.write_tick,       1u << byte.writer, byte.write_time};
    if (!is_ordered(t, e))
      report(t, writes ? "a race of two writes" : "a race of a write and this read");
  }
  if (writes && byte.read_block != 0) {
    const Earlier e{byte.read_block - 1u, byte.read_warp, byte.read_phase,
                    byte.read_tick,       byte.readers,   byte.read_time};
    if (!is_ordered(t, e)) report(t, "a race of a read and this write");
  }
  const auto warp = static_cast<std::uint16_t>(t.warp.index);
  // An atomic of whoever wrote just before does not make others forget that write.
  const bool again = strong && !byte.strong && byte.write_block == me && byte.write_warp == warp &&
                     byte.writer == t.lane && byte.write_phase == block.phase &&
                     byte.write_tick == t.warp.tick;
  if (writes && !again) {
    byte.write_block = me;
    byte.write_phase = block.phase;
    byte.write_tick = t.warp.tick;
    byte.write_time = global.now;
    byte.write_warp = warp;
    byte.writer = static_cast<std::uint8_t>(t.lane);
    byte.strong = strong;
  }
  if (!reads || strong) return;
  const bool joins = byte.read_block == me && byte.read_phase == block.phase &&
                     byte.read_warp == warp && byte.read_tick == t.warp.tick;
  byte.readers = (joins ? byte.readers : 0) | 1u << t.lane;
  byte.read_block = me;
  byte.read_phase = block.phase;
  byte.read_tick = t.warp.tick;
  byte.read_time = global.now;
  byte.read_warp = warp;
}

void note(Warp& w, std::vector<std::uint64_t> Times::*which) {
  ++global.now;
  (global.times[key_of(w.block->number)].*which).push_back(global.now);
  (global.times[key_of(w.block->number, w.index)].*which).push_back(global.now);
}

}  // namespace

void look_for_races(const Touch& t, bool in_shared) {
  const Access access = t.instruction.access;
  const bool strong = access != Access::load && access != Access::store;
  const bool writes = access != Access::load && access != Access::strong_load;
  const bool reads = access != Access::store && access != Access::strong_store;
  bool unwritten = false;
  const auto base = reinterpret_cast<std::uint64_t>(t.warp.block->memory());
  for (std::uint64_t a = t.address; a < t.address + t.bytes; ++a) {
    Touched& byte = in_shared ? t.warp.block->bytes[a - base] : global_byte(a);
    unwritten |= in_shared && reads && !t.instruction.only_writes && byte.write_block == 0;
    look_at(t, byte, writes, strong, reads);
  }
  if (unwritten) report(t, "shared memory is read that nobody has written,");
  if (strong) note(t.warp, &Times::atomics);
}

void forget_shared(Block& block) {
  block.bytes.assign(block.shared_bytes, {});
  ++block.phase;
}

void forget_global() {
  global.pages.clear();
  global.times.clear();
  global.last_number = ~0ull;
  global.now = 1;
}

void order_warp(Warp& w, std::uint32_t members) {
  if (w.grid->weak) raise_pending(w, members, Seen::by_warp);
  if (!w.grid->races) return;
  std::uint32_t most[warp_lanes] = {};
  each_lane(members, [&](int lane) {
    for (int other = 0; other < warp_lanes; ++other)
      most[other] = std::max(most[other], w.known[lane][other]);
  });
  each_lane(members, [&](int lane) { most[lane] = w.tick; });
  each_lane(members, [&](int lane) { std::copy(std::begin(most), std::end(most), w.known[lane]); });
  ++w.tick;
}

void order_fence(Warp& w, std::uint32_t lanes, Scope scope) {
  if (w.grid->weak) {
    scope == Scope::device ? settle_lanes(w, lanes) : raise_pending(w, lanes, Seen::by_block);
  }
  if (!w.grid->races) return;
  if (scope == Scope::device) return note(w, &Times::fences);
  global.times[key_of(w.block->number, w.index)].fences.push_back(++global.now);
}

std::vector<std::string> take_races() {
  const std::lock_guard lock(reports_mutex);
  std::vector<std::string> all;
  for (const auto& [line, count] : reports) all.push_back(line);
  reports.clear();
  return all;
}

}  // namespace sightline::ptx
