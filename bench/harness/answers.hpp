// Answers of a batch: their hash, and how far a rival's are from ours.
#pragma once

#include <sightline/results.hpp>

#include <string>
#include <vector>

namespace sightline::bench {

/// Of closest hit: t, id and flags [n]; of any hit, visibility and any overlap: bits; of overlaps:
/// counts [n], or offsets [n + 1] and id; of the nearest shape: t, its signed distance, and id [n].
struct Answers {
  std::vector<float> t = {};
  std::vector<std::uint32_t> id = {};
  std::vector<std::uint8_t> flags = {};
  std::vector<std::uint64_t> bits = {};
  std::vector<std::uint32_t> counts = {};
  std::vector<std::uint64_t> offsets = {};

  /// Calls use(name, array) for each.
  template <class Self, class Use>
  static void visit(Self& self, Use&& use) {
    use("t", self.t);
    use("id", self.id);
    use("flags", self.flags);
    use("bits", self.bits);
    use("count", self.counts);
    use("offsets", self.offsets);
  }
  /// Of the first n rays.
  HitArrays hits(std::uint64_t n) {
    return {std::span(t).first(n), std::span(id).first(n), std::span(flags).first(n), {}};
  }
  /// Bytes that no answer has, so that what is not written is seen.
  void poison();
  /// Whether these are the first of `all`: each array the beginning of its own.
  bool begins(const Answers& all) const;
  /// Hits, overlaps, shapes found, or bits set.
  double found() const;
  /// Turns what is blocked into what is seen, and back; there must be no padding bits.
  void flip_bits() {
    for (std::uint64_t& word : bits) word = ~word;
  }
  /// The content hash over the arrays in use, by their names in files of results.
  std::string hash() const;
};

/// Whether all bytes are the same.
bool same_answers(const Answers& a, const Answers& b);

/// Where a rival's answers part from ours; rays and points that begin inside a shape are left out,
/// since policies differ there.
struct Difference {
  std::uint64_t rays = 0;  ///< compared: rays, shapes that ask, or points
  std::uint64_t hits = 0;  ///< hit and miss differ; the number of overlaps, or which
  std::uint64_t ids = 0;   ///< both hit, another shape
  double largest_t = 0;    ///< relative, of rays where both hit the same shape; of all distances

  void add(const Difference& other);
};

/// Of the first `rays` of a batch.
Difference difference(const Answers& ours, const Answers& theirs, std::uint64_t rays);

}  // namespace sightline::bench
