// Sizes that rounding to binary32 changes: what is small and far from the origin.
#pragma once

#include "host/files/core/npy.hpp"

#include <sightline/geometry/shapes/all_shapes.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

namespace sightline::io {

/// The least that is not 0, of flat boxes; 0 where all are.
double least_size(std::span<const double> sizes);

/// Counts things of which rounding to binary32 changes a size, or moves them, by more than 1 % of
/// their size. Coordinates are those of the file, in binary64, two or three each; what is not
/// finite counts for nothing.
class RoundingCheck {
 public:
  using Numbers = std::span<const double>;

  /// The thing that the next calls are about, as "aabb 0".
  void begin(std::string_view kind, std::uint64_t index);
  void box(Numbers low, Numbers high);
  /// What reaches `radius` around its center.
  void ball(Numbers center, double radius);
  /// The difference of two places.
  void line(Numbers a, Numbers b);
  /// From one place to the next of a list: counts only where all are far from the origin, since
  /// places may be as near to each other as they like.
  void step(Numbers a, Numbers b);
  /// A step to here from where the thing before was, of a list in three dimensions.
  void next(Numbers place);
  /// Lines from each corner to the next.
  void outline(Numbers corners, std::size_t dimensions);
  /// A shape's numbers, in the order of its struct; planes have no size.
  void shape(Kind kind, std::uint64_t index, Numbers numbers);

  /// A sentence that counts them, names the first and says what to do; "" where there are none.
  std::string note(const std::string& file) const;
  void add_note(const std::string& file, Notes* notes) const;

 private:
  void place(Numbers p);
  /// Not of a size that is the noise of sums of binary64, beside numbers of up to `largest`.
  bool found(double size, double change, double largest = 0);
  void count(const std::string& words);
  std::uint64_t changed() const;
  bool is_far() const;

  std::string_view kind_;
  std::uint64_t index_ = 0, changed_ = 0, steps_ = 0, things_ = 0, places_ = 0;
  bool is_counted_ = false;
  std::string first_, first_step_;
  std::size_t dimensions_ = 3;
  std::array<double, 3> sum_ = {}, low_ = {}, high_ = {}, before_ = {};
};

/// Notes what rounding makes of an array's rows of `width` numbers: look(check, index, row) looks
/// at one, if they are rounded at all.
template <class Look>
void check_rows(const NpyReader& file, std::uint64_t width, Notes* notes, const Look& look) {
  if (notes == nullptr || !file.rounded()) return;
  if (const std::string note = file.note_on_integers(); !note.empty()) notes->push_back(note);
  RoundingCheck check;
  for_each_row(
      file.shape()[0], width,
      [&](std::uint64_t first, std::uint64_t n, double* to) { file.read_doubles(first, n, to); },
      [&](std::uint64_t i, RoundingCheck::Numbers row) { look(check, i, row); });
  check.add_note(file.name(), notes);
}

}  // namespace sightline::io
