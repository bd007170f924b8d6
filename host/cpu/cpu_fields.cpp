#include "host/cpu/cpu_fields.hpp"

#include <algorithm>
#include <bit>

namespace sightline::detail {
namespace {

/// Up to 64 good targets in the field, as bits. Loops of one length over columns without gaps are
/// made into vectors by the compiler.
std::uint64_t field_word(const FieldTest& field, const Vec3& viewpoint, const PointsView& targets,
                         std::uint64_t first, std::uint64_t count) {
  float x[64] = {}, y[64] = {}, z[64] = {};
  for (std::uint64_t k = 0; k < count; ++k) {
    const Vec3 p = targets.position[first + k];
    x[k] = p.x, y[k] = p.y, z[k] = p.z;
  }
  std::fill_n(x + count, 64 - count, infinity);  // as bad as NaN, and faster
  std::uint64_t word = 0;
  for (std::uint64_t k = 0; k < 64; ++k) {
    const Vec3 p = {x[k], y[k], z[k]};
    const bool good =
        (abs(p.x) <= domain_limit) & (abs(p.y) <= domain_limit) & (abs(p.z) <= domain_limit);
    word |= static_cast<std::uint64_t>(good & in_field(field, viewpoint, p)) << k;
  }
  return word;
}

/// The elements that are asked for of a column that has any.
void gather(const Column<std::uint32_t>& from, const std::vector<std::uint32_t>& index,
            std::vector<std::uint32_t>& values, Column<std::uint32_t>& to) {
  to = from;
  if (from.data == nullptr) return;
  values.resize(index.size());
  for (std::size_t k = 0; k < index.size(); ++k) values[k] = from[index[k]];
  to = {values.data(), sizeof(std::uint32_t), 0};
}

}  // namespace

PointsView FieldTargets::in(const FieldTest& field, const SightPoint& viewpoint) {
  index_.clear();
  position_.clear();
  const std::uint64_t end = is_bad(viewpoint) || field.range_squared < 0 ? 0 : targets_.count;
  for (std::uint64_t first = 0; first < end; first += 64) {
    const std::uint64_t count = std::min<std::uint64_t>(64, end - first);
    for (std::uint64_t word = field_word(field, viewpoint.position, targets_, first, count);
         word != 0; word &= word - 1) {
      const std::uint64_t i = first + static_cast<std::uint64_t>(std::countr_zero(word));
      index_.push_back(static_cast<std::uint32_t>(i));
      position_.push_back(targets_.position[i]);
    }
  }
  PointsView some;
  some.count = index_.size();
  some.position = Vec3Column::rows(position_.data());
  gather(targets_.mask, index_, mask_, some.mask);
  gather(targets_.exclude, index_, exclude_, some.exclude);
  gather(targets_.exclude_group, index_, exclude_group_, some.exclude_group);
  return some;
}

void FieldTargets::spread(const std::vector<std::uint64_t>& bits, std::uint64_t* to) const {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
      const std::uint32_t i = index_[64 * w + static_cast<std::size_t>(std::countr_zero(word))];
      to[i / 64] |= std::uint64_t{1} << i % 64;
    }
  }
}

}  // namespace sightline::detail
