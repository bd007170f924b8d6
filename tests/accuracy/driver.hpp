// Measures hit/miss and t of every shape against the oracle, the textbook's forms beside ours.
#pragma once

#include "tests/accuracy/samples.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sightline::accuracy {

/// Errors of t in units of the last place of the true one.
class UlpHistogram {
 public:
  void add(double ulp);
  double max() const { return max_; }
  /// The error that at most 1 in 1000 exceeds, to a tenth of an ulp.
  double p999() const;
  std::uint64_t count() const { return count_; }
  void merge(const UlpHistogram& other);

 private:
  std::array<std::uint64_t, 101> bins_{};  // tenths; the last one holds the rest
  std::uint64_t count_ = 0;
  double max_ = 0;
};

struct Measured {
  std::uint64_t rays = 0, hits = 0;
  std::uint64_t wrong = 0, textbook_wrong = 0;
  double band = 0;  ///< furthest from the silhouette that ours was wrong, in sizes
  double textbook_band = 0;
  UlpHistogram t;          ///< entries at least a size ahead of the origin
  UlpHistogram t_grazing;  ///< those within 1e-3 sizes of the silhouette
  double textbook_t = 0;   ///< largest error, in sizes

  void merge(const Measured& other);
};

enum class Form { aabb, obb, sphere, capsule, plane, cylinder };
const char* name(Form form);

/// `rays` samples of a cell.
Measured measure(Form form, const Cell& cell, std::uint64_t rays, std::uint64_t seed);

/// The cells of docs/reference/contract.md section 3: distances x aspects x scales, where a form
/// has them.
std::vector<Cell> cells_of(Form form);

/// One row of the Markdown table: both spreads of one cell.
std::string row(Form form, const Cell& cell, const Measured& wide, const Measured& narrow);
std::string header();

}  // namespace sightline::accuracy
