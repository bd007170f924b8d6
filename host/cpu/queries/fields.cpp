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
  const std::uint64_t end = is_bad(viewpoint) ? 0 : targets_.count;
  for (std::uint64_t first = 0; first < end; first += word_size) {
    for (std::uint64_t word = field_word(field, viewpoint.position, x_.data() + first,
                                         y_.data() + first, z_.data() + first);
         word != 0; word &= word - 1) {
      const std::uint64_t i = first + static_cast<std::uint64_t>(std::countr_zero(word));
      index_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return copies_.take(targets_, index_.data(), index_.size());
}

}  // namespace sightline::detail
