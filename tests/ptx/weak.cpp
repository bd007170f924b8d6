// Stores that others see late, as a device's may be: until a fence of their scope, or a barrier,
// they are seen by the lane that made them, and reach memory in any order.
//
// What a lane of a block has fenced for the block, or a barrier ordered, the whole block sees. A
// fence for the device lets into memory all that the lane sees, not only its own.
#include "tests/ptx/memory.hpp"

#include <algorithm>

namespace sightline::ptx {
namespace {

constexpr std::size_t most_pending = 64;

std::uint32_t number_of(const Warp& w, int lane) {
  return w.index * warp_lanes + static_cast<std::uint32_t>(lane);
}

bool overlap(const Pending& p, std::uint64_t address, std::uint32_t bytes) {
  return p.address < address + bytes && address < p.address + p.bytes;
}

bool is_seen(const Pending& p, const Warp& w, int lane) {
  if (p.seen == Seen::by_block || p.lane == number_of(w, lane)) return true;
  return p.seen == Seen::by_warp && p.lane / warp_lanes == w.index;
}

bool is_of_or_seen_by(const Pending& p, const Warp& w, std::uint32_t lanes) {
  if (p.seen == Seen::by_block) return true;
  if (p.lane / warp_lanes != w.index) return false;
  return p.seen == Seen::by_warp || (lanes >> p.lane % warp_lanes & 1) != 0;
}

/// Into memory, after all earlier stores to any of its bytes.
void settle_at(Block& block, std::size_t at) {
  const Pending p = block.pending[at];
  for (std::size_t k = 0; k < at; ++k) {
    if (!overlap(block.pending[k], p.address, p.bytes)) continue;
    settle_at(block, k);
    --at;
    --k;
  }
  std::memcpy(reinterpret_cast<void*>(p.address), p.value, p.bytes);
  block.pending.erase(block.pending.begin() + static_cast<std::ptrdiff_t>(at));
}

template <class Which>
void settle_if(Block& block, Which&& which) {
  for (std::size_t k = block.pending.size(); k-- > 0;) {
    if (k < block.pending.size() && which(block.pending[k])) settle_at(block, k);
  }
}

}  // namespace

void store_late(const Touch& t, const void* value) {
  Block& block = *t.warp.block;
  Pending p;
  p.address = t.address;
  p.bytes = t.bytes;
  p.lane = number_of(t.warp, t.lane);
  std::memcpy(p.value, value, t.bytes);
  block.pending.push_back(p);
  if (block.pending.size() > most_pending)
    settle_at(block, t.warp.grid->random() % block.pending.size());
}

void see_pending(const Touch& t, void* value) {
  for (const Pending& p : t.warp.block->pending) {
    if (!overlap(p, t.address, t.bytes) || !is_seen(p, t.warp, t.lane)) continue;
    const std::uint64_t begin = std::max(p.address, t.address);
    const std::uint64_t end = std::min(p.address + p.bytes, t.address + t.bytes);
    std::memcpy(static_cast<char*>(value) + (begin - t.address), p.value + (begin - p.address),
                end - begin);
  }
}

void settle(const Touch& t) {
  settle_if(*t.warp.block, [&](const Pending& p) {
    return overlap(p, t.address, t.bytes) && is_seen(p, t.warp, t.lane);
  });
}

void settle_block(Block& block) {
  settle_if(block, [](const Pending&) { return true; });
}

void settle_some(Warp& w) {
  Block& block = *w.block;
  if (block.pending.empty() || w.grid->random() % 4 != 0) return;
  settle_at(block, w.grid->random() % block.pending.size());
}

void raise_pending(Warp& w, std::uint32_t lanes, Seen seen) {
  for (Pending& p : w.block->pending) {
    if (is_of_or_seen_by(p, w, lanes)) p.seen = std::max(p.seen, seen);
  }
}

void settle_lanes(Warp& w, std::uint32_t lanes) {
  settle_if(*w.block, [&](const Pending& p) { return is_of_or_seen_by(p, w, lanes); });
}

}  // namespace sightline::ptx
