// The matrix of who sees whom, computed tile by tile.
#pragma once

#include "host/files/formats/results_file.hpp"
#include "host/program/engine/job.hpp"

#include <sightline/caster.hpp>

#include <optional>
#include <vector>

namespace sightline::cli {

/// What is to be computed.
struct Matrix {
  const Caster& caster;
  PointsView from, to;
  bool self;                         ///< `to` is `from`: tiles above the diagonal are mirrored
  std::optional<FieldsView> fields;  ///< of the viewpoints; with them `self` is false
  VisibilityOptions options;
  std::uint64_t tile_side;

  std::uint64_t pairs() const { return from.count * to.count; }
};

/// Points on the side of a tile that fits the job's memory; a multiple of 64.
std::uint64_t tile_side(const Job& job, const Caster& caster);

/// Computes what is left of the matrix into the writer; tiles above the diagonal of a set against
/// itself are mirrored. Reports on all of it. Throws Interrupted, after what was done is kept.
VisibilityReport bake(const Job& job, const Matrix& matrix, io::ResultWriter& writer);

/// [V], the targets that each viewpoint sees, but not itself; read from what was written.
std::vector<std::uint64_t> seen_by_viewpoint(const Matrix& matrix, const io::ResultWriter& writer);

}  // namespace sightline::cli
