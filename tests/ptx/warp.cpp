// Which lanes of a warp go on, and their instructions until their ways part.
#include "tests/ptx/memory.hpp"

#include <algorithm>

namespace sightline::ptx {
namespace {

bool is_same(const Frame& a, const Frame& b) {
  return a.function == b.function && a.words == b.words && a.wides == b.wides &&
         a.predicates == b.predicates && a.local == b.local && a.parameters == b.parameters;
}

/// The deepest in calls, of these the first in the text: so lanes that parted meet again.
int first_in_step(const Warp& w, std::uint32_t ready) {
  int best = std::countr_zero(ready);
  each_lane(ready, [&](int lane) {
    const std::size_t depth = w.frames[lane].size(), most = w.frames[best].size();
    if (depth > most || (depth == most && w.pcs[lane] < w.pcs[best])) best = lane;
  });
  return best;
}

int any_of(Grid& grid, std::uint32_t ready) {
  auto skip = grid.random() % static_cast<unsigned>(std::popcount(ready));
  for (; skip > 0; --skip) ready &= ready - 1;
  return std::countr_zero(ready);
}

void keep(Warp& w) {
  each_lane(w.mask, [&](int lane) { w.pcs[lane] = w.pc; });
}

}  // namespace

void stop(const Warp& w, const Instruction& i, int lane, const std::string& why) {
  const Function& f = *w.frame.function;
  throw Error(f.module->name + ":" + std::to_string(i.line) + " (" + name_of(*f.module, i.source) +
              "), block " + std::to_string(w.block->number) + ", warp " + std::to_string(w.index) +
              ", lane " + std::to_string(lane) + ": " + why + ", in " + f.name);
}

void enter(Warp& w, const Frame& frame) {
  w.frame = frame;
  w.words[0] = w.all_words.data() + std::size_t{warp_lanes} * static_cast<std::size_t>(frame.words);
  w.wides[0] = w.all_wides.data() + std::size_t{warp_lanes} * static_cast<std::size_t>(frame.wides);
  w.predicates = w.all_predicates.data() + frame.predicates;
}

bool pick(Warp& w) {
  const std::uint32_t ready = w.ready();
  w.mask = 0;
  w.limit = ~0u;
  if (ready == 0) return false;
  Grid& grid = *w.grid;
  const int best = grid.by_chance ? any_of(grid, ready) : first_in_step(w, ready);
  const auto& frames = w.frames[best];
  each_lane(ready, [&](int lane) {
    if (w.frames[lane].size() != frames.size() || !is_same(w.frames[lane].back(), frames.back()))
      return;
    if (w.pcs[lane] == w.pcs[best])
      w.mask |= 1u << lane;
    else if (!grid.by_chance && w.pcs[lane] > w.pcs[best])
      w.limit = std::min(w.limit, w.pcs[lane]);
  });
  if (grid.by_chance && grid.random() % 4 == 0) {
    const std::uint32_t some = w.mask & static_cast<std::uint32_t>(grid.random());
    if (some != 0) w.mask = some;
  }
  w.pc = w.pcs[best];
  enter(w, frames.back());
  return true;
}

void run_some(Warp& w, unsigned most) {
  if (!pick(w)) return;
  const bool by_chance = w.grid->by_chance;
  for (; most > 0; --most) {
    Function& f = *w.frame.function;
    const Instruction& i = f.code[w.pc];
    std::uint32_t mask = w.mask;
    if (i.guard >= 0) mask &= i.guard_negated ? ~w.predicates[i.guard] : w.predicates[i.guard];
    ++f.executed[w.pc];
    if (i.flow == Flow::next) {
      if (mask != 0) i.run(w, i, mask);
      ++w.pc;
    } else if (mask == 0) {
      ++w.pc;
    } else if (i.flow == Flow::branch && mask == w.mask) {
      w.pc = i.target;
    } else if (!run_flow(w, i, mask)) {
      return;
    }
    if (w.pc >= w.limit || (by_chance && most % 8 == 0)) {
      keep(w);
      pick(w);
    }
  }
  keep(w);
}

}  // namespace sightline::ptx
