#include "host/cli/bake.hpp"

#include "host/cli/bit_matrix.hpp"
#include "host/cli/inputs.hpp"
#include "host/cli/memory.hpp"
#include "host/cli/progress.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

// Points on a tile's side: half a megabyte of bits, a second of one core's work; for a CUDA device
// 32 megabytes, which it is predicted to fill in a tenth of a second.
constexpr std::uint64_t most_tile_side = 2048, most_cuda_tile_side = 16384;

/// Writes a tile and counts what its viewpoints see.
void keep_tile(io::ResultWriter& writer, Seen& seen, std::uint64_t row, std::uint64_t rows,
               std::uint64_t column, std::uint64_t columns, std::span<const std::uint64_t> bits) {
  const std::uint64_t words = words_for(columns);
  writer.write_bits(row, rows, column / 64, words, bits.data(), words);
  for (std::uint64_t i = 0; i < rows; ++i) {
    const std::uint64_t n = count_bits(bits.subspan(i * words, words));
    seen.by_viewpoint[row + i] += n;
    seen.report.visible += n;
  }
}

/// Points are counted once each, by the tiles of the first column (viewpoints) and row (targets).
void count_points(VisibilityReport& total, const VisibilityReport& tile, bool viewpoints,
                  bool targets) {
  if (viewpoints) total.bad_viewpoints += tile.bad_viewpoints;
  if (viewpoints) total.touching_viewpoints += tile.touching_viewpoints;
  if (viewpoints) total.bad_fields += tile.bad_fields;
  if (targets) total.bad_targets += tile.bad_targets;
  if (targets) total.touching_targets += tile.touching_targets;
}

}  // namespace

std::uint64_t tile_side(const Job& job, const Caster& caster) {
  const bool cuda = caster.backend() == Backend::cuda;
  std::uint64_t side = cuda ? most_cuda_tile_side : most_tile_side;
  const std::uint64_t tests = chunk_size(caster, side * side);
  while (side > 64 && side * side > tests) side /= 2;
  // A tile and its mirror image.
  const std::uint64_t pairs =
      buffer_elements(job.common().max_memory, copies_in_memory(caster), side * side / 4) * 4;
  while (side > 64 && side * side > pairs) side /= 2;
  return side;
}

Seen bake(Job& job, const Matrix& m, io::ResultWriter& writer) {
  Seen seen;
  seen.report.pairs = m.pairs();
  seen.by_viewpoint.resize(m.from.count);
  std::vector<std::uint64_t> bits, mirrored;
  std::uint64_t done = 0;
  Progress progress("visibility", "pairs", m.pairs(), job.common().quiet);
  for (std::uint64_t row = 0; row < m.from.count; row += m.tile_side) {
    const std::uint64_t rows = std::min(m.tile_side, m.from.count - row);
    const PointsView viewpoints = m.from.slice(row, rows);
    for (std::uint64_t column = m.self ? row : 0; column < m.to.count; column += m.tile_side) {
      progress.update(done);
      const std::uint64_t columns = std::min(m.tile_side, m.to.count - column);
      bits.resize(rows * words_for(columns));
      const bool diagonal = m.self && row == column;
      const VisibilityReport tile =
          diagonal ? m.caster.visibility(viewpoints, bits, m.options)
          : m.fields
              ? m.caster.visibility(viewpoints, m.fields->from(row), m.to.slice(column, columns),
                                    bits, m.options)
              : m.caster.visibility(viewpoints, m.to.slice(column, columns), bits, m.options);
      count_points(seen.report, tile, m.self ? diagonal : column == 0,
                   m.self ? diagonal : row == 0);
      seen.report.in_field += tile.in_field;
      keep_tile(writer, seen, row, rows, column, columns, bits);
      for (std::uint64_t i = 0; diagonal && i < rows; ++i) {
        const std::uint64_t word = bits[i * words_for(columns) + i / 64];
        seen.by_viewpoint[row + i] -= word >> (i % 64) & 1;
      }
      done += rows * columns;
      if (!m.self || diagonal) continue;
      transpose_bits(bits, rows, columns, mirrored);
      keep_tile(writer, seen, column, columns, row, rows, mirrored);
      done += rows * columns;
    }
  }
  progress.update(done);
  return seen;
}

}  // namespace sightline::cli
