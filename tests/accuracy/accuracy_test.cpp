// The bars of docs/reference/contract.md, section 3, on fewer rays than
// docs/project/proofs/rays.md.
#include "tests/accuracy/driver.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::accuracy {
namespace {

constexpr double wrong_share = 2e-6;  // 0.0002 %
constexpr double band = 4e-7;         // of the smallest size
constexpr double t_ulp = 0.51;        // 99.9 % of entries
constexpr double t_ulp_max = 8;
constexpr double t_ulp_max_of_planes = 256;  // rays nearly parallel to one
constexpr double t_ulp_grazing = 1;  // 99.9 % of entries within 1e-3 sizes of the silhouette

class AccuracyTest : public ::testing::TestWithParam<Form> {};

TEST_P(AccuracyTest, EveryCellKeepsTheBars) {
  const Form form = GetParam();
  const std::uint64_t rays = scaled(20'000);
  std::uint64_t seed = 1000 * (1 + static_cast<std::uint64_t>(form)), textbook_wrong = 0;
  for (Cell cell : cells_of(form)) {
    for (const double spread : {0.3, 0.001}) {
      cell.spread = spread;
      const Measured m = measure(form, cell, rays, ++seed);
      SCOPED_TRACE(std::string(name(form)) + ": scale " + std::to_string(cell.scale) + " aspect " +
                   std::to_string(cell.aspect) + " distance " + std::to_string(cell.distance) +
                   " spread " + std::to_string(spread) + " seed " + std::to_string(seed));
      EXPECT_EQ(m.rays, rays);
      if (spread == 0.3) {
        EXPECT_LE(static_cast<double>(m.wrong), static_cast<double>(rays) * wrong_share);
        textbook_wrong += m.textbook_wrong;
      }
      EXPECT_LE(m.band, band);
      if (m.t.count() >= 1000) {
        EXPECT_LE(m.t.p999(), t_ulp + 0.1);  // the histogram's bins are a tenth wide
      }
      EXPECT_LE(m.t.max(), form == Form::plane ? t_ulp_max_of_planes : t_ulp_max);
      EXPECT_LE(m.t_grazing.p999(), t_ulp_grazing);
      if (rays >= 1000) {
        EXPECT_GT(m.hits, rays / 10);
        EXPECT_LT(m.hits, rays - rays / 10);
        EXPECT_GT(m.t.count() + m.t_grazing.count(), rays / 20);
      }
    }
  }
  // The same measure finds the textbook's forms wanting.
  if (rays >= 20'000) {
    EXPECT_GT(textbook_wrong, 10u);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, AccuracyTest,
                         ::testing::Values(Form::aabb, Form::obb, Form::sphere, Form::capsule,
                                           Form::plane, Form::cylinder),
                         [](const auto& form) { return std::string(name(form.param)); });

}  // namespace
}  // namespace sightline::accuracy
