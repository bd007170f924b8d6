// Spheres asked eight at a time, as a planner asks: whether any of the eight overlaps anything.
#pragma once

#include "bench/duel/duel.hpp"
#include "bench/harness/query_batch.hpp"
#include "bench/rivals/vamp_scene.hpp"

#include <sightline/caster.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <tbb/task_arena.h>

namespace sightline::bench {

/// The shapes of a scene with bounds, as VAMP has them; null where this build is without it.
std::unique_ptr<rivals::VampScene> vamp_scene_of(const ShapesView& shapes);

/// VAMP's answers: a bit for each eight spheres, as it is meant to be asked, or for each sphere.
class VampAnswers {
 public:
  VampAnswers(const rivals::VampScene& scene, const QueryBatch& batch, bool eights, int threads);
  /// The first n bits.
  void answer(std::uint64_t n, Answers& to);

 private:
  const rivals::VampScene& scene_;
  std::vector<rivals::EightSpheres> spheres_;
  bool eights_;
  std::vector<std::uint8_t> hits_;
  tbb::task_arena arena_;
};

}  // namespace sightline::bench
