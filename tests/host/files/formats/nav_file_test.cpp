// Navigation maps in files: read back equal, and refused when damaged.
#include "host/files/formats/nav_file.hpp"
#include "host/files/core/container.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/formats/recast_file.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/oracle/dice.hpp"
#include "tests/support/scale.hpp"

namespace sightline::io {
namespace {

class NavFileTest : public IoTest {
 protected:
  NavMap some_map() const {
    Scene scene;
    scene.add_aabb({{0, 0, -1}, {9, 6, 0}});
    scene.add_aabb({{0, 4, 2.5f}, {9, 6, 3}});
    scene.add_sphere({{4, 2, 0}, 0.5f});
    NavOptions options;
    options.jumps = {5, 1, 4};
    return bake_nav(Caster(std::move(scene), ReferenceOptions{}), options);
  }
};

TEST_F(NavFileTest, IsReadBackEqual) {
  const NavMap map = some_map();
  write_nav(path("a.nav"), map, {{"unit", "m"}});
  Metadata metadata;
  const NavMap back = read_nav(path("a.nav"), &metadata);
  EXPECT_EQ(metadata["unit"], "m");
  EXPECT_EQ(back.offsets, map.offsets);
  EXPECT_EQ(back.top, map.top);
  EXPECT_EQ(back.links, map.links);
  EXPECT_EQ(back.region, map.region);
  EXPECT_GT(map.jumps.size(), 0u);
  EXPECT_EQ(back.jumps.spans, map.jumps.spans);
  ASSERT_EQ(back.regions.size(), map.regions.size());
  for (std::size_t r = 0; r < map.regions.size(); ++r) {
    EXPECT_EQ(back.regions[r].spans, map.regions[r].spans);
    EXPECT_EQ(back.regions[r].area, map.regions[r].area);
    EXPECT_EQ(back.regions[r].min.y, map.regions[r].min.y);
  }
  write_nav(path("b.nav"), back, {{"unit", "m"}});
  EXPECT_TRUE(get("a.nav") == get("b.nav"));
}

TEST_F(NavFileTest, GivesArraysOfItsColumns) {
  const NavMap map = some_map();
  write_nav_arrays(path("arrays"), map);
  for (const NavColumn& c : nav_columns(map)) {
    const NpyReader array(path("arrays/" + c.name + ".npy"), Numbers::kept);
    EXPECT_EQ(array.shape(), c.shape);
    std::string bytes(*tensor_bytes(c.dtype, c.shape), '\0');
    array.read(0, *element_count(c.shape), bytes.data());
    EXPECT_EQ(std::memcmp(bytes.data(), c.data, bytes.size()), 0) << c.name;
  }
}

TEST_F(NavFileTest, IsRefusedOrReadWhenDamaged) {
  write_nav(path("a.nav"), some_map(), {});
  const std::string good = get("a.nav");
  oracle::Dice dice(1);
  int refused = 0;
  for (std::uint64_t k = 0; k < scaled(500); ++k) {
    std::string bad = good;
    for (int flips = dice.between(1, 3); flips > 0; --flips) {
      const std::size_t most = dice.chance(0.7) ? 1500 : bad.size();
      bad[dice.below(std::min(most, bad.size()))] = static_cast<char>(dice.below(256));
    }
    if (dice.chance(0.1)) bad.resize(dice.below(bad.size()));
    try {
      read_nav(put("bad.nav", bad));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(NavFileTest, GivesRecastWholeCells) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {4, 2, 0.5f}});
  scene.add_aabb({{0, 0, 0.6f}, {1, 1, 0.7f}});  // one with the former in whole cells
  scene.add_aabb({{0, 0, 5}, {1, 1, 5.25f}});
  NavOptions options;
  options.agent.radius = 0;
  options.cell = 1;
  options.cell_height = 0.25f;
  options.range = 1;
  const NavMap map = bake_nav(Caster(std::move(scene), ReferenceOptions{}), options);
  const RecastSpans spans = recast_spans(map);
  EXPECT_EQ(spans.width, 4u);
  EXPECT_EQ(spans.height, 2u);
  EXPECT_EQ(spans.bmin, (std::array<float, 3>{0, 0, -2}));
  EXPECT_EQ(spans.bmax, (std::array<float, 3>{4, 5.25f, 0}));
  // Recast's z is -y: the row of the stack comes last.
  const std::uint64_t first = spans.offsets[4];
  EXPECT_EQ(spans.offsets[5] - first, 2u);
  EXPECT_EQ(spans.smin[first], 0);
  EXPECT_EQ(spans.smax[first], 3);
  EXPECT_EQ(spans.area[first], 63);
  EXPECT_EQ(spans.smin[first + 1], 20);
  EXPECT_EQ(spans.smax[first + 1], 21);
  EXPECT_EQ(to_recast({1, 2, 3}, UpAxis::z), (std::array<float, 3>{1, 3, -2}));
  EXPECT_EQ(to_recast({1, 2, 3}, UpAxis::y), (std::array<float, 3>{1, 2, 3}));
  write_recast(path("r.st"), map, {});
  const ContainerReader file(path("r.st"));
  EXPECT_EQ(file.metadata("recast.bmin"), "0 0 -2");
  file.expect("span.smax", Dtype::u16, {spans.smax.size()});
}

}  // namespace
}  // namespace sightline::io
