#include "host/cuda/device/columns.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

namespace sightline::cuda {
namespace {

// Small enough that the rows of a block stay in a core's cache while its columns are taken out.
constexpr std::uint64_t elements_per_task = 1 << 13;
constexpr std::uint64_t bytes_per_task = 1 << 18;

template <class T>
void cut(Column<T>& column, std::uint64_t n, Cutter& memory) {
  if (column.data == nullptr) return;
  column.data = memory.take<T>(n);
  column.stride = sizeof(T);
}

/// Elements [begin, end) of one column.
template <class T>
void pack_column(const Column<T>& from, const Column<T>& to, std::uint64_t begin,
                 std::uint64_t end) {
  if (from.data == nullptr) return;
  // The view's columns are const, the chunk's memory is ours.
  T* const out = const_cast<T*>(to.data);
  if (from.stride == sizeof(T)) {
    std::memcpy(out + begin, from.data + begin, (end - begin) * sizeof(T));
  } else {
    for (std::uint64_t i = begin; i < end; ++i) out[i] = from[i];
  }
}

/// Calls f(begin, end) for parts of [0, n), possibly at the same time.
template <class F>
void in_parallel(std::uint64_t n, std::uint64_t grain, F&& f) {
  if (n <= grain) {
    f(std::uint64_t{0}, n);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, n, grain),
                    [&](const auto& range) { f(range.begin(), range.end()); });
}

}  // namespace

RaysView cut_rays(const RaysView& like, std::uint64_t n, Cutter& memory) {
  RaysView rays = like;
  rays.count = n;
  for_each_ray_column([&](auto& column) { cut(column, n, memory); }, rays);
  return rays;
}

PointsView cut_points(const PointsView& like, std::uint64_t n, Cutter& memory) {
  PointsView points = like;
  points.count = n;
  for_each_point_column([&](auto& column) { cut(column, n, memory); }, points);
  return points;
}

FieldsView cut_fields(const FieldsView& like, std::uint64_t n, Cutter& memory) {
  FieldsView fields = like;
  for_each_field_column([&](auto& column) { cut(column, n, memory); }, fields);
  return fields;
}

Column<float> cut_column(const Column<float>& like, std::uint64_t n, Cutter& memory) {
  Column<float> column = like;
  cut(column, n, memory);
  return column;
}

HitsView cut_hits(const HitsView& like, std::uint64_t n, Cutter& memory) {
  HitsView hits;
  if (like.t != nullptr) hits.t = memory.take<float>(n);
  if (like.id != nullptr) hits.id = memory.take<std::uint32_t>(n);
  if (like.flags != nullptr) hits.flags = memory.take<std::uint8_t>(n);
  if (like.normal != nullptr) hits.normal = memory.take<Vec3>(n);
  return hits;
}

CirclesView cut_circles(const CirclesView& like, std::uint64_t n, Cutter& memory) {
  CirclesView circles = like;
  circles.count = n;
  for_each_circle_column([&](auto& column) { cut(column, n, memory); }, circles);
  return circles;
}

SegmentsView cut_segments(const SegmentsView& like, std::uint64_t n, Cutter& memory) {
  SegmentsView segments = like;
  segments.count = n;
  for_each_segment_column([&](auto& column) { cut(column, n, memory); }, segments);
  return segments;
}

void pack(const RaysView& from, const RaysView& to) {
  in_parallel(from.count, elements_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    for_each_ray_column([&](const auto& a, const auto& b) { pack_column(a, b, begin, end); }, from,
                        to);
  });
}

void pack(const PointsView& from, const PointsView& to) {
  in_parallel(from.count, elements_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    for_each_point_column([&](const auto& a, const auto& b) { pack_column(a, b, begin, end); },
                          from, to);
  });
}

void pack(const FieldsView& from, const FieldsView& to, std::uint64_t n) {
  in_parallel(n, elements_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    for_each_field_column([&](const auto& a, const auto& b) { pack_column(a, b, begin, end); },
                          from, to);
  });
}

void pack(const Column<float>& from, const Column<float>& to, std::uint64_t n) {
  in_parallel(n, elements_per_task,
              [&](std::uint64_t begin, std::uint64_t end) { pack_column(from, to, begin, end); });
}

void copy_hits(const HitsView& from, const HitsView& to, std::uint64_t n) {
  if (to.t != nullptr) copy_bytes(to.t, from.t, n * sizeof(float));
  if (to.id != nullptr) copy_bytes(to.id, from.id, n * sizeof(std::uint32_t));
  if (to.flags != nullptr) copy_bytes(to.flags, from.flags, n);
  if (to.normal != nullptr) copy_bytes(to.normal, from.normal, n * sizeof(Vec3));
}

void pack(const SegmentsView& from, const SegmentsView& to) {
  in_parallel(from.count, elements_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    for_each_segment_column([&](const auto& a, const auto& b) { pack_column(a, b, begin, end); },
                            from, to);
  });
}

void copy_bytes(void* to, const void* from, std::uint64_t bytes) {
  in_parallel(bytes, bytes_per_task, [&](std::uint64_t begin, std::uint64_t end) {
    std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                end - begin);
  });
}

}  // namespace sightline::cuda
