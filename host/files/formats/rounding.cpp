#include "host/files/formats/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr double most_change = 0.01;  // of a size

double rounded(double v) { return static_cast<double>(static_cast<float>(v)); }

/// What is beyond the range of float is refused elsewhere.
bool are_sound(RoundingCheck::Numbers numbers) {
  return std::ranges::all_of(numbers, [](double v) { return std::abs(v) <= 0x1p40; });
}

}  // namespace

double least_size(std::span<const double> sizes) {
  double least = 0;
  for (const double size : sizes) {
    if (size > 0 && (least == 0 || size < least)) least = size;
  }
  return least;
}

void RoundingCheck::begin(std::string_view kind, std::uint64_t index) {
  kind_ = kind;
  index_ = index;
  is_counted_ = false;
  ++things_;
}

void RoundingCheck::place(Numbers p) {
  dimensions_ = p.size();
  for (std::size_t k = 0; k < p.size(); ++k) {
    sum_[k] += p[k];
    low_[k] = places_ == 0 ? p[k] : std::min(low_[k], p[k]);
    high_[k] = places_ == 0 ? p[k] : std::max(high_[k], p[k]);
  }
  ++places_;
}

bool RoundingCheck::found(double size, double change, double largest) {
  if (is_counted_ || !(size > 0x1p-45 * largest && std::abs(change) > most_change * size))
    return false;
  is_counted_ = true;
  return true;
}

void RoundingCheck::count(const std::string& words) {
  if (changed_++ == 0) first_ = fmt::format("{} {}, {}", kind_, index_, words);
}

void RoundingCheck::box(Numbers low, Numbers high) {
  if (!are_sound(low) || !are_sound(high)) return;
  place(low), place(high);
  for (std::size_t k = 0; k < low.size(); ++k) {
    const double size = high[k] - low[k], now = rounded(high[k]) - rounded(low[k]);
    const double largest = std::max(std::abs(low[k]), std::abs(high[k]));
    if (!found(size, now - size, largest)) continue;
    count(fmt::format("whose size along {} becomes {:.4g} for {:.4g}", "xyz"[k], now, size));
  }
}

void RoundingCheck::ball(Numbers center, double radius) {
  if (!are_sound(center) || !(radius <= 0x1p40)) return;
  place(center);
  double moved = 0;
  for (const double c : center) moved = std::max(moved, std::abs(rounded(c) - c));
  if (!found(radius, moved)) return;
  count(fmt::format("which reaches {:.4g} around its center and moves by {:.2g}", radius, moved));
}

namespace {

struct Step {
  double length = 0,
         change = 0;   ///< the largest along an axis, and the largest that rounding makes
  double largest = 0;  ///< of the numbers
};
Step step_between(RoundingCheck::Numbers a, RoundingCheck::Numbers b) {
  Step s;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = b[k] - a[k];
    s.length = std::max(s.length, std::abs(d));
    s.change = std::max(s.change, std::abs(rounded(b[k]) - rounded(a[k]) - d));
    s.largest = std::max({s.largest, std::abs(a[k]), std::abs(b[k])});
  }
  return s;
}

}  // namespace

void RoundingCheck::line(Numbers a, Numbers b) {
  if (!are_sound(a) || !are_sound(b)) return;
  place(a), place(b);
  const auto [length, change, largest] = step_between(a, b);
  if (!found(length, change, largest)) return;
  count(fmt::format("whose length of {:.4g} changes by {:.2g}", length, change));
}

void RoundingCheck::step(Numbers a, Numbers b) {
  if (!are_sound(a) || !are_sound(b)) return;
  if (places_ == 0) place(a);
  place(b);
  const auto [length, change, largest] = step_between(a, b);
  if (!found(length, change, largest)) return;
  if (steps_++ > 0) return;
  first_step_ = fmt::format("{} {}, whose distance of {:.4g} from the one before changes by {:.2g}",
                            kind_, index_, length, change);
}

void RoundingCheck::next(Numbers place) {
  if (index_ > 0) step(before_, place);
  std::ranges::copy(place, before_.begin());
}

void RoundingCheck::outline(Numbers corners, std::size_t dimensions) {
  for (std::size_t i = dimensions; i < corners.size(); i += dimensions) {
    line(corners.subspan(i - dimensions, dimensions), corners.subspan(i, dimensions));
  }
}

void RoundingCheck::shape(Kind kind, std::uint64_t index, Numbers n) {
  begin(kind_name(kind), index);
  switch (kind) {
    case Kind::aabb:
      return box(n.subspan(0, 3), n.subspan(3, 3));
    case Kind::obb:
      return ball(n.subspan(0, 3), least_size(n.subspan(3, 3)));
    case Kind::sphere:
      return ball(n.subspan(0, 3), n[3]);
    case Kind::capsule:
    case Kind::cylinder:
      ball(n.subspan(0, 3), n[6]);
      return line(n.subspan(0, 3), n.subspan(3, 3));
    case Kind::triangle:
      outline(n, 3);
      return line(n.subspan(6, 3), n.subspan(0, 3));
    default:
      return;
  }
}

bool RoundingCheck::is_far() const {
  double farthest = 0, extent = 0;
  for (std::size_t k = 0; k < dimensions_; ++k) {
    farthest = std::max({farthest, std::abs(low_[k]), std::abs(high_[k])});
    extent = std::max(extent, high_[k] - low_[k]);
  }
  return farthest > 4 * extent;
}

std::uint64_t RoundingCheck::changed() const { return changed_ + (is_far() ? steps_ : 0); }

std::string RoundingCheck::note(const std::string& file) const {
  if (changed() == 0) return "";
  std::string mean;
  for (std::size_t k = 0; k < dimensions_; ++k) {
    mean += fmt::format("{}{:.1f}", k == 0 ? "" : ", ", sum_[k] / static_cast<double>(places_));
  }
  return fmt::format(
      "{}: rounding to binary32 changes {} of {} sizes by more than 1 %; the first is {}: subtract "
      "an offset from all coordinates first, such as their mean ({})",
      file, changed(), things_, changed_ > 0 ? first_ : first_step_, mean);
}

void RoundingCheck::add_note(const std::string& file, Notes* notes) const {
  if (notes != nullptr && changed() > 0) notes->push_back(note(file));
}

}  // namespace sightline::io
