// Views of arrays, column by column.
#pragma once

#include "host/cuda/device/memory.hpp"

#include <sightline/flat_shapes.hpp>
#include <sightline/geometry/queries/nearest.hpp>
#include <sightline/points.hpp>

namespace sightline::cuda {

/// Reserves n dense elements, if the column has data.
template <class T>
void lay_out(Column<T>& column, std::uint64_t n, BumpLayout& memory) {
  if (column.data == nullptr) return;
  column.data = memory.take<T>(n);
  column.stride = sizeof(T);
  column.count = n;
}

/// Calls f with the same column of each view, for every column.
template <class F, class View, class... Views>
void for_each_column(F&& f, View& v, Views&... more) {
  if constexpr (requires { v.stride; }) {
    f(v, more...);
  } else if constexpr (requires { v.x; }) {
    f(v.x, more.x...), f(v.y, more.y...);
    if constexpr (requires { v.z; }) f(v.z, more.z...);
  } else if constexpr (requires { v.from; }) {
    for_each_column(f, v.from, more.from...), for_each_column(f, v.to, more.to...);
  } else {
    View::columns([&](const char*, auto&... columns) { for_each_column(f, columns...); }, v,
                  more...);
  }
}

}  // namespace sightline::cuda
