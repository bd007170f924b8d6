// Visibility of pairs of areas, by matrices of their samples.
#include "host/bakes/visibility/at_once.hpp"
#include "host/common/checks.hpp"

#include <sightline/error.hpp>
#include <sightline/visibility.hpp>

#include <algorithm>
#include <bit>

namespace sightline {
namespace {

using detail::block_side;

/// Samples of an area that are tried first.
constexpr std::uint64_t first_samples = 4;
/// Columns of rows that are settled together: 3 MB.
constexpr std::uint64_t open_columns = std::uint64_t{1} << 17;

struct AreaRange {
  std::uint64_t first, end;
  std::uint64_t count() const { return end - first; }
};

AreaRange areas_of(const IdRange& of, std::uint64_t size) {
  if (of.first > size || (of.count != none && of.count > size - of.first)) {
    throw Error(ErrorKind::usage, "a range of areas goes past the last");
  }
  return {of.first, of.count == none ? size : std::uint64_t{of.first} + of.count};
}

void check(const AreaSamples& samples, std::uint64_t size, const AreaRange& rows,
           const AreaRange& columns) {
  detail::check_offsets("samples", samples.offsets, samples.size(), samples.point.size());
  for (std::uint64_t a = 0; a < samples.size(); ++a) {
    if (samples.count(a) <= most_area_samples) continue;
    detail::refuse("area " + std::to_string(a) + " has " + std::to_string(samples.count(a)) +
                   " samples, more than " + std::to_string(most_area_samples));
  }
  detail::check_size("an array of pairs of areas", size, rows.count(), columns.count());
}

/// What call(pairs) returns for the pairs of rows and columns, its lack of memory reported in
/// words.
template <class Call>
auto with_pairs(const AreaRange& rows, const AreaRange& columns, const Call& call) {
  return detail::in_words(
      [&] {
        std::uint64_t pairs = 0;
        if (__builtin_mul_overflow(rows.count(), columns.count(), &pairs)) throw std::bad_alloc();
        return call(pairs);
      },
      [&] {
        return "there is no memory for " + std::to_string(rows.count()) + " x " +
               std::to_string(columns.count()) +
               " pairs of areas: ask for a range of rows at a time";
      });
}

/// The number of set bits in [begin, end) of a row.
std::uint32_t ones(const std::uint64_t* row, std::uint64_t begin, std::uint64_t end) {
  std::uint32_t n = 0;
  while (begin < end) {
    const std::uint64_t bits = std::min(end - begin, 64 - begin % 64);
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    n += static_cast<std::uint32_t>(std::popcount(row[begin / 64] >> (begin % 64) & mask));
    begin += bits;
  }
  return n;
}

/// The set bits of one viewpoint's row, whose columns are the samples [begin, end), by area:
/// add(area, bits).
template <class Add>
void add_row(const AreaSamples& samples, const AreaRange& columns, std::uint64_t begin,
             std::uint64_t end, const std::uint64_t* row, const Add& add) {
  const auto& offsets = samples.offsets;
  auto b = static_cast<std::uint64_t>(std::upper_bound(offsets.begin(), offsets.end(), begin) -
                                      offsets.begin() - 1);
  for (; b < columns.end && offsets[b] < end; ++b) {
    const std::uint64_t low = std::max(offsets[b], begin), high = std::min(offsets[b + 1], end);
    add(b, ones(row, low - begin, high - begin));
  }
}

/// The first samples of each area.
AreaSamples first_of_each(const AreaSamples& samples, std::uint64_t most) {
  AreaSamples some;
  for (std::uint64_t a = 0; a < samples.size(); ++a) {
    const auto at = samples.point.begin() + static_cast<std::ptrdiff_t>(samples.offsets[a]);
    some.point.insert(some.point.end(), at,
                      at + static_cast<std::ptrdiff_t>(std::min(most, samples.count(a))));
    some.offsets.push_back(some.point.size());
  }
  return some;
}

/// A column of a row of areas whose class is undecided, and the result of its pairs so far.
struct OpenColumn {
  std::uint64_t area;
  std::uint64_t known = 0, seen = 0;
};
/// A row of areas.
struct OpenRow {
  std::uint64_t area;
  AreaClass* classes;            ///< of its pairs with all columns
  std::vector<OpenColumn> open;  ///< by rising area
};

/// Decides rows of areas: more and more samples of one area against all samples of those that are
/// undecided. They stay matrices, which cost less per segment than pairs; those of rows with mostly
/// the same columns become one, as matrices of few viewpoints cost more.
class Rows {
 public:
  Rows(const Caster& caster, const AreaSamples& samples, const AreaRange& columns,
       const VisibilityOptions& options)
      : caster_(caster),
        samples_(samples),
        columns_(columns),
        options_(options),
        wanted_(columns.count()) {}

  /// On entry the rows' classes are those of the first samples. Returns the number of segments.
  std::uint64_t settle(std::vector<OpenRow>& rows) {
    segments_ = 0;
    for (std::uint64_t begin = 0, end = 0; !rows.empty(); begin = end) {
      end = std::min(std::max(first_samples, 4 * begin), begin + block_side);
      for (OpenRow& row : rows) add(row, begin, std::min(end, samples_.count(row.area)));
      trace_group();
      for (OpenRow& row : rows) close(row);
      std::erase_if(rows, [&](const OpenRow& row) {
        return row.open.empty() || samples_.count(row.area) <= end;
      });
    }
    return segments_;
  }

 private:
  /// Adds samples [begin, end) of a row to the group, or to the next one where the matrix of both
  /// would be much larger than what is asked.
  void add(OpenRow& row, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t n = end - begin;
    std::uint64_t own = 0, more = 0;
    for (const OpenColumn& column : row.open) {
      own += samples_.count(column.area);
      if (!wanted_[column.area - columns_.first]) more += samples_.count(column.area);
    }
    const std::uint64_t height = from_.size() + n;
    if (height > block_side || 16 * height * (width_ + more) > 17 * (asked_ + n * own)) {
      trace_group();
      more = own;
    }
    for (const OpenColumn& column : row.open) wanted_[column.area - columns_.first] = true;
    width_ += more;
    asked_ += n * own;
    segments_ += n * own;
    const auto at =
        samples_.point.begin() + static_cast<std::ptrdiff_t>(samples_.offsets[row.area] + begin);
    group_.push_back({&row, from_.size(), from_.size() + n});
    from_.insert(from_.end(), at, at + static_cast<std::ptrdiff_t>(n));
  }

  /// Traces the rows of the group against all columns that one of them wants.
  void trace_group() {
    for (std::uint64_t b = columns_.first; b < columns_.end; ++b) {
      if (!wanted_[b - columns_.first]) continue;
      std::uint64_t next = samples_.offsets[b];
      while (next < samples_.offsets[b + 1]) {
        if (to_.size() == block_side) trace();
        const std::uint64_t n = std::min(samples_.offsets[b + 1] - next, block_side - to_.size());
        const auto at = samples_.point.begin() + static_cast<std::ptrdiff_t>(next);
        parts_.push_back({b, to_.size(), to_.size() + n});
        to_.insert(to_.end(), at, at + static_cast<std::ptrdiff_t>(n));
        next += n;
      }
    }
    if (!to_.empty()) trace();
    wanted_.assign(wanted_.size(), false);
    width_ = asked_ = 0;
    from_.clear(), group_.clear();
  }
  void trace() {
    const std::uint64_t words = bit_words(to_.size());
    bits_.assign(from_.size() * words, 0);
    caster_.visibility(from_, to_, bits_, options_);
    for (const GroupRow& row : group_) {
      auto column = row.of->open.begin();
      for (const Part& part : parts_) {
        while (column != row.of->open.end() && column->area < part.area) ++column;
        if (column == row.of->open.end()) break;
        if (column->area != part.area) continue;
        column->known += (row.end - row.begin) * (part.end - part.begin);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          column->seen += ones(bits_.data() + i * words, part.begin, part.end);
        }
      }
    }
    to_.clear(), parts_.clear();
  }

  /// Drops the columns that turned out to be partly visible.
  void close(OpenRow& row) const {
    std::erase_if(row.open, [&](const OpenColumn& column) {
      // Pairs of first samples are among those looked at: no class changes to another one.
      const bool is_partly = column.seen > 0 && column.seen < column.known;
      if (is_partly) row.classes[column.area - columns_.first] = AreaClass::partly;
      return is_partly;
    });
  }

  struct GroupRow {
    OpenRow* of;
    std::uint64_t begin, end;  ///< of its samples in from_
  };
  struct Part {
    std::uint64_t area;
    std::uint64_t begin, end;  ///< of its samples in to_
  };
  const Caster& caster_;
  const AreaSamples& samples_;
  const AreaRange columns_;
  const VisibilityOptions& options_;
  std::uint64_t segments_ = 0;
  // The group: its columns, their samples, and how many segments are asked of it.
  std::vector<bool> wanted_;
  std::uint64_t width_ = 0, asked_ = 0;
  std::vector<GroupRow> group_;
  std::vector<Part> parts_;
  std::vector<Vec3> from_, to_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

AreaClass area_class(std::uint64_t visible, std::uint64_t pairs) {
  return visible == 0 ? AreaClass::hidden : visible < pairs ? AreaClass::partly : AreaClass::fully;
}

AreaCounts area_counts(const Caster& caster, const AreaSamples& samples, const IdRange& of_rows,
                       const IdRange& of_columns, const VisibilityOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  const AreaRange rows = areas_of(of_rows, samples.size());
  const AreaRange columns = areas_of(of_columns, samples.size());
  return with_pairs(rows, columns, [&](std::uint64_t pairs) {
    AreaCounts counts{columns.count(), std::vector<std::uint32_t>(pairs)};
    area_counts(caster, samples, of_rows, of_columns, counts.visible, options);
    return counts;
  });
}

void area_counts(const Caster& caster, const AreaSamples& samples, const IdRange& of_rows,
                 const IdRange& of_columns, std::span<std::uint32_t> visible,
                 const VisibilityOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  return detail::in_words([&] {
    const AreaRange rows = areas_of(of_rows, samples.size());
    const AreaRange columns = areas_of(of_columns, samples.size());
    check(samples, visible.size(), rows, columns);
    std::fill(visible.begin(), visible.end(), 0);
    const PointsView points = samples.view();
    const std::uint64_t last_row = samples.offsets[rows.end];
    const std::uint64_t last_column = samples.offsets[columns.end];
    // Of areas with themselves a block and its mirror image are the same.
    const bool is_square = rows.first == columns.first && rows.end == columns.end;
    std::vector<std::uint64_t> bits;
    for (std::uint64_t i = samples.offsets[rows.first]; i < last_row; i += block_side) {
      const std::uint64_t height = std::min(block_side, last_row - i);
      for (std::uint64_t j = is_square ? i : samples.offsets[columns.first]; j < last_column;
           j += block_side) {
        const std::uint64_t width = std::min(block_side, last_column - j);
        const std::uint64_t words = bit_words(width);
        bits.assign(height * words, 0);
        const PointsView from = points.slice(i, height);
        if (i == j && height == width) {
          caster.visibility(from, bits, options);
        } else {
          caster.visibility(from, points.slice(j, width), bits, options);
        }
        std::uint64_t area = rows.first;
        const auto count_of = [&](std::uint64_t a, std::uint64_t b) -> std::uint32_t& {
          return visible[(a - rows.first) * columns.count() + b - columns.first];
        };
        for (std::uint64_t k = 0; k < height; ++k) {
          while (samples.offsets[area + 1] <= i + k) ++area;
          add_row(samples, columns, j, j + width, bits.data() + k * words,
                  [&](std::uint64_t b, std::uint32_t seen) {
                    count_of(area, b) += seen;
                    if (is_square && j > i) count_of(b, area) += seen;
                  });
        }
      }
    }
  });
}

AreaClasses area_classes(const Caster& caster, const AreaSamples& samples, const IdRange& of_rows,
                         const IdRange& of_columns, const VisibilityOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  const AreaRange rows = areas_of(of_rows, samples.size());
  const AreaRange columns = areas_of(of_columns, samples.size());
  return with_pairs(rows, columns, [&](std::uint64_t pairs) {
    AreaClasses classes{columns.count(), std::vector<AreaClass>(pairs)};
    classes.segments = area_classes(caster, samples, of_rows, of_columns, classes.classes, options);
    return classes;
  });
}

std::uint64_t area_classes(const Caster& caster, const AreaSamples& samples, const IdRange& of_rows,
                           const IdRange& of_columns, std::span<AreaClass> classes,
                           const VisibilityOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  return detail::in_words([&] {
    const AreaRange rows = areas_of(of_rows, samples.size());
    const AreaRange columns = areas_of(of_columns, samples.size());
    check(samples, classes.size(), rows, columns);
    // A few samples of each decide most pairs that are partly visible.
    const AreaSamples some = first_of_each(samples, first_samples);
    std::vector<std::uint32_t> visible(classes.size());
    area_counts(caster, some, of_rows, of_columns, visible, options);
    Rows settling(caster, samples, columns, options);
    std::vector<OpenRow> open;
    const std::uint64_t together = std::clamp<std::uint64_t>(
        open_columns / std::max<std::uint64_t>(columns.count(), 1), 1, block_side);
    std::uint64_t segments = 0;
    for (std::uint64_t a = rows.first; a < rows.end; ++a) {
      const std::uint64_t row = (a - rows.first) * columns.count();
      OpenRow of_row = {a, classes.data() + row, {}};
      for (std::uint64_t b = columns.first; b < columns.end; ++b) {
        const std::uint64_t k = row + b - columns.first, tried = some.count(a) * some.count(b);
        classes[k] = area_class(visible[k], tried);
        segments += tried;
        const bool all = tried == samples.count(a) * samples.count(b);
        if (!all && classes[k] != AreaClass::partly) of_row.open.push_back({b});
      }
      if (!of_row.open.empty()) open.push_back(std::move(of_row));
      if (open.size() < together && a + 1 < rows.end) continue;
      segments += settling.settle(open);
      open.clear();
    }
    return segments;
  });
}

}  // namespace sightline
