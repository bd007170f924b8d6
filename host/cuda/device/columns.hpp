// Views of arrays, column by column.
#pragma once

#include "host/cuda/device/memory.hpp"

#include <sightline/flat/columns.hpp>
#include <sightline/queries/fields.hpp>
#include <sightline/queries/nearest.hpp>

#include <concepts>
#include <type_traits>

namespace sightline::cuda {

/// Reserves n dense elements, if the column has data.
template <class T>
void lay_out(Column<T>& column, std::uint64_t n, BumpLayout& memory) {
  if (column.data == nullptr) return;
  column.data = memory.take<T>(n);
  column.stride = sizeof(T);
  column.count = n;
}

template <class V, class View>
concept ViewOf = std::same_as<std::remove_const_t<V>, View>;

// for_each_column(f, views...) calls f with the same column of each view, for every column.
template <class F, ViewOf<Column<float>>... Views>
void for_each_column(F&& f, Views&... v) {
  f(v...);
}
template <class F, ViewOf<RaysView>... Views>
void for_each_column(F&& f, Views&... v) {
  f(v.origin.x...), f(v.origin.y...), f(v.origin.z...);
  f(v.direction.x...), f(v.direction.y...), f(v.direction.z...);
  f(v.t_min...), f(v.t_max...), f(v.mask...);
  for (int k = 0; k < 2; ++k) f(v.exclude[k]...), f(v.exclude_group[k]...);
}
template <class F, ViewOf<PointsView>... Views>
void for_each_column(F&& f, Views&... v) {
  f(v.position.x...), f(v.position.y...), f(v.position.z...);
  f(v.mask...), f(v.exclude...), f(v.exclude_group...);
}
template <class F, ViewOf<PointPairsView>... Views>
void for_each_column(F&& f, Views&... v) {
  for_each_column(f, v.from...), for_each_column(f, v.to...);
}
template <class F, ViewOf<FieldsView>... Views>
void for_each_column(F&& f, Views&... v) {
  f(v.direction.x...), f(v.direction.y...), f(v.direction.z...);
  f(v.cosine...), f(v.sine...), f(v.range...);
}
template <class F, ViewOf<CirclesView>... Views>
void for_each_column(F&& f, Views&... v) {
  f(v.center.x...), f(v.center.y...), f(v.radius...), f(v.mask...);
}
template <class F, ViewOf<SegmentsView>... Views>
void for_each_column(F&& f, Views&... v) {
  f(v.a.x...), f(v.a.y...), f(v.b.x...), f(v.b.y...), f(v.mask...);
}

}  // namespace sightline::cuda
