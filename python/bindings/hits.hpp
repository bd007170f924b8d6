// The first hits of rays and of shapes that move.
#pragma once

#include "python/bindings/module.hpp"

namespace sightline::python {

/// The first hits, each column an array when it is asked for.
struct Hits {
  Shape shape{0};  ///< of the rays, and of every column
  std::uint64_t n = 0;
  Answers<float> t;
  Answers<std::uint32_t> id;
  Answers<std::uint8_t> flags;
  OptionalAnswers<float> normal;  ///< three more
  CastReport report;
  Arrays arrays{Arrays::Where::device_allowed};  ///< of the call: what its columns and those of
                                                 ///< `out` point to stays alive
  std::optional<std::pair<Vec3Column, Vec3Column>> lines;  ///< for `points`; none of a sweep
  std::array<std::uint32_t, kind_count + 1> first_of_kind{};
};

/// Keeps where the ids of each kind begin.
void remember_kinds(Hits& hits, const Scene& scene);
/// Memory for the columns of hits of this shape: the caller's where `out` has an array of that
/// name.
HitArrays make_room(Hits& hits, Arrays& arrays, const Shape& shape, bool normals, nb::handle out);

void add_hits(nb::module_& m);

}  // namespace sightline::python
