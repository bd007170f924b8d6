// The public calls about lines of sight.
#include "host/door/caster_impl.hpp"

#include <sightline/geometry/queries/field_of_view.hpp>

namespace sightline {

using detail::answered;
using detail::check_array;
using detail::counted;

namespace {

SIGHTLINE_NOINLINE void check(const VisibilityOptions& options) {
  detail::check(options.inside);
  if (!(0.0f <= options.margin && options.margin < 0.5f)) {
    throw Error(ErrorKind::usage, "the margin must be at least 0 and less than 0.5");
  }
  if (!(options.range >= 0.0f)) throw Error(ErrorKind::usage, "the range must be at least 0");
}

SightOptions sight_options(const VisibilityOptions& options) {
  return {options.range, options.margin, options.inside};
}

/// The report of a call without fields.
VisibilityReport all_around(VisibilityReport report) {
  report.in_field = report.pairs;
  return report;
}

SIGHTLINE_NOINLINE std::uint64_t count_bad(const FieldsView& fields, std::uint64_t n) {
  std::uint64_t bad = 0;
  for (std::uint64_t i = 0; i < n; ++i) bad += is_sound(fields[i], fields.shape) ? 0 : 1;
  return bad;
}

/// Room for a matrix of bits, its lack of memory reported in words.
BitMatrix matrix_of(std::uint64_t rows, std::uint64_t columns) {
  return detail::in_words(
      [&] {
        std::uint64_t words = 0;
        if (__builtin_mul_overflow(rows, bit_words(columns), &words)) throw std::bad_alloc();
        return BitMatrix(rows, columns);
      },
      [&] {
        return "there is no memory for a matrix of " + std::to_string(rows) + " x " +
               std::to_string(columns) + " bits";
      });
}

}  // namespace

BitMatrix Caster::visibility(const PointsView& viewpoints, const PointsView& targets,
                             const VisibilityOptions& options) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const PointsView from = counted(viewpoints), to = counted(targets);
    BitMatrix seen = matrix_of(from.count, to.count);
    seen.report = visibility(from, to, seen.words, options);
    return seen;
  });
}

VisibilityReport Caster::visibility(const PointsView& viewpoints, const PointsView& targets,
                                    std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check(options);
    const PointsView from = counted(viewpoints), to = counted(targets);
    check_array("bits", bits, from.count, bit_words(to.count));
    return all_around(own.backend().answer(
        detail::VisibilityMatrix{from, nullptr, to, bits.data(), sight_options(options)}));
  });
}

BitMatrix Caster::visibility(const PointsView& points, const VisibilityOptions& options) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const PointsView all = counted(points);
    BitMatrix seen = matrix_of(all.count, all.count);
    seen.report = visibility(all, seen.words, options);
    return seen;
  });
}

VisibilityReport Caster::visibility(const PointsView& points, std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check(options);
    const PointsView all = counted(points);
    check_array("bits", bits, all.count, bit_words(all.count));
    return all_around(
        own.backend().answer(detail::SelfVisibility{all, bits.data(), sight_options(options)}));
  });
}

BitMatrix Caster::visibility(const PointsView& viewpoints, const FieldsView& fields,
                             const PointsView& targets, const VisibilityOptions& options) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const PointsView from = counted(viewpoints), to = counted(targets);
    BitMatrix seen = matrix_of(from.count, to.count);
    seen.report = visibility(from, fields, to, seen.words, options);
    return seen;
  });
}

VisibilityReport Caster::visibility(const PointsView& viewpoints, const FieldsView& fields,
                                    const PointsView& targets, std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check(options);
    detail::check_choice(fields.shape, FieldShape::sector_y_up, "shape of fields");
    const PointsView from = counted(viewpoints), to = counted(targets);
    detail::check_columns(fields, from.count);
    check_array("bits", bits, from.count, bit_words(to.count));
    VisibilityReport report = own.backend().answer(
        detail::VisibilityMatrix{from, &fields, to, bits.data(), sight_options(options)});
    report.bad_fields = count_bad(fields, from.count);
    return report;
  });
}

Bits<VisibilityReport> Caster::visibility_pairs(const PointsView& from, const PointsView& to,
                                                const VisibilityOptions& options) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const auto [a, b] = detail::counted_pairs(from, to);
    Bits<VisibilityReport> seen(a.count);
    seen.report = visibility_pairs(a, b, seen.words, options);
    return seen;
  });
}

VisibilityReport Caster::visibility_pairs(const PointsView& from, const PointsView& to,
                                          std::span<std::uint64_t> bits,
                                          const VisibilityOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check(options);
    const auto [a, b] = detail::counted_pairs(from, to);
    check_array("bits", bits, bit_words(a.count));
    return all_around(
        own.backend().answer(detail::VisibilityPairs{a, b, bits.data(), sight_options(options)}));
  });
}

}  // namespace sightline
