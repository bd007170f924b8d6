#include "bench/harness/answers.hpp"

#include "host/files/core/hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

namespace sightline::bench {
namespace {

/// Of overlaps: counts, or ids in rows.
Difference difference_of_rows(const Answers& ours, const Answers& theirs, std::uint64_t n) {
  const auto row = [](const Answers& a, std::uint64_t i) {
    const std::uint64_t first = a.offsets[i];
    return std::span(a.id).subspan(first, a.offsets[i + 1] - first);
  };
  Difference d;
  d.rays = n;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (!ours.counts.empty()) {
      d.hits += ours.counts[i] != theirs.counts[i];
    } else {
      const auto a = row(ours, i), b = row(theirs, i);
      d.hits += !std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
  }
  return d;
}

double relative(double a, double b) {
  const double apart = std::abs(a - b) / std::max(std::abs(a), 1e-30);
  return std::isnan(apart) ? infinity : apart;
}

/// Of the nearest shapes, where the points lie outside.
Difference difference_of_distances(const Answers& ours, const Answers& theirs, std::uint64_t n) {
  Difference d;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (ours.t[i] <= 0) continue;
    ++d.rays;
    if ((ours.id[i] == none) != (theirs.id[i] == none)) {
      ++d.hits;
    } else if (ours.id[i] != none) {
      d.ids += ours.id[i] != theirs.id[i];
      d.largest_t = std::max(d.largest_t, relative(ours.t[i], theirs.t[i]));
    }
  }
  return d;
}

}  // namespace

void Answers::poison() {
  visit(*this, [](const char*, auto& values) {
    if (!values.empty()) std::memset(values.data(), 0xA5, values.size() * sizeof(values[0]));
  });
}

bool Answers::begins(const Answers& all) const {
  bool does = true;
  std::vector<std::span<const std::byte>> arrays;
  visit(all, [&](const char*, auto& v) { arrays.push_back(std::as_bytes(std::span(v))); });
  std::size_t next = 0;
  visit(*this, [&](const char*, auto& v) {
    const auto mine = std::as_bytes(std::span(v)), other = arrays[next++];
    does = does && mine.size() <= other.size() &&
           (mine.empty() || std::memcmp(mine.data(), other.data(), mine.size()) == 0);
  });
  return does;
}

double Answers::found() const {
  double sum = 0;
  if (!bits.empty()) {
    for (const std::uint64_t word : bits) sum += std::popcount(word);
  } else if (!counts.empty()) {
    for (const std::uint32_t c : counts) sum += c;
  } else {
    for (const std::uint32_t i : id) sum += i != none;
  }
  return sum;
}

std::string Answers::hash() const {
  std::vector<io::TensorSource> tensors;
  visit(*this, [&](const char* name, const auto& values) {
    if (!values.empty()) tensors.push_back(io::stored(name, {values.size()}, values.data()));
  });
  return io::content_hash(std::move(tensors));
}

bool same_answers(const Answers& a, const Answers& b) { return a.begins(b) && b.begins(a); }

void Difference::add(const Difference& other) {
  rays += other.rays;
  hits += other.hits;
  ids += other.ids;
  largest_t = std::max(largest_t, other.largest_t);
}

Difference difference(const Answers& ours, const Answers& theirs, std::uint64_t rays) {
  if (!ours.counts.empty() || !ours.offsets.empty()) {
    return difference_of_rows(ours, theirs, rays);
  }
  if (!ours.t.empty() && ours.flags.empty()) return difference_of_distances(ours, theirs, rays);
  Difference d;
  if (!ours.bits.empty()) {
    d.rays = rays;
    for (std::uint64_t w = 0; w < bit_words(rays); ++w) {
      const std::uint64_t in =
          rays - w * 64 < 64 ? (std::uint64_t{1} << (rays - w * 64)) - 1 : ~std::uint64_t{0};
      d.hits += static_cast<std::uint64_t>(std::popcount((ours.bits[w] ^ theirs.bits[w]) & in));
    }
    return d;
  }
  for (std::uint64_t i = 0; i < rays; ++i) {
    if ((ours.flags[i] & hit_flags::started_inside) != 0) continue;
    ++d.rays;
    const bool ours_hits = ours.id[i] != none, they_hit = theirs.id[i] != none;
    const bool is_miss = !they_hit && theirs.t[i] == infinity;
    if (ours_hits ? !they_hit : !is_miss) {
      ++d.hits;
    } else if (ours.id[i] != theirs.id[i]) {
      ++d.ids;
    } else if (ours_hits) {
      d.largest_t = std::max(d.largest_t, relative(ours.t[i], theirs.t[i]));
    }
  }
  return d;
}

}  // namespace sightline::bench
