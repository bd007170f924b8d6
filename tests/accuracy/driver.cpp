#include "tests/accuracy/driver.hpp"

#include <sightline/geometry/queries/cast.hpp>

#include "tests/accuracy/textbook.hpp"
#include "tests/oracle/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sightline::accuracy {
namespace {

/// The library's answer without its normal.
template <class Shape>
Found ours(const Query& q, const Shape& shape) {
  float gate_near = q.ray.t_min;
  if constexpr (!std::is_same_v<Shape, Plane>) {
    const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, bounds(shape));
    if (is_empty(gate)) return {};
    gate_near = gate.t_near;
  }
  return cast_past_gate(q, shape, gate_near);
}

double ulps(float got, long double want) {
  int exponent;
  std::frexp(want, &exponent);
  return static_cast<double>(std::fabs(got - want) / std::ldexp(1.0L, exponent - 24));
}

template <class Shape>
void judge(const Sample<Shape>& s, Measured& m) {
  constexpr bool is_plane = std::is_same_v<Shape, Plane>;
  const Query q = make_query(s.ray, Inside::solid);
  const Line& line = q.ray.line;
  const auto truth = oracle::truth(line.origin, line.direction, s.shape, s.size);
  const Found got = ours(q, s.shape);
  const auto book = textbook::entry(line.origin, line.direction, s.shape);
  const bool want_hit =
      is_plane ? truth.t_in < 0 && truth.t_out >= 0 : truth.hit && truth.t_out >= 0;
  const bool got_hit = is_plane ? got.hit && got.started_inside : got.hit;
  const bool book_hit = book.hit;
  const double outside = static_cast<double>(std::fabs(truth.outside)) / s.size;
  ++m.rays;
  m.hits += want_hit;
  if (got_hit != want_hit) {
    ++m.wrong;
    m.band = std::max(m.band, outside);
  }
  if (book_hit != (is_plane ? truth.outside <= 0 : truth.hit)) {
    ++m.textbook_wrong;
    m.textbook_band = std::max(m.textbook_band, outside);
  }
  if (!got.hit || got.started_inside || !truth.hit || !(truth.t_in >= s.size)) return;
  const double error = ulps(got.t, truth.t_in);
  (outside < 1e-3 && !is_plane ? m.t_grazing : m.t).add(error);
  if (book_hit || is_plane) {
    const double length = static_cast<double>(std::fabs(book.t - truth.t_in)) / s.size;
    m.textbook_t = std::max(m.textbook_t, std::min(length, 1e9));
  }
}

template <class Shape>
Measured measure_shape(const Cell& cell, std::uint64_t rays, std::uint64_t seed) {
  Dice dice(seed);
  Measured m;
  for (std::uint64_t i = 0; i < rays; ++i) judge(draw<Shape>(dice, cell), m);
  return m;
}

}  // namespace

void UlpHistogram::add(double ulp) {
  ++bins_[static_cast<std::size_t>(std::min(ulp * 10, 100.0))];
  ++count_;
  max_ = std::max(max_, ulp);
}

double UlpHistogram::p999() const {
  std::uint64_t above = 0;
  for (std::size_t i = bins_.size(); i > 0; --i) {
    above += bins_[i - 1];
    if (above * 1000 > count_) return static_cast<double>(i) / 10;
  }
  return 0;
}

void UlpHistogram::merge(const UlpHistogram& other) {
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

void Measured::merge(const Measured& other) {
  rays += other.rays;
  hits += other.hits;
  wrong += other.wrong;
  textbook_wrong += other.textbook_wrong;
  band = std::max(band, other.band);
  textbook_band = std::max(textbook_band, other.textbook_band);
  t.merge(other.t);
  t_grazing.merge(other.t_grazing);
  textbook_t = std::max(textbook_t, other.textbook_t);
}

const char* name(Form form) {
  const char* names[] = {"AABB", "OBB", "sphere", "capsule", "plane", "cylinder"};
  return names[static_cast<int>(form)];
}

Measured measure(Form form, const Cell& cell, std::uint64_t rays, std::uint64_t seed) {
  switch (form) {
    case Form::aabb:
      return measure_shape<Aabb>(cell, rays, seed);
    case Form::obb:
      return measure_shape<ObbFrame>(cell, rays, seed);
    case Form::sphere:
      return measure_shape<Sphere>(cell, rays, seed);
    case Form::capsule:
      return measure_shape<Capsule>(cell, rays, seed);
    case Form::cylinder:
      return measure_shape<Cylinder>(cell, rays, seed);
    default:
      return measure_shape<Plane>(cell, rays, seed);
  }
}

std::vector<Cell> cells_of(Form form) {
  const bool has_aspect = form != Form::sphere && form != Form::plane;
  std::vector<Cell> cells;
  for (const double scale : {1.0, 0x1p-40, 0x1p40}) {
    for (const double aspect : {1.0, 100.0, 1e4}) {
      if (aspect > 1 && !has_aspect) continue;
      for (const double distance : {10.0, 100.0, 1e3, 1.2e4, 1e5}) {
        // The domain ends at 2^40: there, the largest distance and not the size is scaled.
        const double reach = 2 * std::max(distance, aspect) + 2;
        cells.push_back({distance, aspect,
                         scale > 1 ? scale / std::exp2(std::ceil(std::log2(reach))) : scale, 0.3});
      }
    }
  }
  return cells;
}

std::string header() {
  return "| form | scale | aspect | distance | rays | wrong % (30%) | wrong (0.1%) | band | "
         "t ulp max | 99.9% | grazing t ulp max | 99.9% | textbook wrong % | textbook t, sizes |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
}

std::string row(Form form, const Cell& cell, const Measured& wide, const Measured& narrow) {
  UlpHistogram t = wide.t, grazing = wide.t_grazing;
  t.merge(narrow.t);
  grazing.merge(narrow.t_grazing);
  const auto percent = [](std::uint64_t n, std::uint64_t of) {
    return 100.0 * static_cast<double>(n) / static_cast<double>(of);
  };
  char text[512];
  std::snprintf(text, sizeof text,
                "| %s | 2^%d | %g | %g | %llu + %llu | %.5f | %llu | %.2g | %.2f | %.1f | %.2f | "
                "%.1f | %.4g | %.2g |\n",
                name(form), static_cast<int>(std::log2(cell.scale)), cell.aspect, cell.distance,
                static_cast<unsigned long long>(wide.rays),
                static_cast<unsigned long long>(narrow.rays), percent(wide.wrong, wide.rays),
                static_cast<unsigned long long>(narrow.wrong), std::max(wide.band, narrow.band),
                t.max(), t.p999(), grazing.max(), grazing.p999(),
                percent(wide.textbook_wrong, wide.rays), wide.textbook_t);
  return text;
}

}  // namespace sightline::accuracy
