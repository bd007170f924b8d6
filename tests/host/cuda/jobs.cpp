#include "tests/host/cuda/jobs.hpp"

#include "host/backend/backend.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/moved.hpp"
#include "tests/support/random_scene.hpp"

#include <cstring>

namespace sightline::testing {
namespace {

template <class T>
void append(Bytes& to, const T* from, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + count * sizeof(T));
}
template <class T>
void append(Bytes& to, const std::vector<T>& from) {
  append(to, from.data(), from.size());
}

void append(Bytes& to, const CastReport& report) {
  append(to, &report.rays, 1);
  append(to, &report.hits, 1);
  append(to, &report.bad_rays, 1);
  append(to, &report.first_bad_ray, 1);
}

void append(Bytes& to, const VisibilityReport& r) {
  const std::uint64_t numbers[] = {r.pairs,
                                   r.visible,
                                   r.bad_viewpoints,
                                   r.bad_targets,
                                   r.touching_viewpoints,
                                   r.touching_targets,
                                   r.in_field,
                                   r.bad_fields};
  append(to, numbers, std::size(numbers));
}

Scene scene_of(std::uint64_t seed) { return make_scene(SceneFamily::random, 60, seed); }

PointsView origins_of(const std::vector<Ray>& rays, std::uint64_t first, std::uint64_t count) {
  PointsView points;
  points.count = count;
  const RaysView view = rows_of(rays).slice(first, count);
  points.position = view.origin;
  points.mask = view.mask;
  points.exclude = view.exclude[0];
  return points;
}

}  // namespace

Bytes cast_all(const Caster& caster, std::uint64_t count) {
  const std::vector<Ray> rays = random_rays(caster.scene(), count, 7);
  Bytes bytes;
  Answers a(count);
  append(bytes, caster.closest_hit(rows_of(rays), a.view()));
  append(bytes, caster.any_hit(rows_of(rays), a.blocked, {Inside::surface, false}));
  append(bytes, a.t);
  append(bytes, a.id);
  append(bytes, a.flags);
  append(bytes, a.normal);
  append(bytes, a.blocked);
  return bytes;
}

Job cast_job(const CasterOptions& options, std::uint64_t rays) {
  return {"cast", scene_of(1), options, [rays](Caster& caster) { return cast_all(caster, rays); }};
}

Job rows_job(const CasterOptions& options, std::uint64_t count) {
  const auto run = [count](Caster& caster) {
    const std::vector<Ray> rays = random_rays(caster.scene(), count, 9);
    std::vector<std::uint32_t> counts(count);
    HitRows all, some;
    caster.count_hits(rows_of(rays), counts);
    caster.all_hits(rows_of(rays), all, {Inside::surface, false, none, true});
    caster.all_hits(rows_of(rays), some, {Inside::solid, false, 2, false});
    Bytes bytes;
    append(bytes, counts);
    for (const HitRows& rows : {all, some}) {
      append(bytes, rows.offsets);
      append(bytes, rows.id);
      append(bytes, rows.t);
      append(bytes, rows.t_out);
      append(bytes, rows.count);
      append(bytes, rows.flags);
    }
    return bytes;
  };
  return {"rows", scene_of(4), options, run};
}

Job visibility_job(const CasterOptions& options, std::uint64_t points) {
  const auto run = [points](Caster& caster) {
    const std::vector<Ray> rays = random_rays(caster.scene(), 2 * points, 8);
    const std::uint64_t fewer = points - points / 5;
    const PointsView from = origins_of(rays, 0, fewer), to = origins_of(rays, fewer, points);
    const VisibilityOptions o{infinity, 0.01f, Inside::solid};
    std::vector<std::uint64_t> matrix(fewer * bit_words(points)), self(points * bit_words(points)),
        pairs(bit_words(points));
    Bytes bytes;
    FieldsView looking;  // each the way of its ray, all 90 degrees about it
    looking.direction = rows_of(rays).direction.slice(0, fewer);
    looking.cosine.common = looking.sine.common = 1;
    append(bytes, caster.visibility(from, looking, to, matrix, o));
    append(bytes, matrix);
    append(bytes, caster.visibility(from, to, matrix, o));
    append(bytes, caster.visibility(to, self, o));
    append(bytes, caster.visibility_pairs(origins_of(rays, 0, points), to, pairs, o));
    append(bytes, matrix);
    append(bytes, self);
    append(bytes, pairs);
    return bytes;
  };
  return {"visibility", scene_of(2), options, run};
}

Job update_job(const CasterOptions& options) {
  const Scene before = scene_of(3), larger = scene_of(5);
  Scene after = before;
  move_shapes(after, 4, 20);
  const auto run = [=](Caster& caster) {
    Bytes bytes;
    const auto cast = [&] {
      const Bytes more = cast_all(caster);
      bytes.insert(bytes.end(), more.begin(), more.end());
    };
    caster.update(before, Update::rebuild);
    caster.update(after, Update::refit);
    cast();
    caster.update(before, Update::automatic);
    cast();
    caster.update(larger, Update::automatic);
    cast();
    return bytes;
  };
  return {"update", before, options, run};
}

}  // namespace sightline::testing
