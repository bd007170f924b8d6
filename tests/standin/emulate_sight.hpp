// The kernels of kernels/queries/sight.cu as host loops over the same bodies.
#pragma once

#include "kernels/queries/fields.cuh"
#include "kernels/queries/sight_batch.cuh"
#include "tests/standin/emulate_cast.hpp"

namespace sightline::standin {

/// Calls body(warp, k) for every k < n.
template <class Body>
void for_each_warp(std::uint64_t n, const Emulation& emulation, Body&& body) {
  for (std::uint64_t k = 0; k < n; ++k) {
    body(HostWarp(emulation.steps, emulation.order), k);
  }
}
/// Calls body(warp, search, k) for every k < n.
template <class Body>
void for_each_warp(const kernels::DeviceScene& scene, std::uint64_t n, const Emulation& emulation,
                   Body&& body) {
  for_each_warp(n, emulation, [&](const HostWarp& warp, std::uint64_t k) {
    body(warp, kernels::BruteSearch{scene}, k);
  });
}

inline void emulate_boxes(const kernels::SightJob& job, const Emulation& emulation) {
  for (std::uint64_t k = 0; k < kernels::BoxWords(job).count; ++k) kernels::put_target_box(job, k);
  kernels::search_boxes(job, [&](const auto& search) { emulate_wide(search, emulation); });
}

inline void emulate(const kernels::SightJob& asked, const Emulation& emulation = {}) {
  const kernels::SightJob job = kernels::with_useful_boxes(asked);
  if (job.box_words != nullptr) emulate_boxes(job, emulation);
  if (job.scene.has_tree) return emulate_wide(job, emulation);
  for_each_warp(job.scene, job.viewpoints.count * job.row_words, emulation,
                [&](const HostWarp& warp, const auto& search, std::uint64_t k) {
                  kernels::sight_word(warp, search, job, k);
                });
}

inline void emulate(const kernels::LowestNodesJob& job) {
  for (std::uint64_t k = 0; k < job.points.count; ++k) kernels::put_lowest_node(job, k);
}

inline void emulate(const kernels::SelfSightJob& job, const Emulation& emulation = {}) {
  emulate(kernels::upper_half(job), emulation);
  for_each_warp(
      kernels::self_sight_squares(job), emulation,
      [&](const HostWarp& warp, std::uint64_t k) { kernels::mirror_square(warp, job, k); });
}

inline void emulate(const kernels::SightPairsJob& job, const Emulation& emulation = {}) {
  if (job.scene.has_tree) return emulate_wide(job, emulation);
  for_each_warp(job.scene, kernels::bit_words32(job.from.count), emulation,
                [&](const HostWarp& warp, const auto& search, std::uint64_t k) {
                  kernels::sight_pairs_word(warp, search, job, k);
                });
}

inline void emulate(const kernels::CountPointsJob& job, const Emulation& emulation = {}) {
  if (job.scene.has_tree) return emulate_wide(job, emulation);
  for_each_warp(job.scene, kernels::pieces(job.points.count, kernels::warp_size), emulation,
                [&](const HostWarp& warp, const auto& search, std::uint64_t k) {
                  kernels::count_points_word(warp, search, job, k);
                });
}

inline void emulate(const kernels::FieldsJob& job, const Emulation& emulation = {}) {
  for_each_warp(kernels::field_pieces(job), emulation,
                [&](const HostWarp& warp, std::uint64_t k) { kernels::field_piece(warp, job, k); });
}

inline void emulate(const kernels::ReorderBitsJob& job, const Emulation& emulation = {}) {
  for_each_warp(
      kernels::reorder_pieces(job), emulation,
      [&](const HostWarp& warp, std::uint64_t k) { kernels::reorder_piece(warp, job, k); });
}

}  // namespace sightline::standin
