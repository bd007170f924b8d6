// What the lanes of a warp do together.
#include "tests/ptx/lanes.hpp"

namespace sightline::ptx {
namespace {

enum class Vote { ballot, any, all };

template <Vote which>
void vote(Warp& w, const Instruction& i, std::uint32_t mask) {
  const std::uint32_t yes = predicate(w, i.s[0]) & mask;
  if constexpr (which == Vote::ballot) {
    put(target<std::uint32_t>(w, i.d[0]), mask, [&](int) { return yes; });
  } else {
    const bool result = which == Vote::any ? yes != 0 : yes == mask;
    set_predicate(w, i.d[0], result ? all_lanes : 0, mask);
  }
}

enum class Way { up, down, butterfly, index };

struct From {
  int lane;
  bool is_inside;
};

/// The lane to read from, as the specification computes it: c holds a bound in bits 0 to 4 and the
/// mask of the segments in bits 8 to 12.
template <Way way>
From from_of(int lane, std::uint32_t b, std::uint32_t c) {
  const int segments = static_cast<int>(c >> 8 & 31), bound = static_cast<int>(c & 31);
  const int by = static_cast<int>(b & 31);
  const int low = lane & segments, last = low | (bound & ~segments & 31);
  if constexpr (way == Way::up) return {lane - by, lane - by >= last};
  if constexpr (way == Way::down) return {lane + by, lane + by <= last};
  if constexpr (way == Way::butterfly) return {lane ^ by, (lane ^ by) <= last};
  const int other = low | (by & ~segments & 31);
  return {other, other <= last};
}

template <Way way>
void shuffle(Warp& w, const Instruction& i, std::uint32_t mask) {
  std::uint32_t values[warp_lanes];
  std::memcpy(values, source<std::uint32_t>(w, i.s[0]), sizeof values);
  const auto *b = source<std::uint32_t>(w, i.s[1]), *c = source<std::uint32_t>(w, i.s[2]);
  std::uint32_t result[warp_lanes] = {}, inside = 0;
  each_lane(mask, [&](int lane) {
    From from = from_of<way>(lane, b[lane], c[lane]);
    if (!from.is_inside) from.lane = lane;
    if ((mask >> from.lane & 1) == 0) {
      stop(w, i, lane, "it reads lane " + std::to_string(from.lane) + ", which takes no part");
    }
    result[lane] = values[from.lane];
    inside |= std::uint32_t{from.is_inside} << lane;
  });
  put_each(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) { return result[lane]; });
  set_predicate(w, i.second, inside, mask);
}

void nothing(Warp&, const Instruction&, std::uint32_t) {}

}  // namespace

bool find_warp_form(const std::string& name, Instruction& i) {
  static const std::unordered_map<std::string, Handler> all = {
      {"bar.warp.sync", nothing},
      {"vote.sync.ballot.b32", vote<Vote::ballot>},
      {"vote.ballot.sync.b32", vote<Vote::ballot>},
      {"vote.sync.any.pred", vote<Vote::any>},
      {"vote.sync.all.pred", vote<Vote::all>},
      {"shfl.sync.up.b32", shuffle<Way::up>},
      {"shfl.sync.down.b32", shuffle<Way::down>},
      {"shfl.sync.bfly.b32", shuffle<Way::butterfly>},
      {"shfl.sync.idx.b32", shuffle<Way::index>},
  };
  const auto it = all.find(name);
  if (it == all.end()) return false;
  i.run = it->second;
  i.any_place = name[0] == 'b';
  i.flow = Flow::warp_sync;
  return true;
}

}  // namespace sightline::ptx
