// Branches, calls, and where lanes wait for each other.
#include "tests/ptx/memory.hpp"

namespace sightline::ptx {
namespace {

std::int64_t up_to_16(std::int64_t value) { return (value + 15) / 16 * 16; }

void copy_parameter(char* memory, std::int64_t to, std::int64_t from, std::int64_t bytes) {
  std::memcpy(memory + to, memory + from, static_cast<std::size_t>(bytes));
}

void call(Warp& w, const Instruction& i, std::uint32_t mask) {
  const Frame& caller = w.frame;
  const Function& f = *caller.function;
  const Frame made{i.call->callee,
                   caller.words + f.words,
                   caller.wides + f.wides,
                   caller.predicates + f.predicates,
                   up_to_16(caller.local + f.local_bytes),
                   up_to_16(caller.parameters + f.call_bytes),
                   w.pc + 1,
                   i.call};
  each_lane(mask, [&](int lane) {
    for (std::size_t k = 0; k < i.call->arguments.size(); ++k) {
      const Parameter& p = made.function->parameters[k];
      copy_parameter(w.parameters_of(lane), made.parameters + p.offset,
                     caller.parameters + i.call->arguments[k], p.size);
    }
    w.frames[lane].push_back(made);
    w.pcs[lane] = 0;
  });
}

void go_back(Warp& w, std::uint32_t mask) {
  each_lane(mask, [&](int lane) {
    const Frame frame = w.frames[lane].back();
    w.frames[lane].pop_back();
    const Frame& caller = w.frames[lane].back();
    for (std::size_t k = 0; k < frame.call->results.size(); ++k) {
      const Parameter& p = frame.function->results[k];
      copy_parameter(w.parameters_of(lane), caller.parameters + frame.call->results[k],
                     frame.parameters + p.offset, p.size);
    }
    w.pcs[lane] = frame.back;
  });
}

void wait_for_warp(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto* members = source<std::uint32_t>(w, i.s[3]);
  each_lane(mask, [&](int lane) {
    if ((members[lane] >> lane & 1) == 0) stop(w, i, lane, "it is not of its own members");
    if ((members[lane] & w.exited) != 0) stop(w, i, lane, "it waits for a lane that has ended");
    w.members[lane] = members[lane];
  });
  w.waiting_warp |= mask;
  release_warp(w);
}

void wait_for_block(Warp& w, const Instruction& i, std::uint32_t mask) {
  Block& block = *w.block;
  if (i.mode != 0) {
    const std::uint32_t yes = predicate(w, i.s[0]) & mask;
    block.any |= yes != 0;
    block.every &= yes == mask;
  }
  w.waiting_block |= mask;
  block.arrived += static_cast<std::uint32_t>(std::popcount(mask));
  release_block(block);
}

void end_lanes(Warp& w, std::uint32_t mask) {
  w.exited |= mask;
  w.block->live -= static_cast<std::uint32_t>(std::popcount(mask));
  each_lane(w.waiting_warp, [&](int lane) {
    if ((w.members[lane] & mask) == 0) return;
    const Frame& frame = w.frames[lane].back();
    stop(w, frame.function->code[w.pcs[lane]], lane, "it waits for a lane that has ended");
  });
  release_block(*w.block);
}

const Instruction& instruction_of(const Warp& w, int lane) {
  return w.frames[lane].back().function->code[w.pcs[lane]];
}

void go_on(Warp& w, std::uint32_t mask) {
  each_lane(mask, [&](int lane) { ++w.pcs[lane]; });
}

/// Those of the lane's members that wait where it does, for the same members.
std::uint32_t present(const Warp& w, int lane) {
  const Instruction& here = instruction_of(w, lane);
  std::uint32_t found = 0;
  each_lane(w.waiting_warp & w.members[lane], [&](int other) {
    const Instruction& there = instruction_of(w, other);
    const bool together = &here == &there || (here.any_place && there.any_place);
    if (together && w.members[other] == w.members[lane]) found |= 1u << other;
  });
  return found;
}

}  // namespace

void release_warp(Warp& w) {
  for (std::uint32_t left = w.waiting_warp; left != 0;) {
    const int lane = std::countr_zero(left);
    const std::uint32_t here = present(w, lane);
    left &= ~here;
    if (here != w.members[lane]) continue;
    const Frame frame = w.frames[lane].back();
    const Instruction& i = instruction_of(w, lane);
    if (i.any_place) {
      order_warp(w, here);
    } else {
      enter(w, frame);
      i.run(w, i, here);
    }
    go_on(w, here);
    w.waiting_warp &= ~here;
  }
}

void release_block(Block& block) {
  if (block.live == 0 || block.arrived != block.live) return;
  for (Warp* w : block.warps) {
    each_lane(w->waiting_block, [&](int lane) {
      const Instruction& i = instruction_of(*w, lane);
      if (i.mode == 0) return;
      const auto at = static_cast<std::size_t>(w->frames[lane].back().predicates + i.d[0].slot);
      std::uint32_t& bits = w->all_predicates[at];
      const bool result = i.mode == 1 ? block.any : block.every;
      bits = (bits & ~(1u << lane)) | std::uint32_t{result} << lane;
    });
    if (w->grid->weak) raise_pending(*w, all_lanes, Seen::by_block);
    go_on(*w, w->waiting_block);
    w->waiting_block = 0;
  }
  block.arrived = 0;
  block.any = false;
  block.every = true;
  ++block.phase;
}

bool run_flow(Warp& w, const Instruction& i, std::uint32_t mask) {
  if (i.of_whoever) {
    i.run(w, i, mask);
    ++w.pc;
    return true;
  }
  const bool quick = i.flow == Flow::warp_sync && mask == w.mask;
  if (quick) {
    const auto* members = source<std::uint32_t>(w, i.s[3]);
    std::uint32_t unlike = 0;
    each_lane(mask, [&](int lane) { unlike |= members[lane] ^ mask; });
    if (unlike == 0) {
      i.any_place ? order_warp(w, mask) : i.run(w, i, mask);
      ++w.pc;
      return true;
    }
  }
  each_lane(w.mask, [&](int lane) {
    const bool waits = i.flow == Flow::warp_sync || i.flow == Flow::block_sync;
    w.pcs[lane] = waits && (mask >> lane & 1) != 0 ? w.pc : w.pc + 1;
  });
  switch (i.flow) {
    case Flow::branch:
      each_lane(mask, [&](int lane) { w.pcs[lane] = i.target; });
      break;
    case Flow::call:
      call(w, i, mask);
      break;
    case Flow::ret:
      go_back(w, mask);
      break;
    case Flow::exit:
      end_lanes(w, mask);
      break;
    case Flow::warp_sync:
      wait_for_warp(w, i, mask);
      break;
    case Flow::block_sync:
      wait_for_block(w, i, mask);
      break;
    case Flow::fence:
      order_fence(w, mask, i.scope);
      break;
    case Flow::yield:
    case Flow::next:
      return false;
  }
  return pick(w);
}

std::uint64_t address_of(Warp& w, const Operand& o, int lane) {
  const auto at = [&](const char* base, std::int64_t more) {
    return reinterpret_cast<std::uint64_t>(base + more + o.offset);
  };
  switch (static_cast<Space>(o.slot)) {
    case Space::local:
      return at(w.local_of(lane), w.frame.local);
    case Space::call_parameter:
      return at(w.parameters_of(lane), w.frame.parameters);
    case Space::parameter:
      return at(reinterpret_cast<const char*>(w.grid->parameters.data()), 0);
    case Space::shared:
      return shared_base + static_cast<std::uint64_t>(o.offset);
    case Space::global:
    case Space::generic:
      break;
  }
  return static_cast<std::uint64_t>(o.offset);
}

}  // namespace sightline::ptx
