#include "host/files/formats/visible_sets.hpp"

#include "host/files/core/file.hpp"

#include <algorithm>
#include <bit>

namespace sightline::io {
namespace {

std::uint64_t count_differences(std::span<const std::uint64_t> a,
                                std::span<const std::uint64_t> b) {
  std::uint64_t n = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    n += static_cast<std::uint64_t>(std::popcount(a[k] ^ b[k]));
  }
  return n;
}

}  // namespace

RowDifferences RowEncoder::next(std::span<const std::uint64_t> row) {
  const std::vector<std::uint64_t> empty(words_);
  RowDifferences best;
  std::span<const std::uint64_t> against = empty;
  std::uint64_t fewest = count_differences(row, empty);
  const std::uint64_t back = std::min<std::uint64_t>(rows_, reference_window);
  for (std::uint64_t k = 1; k <= back; ++k) {
    const std::span<const std::uint64_t> other = kept(rows_ - k);
    const std::uint64_t n = count_differences(row, other);
    if (n >= fewest) continue;
    fewest = n;
    best.reference = static_cast<std::uint32_t>(rows_ - k);
    against = other;
  }
  best.id.reserve(fewest);
  for (std::uint64_t k = 0; k < words_; ++k) {
    for (std::uint64_t bits = row[k] ^ against[k]; bits != 0; bits &= bits - 1) {
      best.id.push_back(static_cast<std::uint32_t>(64 * k) +
                        static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
  window_.resize(std::min<std::uint64_t>(rows_ + 1, reference_window) * words_);
  std::copy(row.begin(), row.end(),
            window_.begin() + static_cast<std::ptrdiff_t>(rows_ % reference_window * words_));
  ++rows_;
  return best;
}

std::span<const std::uint64_t> RowDecoder::next(const RowDifferences& d) {
  const auto refuse = [&](const char* reason) {
    fail(ErrorKind::bad_input, "the set of cell {} {}", rows_, reason);
  };
  std::vector<std::uint64_t> row(words_);
  if (d.reference != none) {
    if (d.reference >= rows_ || rows_ - d.reference > reference_window) {
      refuse("refers to a cell that is not one of the 64 before it");
    }
    const auto from =
        window_.begin() + static_cast<std::ptrdiff_t>(d.reference % reference_window * words_);
    std::copy_n(from, words_, row.begin());
  }
  for (std::size_t k = 0; k < d.id.size(); ++k) {
    if (d.id[k] >= cells_) refuse("names a cell that is not there");
    if (k > 0 && d.id[k] <= d.id[k - 1]) refuse("does not ascend");
    row[d.id[k] / 64] ^= std::uint64_t{1} << (d.id[k] % 64);
  }
  window_.resize(std::min<std::uint64_t>(rows_ + 1, reference_window) * words_);
  const std::uint64_t at = rows_ % reference_window * words_;
  std::copy(row.begin(), row.end(), window_.begin() + static_cast<std::ptrdiff_t>(at));
  ++rows_;
  return std::span(window_).subspan(at, words_);
}

}  // namespace sightline::io
