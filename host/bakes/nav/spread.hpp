// Traversal of linked spans of a map, outwards from one of them.
#pragma once

#include <sightline/nav.hpp>

namespace sightline::detail {

class Spread {
 public:
  explicit Spread(const NavMap& map) : map_(map), seen_(map.spans(), 0) {}
  /// The memory of its buffer.
  static std::uint64_t bytes(const NavMap& map) { return map.spans() * sizeof(std::uint64_t); }

  /// Calls enter(span, di, dj) once for this span, and for every span that links lead to, di and dj
  /// columns away; does not go beyond spans for which enter returns false.
  template <class Enter>
  void from(std::uint64_t span, std::uint64_t column, Enter&& enter) {
    ++round_;
    todo_.assign(1, {span, column, 0, 0});
    seen_[span] = round_;
    while (!todo_.empty()) {
      const Reached at = todo_.back();
      todo_.pop_back();
      if (!enter(at.span, at.di, at.dj)) continue;
      constexpr int step[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
      for (int side = 0; side < 4; ++side) {
        const std::optional<std::uint64_t> next = map_.linked(at.span, at.column, side);
        if (!next || seen_[*next] == round_) continue;
        seen_[*next] = round_;
        todo_.push_back({*next, *map_.neighbour(at.column, side), at.di + step[side][0],
                         at.dj + step[side][1]});
      }
    }
  }

 private:
  struct Reached {
    std::uint64_t span, column;
    int di, dj;
  };
  const NavMap& map_;
  std::vector<std::uint64_t> seen_;  ///< the last round that visited the span
  std::vector<Reached> todo_;
  std::uint64_t round_ = 0;
};

}  // namespace sightline::detail
