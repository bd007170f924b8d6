// Columns of hits, which results of rays, of segments and of what moves have.
#pragma once

#include "host/program/results/result.hpp"

namespace sightline::cli {

inline std::vector<Column> hit_columns(std::uint64_t n, bool normals) {
  std::vector<Column> columns = {
      {"t", io::Dtype::f32, {n}}, {"id", io::Dtype::u32, {n}}, {"flags", io::Dtype::u8, {n}}};
  if (normals) columns.push_back({.name = "normal", .shape = {n, 3}, .xyz = true});
  return columns;
}

inline HitArrays hits_in(ColumnBuffer& buffer) {
  return {buffer.of<float>("t"), buffer.of<std::uint32_t>("id"), buffer.of<std::uint8_t>("flags"),
          buffer.of<Vec3>("normal")};
}

/// Hits, and bad ones.
inline void tally_hits(ColumnBuffer& buffer, io::JobCounts& counts) {
  for (const std::uint8_t flags : buffer.of<std::uint8_t>("flags")) {
    counts.sum[0] += (flags & hit_flags::hit) != 0;
    counts.sum[1] += (flags & hit_flags::bad_ray) != 0;
  }
}

/// Those with any, and their sum.
inline void tally_counts(std::span<const std::uint32_t> numbers, io::JobCounts& counts) {
  for (const std::uint32_t n : numbers) {
    counts.sum[0] += n > 0;
    counts.sum[1] += n;
  }
}

/// Of a report, what no column tells: the first bad one, of a part that begins here.
template <class Report>
io::JobCounts first_bad(const Report& report, std::uint64_t begin) {
  io::JobCounts counts;
  if (report.bad_rays > 0) counts.first_bad = begin + report.first_bad_ray;
  return counts;
}

}  // namespace sightline::cli
