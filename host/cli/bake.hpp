// The matrix of who sees whom, computed tile by tile.
#pragma once

#include "host/cli/job.hpp"
#include "host/io/results_file.hpp"

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

/// What was.
struct Seen {
  VisibilityReport report;
  std::vector<std::uint64_t> by_viewpoint;  ///< [V], targets seen from each; not the point itself
};

/// Points on the side of a tile that fits the job's memory; a multiple of 64.
std::uint64_t tile_side(const Job& job, const Caster& caster);

/// Computes the matrix into the writer; tiles above the diagonal of a set against itself are
/// mirrored.
Seen bake(Job& job, const Matrix& matrix, io::ResultWriter& writer);

}  // namespace sightline::cli
