// The caller's columns, of any stride, as dense columns of a chunk.
#pragma once

#include "host/cuda/device/memory.hpp"

#include <sightline/flat/columns.hpp>
#include <sightline/queries/fields.hpp>
#include <sightline/queries/points.hpp>

namespace sightline::cuda {

/// Calls f with the same column of each view, for every column of rays.
template <class F, class... Views>
void for_each_ray_column(F&& f, Views&... v) {
  f(v.origin.x...), f(v.origin.y...), f(v.origin.z...);
  f(v.direction.x...), f(v.direction.y...), f(v.direction.z...);
  f(v.t_min...), f(v.t_max...), f(v.mask...);
  for (int k = 0; k < 2; ++k) f(v.exclude[k]...), f(v.exclude_group[k]...);
}
/// The same for points.
template <class F, class... Views>
void for_each_point_column(F&& f, Views&... v) {
  f(v.position.x...), f(v.position.y...), f(v.position.z...);
  f(v.mask...), f(v.exclude...), f(v.exclude_group...);
}
/// The same for fields of view.
template <class F, class... Views>
void for_each_field_column(F&& f, Views&... v) {
  f(v.direction.x...), f(v.direction.y...), f(v.direction.z...);
  f(v.cosine...), f(v.sine...), f(v.range...);
}
/// The same for circles and segments of 2D.
template <class F, class... Views>
void for_each_circle_column(F&& f, Views&... v) {
  f(v.center.x...), f(v.center.y...), f(v.radius...), f(v.mask...);
}
template <class F, class... Views>
void for_each_segment_column(F&& f, Views&... v) {
  f(v.a.x...), f(v.a.y...), f(v.b.x...), f(v.b.y...), f(v.mask...);
}

/// Views of n elements whose columns are cut from memory, for those columns that have data in
/// `like`; the others keep their common value.
RaysView cut_rays(const RaysView& like, std::uint64_t n, Cutter& memory);
PointsView cut_points(const PointsView& like, std::uint64_t n, Cutter& memory);
FieldsView cut_fields(const FieldsView& like, std::uint64_t n, Cutter& memory);
Column<float> cut_column(const Column<float>& like, std::uint64_t n, Cutter& memory);
/// Room for those arrays of n hits that `like` has.
HitsView cut_hits(const HitsView& like, std::uint64_t n, Cutter& memory);
CirclesView cut_circles(const CirclesView& like, std::uint64_t n, Cutter& memory);
SegmentsView cut_segments(const SegmentsView& like, std::uint64_t n, Cutter& memory);

/// Copies the elements of `from` into the columns of `to`, a view of as many that was cut like it,
/// in parallel.
void pack(const RaysView& from, const RaysView& to);
void pack(const PointsView& from, const PointsView& to);
void pack(const FieldsView& from, const FieldsView& to, std::uint64_t n);
void pack(const Column<float>& from, const Column<float>& to, std::uint64_t n);
/// Copies n hits into those arrays that `to` has.
void copy_hits(const HitsView& from, const HitsView& to, std::uint64_t n);
void pack(const SegmentsView& from, const SegmentsView& to);

/// Copies bytes in parallel.
void copy_bytes(void* to, const void* from, std::uint64_t bytes);

}  // namespace sightline::cuda
