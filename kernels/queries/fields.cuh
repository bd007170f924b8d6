// Fields of view: the kernels' bodies, for one warp at a time.
#pragma once

#include "kernels/launch/grid.hpp"
#include "kernels/queries/sight.cuh"

#include <sightline/geometry/queries/field_of_view.hpp>

namespace sightline::kernels {

/// Warps of a job: one for every 32 words of a row.
SIGHTLINE_HD std::uint64_t field_pieces(const FieldsJob& job) {
  return job.viewpoints.count * pieces(job.row_words, warp_size);
}

/// Piece k of the job.
template <class Team>
SIGHTLINE_HD void field_piece(const Team& team, const FieldsJob& job, std::uint64_t k) {
  const std::uint64_t pieces_of_row = pieces(job.row_words, warp_size);
  const std::uint64_t row = k / pieces_of_row;
  const SightPoint viewpoint = job.viewpoints[row];
  const FieldTest field = field_test(job.fields[row], job.fields.shape);
  const std::uint64_t ones = put_words(
      team, job.bits + row * job.row_words, job.row_words, k % pieces_of_row, [&](std::uint64_t j) {
        return j < job.targets.count &&
               in_field(field, viewpoint, point_of(job.targets, job.target_order, j));
      });
  if (ones != 0) team.once([&] { Team::add(job.in_field, ones); });
}

}  // namespace sightline::kernels
