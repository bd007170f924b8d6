#include "host/cpu/queries/fields.hpp"

#include <bit>

namespace sightline::detail {
namespace {

constexpr std::uint64_t word_size = 64;

/// Which of 64 targets are in the field, as bits: a loop of fixed length over dense columns, which
/// the compiler vectorises.
std::uint64_t field_word(const FieldTest& field, const Vec3& viewpoint, const float* x,
                         const float* y, const float* z) {
  std::uint64_t word = 0;
  for (std::uint64_t k = 0; k < word_size; ++k) {
    word |= std::uint64_t{in_field(field, viewpoint, {x[k], y[k], z[k]})} << k;
  }
  return word;
}

/// Gathers the elements at `index` of a column, if it has data.
void gather(const Column<std::uint32_t>& from, const std::vector<std::uint32_t>& index,
            std::vector<std::uint32_t>& values, Column<std::uint32_t>& to) {
  to = from;
  if (from.data == nullptr) return;
  values.resize(index.size());
  for (std::size_t k = 0; k < index.size(); ++k) values[k] = from[index[k]];
  to = values;
}

}  // namespace

FieldTargets::FieldTargets(const PointsView& targets) : targets_(targets) {
  const std::uint64_t size = (targets.count + word_size - 1) / word_size * word_size;
  for (std::vector<float>* column : {&x_, &y_, &z_}) column->assign(size, NAN);
  for (std::uint64_t i = 0; i < targets.count; ++i) {
    const SightPoint p = targets[i];
    if (is_bad(p)) continue;
    x_[i] = p.position.x, y_[i] = p.position.y, z_[i] = p.position.z;
  }
}

PointsView FieldTargets::select(const FieldTest& field, const SightPoint& viewpoint) {
  index_.clear();
  position_.clear();
  const std::uint64_t end = is_bad(viewpoint) ? 0 : targets_.count;
  for (std::uint64_t first = 0; first < end; first += word_size) {
    for (std::uint64_t word = field_word(field, viewpoint.position, x_.data() + first,
                                         y_.data() + first, z_.data() + first);
         word != 0; word &= word - 1) {
      const std::uint64_t i = first + static_cast<std::uint64_t>(std::countr_zero(word));
      index_.push_back(static_cast<std::uint32_t>(i));
      position_.push_back({x_[i], y_[i], z_[i]});
    }
  }
  PointsView some;
  some.count = index_.size();
  some.position = Vec3Column::rows(position_);
  gather(targets_.mask, index_, mask_, some.mask);
  gather(targets_.exclude, index_, exclude_, some.exclude);
  gather(targets_.exclude_group, index_, exclude_group_, some.exclude_group);
  return some;
}

void FieldTargets::scatter(const std::vector<std::uint64_t>& bits, std::uint64_t* to) const {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
      const std::uint32_t i = index_[64 * w + static_cast<std::size_t>(std::countr_zero(word))];
      to[i / 64] |= std::uint64_t{1} << i % 64;
    }
  }
}

}  // namespace sightline::detail
