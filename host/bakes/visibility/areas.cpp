// Visibility of pairs of areas, by matrices of their samples.
#include "host/common/checks.hpp"

#include <sightline/areas.hpp>
#include <sightline/error.hpp>

#include <algorithm>
#include <bit>

namespace sightline {
namespace {

/// The side of the matrix in memory, in samples, a multiple of 64: 2 MB of bits.
constexpr std::uint64_t block_side = 4096;
/// Samples of an area that are tried first.
constexpr std::uint64_t first_samples = 4;

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

/// Adds the bits of one viewpoint's row, whose columns are the samples [begin, end).
void add_row(const AreaSamples& samples, const AreaRange& columns, std::uint64_t begin,
             std::uint64_t end, const std::uint64_t* row, std::uint32_t* visible) {
  const auto& offsets = samples.offsets;
  auto b = static_cast<std::uint64_t>(std::upper_bound(offsets.begin(), offsets.end(), begin) -
                                      offsets.begin() - 1);
  for (; b < columns.end && offsets[b] < end; ++b) {
    const std::uint64_t low = std::max(offsets[b], begin), high = std::min(offsets[b + 1], end);
    visible[b - columns.first] += ones(row, low - begin, high - begin);
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

/// Decides rows of areas: more and more samples of one area against all samples of those that are
/// undecided. They stay matrices, which cost less per segment than pairs.
class Rows {
 public:
  Rows(const Caster& caster, const AreaSamples& samples, const VisibilityOptions& options)
      : caster_(caster), samples_(samples), options_(options) {}

  /// On entry the row's classes are those of the first samples. Returns the number of segments.
  std::uint64_t settle(std::uint64_t area, std::vector<OpenColumn>& open, AreaClass* classes,
                       std::uint64_t first_column) {
    const std::uint64_t rows = samples_.count(area);
    std::uint64_t segments = 0, end = 0;
    for (std::uint64_t begin = 0; begin < rows && !open.empty(); begin = end) {
      end = std::min({rows, std::max(first_samples, 4 * begin), begin + block_side});
      from_ = samples_.view().slice(samples_.offsets[area] + begin, end - begin);
      for (OpenColumn& column : open) {
        segments += from_.count * samples_.count(column.area);
        add(column);
      }
      trace();
      std::erase_if(open, [&](const OpenColumn& column) {
        AreaClass& c = classes[column.area - first_column];
        const bool differ = column.seen > 0 && column.seen < column.known;
        const bool is_partly = differ || (column.seen > 0) != (c == AreaClass::fully);
        if (is_partly) c = AreaClass::partly;
        return is_partly;
      });
    }
    open.clear();
    return segments;
  }

 private:
  void add(OpenColumn& column) {
    std::uint64_t next = samples_.offsets[column.area];
    while (next < samples_.offsets[column.area + 1]) {
      if (to_.size() == block_side) trace();
      const std::uint64_t n =
          std::min(samples_.offsets[column.area + 1] - next, block_side - to_.size());
      const auto at = samples_.point.begin() + static_cast<std::ptrdiff_t>(next);
      parts_.push_back({&column, to_.size(), to_.size() + n});
      to_.insert(to_.end(), at, at + static_cast<std::ptrdiff_t>(n));
      next += n;
    }
  }
  void trace() {
    const std::uint64_t words = bit_words(to_.size());
    bits_.assign(from_.count * words, 0);
    caster_.visibility(from_, {to_.size(), to_}, bits_, options_);
    for (const Part& part : parts_) {
      part.column->known += from_.count * (part.end - part.begin);
      for (std::uint64_t i = 0; i < from_.count; ++i) {
        part.column->seen += ones(bits_.data() + i * words, part.begin, part.end);
      }
    }
    to_.clear(), parts_.clear();
  }

  struct Part {
    OpenColumn* column;
    std::uint64_t begin, end;  ///< of the samples in to_
  };
  const Caster& caster_;
  const AreaSamples& samples_;
  const VisibilityOptions& options_;
  PointsView from_;
  std::vector<Vec3> to_;
  std::vector<Part> parts_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

AreaClass area_class(std::uint64_t visible, std::uint64_t pairs) {
  return visible == 0 ? AreaClass::hidden : visible < pairs ? AreaClass::partly : AreaClass::fully;
}

void area_counts(const Caster& caster, const AreaSamples& samples, const IdRange& of_rows,
                 const IdRange& of_columns, std::span<std::uint32_t> visible,
                 const VisibilityOptions& options) {
  const AreaRange rows = areas_of(of_rows, samples.size());
  const AreaRange columns = areas_of(of_columns, samples.size());
  check(samples, visible.size(), rows, columns);
  std::fill(visible.begin(), visible.end(), 0);
  const PointsView points = samples.view();
  const std::uint64_t last_row = samples.offsets[rows.end];
  const std::uint64_t last_column = samples.offsets[columns.end];
  std::vector<std::uint64_t> bits;
  for (std::uint64_t i = samples.offsets[rows.first]; i < last_row; i += block_side) {
    const std::uint64_t height = std::min(block_side, last_row - i);
    for (std::uint64_t j = samples.offsets[columns.first]; j < last_column; j += block_side) {
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
      for (std::uint64_t k = 0; k < height; ++k) {
        while (samples.offsets[area + 1] <= i + k) ++area;
        add_row(samples, columns, j, j + width, bits.data() + k * words,
                visible.data() + (area - rows.first) * columns.count());
      }
    }
  }
}

std::uint64_t area_classes(const Caster& caster, const AreaSamples& samples, const IdRange& of_rows,
                           const IdRange& of_columns, std::span<AreaClass> classes,
                           const VisibilityOptions& options) {
  const AreaRange rows = areas_of(of_rows, samples.size());
  const AreaRange columns = areas_of(of_columns, samples.size());
  check(samples, classes.size(), rows, columns);
  // A few samples of each decide most pairs that are partly visible.
  const AreaSamples some = first_of_each(samples, first_samples);
  std::vector<std::uint32_t> visible(classes.size());
  area_counts(caster, some, of_rows, of_columns, visible, options);
  Rows settling(caster, samples, options);
  std::vector<OpenColumn> open;
  std::uint64_t segments = 0;
  for (std::uint64_t a = rows.first; a < rows.end; ++a) {
    const std::uint64_t row = (a - rows.first) * columns.count();
    for (std::uint64_t b = columns.first; b < columns.end; ++b) {
      const std::uint64_t k = row + b - columns.first, tried = some.count(a) * some.count(b);
      classes[k] = area_class(visible[k], tried);
      segments += tried;
      const bool all = tried == samples.count(a) * samples.count(b);
      if (!all && classes[k] != AreaClass::partly) open.push_back({b});
    }
    segments += settling.settle(a, open, classes.data() + row, columns.first);
  }
  return segments;
}

}  // namespace sightline
