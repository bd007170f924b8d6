// Asks the library a little of everything and prints a hash of the answers. The hash does not
// depend on the flags that this file is compiled by, -ffast-math among them: then its copies of
// inline functions are fast, and the linker finds them first. The program's start also makes the
// processor flush subnormal numbers.
#include <sightline/sightline.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

using namespace sightline;

// Of the answers of version 1.
constexpr std::uint64_t expected = 0xb17c48e6f212f90f;

/// FNV-1a of bytes.
class Hash {
 public:
  template <class T>
  void add(const std::vector<T>& values) {
    for (const std::byte b : std::as_bytes(std::span(values))) {
      value_ = (value_ ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// Numbers made of bits, since arithmetic on floats is what differs between flags.
class Numbers {
 public:
  /// A number of both signs, of a size in [2^exponent, 2^(exponent + 3)).
  float next(int exponent) {
    const std::uint32_t bits = next_bits();
    const std::uint32_t power = static_cast<std::uint32_t>(127 + exponent) + (bits >> 23) % 3;
    return std::bit_cast<float>((bits & 0x80000000u) | (power << 23) | (bits & 0x7FFFFFu));
  }
  float next_size(int exponent) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(next(exponent)) & 0x7FFFFFFFu);
  }
  Vec3 next_vector(int exponent) { return {next(exponent), next(exponent), next(exponent)}; }
  /// A subnormal number.
  float next_small() { return std::bit_cast<float>(next_bits() & 0x807FFFFFu); }

 private:
  std::uint32_t next_bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 32);
  }
  std::uint64_t state_ = 2026;
};

Scene shapes() {
  Numbers numbers;
  Scene scene;
  for (int i = 0; i < 40; ++i) {
    scene.add_sphere({numbers.next_vector(1), numbers.next_size(-2)});
    scene.add_capsule({numbers.next_vector(1), numbers.next_vector(1), numbers.next_size(-3)});
    scene.add_obb({.center = numbers.next_vector(1),
                   .half_extents = {numbers.next_size(-2), numbers.next_size(-3), 1},
                   .rotation = {0, 0.6f, 0, 0.8f}});
  }
  scene.add_aabb({{-4, -4, -9}, {4, 4, -8}});
  const float small = std::bit_cast<float>(0x00400000u);
  scene.add_aabb({{-small, -small, -small}, {small, small, small}});
  scene.add_plane({{0, 0, 1}, -16});
  return scene;
}

void ask_rays(const Caster& caster, Hash& hash) {
  Numbers numbers;
  std::vector<Vec3> origin, direction;
  for (int i = 0; i < 3000; ++i) {
    const bool is_small = i % 10 == 0;
    origin.push_back(is_small ? Vec3{numbers.next_small(), numbers.next_small(), 3}
                              : numbers.next_vector(3));
    direction.push_back(is_small ? Vec3{0, 0, -1} : numbers.next_vector(i % 2 == 0 ? 0 : -120));
  }
  const std::uint64_t n = origin.size();
  std::vector<float> t(n);
  std::vector<std::uint32_t> id(n);
  std::vector<std::uint8_t> flags(n);
  std::vector<Vec3> normal(n);
  const RaysView rays{origin, direction};
  for (const Inside inside : {Inside::solid, Inside::surface, Inside::ignore}) {
    caster.closest_hit(rays, {t, id, flags, normal}, {.inside = inside});
    hash.add(t), hash.add(id), hash.add(flags), hash.add(normal);
  }
  const HitRows rows = caster.all_hits(rays, {.t_out = true});
  hash.add(rows.id), hash.add(rows.t), hash.add(rows.t_out);
  caster.closest_hit({.origin = origin, .direction = direction, .radius = 0.25f},
                     {t, id, flags, normal});
  hash.add(t), hash.add(id), hash.add(normal);
}

void ask_points(const Caster& caster, Hash& hash) {
  Numbers numbers;
  std::vector<Vec3> points;
  for (int i = 0; i < 200; ++i) points.push_back(numbers.next_vector(2));
  for (int i = 0; i < 50; ++i) {
    points.push_back({numbers.next_small(), numbers.next_small(), numbers.next_small()});
  }
  const PointsView view{points};
  std::vector<std::uint64_t> bits(points.size() * bit_words(points.size()));
  caster.visibility(view, bits);
  hash.add(bits);
  const std::uint64_t n = points.size() * 3;
  std::vector<float> distance(n), t(n);
  std::vector<std::uint32_t> id(n);
  std::vector<Vec3> place(n), direction(n);
  caster.nearest(view, {distance, id, place, direction}, {.k = 3});
  hash.add(distance), hash.add(id), hash.add(place), hash.add(direction);
  const PointsView from = view.slice(0, 100), to = view.slice(150, 100);
  distance.resize(300), id.resize(300), t.resize(300), place.resize(300), direction.resize(300);
  caster.clearance(from, to, {distance, id, t, place, direction}, {.k = 3});
  hash.add(distance), hash.add(id), hash.add(t), hash.add(place), hash.add(direction);
  std::vector<float> far(20 * 8 * 8);
  probe_distances(caster, view.slice(0, 20), 8, far);
  hash.add(far);
}

void ask_shapes(const Caster& caster, Hash& hash) {
  Numbers numbers;
  Scene agents;
  std::vector<Vec3> directions;
  for (int i = 0; i < 100; ++i) {
    agents.add_capsule({numbers.next_vector(2), numbers.next_vector(2), numbers.next_size(-3)});
    directions.push_back(numbers.next_vector(1));
  }
  hash.add(caster.overlap_all(agents).ids);
  std::vector<float> t(directions.size());
  std::vector<Vec3> normal(directions.size());
  caster.sweep(agents, directions, {.t = t, .normal = normal});
  hash.add(t), hash.add(normal);
}

void ask_maps(const Caster& caster, Hash& hash) {
  NavOptions options;
  options.bounds = {{-4, -4, -9}, {4, 4, 4}};
  const NavMap map = bake_nav(caster, options);
  hash.add(map.top), hash.add(map.clearance), hash.add(map.slope_cosine), hash.add(map.border);
  FlatScene flat;
  flat.add_circle({{1, 2}, 0.5f});
  flat.add_sector({{3, 0}, {1, 1}, 0.8f, 0.6f, 2});
  flat.add_obb({{-2, 1}, {1, 0.25f}, 0.6f, 0.8f});
  Numbers numbers;
  std::vector<float> segments;
  for (int i = 0; i < 4000; ++i) segments.push_back(numbers.next(1));
  std::vector<float> t(segments.size() / 4);
  std::vector<std::uint32_t> id(t.size());
  FlatCaster(flat, default_options(caster.backend()))
      .cast(SegmentsView::rows(segments), {.t = t, .id = id});
  hash.add(t), hash.add(id);
}

bool flushes_subnormals() {
#if defined(__SSE__)
  return (_mm_getcsr() & 0x8040u) != 0;
#else
  return false;
#endif
}

}  // namespace

int main() {
  bool right = true;
#if defined(__FAST_MATH__) && defined(__x86_64__)
  right = flushes_subnormals();  // else this is no test
#endif
  std::printf("subnormal numbers are %s;", flushes_subnormals() ? "flushed" : "kept");
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    const Caster caster(shapes(), default_options(backend));
    Hash hash;
    ask_rays(caster, hash);
    ask_points(caster, hash);
    ask_shapes(caster, hash);
    ask_maps(caster, hash);
    std::printf(" answers %016llx", static_cast<unsigned long long>(hash.value()));
    right = right && hash.value() == expected;
  }
  std::printf("%s\n", right ? "" : ": DIFFERENT");
  return right ? 0 : 1;
}
