#include "host/program/results/sight_result.hpp"

#include <sightline/geometry/exact/wide_vec.hpp>
#include <sightline/geometry/queries/field_of_view.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::cli {
namespace {

/// Moves both ends towards each other. The differences are those of the other order but for their
/// sign, so that sight stays symmetric.
void move_ends(Vec3& a, Vec3& b, double margin) {
  const WideVec3 d = wide_diff(b, a);
  const double share = std::min(margin / std::sqrt(square(d)), 0.5);
  const Vec3 start = narrowed(widened(a) + d * share);
  b = narrowed(widened(b) - d * share);
  a = start;
}

/// Whether from[i] and to[i] see each other, as bit i % 64 of bits[i / 64].
void visible_pairs(const Caster& caster, std::vector<SightPoint> from, std::vector<SightPoint> to,
                   std::span<std::uint64_t> bits, const VisibilityOptions& options, float margin) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    SightPoint &p = from[i], &q = to[i];
    const bool possible = !is_bad(p) && !is_bad(q) && sight_ray(p, q, 0, options.range).in_range;
    if (possible) {
      move_ends(p.position, q.position, double{margin});
    } else {
      p.position.x = NAN;  // which sees nothing
    }
  }
  caster.visibility_pairs(PointsView::rows(from), PointsView::rows(to), bits,
                          {.inside = options.inside});
}

}  // namespace

void visible_matrix(const Caster& caster, const PointsView& from,
                    const std::optional<FieldsView>& fields, const PointsView& to,
                    std::span<std::uint64_t> bits, const VisibilityOptions& options, float margin) {
  constexpr std::uint64_t most_pairs = 1 << 16;
  constexpr SightPoint nobody = {{NAN, 0, 0}};
  const std::uint64_t words = bit_words(to.size());
  if (words == 0) return;
  const std::uint64_t rows = std::max<std::uint64_t>(1, most_pairs / (64 * words));
  std::vector<SightPoint> p, q;
  for (std::uint64_t first = 0; first < from.size(); first += rows) {
    const std::uint64_t end = std::min(first + rows, from.size());
    p.clear(), q.clear();
    for (std::uint64_t i = first; i < end; ++i) {
      for (std::uint64_t j = 0; j < 64 * words; ++j) {  // padding is pairs that see nothing
        const bool is_pair = j < to.size();
        q.push_back(is_pair ? to[j] : nobody);
        const bool asks = is_pair && (!fields || in_field(field_test((*fields)[i], fields->shape),
                                                          from[i], q.back()));
        p.push_back(asks ? from[i] : nobody);
      }
    }
    visible_pairs(caster, p, q, bits.subspan(first * words, (end - first) * words), options,
                  margin);
  }
}

}  // namespace sightline::cli
