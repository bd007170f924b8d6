// Outlines of boxes as seen from above, where boxes that touch are one.
#include "host/files/pictures/footprint.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <tuple>

namespace sightline::io {
namespace {

/// A side of a box: along y at x = `at` where `across` is 0, or along x at y = `at`. The box is on
/// the side of larger numbers, or (`before` 1) of smaller ones.
struct BoxEdge {
  int across;
  double at, from, to;
  std::size_t before, box;

  std::tuple<int, double> line() const { return {across, at}; }
  MapPoint place(double along) const {
    return across == 0 ? MapPoint{at, along} : MapPoint{along, at};
  }
};

/// Boxes of the same heights: their edges, and which of them touch.
class BoxLevel {
 public:
  explicit BoxLevel(std::span<const FlatBox> boxes) : boxes_(boxes), parent_(boxes.size()) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    std::vector<BoxEdge> edges;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const FlatBox& b = boxes[i];
      edges.insert(edges.end(), {{0, b.low.x, b.low.y, b.high.y, 0, i},
                                 {0, b.high.x, b.low.y, b.high.y, 1, i},
                                 {1, b.low.y, b.low.x, b.high.x, 0, i},
                                 {1, b.high.y, b.low.x, b.high.x, 1, i}});
    }
    std::sort(edges.begin(), edges.end(),
              [](const BoxEdge& a, const BoxEdge& b) { return a.line() < b.line(); });
    for (std::size_t k = 0, next = 0; k < edges.size(); k = next) {
      while (next < edges.size() && edges[next].line() == edges[k].line()) ++next;
      sweep(std::span(edges).subspan(k, next - k));
    }
  }

  void add_outlines(std::vector<BoxOutline>& outlines) {
    std::vector<std::size_t> count(boxes_.size());
    std::vector<bool> floor(boxes_.size());
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      ++count[root(i)];
      if (boxes_[i].is_floor) floor[root(i)] = true;
    }
    const Slice heights = boxes_.front().heights;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const auto [low, high] = std::pair(boxes_[i].low, boxes_[i].high);
      if (count[root(i)] > 1) continue;
      outlines.push_back({{low, {high.x, low.y}, high, {low.x, high.y}}, heights, floor[root(i)]});
    }
    for (const Piece& p : bare_) {
      if (count[root(p.box)] > 1) outlines.push_back({{p.from, p.to}, heights, floor[root(p.box)]});
    }
  }

 private:
  struct Piece {
    MapPoint from, to;
    std::size_t box;
  };

  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  /// Of the edges on one line: where boxes are on both sides they touch, and elsewhere it is bare.
  void sweep(std::span<const BoxEdge> edges) {
    std::vector<std::tuple<double, const BoxEdge*>> ends;
    for (const BoxEdge& e : edges) ends.insert(ends.end(), {{e.from, &e}, {e.to, &e}});
    std::sort(ends.begin(), ends.end());
    std::array<std::vector<std::size_t>, 2> beside;
    double last = 0;
    bool goes_on = false;
    for (const auto& [at, edge] : ends) {
      if (at > last && !(beside[0].empty() && beside[1].empty())) {
        const std::size_t box = beside[beside[0].empty() ? 1 : 0].front();
        const bool is_bare = beside[0].empty() || beside[1].empty();
        for (const auto& side : beside) {
          for (const std::size_t other : side) parent_[root(other)] = root(box);
        }
        if (is_bare && goes_on && root(bare_.back().box) == root(box)) {
          bare_.back().to = edge->place(at);
        } else if (is_bare) {
          bare_.push_back({edge->place(last), edge->place(at), box});
        }
        goes_on = is_bare;
      } else if (at > last) {
        goes_on = false;
      }
      auto& boxes = beside[edge->before];
      const auto found = std::find(boxes.begin(), boxes.end(), edge->box);
      if (found == boxes.end()) {
        boxes.push_back(edge->box);
      } else {
        boxes.erase(found);
      }
      last = at;
    }
  }

  std::span<const FlatBox> boxes_;
  std::vector<std::size_t> parent_;
  std::vector<Piece> bare_;
};

}  // namespace

std::vector<BoxOutline> merged_outlines(std::vector<FlatBox> boxes) {
  const auto heights = [](const FlatBox& b) { return std::tuple(b.heights.low, b.heights.high); };
  std::stable_sort(boxes.begin(), boxes.end(),
                   [&](const FlatBox& a, const FlatBox& b) { return heights(a) < heights(b); });
  std::vector<BoxOutline> outlines;
  for (std::size_t k = 0, next = 0; k < boxes.size(); k = next) {
    while (next < boxes.size() && heights(boxes[next]) == heights(boxes[k])) ++next;
    BoxLevel(std::span(boxes).subspan(k, next - k)).add_outlines(outlines);
  }
  return outlines;
}

}  // namespace sightline::io
