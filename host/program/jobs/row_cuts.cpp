#include "host/program/jobs/row_cuts.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

/// Some rows of a block that has more elements than are allowed.
void cut_by_counts(std::uint64_t first, std::span<const std::uint32_t> counts,
                   std::uint64_t most_elements, const UseRows& use) {
  std::uint64_t begin = 0, elements = 0;
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    if (i > begin && counts[i] > most_elements - elements) {
      use(first + begin, i - begin, elements);
      begin = i, elements = 0;
    }
    elements += counts[i];
    if (elements <= most_elements) continue;
    use(first + i, 1, elements);
    begin = i + 1, elements = 0;
  }
  if (begin < counts.size()) use(first + begin, counts.size() - begin, elements);
}

}  // namespace

RowSums::RowSums(std::uint64_t rows) : rows_(rows), sums_(rows / block + (rows % block != 0)) {}

void RowSums::add(std::uint64_t first, std::span<const std::uint32_t> counts, std::uint32_t most) {
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    const std::uint32_t n = std::min(counts[i], most);
    sums_[(first + i) / block] += n;
    elements_ += n;
  }
}

void for_each_cut(const RowSums& sums, const RowLimits& limits, const CountRows& count,
                  const UseRows& use, std::uint64_t first) {
  const auto end_of = [&](std::uint64_t b) { return std::min((b + 1) * sums.block, sums.rows()); };
  while (first < sums.rows()) {
    std::uint64_t b = first / sums.block, end = end_of(b), elements = sums.of_block(b);
    if (elements <= limits.elements) {
      // As many blocks as fit.
      while (end < sums.rows() && sums.of_block(b + 1) <= limits.elements - elements &&
             end_of(b + 1) - first <= limits.rows) {
        elements += sums.of_block(++b);
        end = end_of(b);
      }
    }
    for (; first < end; first += std::min(limits.rows, end - first)) {
      const std::uint64_t n = std::min(limits.rows, end - first);
      if (elements <= limits.elements) {
        use(first, n, elements);
      } else {
        cut_by_counts(first, count(first, n), limits.elements, use);
      }
    }
  }
}

}  // namespace sightline::cli
