// Random calls of the whole door, of random sizes and options and of objects that have been moved
// from: each answers, or throws an Error. What else may go wrong the sanitizers see.
#include "tests/host/door/fuzz_arguments.hpp"

namespace sightline::testing {
namespace {

class DoorFuzz : FuzzArguments {
 public:
  explicit DoorFuzz(std::uint64_t seed) : FuzzArguments(seed) {
    for (Scene& scene : scenes_) fill(scene);
    for (int i = 0; i < 3; ++i) casters_.push_back(Caster(Scene(), CpuOptions{1}));
  }

  void call() {
    begin_call();
    if (r_.one_in(3)) {
      change_scene();
    } else if (r_.one_in(40)) {
      bake();
    } else if (r_.one_in(30)) {
      change_casters();
    } else {
      ask();
    }
  }

 private:
  Scene& scene() { return scenes_[r_.below(4)]; }
  Caster& caster() { return casters_[static_cast<std::size_t>(r_.below(3))]; }

  // --- calls

  void fill(Scene& to) { to = make_scene(ray_family(r_.bits()), 1 + r_.below(30), r_.bits()); }

  template <class Shape>
  void use_shape() {
    Scene& s = scene();
    std::array<float, sizeof(Shape) / sizeof(float)> numbers;
    for (float& x : numbers) x = r_.one_in(3) ? number() : r_.uniform(0, 1);
    const auto shape = std::bit_cast<Shape>(numbers);
    const auto kind = r_.one_in(25) ? choice<Kind>(kind_count) : kind_for<Shape>;
    const std::uint64_t n = count() % 8;
    std::vector<Column<float>> columns;
    for (std::uint64_t k = 0; k < about(numbers.size()); ++k) columns.push_back(column(n));
    AttributesView attributes;
    attributes.mask = column_of_words(n, 0xFFFFFFFFu);
    attributes.group = column_of_words(n, none);
    r_.do_one_of(
        [&] {
          s.add(shape, {index(), index(), index()});
        },
        [&] { s.add(kind, n, columns, attributes); }, [&] { s.set(index(), shape); },
        [&] { s.set(kind, index(), n, columns); }, [&] { s.template get<Shape>(index()); },
        [&] { s.remove(kind, words(count() % 4)); }, [&] { s.remove(kind, index()); });
    if (s.size() > 300) fill(s);
  }

  void change_scene() {
    Scene& s = scene();
    r_.do_one_of(
        [&] { s = scene(); }, [&] { s = std::move(scene()); },
        [&] {
          if (r_.one_in(3)) fill(s);
        },
        [&] { s.view(), s.view_without_bounds(), s.bounds(); },
        [&] { s.id(choice<Kind>(kind_count), index()); }, [&] { s.kind_and_index(index()); },
        [&] { s.attributes(index()); },
        [&] {
          s.has_masks(choice<Kind>(kind_count)), s.has_groups(choice<Kind>(kind_count));
          s.has_labels(choice<Kind>(kind_count));
        },
        [&] { s.add_spheres(count() % 5, column_of_vectors(2), column(2)); },
        [&] { use_shape<Aabb>(); }, [&] { use_shape<Obb>(); }, [&] { use_shape<Sphere>(); },
        [&] { use_shape<Capsule>(); }, [&] { use_shape<Triangle>(); }, [&] { use_shape<Plane>(); },
        [&] {
          const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {number(), 1, 0}};
          std::vector<std::array<std::uint32_t, 3>> faces(count() % 4);
          for (auto& f : faces) f = {0, 1, r_.one_in(9) ? 3u : 2u};
          r_.one_in(2) ? s.set_mesh(index(), corners, faces) : void(s.add_mesh(corners, faces));
        },
        [&] { s.mesh_of(index()), s.face_of(index()); });
  }

  void change_casters() {
    Caster& c = caster();
    const auto make_another = [&] {
      c = Caster(r_.one_in(3) ? std::move(scene()) : scene(), options());
    };
    r_.do_one_of([&] { c = std::move(caster()); }, [&] { c.update(scene(), choice<Update>(3)); },
                 make_another, make_another);
  }

  void ask() {
    const Caster& c = caster();
    if (r_.below(5) < 2) {
      return r_.one_in(2) ? cast_rays(c) : r_.one_in(2) ? see(c) : find_nearest(c);
    }
    r_.do_one_of(
        [&] { c.scene(), c.backend(), c.description(), c.memory_bytes(); },
        [&] {
          c.closest_hit(ray(), {inside(), r_.one_in(3)});
        },
        [&] {
          c.any_hit(ray(), {inside(), r_.one_in(3)});
        },
        [&] { cast_rays(c); }, [&] { see(c); },
        [&] {
          c.overlap_any(scene(), bits(1), {range(), static_cast<std::uint32_t>(r_.below(3))});
        },
        [&] { c.overlap_count(scene(), words(count()), {range()}); },
        [&] { c.overlap_all(scene(), {range()}); }, [&] { find_nearest(c); },
        [&] { c.winding(points()); }, [&] { sweep(c); },
        [&] { c.closest_hit_on_device(rays(), hits(3), nullptr); },
        [&] { c.any_hit_on_device(rays(), bits(1), nullptr); });
  }

  void sweep(const Caster& c) {
    const Scene& moving = scene();
    const std::uint64_t n = about(moving.size());
    c.sweep(moving, vectors(n), hits(n), {inside(), r_.one_in(3), size(), range()});
  }

  void cast_rays(const Caster& c) {
    const RaysView v = rays();
    const CastOptions o{inside(), r_.one_in(9)};
    RaysView thick = v;
    thick.radius = column(v.size());
    r_.do_one_of([&] { c.closest_hit(v, hits(v.size()), o); },
                 [&] { c.any_hit(v, bits(bit_words(v.size())), o); },
                 [&] { c.closest_hit(thick, hits(v.size()), o); },
                 [&] { c.any_hit(thick, bits(bit_words(v.size())), o); },
                 [&] { c.count_hits(v, words(about(v.size())), o); },
                 [&] {
                   c.closest_hit(thick, {o.inside, o.strict, r_.one_in(2)});
                 },
                 [&] { c.any_hit(thick, o), c.count_hits(v, o); },
                 [&] {
                   c.all_hits(v, {o.inside, o.strict, r_.one_in(2) ? none : index(), r_.one_in(2)});
                 });
  }

  void see(const Caster& c) {
    const PointsView from = points(), to = points();
    const VisibilityOptions o = sight_options();
    r_.do_one_of(
        [&] { c.visibility(from, o), c.visibility(from, to, o); },
        [&] { c.visibility(from, fields(from.size()), to, o), c.visibility_pairs(from, to, o); },
        [&] { c.visibility(from, to, bits(from.size() * bit_words(to.size())), o); },
        [&] { c.visibility(from, bits(from.size() * bit_words(from.size())), o); },
        [&] {
          c.visibility(from, fields(from.size()), to, bits(from.size() * bit_words(to.size())), o);
        },
        [&] {
          c.visibility_pairs(from, r_.one_in(3) ? to : from, bits(bit_words(from.size())), o);
        });
  }

  void find_nearest(const Caster& c) {
    const PointsView from = points();
    const NearestOptions o = nearest_options();
    const std::uint64_t n = from.size() * o.k;
    if (r_.one_in(3)) {
      c.nearest(from, o), c.clearance(from, r_.one_in(4) ? points() : from, o);
    } else if (r_.one_in(2)) {
      NearestArrays to{floats(about(n)), words(about(n)), {}, {}};
      if (r_.one_in(2)) to.point = vectors(about(n));
      if (r_.one_in(2)) to.direction = vectors(about(n));
      c.nearest(from, to, o);
    } else {
      ClearanceArrays to{floats(about(n)), words(about(n)), {}, {}, {}};
      if (r_.one_in(2)) to.t = floats(about(n));
      if (r_.one_in(2)) to.on_segment = vectors(about(n));
      if (r_.one_in(2)) to.on_shape = vectors(about(n));
      c.clearance(from, r_.one_in(4) ? points() : from, to, o);
    }
  }

  void bake() {
    const Caster& c = caster();
    const PointsView p = points();
    switch (r_.below(8)) {
      case 0: {
        std::optional<FieldsView> looking;
        if (r_.one_in(2)) looking = fields(p.size());
        const PointsView to = points();
        exposure(c, p, looking, to, words(about(to.size())), sight_options());
        break;
      }
      case 1: {
        const std::uint32_t n = r_.one_in(9) ? index() : 1 + index() % 4;
        const std::uint64_t asked = n > 64 ? 1 : p.size() * n * n;
        probe_distances(c, p, n, floats(about(asked)), {size(), inside()});
        break;
      }
      case 2: {
        CoverRows rows;
        rows.resize(about(p.size()));
        if (r_.one_in(8)) rows.left.resize(count());
        cover(c, p, rows.view(), {.directions = r_.one_in(8) ? index() : 8, .reach = size()});
        break;
      }
      case 3: {
        Areas areas;
        for (int k = r_.below(4); k > 0; --k) areas.add(vectors(count() % 6), size(), index() % 9);
        areas.add({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}}, 1, 3);
        if (r_.one_in(4)) areas.offsets[0] = count();
        if (r_.one_in(4)) areas.corner.pop_back();
        sample_areas(areas, index() % 20);
        break;
      }
      case 4: {
        const std::uint64_t n = count();
        std::vector<std::uint32_t>& area = words(about(n));
        for (std::uint32_t& a : area) a = static_cast<std::uint32_t>(r_.below(6));
        AreaSamples samples = group_points(vectors(n), area, r_.one_in(20) ? r_.bits() : 6);
        if (r_.one_in(4)) samples.offsets.back() = count();
        if (r_.one_in(4)) samples = free_samples(c, samples, inside());
        const IdRange rows = range(), columns = range();
        const std::uint64_t pairs = about((rows.count == none ? 6 : rows.count % 7) *
                                          (columns.count == none ? 6 : columns.count % 7));
        if (r_.one_in(2)) {
          area_counts(c, samples, rows, columns, words(pairs), sight_options());
        } else {
          area_classes(c, samples, rows, columns, kept(pairs, classes_), sight_options());
        }
        break;
      }
      case 5:
      case 6:
        return use_map(c);
      default:
        cover_directions(index(), vec());
    }
  }

  void use_map(const Caster& c) {
    NavOptions o;
    o.agent = {size() / 4, size(), size() / 4, r_.uniform(-10, 100)};
    o.cell = r_.one_in(9) ? number() : 1, o.cell_height = r_.one_in(9) ? number() : 0.2f;
    o.up = choice<UpAxis>(2);
    if (!r_.one_in(3)) o.bounds = {{0, 0, -1}, {size(), size(), size()}};
    if (r_.one_in(2)) o.jumps.distance = size();
    if (r_.one_in(2)) o.from = points();
    o.max_bytes = 1 << 16;
    NavMap map = bake_nav(c, o);
    if (r_.one_in(3) && !map.links.empty()) map.links[0] = {1, 2, 0, 1};
    if (r_.one_in(3)) map.offsets[static_cast<std::size_t>(r_.below(2))] = index();
    if (r_.one_in(6)) map.flags.clear();
    if (r_.one_in(6)) map.grid.width = index();
    if (r_.one_in(2)) map.linked(index(), index(), r_.between(-1, 4));
    if (r_.one_in(2)) map.neighbour(index(), r_.between(-1, 4));
    spans_along_walls(map);
    CoverPlaceOptions places;
    places.spacing = size();
    places.max_bytes = 1 << 16;
    find_cover_places(c, map, places);
  }

  Scene scenes_[4];
  std::vector<Caster> casters_;
};

TEST(DoorFuzz, AnswersOrThrowsAnError) { expect_answers_or_errors<DoorFuzz>(800); }

}  // namespace
}  // namespace sightline::testing
