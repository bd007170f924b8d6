// The rays of the standard scenes, pinned: a change
// answers (docs/reference/contract.md), said in CHANGELOG.md.
#include "host/files/core/hash.hpp"
#include "host/gen/rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using gen::RayKind;
using gen::SceneKind;

static_assert(answers_version == 1, "another version of the answers has other golden hashes");

template <class T>
io::TensorSource tensor(const char* name, io::Dtype dtype, const std::vector<T>& values) {
  return {
      name, dtype, {values.size()}, [&values](std::uint64_t first, std::uint64_t count, void* to) {
        std::memcpy(to, values.data() + first, count * sizeof(T));
      }};
}

std::string hash_of(const Answers& a) {
  std::vector<float> normal;
  for (const Vec3& n : a.normal) normal.insert(normal.end(), {n.x, n.y, n.z});
  return io::content_hash({tensor("t", io::Dtype::f32, a.t), tensor("id", io::Dtype::u32, a.id),
                           tensor("flags", io::Dtype::u8, a.flags),
                           tensor("normal", io::Dtype::f32, normal),
                           tensor("blocked", io::Dtype::u64, a.blocked)});
}

struct Golden {
  SceneKind scene;
  RayKind rays;
  Inside inside;
  const char* hash;
};

constexpr Golden golden[] = {
    {SceneKind::city, RayKind::incoherent, Inside::solid, "d1e420c3dd1752e0331137ed8c201929"},
    {SceneKind::city, RayKind::los, Inside::solid, "fdc75ee91ed22967853e4e616d1dd50b"},
    {SceneKind::cloud, RayKind::incoherent, Inside::surface, "e3f21ba5c436667af955060997e1d6fc"},
    {SceneKind::cloud, RayKind::coherent, Inside::solid, "e82cda62667554bf19a9b31c7beeeb2d"},
    {SceneKind::mixed, RayKind::incoherent, Inside::ignore, "4f8b39e69c7f7f2bd50cb6efd9e267f0"},
    {SceneKind::lattice, RayKind::incoherent, Inside::surface, "576989302c5aa3444a25c0143dd0a405"},
    {SceneKind::adversarial, RayKind::los, Inside::ignore, "1ed787ca9519c15e2eac3ecdb74416ab"},
    {SceneKind::adversarial, RayKind::incoherent, Inside::solid,
     "70057ea0a6c31c635c00847d11d13b89"},
};

// The reference would take long, and so would the device's other ways: parity is held elsewhere.
std::span<const BackendCase> fast_backends() {
  return on_standin() ? cuda_cases().first(1) : std::span(every_backend).subspan(1, 6);
}

class GoldenAnswers : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, GoldenAnswers, ::testing::ValuesIn(fast_backends()),
                         name_of_backend);

TEST_P(GoldenAnswers, AreTheBytesOfThisVersion) {
  for (const Golden& g : golden) {
    const Scene scene = gen::make_scene(g.scene, 3000, 7);
    const gen::RaySet rays = gen::make_rays(g.rays, scene, g.scene, 20000, 11);
    EXPECT_EQ(hash_of(answers_of(caster(scene), rays.view(), g.inside)), g.hash)
        << gen::name_of(g.scene) << ", " << gen::name_of(g.rays) << ", policy "
        << static_cast<int>(g.inside);
  }
}

}  // namespace
}  // namespace sightline::testing
