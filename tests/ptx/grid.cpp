// A launch: its blocks, a few at a time, their warps in turns.
#include "tests/ptx/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace sightline::ptx {
namespace {

/// What a frame and all that it may call need at most.
struct Need {
  std::int64_t words = 0, wides = 0, predicates = 0, local = 0, parameters = 0;
};

Need need_of(const Function& f) {
  Need most;
  for (const auto& call : f.calls) {
    const Need n = need_of(*call->callee);
    most = {std::max(most.words, n.words), std::max(most.wides, n.wides),
            std::max(most.predicates, n.predicates), std::max(most.local, n.local),
            std::max(most.parameters, n.parameters)};
  }
  return {most.words + f.words, most.wides + f.wides, most.predicates + f.predicates,
          most.local + f.local_bytes + 16, most.parameters + f.call_bytes + 16};
}

std::size_t words_of(std::size_t bytes) { return (bytes + 15) / 16 * 2; }
constexpr std::uint64_t unwritten = 0xA5A5A5A5A5A5A5A5;

void make_warp(Grid& grid, Block& block, std::uint32_t index, const Need& need) {
  Warp& w = grid.warps.emplace_back();
  w.grid = &grid;
  w.block = &block;
  w.index = index;
  const auto lanes_of = [](std::int64_t n) { return static_cast<std::size_t>(n * warp_lanes); };
  w.all_words.assign(lanes_of(need.words), 0xA5A5A5A5u);
  w.all_wides.assign(lanes_of(need.wides), unwritten);
  w.all_predicates.assign(static_cast<std::size_t>(need.predicates), 0);
  w.local.assign(words_of(static_cast<std::size_t>(need.local)) * warp_lanes, unwritten);
  w.local_bytes = words_of(static_cast<std::size_t>(need.local)) * 8;
  w.parameters.assign(words_of(static_cast<std::size_t>(need.parameters)) * warp_lanes, unwritten);
  w.parameter_bytes = words_of(static_cast<std::size_t>(need.parameters)) * 8;
  const Constants& constants = grid.function->module->constants;
  w.words[1] = constants.words.data();
  w.wides[1] = constants.wides.data();
  block.warps.push_back(&w);
}

void start_block(Grid& grid, Block& block, std::uint64_t number) {
  const Dim g = grid.launch->grid;
  const auto threads = static_cast<std::uint32_t>(grid.launch->block.count());
  block.number = number;
  block.id = {static_cast<std::uint32_t>(number % g.x),
              static_cast<std::uint32_t>(number / g.x % g.y),
              static_cast<std::uint32_t>(number / g.x / g.y)};
  block.live = threads;
  block.arrived = 0;
  block.running = true;
  std::fill(block.shared.begin(), block.shared.end(), unwritten);
  if (grid.races) forget_shared(block);
  for (Warp* w : block.warps) {
    const std::uint32_t lanes =
        std::min<std::uint32_t>(warp_lanes, threads - w->index * warp_lanes);
    w->exited = lanes == warp_lanes ? 0 : ~((1u << lanes) - 1);
    w->waiting_warp = w->waiting_block = 0;
    w->tick = 1;
    std::memset(w->known, 0, sizeof w->known);
    std::fill(std::begin(w->pcs), std::end(w->pcs), 0);
    for (auto& frames : w->frames) {
      Frame first;
      first.function = grid.function;
      frames.assign(1, first);
    }
  }
}

void check_launch(const Function& f, const Launch& what) {
  const std::uint64_t threads = what.block.count();
  if (!f.entry) throw Error(f.name + " is no kernel");
  if (threads == 0 || what.grid.count() == 0) throw Error(f.name + ": a launch of nothing");
  if (threads > (f.max_threads != 0 ? f.max_threads : 1024)) {
    throw Error(f.name + ": " + std::to_string(threads) + " threads, more than its bound");
  }
  const auto shared = static_cast<std::uint64_t>(f.shared_bytes) + what.dynamic_shared;
  if (shared > 48 * 1024)
    throw Error(f.name + ": " + std::to_string(shared) + " bytes of shared memory");
}

void copy_arguments(Grid& grid) {
  const Function& f = *grid.function;
  grid.parameters.assign(words_of(static_cast<std::size_t>(f.parameter_bytes)) + 2, 0);
  auto* const to = reinterpret_cast<char*>(grid.parameters.data());
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    const Parameter& p = f.parameters[k];
    std::memcpy(to + p.offset, grid.launch->arguments[k], static_cast<std::size_t>(p.size));
  }
}

void allow(Grid& grid, const void* begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uint64_t>(begin);
  grid.memory.push_back({first, first + bytes});
}

void make_grid(Grid& grid, Function& f, const Launch& what, std::uint64_t run) {
  const Options& o = options();
  grid.launch = &what;
  grid.function = &f;
  grid.by_chance = o.seed != 0;
  grid.weak = o.weak && grid.by_chance;
  grid.races = o.races;
  grid.random.seed(o.seed * 1000003 + run);
  copy_arguments(grid);
  grid.memory = what.memory;
  allow(grid, grid.parameters.data(), static_cast<std::size_t>(f.parameter_bytes));
  for (const auto& [name, bytes] : f.module->globals) allow(grid, bytes.data(), bytes.size() - 16);
  std::sort(grid.memory.begin(), grid.memory.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  grid.blocks.resize(std::min<std::uint64_t>(o.resident, what.grid.count()));
  const auto warps = static_cast<std::uint32_t>((what.block.count() + warp_lanes - 1) / warp_lanes);
  const Need need = need_of(f);
  for (Block& block : grid.blocks) {
    block.shared_bytes = static_cast<std::size_t>(f.shared_bytes) + what.dynamic_shared;
    block.shared.resize(words_of(block.shared_bytes) + 2);
    for (std::uint32_t k = 0; k < warps; ++k) make_warp(grid, block, k, need);
  }
}

[[noreturn]] void refuse_deadlock(const Grid& grid) {
  std::string who;
  for (const Warp& w : grid.warps) {
    for (int lane = 0; lane < warp_lanes && who.size() < 400; ++lane) {
      if ((w.exited >> lane & 1) != 0) continue;
      const Instruction& i = w.frames[lane].back().function->code[w.pcs[lane]];
      who += "; block " + std::to_string(w.block->number) + " warp " + std::to_string(w.index) +
             " lane " + std::to_string(lane) + " at line " + std::to_string(i.line);
    }
  }
  throw Error(grid.function->module->name + ": no lane can go on in " + grid.function->name + who);
}

void check_progress(const Grid& grid) {
  for (const Warp& w : grid.warps) {
    if (w.block->running && w.ready() != 0) return;
  }
  refuse_deadlock(grid);
}

void run_grid(Grid& grid) {
  const std::uint64_t count = grid.launch->grid.count();
  std::uint64_t next = 0, done = 0;
  for (Block& block : grid.blocks) start_block(grid, block, next++);
  const unsigned quantum = options().quantum;
  std::size_t turn = 0, idle = 0;
  while (done < count) {
    const std::size_t which = grid.by_chance ? grid.random() : turn++;
    Warp& w = grid.warps[which % grid.warps.size()];
    Block& block = *w.block;
    if (!block.running || w.ready() == 0) {
      if (++idle % (64 * grid.warps.size()) == 0) check_progress(grid);
      continue;
    }
    idle = 0;
    if (grid.weak) settle_some(w);
    run_some(w, grid.by_chance ? 1 + static_cast<unsigned>(grid.random() % quantum) : quantum);
    if (block.live != 0) continue;
    if (grid.weak) settle_block(block);
    block.running = false;
    ++done;
    if (next < count) start_block(grid, block, next++);
  }
}

Options options_of_environment() {
  const auto number = [](const char* name, std::uint64_t value) {
    const char* text = std::getenv(name);
    return text == nullptr ? value : std::strtoull(text, nullptr, 10);
  };
  Options o;
  o.seed = number("SIGHTLINE_PTX_SEED", 0);
  o.races = number("SIGHTLINE_PTX_RACES", 0) != 0;
  o.weak = number("SIGHTLINE_PTX_WEAK", 0) != 0;
  o.resident = static_cast<unsigned>(
      std::max<std::uint64_t>(1, number("SIGHTLINE_PTX_RESIDENT", o.resident)));
  if (const char* place = std::getenv("SIGHTLINE_PTX_WITHOUT")) o.without = place;
  return o;
}

}  // namespace

Options& options() {
  static Options all = options_of_environment();
  return all;
}

void launch(Function& f, const Launch& what) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  parse_body(f);
  check_launch(f, what);
  if (static_cast<std::uint64_t>(f.shared_bytes) + what.dynamic_shared > 48 * 1024)
    check_launch(f, what);
  count_at_exit();
  f.threads += what.grid.count() * what.block.count();
  Grid grid;
  make_grid(grid, f, what, ++f.launches);
  if (grid.races) forget_global();
  run_grid(grid);
}

}  // namespace sightline::ptx
