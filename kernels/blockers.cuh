// What blocked the targets of a strip of a visibility matrix last: in most scenes it blocks them
// for the next viewpoint too, and its test takes less than a walk of the tree.
#pragma once

#include "kernels/gates.cuh"
#include "kernels/launch.hpp"
#include "kernels/records.cuh"
#include "kernels/team.cuh"

namespace sightline::kernels {

/// Whether every shape of the tree has a word.
SIGHTLINE_HD bool has_blockers(const ShapesView& shapes) {
  return record_units(shapes) <= std::uint64_t{1} << blocker_unit_bits;
}

/// The last blocker of each of n targets, and another that was the last before, in a warp's shared
/// memory.
template <class Team, int n>
class Blockers {
 public:
  SIGHTLINE_HD void write(int target, std::uint32_t newest, std::uint32_t older) {
    newest_.write(target, newest);
    older_.write(target, older);
  }
  SIGHTLINE_HD std::uint32_t newest(int target) const { return newest_.read(target); }
  SIGHTLINE_HD std::uint32_t older(int target) const { return older_.read(target); }
  /// By any lanes, in any order.
  SIGHTLINE_HD void learn(int target, std::uint32_t blocker) {
    const std::uint32_t before = newest_.swap(target, blocker);
    if (before != blocker) older_.swap(target, before);
  }

 private:
  typename Team::template Shared<std::uint32_t, n> newest_, older_;
};

/// Whether the blocker's shape surely blocks the ray: the test of its leaf, gate and filters
/// included. What floats leave in doubt is for the tree.
template <class Rays>
SIGHTLINE_HD bool is_blocked_by(std::uint32_t blocker, const DeviceScene& scene, const Rays& rays,
                                std::uint32_t ray, const Query& query) {
  const std::uint32_t unit = blocker & ((1u << blocker_unit_bits) - 1);
  bool hit = false;
  LeaveOpen settle;
  visit_record(scene.wide.records + unit, static_cast<Kind>(blocker >> blocker_unit_bits),
               [&](const auto& shape) { hit = rays.test(query, shape, infinity, settle).hit; });
  return hit && !settle.open &&
         (!rays.filtered || rays.counts(ray, scene.shapes, scene.wide.ids[unit]));
}

}  // namespace sightline::kernels
