// Files as other people have them (data/strangers): read, and answered as the contract says.
#include "host/files/core/file_format.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/refusal.hpp"

#include <sightline/caster.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

std::string stranger(const std::string& name) {
  return (source_folder() / "tests/cases/data/strangers" / name).string();
}

constexpr Backend backends[] = {Backend::reference, Backend::cpu};

/// The first hits of the rays, t and id.
std::vector<Hit> hits_of(const Caster& caster, const io::RaysSource& rays) {
  io::RayBuffer buffer;
  const RaysView view = rays.read(0, rays.count(), buffer);
  std::vector<Hit> hits;
  for (std::uint64_t i = 0; i < rays.count(); ++i) hits.push_back(caster.closest_hit(view[i]));
  return hits;
}

TEST(Strangers, FortranOrderIsTransposed) {
  // Saved as (R @ P.T).T.
  const io::Points points = io::read_points(stranger("fortran_order.npy"));
  const std::vector<Vec3> expected = {{0, 0, 0}, {1, 2, 3}};
  EXPECT_EQ(points.position, expected);
}

TEST(Strangers, IntegersAreDirections) {
  const io::NpyReader file(stranger("int_directions.npy"));
  EXPECT_EQ(file.dtype_in_file(), io::Dtype::i64);
  EXPECT_EQ(file.note_on_integers(), "");
  float d[6] = {};
  file.read(0, 6, d);
  EXPECT_EQ((Vec3{d[3], d[4], d[5]}), (Vec3{0, 1, 0}));
}

TEST(Strangers, OneEyeLooksInManyDirections) {
  const io::RaysSource rays(stranger("one_origin.npy"), stranger("two_directions.npy"), {});
  ASSERT_EQ(rays.count(), 2u);
  for (const Backend backend : backends) {
    const Caster caster(io::read_scene(stranger("wall.json")), default_options(backend));
    const std::vector<Hit> hits = hits_of(caster, rays);
    EXPECT_EQ(hits[0].t, 5);
    EXPECT_EQ(hits[0].id, 0u);
    EXPECT_FALSE(is_hit(hits[1]));
  }
}

TEST(Strangers, ARayIsARowOfATable) {
  const io::RaysSource rays(stranger("rays.csv"));
  ASSERT_EQ(rays.count(), 1u);
  for (const Backend backend : backends) {
    const Caster caster(io::read_scene(stranger("wall.json")), default_options(backend));
    EXPECT_EQ(hits_of(caster, rays)[0].t, 5);
  }
}

TEST(Strangers, PointsHaveNames) {
  const io::Points points = io::read_points(stranger("named_points.csv"));
  EXPECT_EQ(points.position, (std::vector<Vec3>{{0, 0, 0}}));
  EXPECT_EQ(points.label, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(points.metadata.at("names"), "camera 1\n");
}

TEST(Strangers, EnginesHaveOtherHeadings) {
  const std::string file = stranger("engine_headings.csv");
  expect_error(ErrorKind::bad_input, {file, "lacks a column 'kind'", "'posX'", "'halfSizeZ'"},
               [&] { io::read_scene(file); });
  const Scene scene = io::read_scene(file, nullptr, nullptr, Kind::aabb);
  ASSERT_EQ(scene.size(), 1u);
  const Aabb box = scene.aabb(0);
  EXPECT_EQ(box.min, (Vec3{-315.2389f, -444.2315f, 0}));
  EXPECT_EQ(box.max, (Vec3{-305.2389f, -434.2315f, 171}));
}

TEST(Strangers, HalfExtentsAreSpeltInCamelCase) {
  const Aabb box = io::read_scene(stranger("half_extents_spelt.json")).aabb(0);
  EXPECT_EQ(box.min, (Vec3{-1, -1, -1}));
  EXPECT_EQ(box.max, (Vec3{1, 1, 1}));
}

TEST(Strangers, CapsulesHaveHeights) {
  // y is up.
  const Capsule capsule = io::read_scene(stranger("capsule_by_height.json")).capsule(0);
  EXPECT_EQ(capsule.a, (Vec3{0, 0.5f, 0}));
  EXPECT_EQ(capsule.b, (Vec3{0, 1.5f, 0}));
  EXPECT_EQ(capsule.radius, 0.5f);
}

TEST(Strangers, UsdIsNoCsv) {
  const std::string file = stranger("cube.usda");
  EXPECT_EQ(io::format_of(file), io::FileFormat::other);
  expect_error(ErrorKind::bad_input, {file, "is OpenUSD", "sightline.from_usd(FILE)"},
               [&] { io::read_scene(file); });
}

TEST(Strangers, WallsInUtmAreToldToGrow) {
  const std::string file = stranger("utm.csv");
  io::Notes notes;
  const Scene scene = io::read_scene(file, nullptr, &notes);
  // What 0.2 m become, between floats that are 0.5 apart.
  EXPECT_EQ(scene.aabb(0).max.y - scene.aabb(0).min.y, 0.5f);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            file +
                ": rounding to binary32 changes 2 of 2 sizes by more than 1 %; the first is aabb "
                "0, whose size along x becomes 0.2188 for 0.2: subtract an offset from all "
                "coordinates first, such as their mean (400005.3, 5800005.2, 10.0)");
}

/// Hits of capsules that move, t and flags.
struct Sweeps {
  std::vector<float> t;
  std::vector<std::uint8_t> flags;

  Sweeps(const std::string& folder, Backend backend, Inside inside) {
    const Scene moving = io::read_scene(stranger(folder + "/m.json"));
    const io::NpyReader file(stranger(folder + "/dd.npy"));
    std::vector<Vec3> directions(file.shape()[0]);
    file.read(0, 3 * directions.size(), directions.data());
    t.resize(moving.size()), flags.resize(moving.size());
    const Caster caster(io::read_scene(stranger(folder + "/scene.json")), default_options(backend));
    caster.sweep(moving, directions, {t, {}, flags, {}}, {.inside = inside});
  }
};

// A capsule on a floor whose height is no float. There is no tolerance: the floats decide whether
// it is in the floor, and then every move begins inside.
TEST(Strangers, ACapsuleOnAFloorIsInItByABit) {
  for (const Backend backend : backends) {
    // Along, up, down.
    const Sweeps solid("rest_on_floor_third", backend, Inside::solid);
    EXPECT_EQ(solid.t, (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(solid.flags, (std::vector<std::uint8_t>{3, 3, 3})) << "hit, started inside";
    const Sweeps ignore("rest_on_floor_third", backend, Inside::ignore);
    EXPECT_EQ(ignore.t, (std::vector<float>{infinity, infinity, infinity}));
  }
}

// As floats this one touches its floor exactly: what moves along it or up has been in touch before,
// and only what moves down begins to touch.
TEST(Strangers, ACapsuleThatTouchesAFloorIsInItUnlessItGoesDown) {
  constexpr float tiny = 0x1.8p-46f;  // of the formula's last bits
  for (const Backend backend : backends) {
    // Along, up, along and up, down, along and down.
    const Sweeps solid("box3d_32", backend, Inside::solid);
    EXPECT_EQ(solid.t, (std::vector<float>{0, 0, 0, 0, tiny}));
    EXPECT_EQ(solid.flags, (std::vector<std::uint8_t>{3, 3, 3, 1, 1}));
    const Sweeps ignore("box3d_32", backend, Inside::ignore);
    EXPECT_EQ(ignore.t, (std::vector<float>{infinity, infinity, infinity, 0, tiny}));
  }
}

// Boxes that touch along an edge in decimals, and are 4e-8 apart as floats.
TEST(Strangers, BoxesThatTouchInDecimalsMayMiss) {
  const Scene queries = io::read_scene(stranger("mathgeolib_12/q.json"));
  for (const Backend backend : backends) {
    const Caster caster(io::read_scene(stranger("mathgeolib_12/scene.json")),
                        default_options(backend));
    std::vector<std::uint32_t> counts(1);
    caster.overlap_count(queries, counts);
    EXPECT_EQ(counts[0], 0u);
  }
}

}  // namespace
}  // namespace sightline::testing
