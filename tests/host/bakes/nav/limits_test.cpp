// Where numbers end: what is refused, and what is still right at the edge.
#include "tests/host/bakes/nav/levels.hpp"

#include <sightline/geometry/distance/horizontal_distance.hpp>

namespace sightline::testing {
namespace {

/// Flat floors at both ends of the bounds, which rounding must not put outside.
TEST(Nav, FindsFloorsAtItsBounds) {
  for (const float low : {-5e-9f, 0.0f, 0.3f, -0.7f}) {
    Scene scene;
    scene.add_aabb({{0, 0, low}, {6, 6, low}});
    scene.add_aabb({{0, 0, 1000}, {6, 6, 1000}});
    const NavMap map = bake_nav(Caster(std::move(scene), ReferenceOptions{}));
    EXPECT_EQ(map.spans(), 2 * map.grid.columns()) << low;
    EXPECT_TRUE(is_walkable(map, span_at(map, 3, 3, 0)));
    EXPECT_TRUE(is_walkable(map, span_at(map, 3, 3, 1)));
  }
  Scene turned;
  const float half = 0.5f * 30 * 3.14159265f / 180;
  turned.add_obb({{0, 0, 0}, {3, 3, 0.1f}, {0, 0, std::sin(half), std::cos(half)}});
  NavOptions options;
  options.bounds = {{-3, -3, 0.1f}, {3, 3, 0.1f}};
  const NavMap map = bake_nav(Caster(std::move(turned), ReferenceOptions{}), options);
  EXPECT_TRUE(is_walkable(map, span_at(map, 0, 0, 0)));
}

/// Far from the origin the box around what is near is made of coarser floats.
TEST(Nav, MeasuresToTheRangeFarFromTheOrigin) {
  oracle::Dice dice(1);
  for (std::uint64_t k = 0; k < 8 + scaled(60); ++k) {
    const auto far = static_cast<float>(dice.between(1000, 30000));
    const auto radius = static_cast<float>(dice.uniform(0.2, 0.5));
    const float pole = far + 6 + static_cast<float>(dice.uniform(0, 0.2));
    Scene scene;
    scene.add_aabb({{far, 0, -1}, {far + 12, 1, 0}});
    scene.add_capsule({{pole, 0.5f, 1}, {pole, 0.5f, 3}, radius});
    NavOptions options;
    options.cell = 1;
    const double distance = double{pole} - (double{far} + 3.5) - radius;
    options.range = std::nextafter(static_cast<float>(distance), infinity);
    const NavMap map = bake_nav(Caster(std::move(scene), CpuOptions{}), options);
    ASSERT_EQ(map.clearance[map.offsets[3]], static_cast<float>(distance)) << "case " << k;
  }
}

/// Links have a byte for the place in the column: beyond there are none, in either direction.
TEST(Nav, LinksGoBothWaysOfMoreThan255Floors) {
  Scene scene;
  for (int k = 0; k < 260; ++k) {
    const auto z = static_cast<float>(k);
    scene.add_aabb({{0, 0, z}, {1, 4, z + 0.5f}});
    if (k % 2 == 0 || k > 100) scene.add_aabb({{1, 0, z}, {2, 4, z + 0.5f}});
  }
  NavOptions options;
  options.cell = 1;
  options.cell_height = 0.1f;
  options.agent = {0, 0.3f, 0.1f, 45};
  const NavMap map = bake_nav(Caster(std::move(scene), CpuOptions{}), options);
  ASSERT_GT(map.offsets[1], 255u);
  std::uint64_t links = 0;
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
      for (int side = 0; side < 4; ++side) {
        const std::uint8_t place = map.links[i][static_cast<std::size_t>(side)];
        if (place == no_link) continue;
        const std::uint64_t next = *map.neighbour(c, side);
        const auto back = static_cast<std::size_t>((side + 2) % 4);
        ASSERT_EQ(map.links[map.offsets[next] + place][back], i - map.offsets[c]) << "span " << i;
        ++links;
      }
    }
  }
  EXPECT_GT(links, 1000u);
}

TEST(Nav, DropsAsDeepAsTheDropButForRounding) {
  Scene scene;
  scene.add_aabb({{0, 0, -1.5f}, {6, 6, 2.0000002f}});
  scene.add_aabb({{8, 0, -1.5f}, {14, 6, -1}});
  EXPECT_GT(bake_nav(Caster(std::move(scene), CpuOptions{}), with_jumps()).jumps.size(), 0u);
}

/// Whatever can be turned, flattened, put far out or into another.
Scene some_trouble(oracle::Dice& dice) {
  const auto among = [&](std::initializer_list<float> values) {
    return values.begin()[dice.between(0, static_cast<int>(values.size()) - 1)];
  };
  const auto place = [&] {
    return Vec3{among({0, 0.15f, 1, 3, 7}), among({0, 0.15f, 1, 3, 7}),
                among({-1, 0, 0.1999f, 0.2f, 1e-4f, 0.9f, 2, 2.0001f, 1000})};
  };
  const auto size = [&] { return among({0, 0, 1e-20f, 0.3f, 2, 8, 1e6f}); };
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {8, 8, 0}});
  for (int k = 0; k < 10; ++k) {
    const Vec3 p = place();
    switch (dice.between(0, 4)) {
      case 0:
        scene.add_aabb({p, {p.x + size(), p.y + size(), p.z + size()}});
        break;
      case 1: {
        const float half = among({0, 0.3f, 0.39269908f, 0.7853982f, 1.5707964f});
        scene.add_obb({p, {size(), size(), size()}, {std::sin(half), 0, 0, std::cos(half)}});
        break;
      }
      case 2:
        scene.add_sphere({p, size()});
        break;
      case 3:
        scene.add_capsule({p, place(), size()});
        break;
      default:
        scene.add_plane({dice.chance(0.5) ? Vec3{0, 1, 0} : Vec3{0, -0.6f, 0.8f}, -1});
    }
  }
  return scene;
}

/// What is so of every map.
void expect_sound(const NavMap& map) {
  const auto known = [](float x) { return x == x; };
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
      ASSERT_TRUE(known(map.bottom[i]) && known(map.top[i]) && known(map.headroom[i])) << i;
      ASSERT_LE(map.bottom[i], map.top[i]);
      ASSERT_TRUE(map.headroom[i] > 0 || map.top[i] == infinity) << i;
      ASSERT_TRUE(map.slope_cosine[i] >= -1.000001f && map.slope_cosine[i] <= 1.000001f) << i;
      ASSERT_TRUE(map.clearance[i] >= 0 && map.clearance[i] <= map.range) << i;
      ASSERT_TRUE(map.border[i] >= 0 && map.border[i] <= map.range) << i;
      ASSERT_EQ(is_walkable(map, i), map.region[i] < map.regions.size()) << i;
      for (int side = 0; side < 4; ++side) {
        const std::uint8_t place = map.links[i][static_cast<std::size_t>(side)];
        if (place == no_link) continue;
        const std::uint64_t next = map.offsets[*map.neighbour(c, side)] + place;
        ASSERT_EQ(map.links[next][static_cast<std::size_t>((side + 2) % 4)], i - map.offsets[c]);
        if (is_walkable(map, i) && is_walkable(map, next)) {
          ASSERT_EQ(map.region[i], map.region[next]);
        }
      }
    }
  }
}

TEST(Nav, IsSoundWhateverTheScene) {
  std::uint64_t walkable = 0;
  for (std::uint64_t seed = 1; seed <= 3 + scaled(120); ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    const Scene scene = some_trouble(dice);
    NavOptions options;
    options.cell = dice.chance(0.5) ? 0.3f : 1.7f;
    options.bounds = {{0, 0, -1}, {8, 8, dice.chance(0.5) ? 2.0f : 1000.0f}};
    if (dice.chance(0.2)) options.bounds.max.x = 0;  // a single column wide
    options.jumps = {dice.chance(0.5) ? 5.0f : 0.0f, 1, 3};
    options.up = dice.chance(0.2) ? UpAxis::y : UpAxis::z;
    const NavMap map = bake_nav(Caster(scene, ReferenceOptions{}), options);
    expect_sound(map);
    expect_same_map(map, bake_nav(Caster(scene, CpuOptions{}), options));
    for (std::uint64_t i = 0; i < map.spans(); ++i) walkable += is_walkable(map, i);
  }
  EXPECT_GT(walkable, 0u);
}

TEST(Nav, RefusesWhatMakesNoSense) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {6, 6, 1}});
  const Caster caster(std::move(scene), ReferenceOptions{});
  const auto refuses = [&](const auto& change) {
    NavOptions o;
    change(o);
    EXPECT_THROW(bake_nav(caster, o), Error);
  };
  refuses([](NavOptions& o) { o.cell = 0; });
  refuses([](NavOptions& o) { o.cell = std::nanf(""); });
  refuses([](NavOptions& o) { o.cell = 1e-9f; });
  refuses([](NavOptions& o) { o.cell_height = -1; });
  refuses([](NavOptions& o) { o.agent.climb = 2; });
  refuses([](NavOptions& o) { o.agent.climb = 1.9999f; });
  refuses([](NavOptions& o) { o.agent.height = infinity; });
  refuses([](NavOptions& o) { o.agent.slope = 91; });
  refuses([](NavOptions& o) { o.agent.radius = 30; });
  refuses([](NavOptions& o) { o.range = 20; });
  refuses([](NavOptions& o) { o.bounds.min = {std::nanf(""), 0, 0}, o.bounds.max = {1, 1, 1}; });
  refuses([](NavOptions& o) { o.bounds.max = {1, 1, std::nanf("")}; });
  refuses([](NavOptions& o) { o.max_bytes = 1000; });
  refuses([](NavOptions& o) { o.jumps.distance = 100; });
  refuses([](NavOptions& o) { o.jumps = {1, -1, 1}; });
  refuses([](NavOptions& o) { o.jumps = {1, 1, std::nanf("")}; });
  // Where floats are as far apart as cells.
  refuses([](NavOptions& o) { o.bounds = {{3e6f, 0, 0}, {3e6f, 9, 9}}; });
  refuses([](NavOptions& o) { o.bounds = {{0, -0x1p40f, 0}, {1, -0x1p40f, 1}}; });
  NavOptions fit;
  fit.bounds = {{2e6f, 0, 0}, {2e6f + 9, 9, 9}};
  EXPECT_EQ(bake_nav(caster, fit).spans(), 0u);
}

TEST(Nav, RefusesSurfacesAtTheEndOfCoordinates) {
  Scene scene;
  scene.add_aabb({{0, 0, -0x1p30f}, {0x1p40f, 0x1p40f, 0}});
  NavOptions options;
  options.cell = 0x1p34f;
  options.cell_height = 0x1p20f;
  options.agent = {0x1p34f, 0x1p30f, 0x1p25f, 45};
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    const Caster caster(scene, default_options(backend));
    try {
      bake_nav(caster, options);
      FAIL() << "was baked";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(e.what()).find("reach beyond 2^40"), std::string::npos) << e.what();
    }
  }
  options.bounds = {{0, 0, -0x1p30f}, {0x1p39f, 0x1p39f, 0}};
  EXPECT_GT(bake_nav(Caster(scene), options).spans(), 0u);
}

/// However little there is: either it does not suffice, or it is the same map.
void expect_the_same_in_little_memory(Scene scene, NavOptions options) {
  const Caster caster(std::move(scene), CpuOptions{});
  const NavMap expected = bake_nav(caster, options);
  int refused = 0, fits = 0;
  for (std::uint64_t bytes = 1000; bytes < 100'000'000; bytes += bytes / 2) {
    options.max_bytes = bytes;
    try {
      const NavMap map = bake_nav(caster, options);
      expect_same_map(expected, map);
      expect_same_values(expected.shape, map.shape, "shape");
      ++fits;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::out_of_memory) << error.what();
      EXPECT_EQ(fits, 0) << "more memory does not suffice";
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(fits, 0);
}

TEST(Nav, IsTheSameInLittleMemory) {
  expect_the_same_in_little_memory(some_level(3), with_jumps());
  Scene fence;  // near every floor, so that few of them can ask at a time
  fence.add_aabb({{0, 0, -1}, {3, 3, 0}});
  oracle::Dice dice(5);
  for (int k = 0; k < 400; ++k) {
    const auto x = static_cast<float>(dice.uniform(3.1, 4)), y = 3 * static_cast<float>(k) / 400;
    fence.add_capsule({{x, y, 0}, {x, y, 3}, 0.05f});
  }
  NavOptions options;
  options.bounds = {{0, 0, -1}, {3, 3, 3}};
  options.range = 4;
  expect_the_same_in_little_memory(std::move(fence), options);
}

/// A grid alone refuses what a bake would refuse at its end.
TEST(Nav, RefusesBeforeItBakes) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {6, 6, 1}});
  NavOptions o;
  o.jumps.distance = 100;
  EXPECT_THROW(nav_grid(scene, o), Error);
  o = {};
  o.agent.radius = 30;
  EXPECT_THROW(nav_grid(scene, o), Error);
}

}  // namespace
}  // namespace sightline::testing
