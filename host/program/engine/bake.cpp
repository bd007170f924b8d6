#include "host/program/engine/bake.hpp"

#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/inputs.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/tiled_job.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

// Points on a tile's side: half a megabyte of bits, a second of one core's work; for a CUDA device
// 32 megabytes, which it is predicted to fill in a tenth of a second.
constexpr std::uint64_t most_tile_side = 2048, most_cuda_tile_side = 16384;

/// Writes a tile and counts its bits.
std::uint64_t write_tile(io::ResultWriter& writer, const io::GridPart& tile,
                         std::span<const std::uint64_t> bits) {
  const std::uint64_t words = words_for(tile.columns);
  writer.write_bits(tile.row, tile.rows, tile.column / 64, words, bits.data(), words);
  return count_bits(bits);
}

/// Its tiles, one after the other, in buffers that they share.
class Tiles {
 public:
  Tiles(const Matrix& matrix, io::ResultWriter& writer) : m_(matrix), writer_(writer) {}

  io::JobCounts bake(const io::GridPart& tile) {
    const PointsView viewpoints = m_.from.slice(tile.row, tile.rows);
    const PointsView targets = m_.to.slice(tile.column, tile.columns);
    bits_.resize(tile.rows * words_for(tile.columns));
    const bool diagonal = m_.self && tile.row == tile.column;
    VisibilityReport report = diagonal ? m_.caster.visibility(viewpoints, bits_, m_.options)
                              : m_.fields
                                  ? m_.caster.visibility(viewpoints, m_.fields->from(tile.row),
                                                         targets, bits_, m_.options)
                                  : m_.caster.visibility(viewpoints, targets, bits_, m_.options);
    report.visible = write_tile(writer_, tile, bits_);
    if (m_.self && !diagonal) {
      transpose_bits(bits_, tile.rows, tile.columns, mirrored_);
      report.visible +=
          write_tile(writer_, {tile.column, tile.columns, tile.row, tile.rows}, mirrored_);
    }
    return visibility_counts(report, m_.self ? diagonal : tile.column == 0,
                             m_.self ? diagonal : tile.row == 0);
  }

 private:
  const Matrix& m_;
  io::ResultWriter& writer_;
  std::vector<std::uint64_t> bits_, mirrored_;
};

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

VisibilityReport bake(const Job& job, const Matrix& m, io::ResultWriter& writer) {
  Tiles tiles(m, writer);
  const TiledMatrix matrix = {"visibility", "pairs", m.from.count, m.to.count, m.tile_side, m.self};
  return visibility_report(
      m.pairs(), work_on_tiles(job, writer.container(), matrix,
                               [&](const io::GridPart& tile) { return tiles.bake(tile); }));
}

std::vector<std::uint64_t> seen_by_viewpoint(const Matrix& m, const io::ResultWriter& writer) {
  const std::uint64_t words = words_for(m.to.count);
  std::vector<std::uint64_t> seen(m.from.count), row(words);
  for (std::uint64_t i = 0; i < m.from.count && words > 0; ++i) {
    writer.read_bits(i, 1, 0, words, row.data(), words);
    seen[i] = count_bits(row) - (m.self ? row[i / 64] >> (i % 64) & 1 : 0);
  }
  return seen;
}

}  // namespace sightline::cli
